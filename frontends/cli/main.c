/* main.c: the kztts command line's entry.  SPDX-License-Identifier: Apache-2.0 */
#include "cli.h"

int main(int argc, char **argv) { return kz_cli_main(argc, argv); }
