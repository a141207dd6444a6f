# Models of a hub: the library behind frontends/hub.  SPDX-License-Identifier: Apache-2.0
#
# libcurl is optional: without it nothing is fetched, and what is in the cache still works. Linked into programs, never
# installed; SHA-256 comes with kztts_static.

option(KZTTS_CURL "Fetch models with libcurl" ON)
if(KZTTS_CURL)
    kz_dependency(NAME curl MODULE libcurl>=7.85 HEADER curl/curl.h LIBRARY curl PACKAGE libcurl4-openssl-dev OPTIONAL)
endif()

file(GLOB kz_hub_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/frontends/hub/*.c")
add_library(kztts_hub STATIC ${kz_hub_files})
target_include_directories(kztts_hub PUBLIC "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/frontends/hub"
                           PRIVATE "${PROJECT_SOURCE_DIR}/src") # src: hash/hash.h alone
target_compile_definitions(kztts_hub PRIVATE _GNU_SOURCE)
target_link_libraries(kztts_hub PRIVATE kz::cjson)
if(TARGET kz::curl)
    target_compile_definitions(kztts_hub PRIVATE KZ_WITH_CURL)
    target_link_libraries(kztts_hub PRIVATE kz::curl)
else()
    message(STATUS "Without libcurl: models can't be fetched (tools/setup.sh installs it)")
endif()
kz_compile_options(kztts_hub)
