/* cpu_mask.c: which cores the program's threads may run on.  SPDX-License-Identifier: Apache-2.0 */
#include <sched.h>
#include <string.h>

#include "cli.h"

#ifdef __linux__

static bool add(cpu_set_t *set, int core) {
    if (core >= CPU_SETSIZE)
        return false;
    CPU_SET((size_t)core, set);
    return true;
}

/* Digits at *p. */
static bool take_core(const char **p, int *core) {
    *core = 0;
    if (**p < '0' || **p > '9')
        return false;
    for (; **p >= '0' && **p <= '9'; ++*p)
        if ((*core = *core * 10 + (**p - '0')) >= CPU_SETSIZE)
            return false;
    return true;
}

/* "0-3,5" */
static bool read_list(const char *p, cpu_set_t *set) {
    int first, last;
    for (;; p++) {
        if (!take_core(&p, &first))
            return false;
        last = first;
        if (*p == '-' && (p++, !take_core(&p, &last) || last < first))
            return false;
        for (int core = first; core <= last; core++)
            add(set, core);
        if (*p != ',')
            return *p == '\0';
    }
}

/* Hexadecimal digits, the last one is cores 0 to 3. */
static bool read_hex(const char *digits, cpu_set_t *set) {
    static const char hex[] = "0123456789abcdef0123456789ABCDEF";
    size_t n = strlen(digits);
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr(hex, digits[n - 1 - i]);
        int value = at ? (int)(at - hex) % 16 : 0;
        for (int bit = 0; bit < 4; bit++)
            if ((value >> bit & 1) && (i >= CPU_SETSIZE || !add(set, (int)i * 4 + bit)))
                return false;
        if (!at)
            return false;
    }
    return n > 0;
}

static bool is_hex(const char *text) { return text[0] == '0' && (text[1] == 'x' || text[1] == 'X'); }

int kz_cli_use_cores(const kz_args *args) {
    const kz_value *mask = &args->value[KZ_OPT_CPU_MASK];
    const char *text = mask->text, *source = mask->from_env ? "KZTTS_CPU_MASK" : "--cpu-mask";
    cpu_set_t set, usable;
    CPU_ZERO(&set);
    if (!text)
        return KZ_GO_ON;
    if (!(is_hex(text) ? read_hex(text + 2, &set) : read_list(text, &set)))
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' is neither a list of cores such as 0-3,5 nor a mask such as 0x2f",
                           source, text);
    if (CPU_COUNT(&set) == 0)
        return kz_cli_fail(KZ_EXIT_USAGE, "%s: '%s' has no core at all", source, text);
    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        for (size_t core = 0; core < CPU_SETSIZE; core++)
            if (CPU_ISSET(core, &set) && !CPU_ISSET(core, &usable))
                return kz_cli_fail(KZ_EXIT_USAGE,
                                   "%s: core %zu of '%s' isn't there, or not for this process, which may use %d",
                                   source, core, text, CPU_COUNT(&usable));
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "%s: the system refuses the cores '%s'", source, text);
    return KZ_GO_ON;
}

#else

int kz_cli_use_cores(const kz_args *args) {
    return args->value[KZ_OPT_CPU_MASK].text
               ? kz_cli_fail(KZ_EXIT_USAGE, "--cpu-mask: this system has no way to choose cores")
               : KZ_GO_ON;
}

#endif
