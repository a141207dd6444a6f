# Compiler settings of every target.  SPDX-License-Identifier: Apache-2.0
#
# The numerics contract (docs/numerics.md) forbids contraction, fast-math and -march for the whole program.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "kztts is built with gcc or clang; found ${CMAKE_C_COMPILER_ID} (${CMAKE_C_COMPILER})")
endif()

set(kz_sanitize_flags)
if(KZTTS_SANITIZE STREQUAL "address")
    set(kz_sanitize_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(KZTTS_SANITIZE STREQUAL "thread")
    set(kz_sanitize_flags -fsanitize=thread -fno-omit-frame-pointer)
elseif(NOT KZTTS_SANITIZE STREQUAL "none")
    message(FATAL_ERROR "KZTTS_SANITIZE is \"${KZTTS_SANITIZE}\"; it may be address, thread or none")
endif()
if(KZTTS_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "KZTTS_FUZZ needs clang: cmake -DCMAKE_C_COMPILER=clang ...")
    endif()
    list(APPEND kz_sanitize_flags -fsanitize=fuzzer-no-link)
endif()

function(kz_compile_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
                           -Wmissing-prototypes -ffp-contract=off ${kz_sanitize_flags})
    if(KZTTS_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

function(kz_link_options target)
    target_link_options(${target} PRIVATE ${kz_sanitize_flags})
endfunction()
