/* null.c: null sink: samples are made and dropped.  SPDX-License-Identifier: Apache-2.0 */
#include "sink.h"

const kz_sink_type kz_sink_null = {.name = "null", .extensions = "", .text = true, .silent = true};
