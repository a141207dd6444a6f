#!/bin/sh
# Installs the Debian or Ubuntu packages that kztts is built with.  SPDX-License-Identifier: Apache-2.0
#
#   tools/setup.sh            build and use
#   tools/setup.sh --tests    also run all tests: clang, sanitizers, valgrind, ARM cross build with qemu
#   tools/setup.sh --arm64    also the ARM cross build alone
#
# As root, or with sudo. Does nothing when all packages are there.
set -eu

want="gcc libc6-dev make cmake pkg-config libcjson-dev libutf8proc-dev libpcre2-dev libsndfile1-dev libopusfile-dev libsoxr-dev
libflac-dev libmp3lame-dev libopusenc-dev libvo-aacenc-dev libsonic-dev libasound2-dev libpulse-dev libcurl4-openssl-dev"
test_packages="libcmocka-dev g++ python3 clang-19 clang-format-19 libclang-rt-19-dev valgrind binutils"
arm_packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
arm_libraries="libcjson-dev:arm64 libutf8proc-dev:arm64 libpcre2-dev:arm64 libcmocka-dev:arm64"

arm64=0
for arg; do
    case $arg in
    --tests) want="$want $test_packages" arm64=1 ;;
    --arm64) arm64=1 ;;
    -h | --help) sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,10p'; exit 0 ;;
    *) echo "setup.sh: unknown option $arg" >&2; exit 2 ;;
    esac
done

if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup.sh knows Debian and Ubuntu only; BUILDING.md lists what other systems need" >&2
    exit 1
fi

# Ubuntu keeps arm64 on other servers than amd64: its sources must be set up by hand (BUILDING.md).
foreign=0
if [ $arm64 = 1 ] && [ "$(dpkg --print-architecture)" = amd64 ]; then
    want="$want $arm_packages"
    if grep -q '^ID=debian' /etc/os-release; then
        want="$want $arm_libraries" foreign=1
    elif dpkg --print-foreign-architectures | grep -qx arm64; then
        want="$want $arm_libraries"
    else
        echo "setup.sh: no arm64 libraries on this system, the ARM tests will be skipped (BUILDING.md says how)" >&2
    fi
fi

# A plain name means this machine's architecture (or a package for all of them).
installed() {
    case $1 in
    *:*) arch=${1#*:} ;;
    *) arch=$(dpkg --print-architecture) ;;
    esac
    dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "$1" 2>/dev/null | grep -qE "^($arch|all) installed$"
}

missing=
for package in $want; do
    installed "$package" || missing="$missing $package"
done
if [ -z "$missing" ]; then
    echo "setup.sh: all packages are there"
    exit 0
fi

sudo=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "setup.sh: run it as root, missing:$missing" >&2; exit 1; }
    sudo=sudo
fi

# Another apt may hold the lock, and mirrors hiccup: wait and try again.
try() {
    n=1
    until "$@" >"$log" 2>&1; do
        if [ $n -ge 4 ]; then
            echo "setup.sh: this failed $n times: $*" >&2
            tail -n 20 "$log" >&2
            exit 1
        fi
        n=$((n + 1))
        sleep 5
    done
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "setup.sh: installing$missing"
[ $foreign = 0 ] || $sudo dpkg --add-architecture arm64
apt="apt-get -qq -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3"
try $sudo $apt update
# shellcheck disable=SC2086
try $sudo env DEBIAN_FRONTEND=noninteractive $apt install -y --no-install-recommends $missing
echo "setup.sh: done"
