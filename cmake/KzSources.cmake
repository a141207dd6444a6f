# Reading recordings: the library behind frontends/sources and what it stands on.  SPDX-License-Identifier: Apache-2.0
#
# libsndfile, libopusfile and libsoxr are optional, each: without them, fewer kinds of files can be read, and messages
# say so. kztts_sources is linked into programs, never installed.

option(KZTTS_SNDFILE "Read recordings with libsndfile" ON)
option(KZTTS_OPUSFILE "Read Opus recordings with libopusfile" ON)
option(KZTTS_SOXR "Resample recordings with libsoxr" ON)

if(KZTTS_SNDFILE)
    kz_dependency(NAME sndfile MODULE sndfile HEADER sndfile.h LIBRARY sndfile PACKAGE libsndfile1-dev OPTIONAL)
endif()
if(KZTTS_OPUSFILE)
    kz_dependency(NAME opusfile MODULE opusfile HEADER opusfile.h LIBRARY opusfile PACKAGE libopusfile-dev OPTIONAL)
endif()
if(KZTTS_SOXR)
    kz_dependency(NAME soxr MODULE soxr HEADER soxr.h LIBRARY soxr PACKAGE libsoxr-dev OPTIONAL)
endif()

file(GLOB kz_source_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/frontends/sources/*.c")

# kz_sources_library(<name> <libraries...>): reads with these libraries, where they were found
function(kz_sources_library name)
    add_library(${name} STATIC ${kz_source_files})
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/frontends/sources")
    target_link_libraries(${name} PUBLIC kz::utf8proc m)
    foreach(library ${ARGN})
        if(TARGET kz::${library})
            string(TOUPPER "KZ_WITH_${library}" macro)
            target_compile_definitions(${name} PUBLIC ${macro})
            target_link_libraries(${name} PUBLIC kz::${library})
        endif()
    endforeach()
    kz_compile_options(${name})
endfunction()

kz_sources_library(kztts_sources sndfile opusfile soxr)
foreach(library sndfile opusfile soxr)
    if(NOT TARGET kz::${library})
        message(STATUS "Without ${library}: fewer kinds of recordings can be read (tools/setup.sh installs it)")
    endif()
endforeach()

# The tests of this folder, those of reading also with no library at all; called in tests/CMakeLists.txt.
function(kz_source_tests)
    foreach(test unit_source unit_source_containers unit_source_voice unit_source_refusals unit_reference fuzz_source)
        if(TARGET ${test})
            target_link_libraries(${test} PRIVATE kztts_sources)
        endif()
    endforeach()
    if(NOT KZTTS_BUILD_TESTS)
        return()
    endif()
    kz_sources_library(kztts_sources_bare)
    foreach(test source source_refusals)
        kz_test_program(unit_${test}_bare unit/test_${test}.c unit/recordings.c)
        target_link_libraries(unit_${test}_bare PRIVATE kztts_sources_bare)
        kz_test(unit_${test}_bare quick 300 unit_${test}_bare)
    endforeach()
endfunction()
