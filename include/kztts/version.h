/* kztts: version macros.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZTTS_VERSION_H
#define KZTTS_VERSION_H

#define KZTTS_VERSION_MAJOR 0
#define KZTTS_VERSION_MINOR 1
#define KZTTS_VERSION_PATCH 0
#define KZTTS_VERSION_STRING "0.1.0"

#endif
