# Models of a hub: the library behind frontends/hub.  SPDX-License-Identifier: Apache-2.0
#
# libcurl is optional: without it nothing is fetched, and what is in the cache still works. Linked into programs, never
# installed; SHA-256 comes with kztts_static.

option(KZTTS_CURL "Fetch models with libcurl" ON)
if(KZTTS_CURL)
    kz_dependency(NAME curl MODULE libcurl>=7.85 HEADER curl/curl.h LIBRARY curl PACKAGE libcurl4-openssl-dev OPTIONAL)
endif()

file(GLOB kz_hub_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/frontends/hub/*.c")

# kz_hub_library(<name> [curl]): with it, where it was found
function(kz_hub_library name)
    add_library(${name} STATIC ${kz_hub_files})
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/frontends/hub"
                               PRIVATE "${PROJECT_SOURCE_DIR}/src") # src: hash/hash.h alone
    target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
    target_link_libraries(${name} PRIVATE kz::cjson)
    if(TARGET kz::curl AND "curl" IN_LIST ARGN)
        target_compile_definitions(${name} PRIVATE KZ_WITH_CURL)
        target_link_libraries(${name} PRIVATE kz::curl)
    endif()
    kz_compile_options(${name})
endfunction()

kz_hub_library(kztts_hub curl)
if(NOT TARGET kz::curl)
    message(STATUS "Without libcurl: models can't be fetched (tools/setup.sh installs it)")
endif()
