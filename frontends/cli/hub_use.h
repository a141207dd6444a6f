/* hub_use.h: models of a hub on the command line.  SPDX-License-Identifier: Apache-2.0 */
#ifndef KZ_HUB_USE_H
#define KZ_HUB_USE_H

#include "cli.h"
#include "hub.h"

/* Settings of the environment and the options; progress and notes go to standard error. */
int kz_cli_hub_open(const kz_args *args, kz_hub *hub);

/* -hf, -hff: the model's path becomes that of -m. KZ_GO_ON when they aren't given. */
int kz_cli_hub_model(kz_args *args);

int kz_cli_hub_failed(const kz_hub *hub, kztts_status status);

#endif
