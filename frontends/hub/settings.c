/* settings.c: the environment's settings of the hub's own client.  SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "hub.h"

enum { TIMEOUT = 10 };

kztts_status kz_hub_fail(kz_hub *hub, kztts_status status, const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    vsnprintf(hub->message, sizeof hub->message, fmt, list);
    va_end(list);
    return status;
}

bool kz_hub_format(char out[KZ_HUB_PATH], const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    int n = vsnprintf(out, KZ_HUB_PATH, fmt, list);
    va_end(list);
    return n > 0 && n < KZ_HUB_PATH;
}

/* The variable's text, NULL when unset or empty. */
static const char *variable(const char *name) {
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

static bool yes(const char *name) {
    static const char *const words[] = {"1", "on", "yes", "true"};
    const char *text = variable(name);
    for (size_t i = 0; text && i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static long seconds(const char *name) {
    const char *text = variable(name);
    char *end;
    long value = text ? strtol(text, &end, 10) : 0;
    return text && *end == '\0' && value > 0 && value <= 86400 ? value : TIMEOUT;
}

/* A path of a variable, with ~ for the home folder. */
static bool expand(char out[KZ_HUB_PATH], const char *path) {
    const char *home = variable("HOME");
    if (path[0] == '~' && path[1] == '/')
        return home && kz_hub_format(out, "%s%s", home, path + 1);
    return kz_hub_format(out, "%s", path);
}

/* HF_HOME or what stands for it. */
static bool hub_home(char out[KZ_HUB_PATH]) {
    const char *path = variable("HF_HOME"), *xdg = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    if (path)
        return expand(out, path);
    return xdg ? kz_hub_format(out, "%s/huggingface", xdg) : home && kz_hub_format(out, "%s/.cache/huggingface", home);
}

static bool set_cache(kz_hub *hub) {
    char home[KZ_HUB_PATH];
    const char *path = variable("HF_HUB_CACHE");
    path = path ? path : variable("HUGGINGFACE_HUB_CACHE");
    if (path)
        return expand(hub->cache, path);
    return hub_home(home) && kz_hub_format(hub->cache, "%s/hub", home);
}

/* Blanks around are dropped; what can't stand in a header is no token. */
static void take_token(kz_hub *hub, const char *text) {
    size_t n;
    while (isspace((unsigned char)*text))
        text++;
    for (n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]); n--)
        ;
    if (n >= sizeof hub->token)
        return;
    for (size_t i = 0; i < n; i++)
        if (!isgraph((unsigned char)text[i]))
            return;
    memcpy(hub->token, text, n);
    hub->token[n] = '\0';
}

static void token_file(kz_hub *hub) {
    char path[KZ_HUB_PATH], home[KZ_HUB_PATH], text[sizeof hub->token];
    const char *named = variable("HF_TOKEN_PATH");
    if (named ? !expand(path, named) : !hub_home(home) || !kz_hub_format(path, "%s/token", home))
        return;
    FILE *f = fopen(path, "rb");
    if (!f)
        return;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    take_token(hub, text);
}

static void set_token(kz_hub *hub, const char *token) {
    token = token ? token : variable("HF_TOKEN");
    token = token ? token : variable("HUGGING_FACE_HUB_TOKEN");
    if (token)
        take_token(hub, token);
    else if (!yes("HF_HUB_DISABLE_IMPLICIT_TOKEN"))
        token_file(hub);
}

kztts_status kz_hub_open(kz_hub *hub, const char *token, bool offline) {
    const char *endpoint = variable("HF_ENDPOINT");
    memset(hub, 0, sizeof *hub);
    hub->offline = offline || yes("HF_HUB_OFFLINE") || yes("TRANSFORMERS_OFFLINE");
    hub->meta_timeout = seconds("HF_HUB_ETAG_TIMEOUT");
    hub->data_timeout = seconds("HF_HUB_DOWNLOAD_TIMEOUT");
    endpoint = endpoint ? endpoint : "https://huggingface.co";
    size_t n = strlen(endpoint);
    while (n > 0 && endpoint[n - 1] == '/')
        n--;
    if (n >= sizeof hub->endpoint || (strncmp(endpoint, "https://", 8) != 0 && strncmp(endpoint, "http://", 7) != 0))
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT, "HF_ENDPOINT is '%.200s'; it must begin with https:// or http://",
                           endpoint);
    memcpy(hub->endpoint, endpoint, n);
    if (!set_cache(hub))
        return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND,
                           "no place for the hub's cache: neither HF_HUB_CACHE, HF_HOME nor HOME is set (or the path "
                           "is too long)");
    set_token(hub, token);
    return KZTTS_OK;
}
