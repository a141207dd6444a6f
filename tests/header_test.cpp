// header_test.cpp: KZ_HEADER, alone in a C++ translation unit, twice.  SPDX-License-Identifier: Apache-2.0
#include KZ_HEADER
#include KZ_HEADER
