/* asan.h: what memory tells AddressSanitizer.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_BASE_ASAN_H
#define KZ_BASE_ASAN_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KZ_ASAN 1 /* clang's way of saying it */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KZ_ASAN 1
#endif

#ifdef KZ_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#endif
