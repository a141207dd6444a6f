/* commands.c: finds the command and runs it.  SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "hub_use.h"

#define COMMAND(id, name, arguments, summary) int kz_cmd_##name(const kz_args *args);
#include "commands.inc"
#undef COMMAND

const kz_command kz_commands[KZ_CMD_COUNT] = {
#define COMMAND(id, name, arguments, summary) {#name, arguments, summary, kz_cmd_##name},
#include "commands.inc"
#undef COMMAND
};

/* A closed descriptor 0, 1 or 2 would be taken by the next file we open; a reader's end that has gone is an error code
 * for us, not a signal. With a buffer larger than what is printed, a failed write's reason comes with the last flush. */
static void prepare_process(void) {
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            break;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
}

static const kz_command *find_command(const char *name) {
    for (int i = 0; i < KZ_CMD_COUNT; i++)
        if (strcmp(kz_commands[i].name, name) == 0)
            return &kz_commands[i];
    return NULL;
}

static int unknown_command(const char *name) {
    const char *near = NULL;
    int best = -1;
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        int distance = kz_cli_distance(name, kz_commands[i].name);
        if (distance >= 0 && (best < 0 || distance < best)) {
            best = distance;
            near = kz_commands[i].name;
        }
    }
    if (name[0] == '-')
        return kz_cli_fail(KZ_EXIT_USAGE, "'%s' before the command: options come after it, as in kztts say %s ...",
                           name, name);
    if (near)
        return kz_cli_fail(KZ_EXIT_USAGE, "there is no command '%s'; did you mean '%s'? (kztts help lists them)", name,
                           near);
    if (strchr(name, ' '))
        return kz_cli_fail(KZ_EXIT_USAGE, "there is no command '%s'; to speak a text: kztts say '%s'", name, name);
    return kz_cli_fail(KZ_EXIT_USAGE, "there is no command '%s'; kztts help lists them", name);
}

static int run_command(const kz_command *command, int argc, char **argv) {
    kz_args args;
    int code = kz_cli_parse(&args, command, argc, argv);
    if (code == KZ_GO_ON)
        code = kz_cli_use_cores(&args);
    if (code == KZ_GO_ON)
        code = kz_cli_hub_model(&args);
    if (code == KZ_GO_ON)
        code = command->run(&args);
    kz_cli_args_free(&args);
    return code;
}

int kz_cli_main(int argc, char **argv) {
    prepare_process();
    if (argc < 2) {
        fputs("usage: kztts COMMAND ...   (kztts help explains them; to begin with: kztts say Hello -o hello.wav)\n",
              stderr);
        return KZ_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("kztts %s\n", kztts_version());
        return kz_cli_flush();
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        kz_cli_print_help(NULL);
        return kz_cli_flush();
    }
    const kz_command *command = find_command(name);
    return command ? run_command(command, argc - 1, argv + 1) : unknown_command(name);
}
