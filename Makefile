# One word for each job; the real build is CMakeLists.txt.  SPDX-License-Identifier: Apache-2.0
BUILD ?= build
TYPE ?= Release
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
CMAKE_ARGS ?=
MAKEFLAGS += --no-print-directory

CONFIGURE = cmake -S . -DCMAKE_BUILD_TYPE=$(TYPE) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_ARGS)

.PHONY: all check slow ci asan tsan valgrind bench fmt fuzz arm install clean help bits
.DEFAULT_GOAL := all

all:
	@$(CONFIGURE) -B $(BUILD) >/dev/null
	@cmake --build $(BUILD) -j$(JOBS)

check: all
	@tools/run_tests $(BUILD) -L quick

slow: all
	@tools/run_tests $(BUILD) -L slow

ci:
	@tools/ci.sh

asan tsan valgrind arm bits:
	@KZ_FULL=1 tools/ci.sh $@

fuzz:
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh

bench: all
	@tools/bench.sh $(BUILD)

fmt:
	@tools/format --write

install: all
	cmake --install $(BUILD)

clean:
	rm -rf build build-*

help:
	@echo "make            build everything into $(BUILD)/"
	@echo "make check      the quick tests, about a minute"
	@echo "make slow       the tests that take minutes: long texts, a thousand requests"
	@echo "make ci         everything .ci/run does: compilers, sanitizers, ARM, style"
	@echo "make asan       tests with the address and undefined behaviour sanitizers"
	@echo "make tsan       tests that use threads, with the thread sanitizer"
	@echo "make valgrind   a short utterance under valgrind"
	@echo "make arm        cross build for aarch64, tests under qemu"
	@echo "make bits       one answer on every CPU level and number of threads, ARM under qemu"
	@echo "make bench      speed of kernels and stages"
	@echo "make fuzz       every fuzz target for FUZZ_SECONDS ($(FUZZ_SECONDS))"
	@echo "make fmt        lay out all C files"
	@echo "make install    into PREFIX ($(PREFIX))"
	@echo "make clean      remove build folders"
