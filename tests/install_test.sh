#!/bin/sh
# Installs into a fresh prefix and uses what lies there as a stranger would.  SPDX-License-Identifier: Apache-2.0
#
#   install_test.sh BUILD_DIR SOURCE_DIR C_COMPILER
set -eu
build=$1 source=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

cmake --install "$build" --prefix "$prefix" >"$work/install.log"

# pkg-config, shared library
pc=$(dirname "$(find "$prefix" -name kztts.pc)")
flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs kztts)
# shellcheck disable=SC2086  # flags are words
$cc -std=c11 -Wall -Werror -o "$work/hello-pc" "$source/examples/hello.c" $flags
lib=$(dirname "$(find "$prefix" -name libkztts.so)")
LD_LIBRARY_PATH="$lib" "$work/hello-pc" --version

# pkg-config, static library: what it needs is named
rm -rf "$work/static" && mkdir "$work/static" && cp "$lib/libkztts.a" "$work/static"
flags=$(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs --static kztts)
# shellcheck disable=SC2086
$cc -std=c11 -o "$work/hello-static" "$source/examples/hello.c" -L"$work/static" $flags
"$work/hello-static" --version

# CMake package, shared and static
mkdir "$work/cmake"
cat >"$work/cmake/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(kztts REQUIRED)
add_executable(hello "$source/examples/hello.c")
target_link_libraries(hello PRIVATE kztts::kztts)
add_executable(hello_static "$source/examples/hello.c")
target_link_libraries(hello_static PRIVATE kztts::kztts_static)
EOF
cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" >"$work/cmake.log"
cmake --build "$work/cmake/build" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
"$work/cmake/build/hello" --version
"$work/cmake/build/hello_static" --version

# the program and its manual
[ -x "$prefix/bin/kztts" ]
"$prefix/bin/kztts" --version
[ -f "$prefix/share/man/man1/kztts.1" ]
if [ -d "$source/voices/kazeia-mini" ]; then
    # finds its voice beside itself, from any folder
    (cd "$work" && "$prefix/bin/kztts" say --max-frames 2 -o "$work/hello.wav" "Hello.")
    [ -s "$work/hello.wav" ]
fi
echo "installed and used: $("$prefix/bin/kztts" --version)"
