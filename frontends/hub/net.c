/* net.c: requests to the hub.  SPDX-License-Identifier: Apache-2.0
 *
 * libcurl does TLS, proxies (http_proxy, https_proxy, no_proxy) and redirects, and keeps the token from other hosts. */
#include "hub.h"

#ifdef KZ_WITH_CURL

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_LIMIT = 64 << 20, TRIES = 3, LONGEST_WAIT = 60, REDIRECTS = 5 };

/* One answer: into memory, or behind the `have` bytes that fd has. */
typedef struct answer {
    kz_hub *hub;
    CURL *curl;
    const kz_hub_file *file; /* NULL: into memory */
    int fd;
    uint64_t have;
    char *data;
    size_t n;
    bool began, too_long;
    int error; /* errno of a failed write */
} answer;

bool kz_hub_has_network(void) { return true; }

static bool keep(answer *a, const char *data, size_t n) {
    char *more;
    a->too_long = a->n + n > ANSWER_LIMIT;
    if (a->too_long || !(more = realloc(a->data, a->n + n + 1)))
        return false;
    memcpy(more + a->n, data, n);
    a->data = more;
    a->n += n;
    return true;
}

/* Whether the answer goes on where we are; a whole file from a server that knows no ranges begins anew. */
static bool begin(answer *a) {
    long http = 0;
    a->began = true;
    curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &http);
    if (http == 200 && a->have > 0) {
        a->have = 0;
        if (ftruncate(a->fd, 0) != 0)
            a->error = errno;
    }
    return a->error == 0 && (http == 200 || http == 206);
}

static bool store(answer *a, const char *data, size_t n) {
    if (!a->began && !begin(a))
        return false;
    a->too_long = n > a->file->size - a->have;
    while (!a->too_long && n > 0) {
        ssize_t m = pwrite(a->fd, data, n, (off_t)a->have);
        if (m < 0 && errno == EINTR)
            continue;
        if (m <= 0) {
            a->error = m < 0 ? errno : EIO;
            return false;
        }
        data += m;
        n -= (size_t)m;
        a->have += (uint64_t)m;
    }
    if (a->hub->progress)
        a->hub->progress(a->hub->user, a->file->path, a->have, a->file->size);
    return !a->too_long;
}

static size_t on_data(char *data, size_t one, size_t n, void *user) {
    answer *a = user;
    long http = 0;
    curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &http);
    if (http >= 300)
        return n * one; /* the words of an error page */
    return (a->file ? store(a, data, n * one) : keep(a, data, n * one)) ? n * one : 0;
}

static void set_options(answer *a, const char *url, long timeout) {
    bool tls = strncmp(a->hub->endpoint, "https://", 8) == 0;
    curl_easy_setopt(a->curl, CURLOPT_URL, url);
    curl_easy_setopt(a->curl, CURLOPT_USERAGENT, "kztts");
    curl_easy_setopt(a->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(a->curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(a->curl, CURLOPT_MAXREDIRS, (long)REDIRECTS);
    curl_easy_setopt(a->curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(a->curl, CURLOPT_REDIR_PROTOCOLS_STR, tls ? "https" : "http,https");
    curl_easy_setopt(a->curl, CURLOPT_CONNECTTIMEOUT, a->hub->meta_timeout);
    curl_easy_setopt(a->curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(a->curl, CURLOPT_LOW_SPEED_TIME, timeout);
    if (!a->file)
        curl_easy_setopt(a->curl, CURLOPT_TIMEOUT, 6 * timeout); /* an answer that drips never ends otherwise */
    curl_easy_setopt(a->curl, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(a->curl, CURLOPT_WRITEDATA, a);
    if (*a->hub->token) {
        curl_easy_setopt(a->curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        curl_easy_setopt(a->curl, CURLOPT_XOAUTH2_BEARER, a->hub->token);
    }
}

/* What a refusal means and what to do. */
static kztts_status refused(kz_hub *hub, const char *id, const char *what, long http, long wait) {
    const char *token = *hub->token ? "the token (HF_TOKEN) is wrong or may not read it"
                                    : "it needs a token: set HF_TOKEN, or give -hft";
    const char *todo = http == 401   ? token
                       : http == 403 ? "accept the model's terms on its page, or ask its owner, then use your token"
                       : http == 404 ? "check the name and the revision"
                       : http == 429 ? "too many requests; wait and pull again, a token raises the limit"
                       : http >= 500 ? "the hub has trouble; pull again later, what is here is kept"
                                     : "this isn't expected of a hub";
    if (wait > LONGEST_WAIT)
        return kz_hub_fail(hub, KZTTS_ERROR_NETWORK,
                           "%s of %s: %s answered %ld and asks to wait %ld s; pull again then", what, id, hub->endpoint,
                           http, wait);
    return kz_hub_fail(hub, KZTTS_ERROR_NETWORK, "%s of %s: %s answered %ld: %s", what, id, hub->endpoint, http, todo);
}

static kztts_status cut_off(answer *a, const char *id, const char *what, CURLcode code) {
    if (a->error)
        return kz_hub_fail(a->hub, KZTTS_ERROR_FAILED, "can't write '%s' to the cache: %s; what is there is kept", what,
                           strerror(a->error));
    if (a->too_long)
        return kz_hub_fail(a->hub, KZTTS_ERROR_FORMAT, "%s of %s: %s sends more than it said", what, id,
                           a->hub->endpoint);
    if (code == CURLE_OPERATION_TIMEDOUT)
        return kz_hub_fail(a->hub, KZTTS_ERROR_NETWORK,
                           "%s of %s: %s is too slow (nothing for %ld s); pull again, what is here is kept "
                           "(HF_HUB_ETAG_TIMEOUT and HF_HUB_DOWNLOAD_TIMEOUT set the seconds)",
                           what, id, a->hub->endpoint, a->file ? a->hub->data_timeout : a->hub->meta_timeout);
    return kz_hub_fail(a->hub, KZTTS_ERROR_NETWORK, "%s of %s: %s: %s", what, id, a->hub->endpoint,
                       code == CURLE_OK ? "the connection ended early" : curl_easy_strerror(code));
}

/* One request. *again: it may pass the next time, after *wait seconds (-1: not said). */
static kztts_status request(answer *a, const char *id, const char *what, const char *url, bool *again, long *wait) {
    char range[32];
    long http = 0;
    curl_off_t after = 0;
    *again = false;
    *wait = -1;
    a->curl = curl_easy_init();
    if (!a->curl)
        return kz_hub_fail(a->hub, KZTTS_ERROR_MEMORY, "libcurl can't begin");
    a->began = false;
    set_options(a, url, a->file ? a->hub->data_timeout : a->hub->meta_timeout);
    if (a->file && a->have > 0) {
        snprintf(range, sizeof range, "%llu-", (unsigned long long)a->have);
        curl_easy_setopt(a->curl, CURLOPT_RANGE, range);
    }
    CURLcode code = curl_easy_perform(a->curl);
    curl_easy_getinfo(a->curl, CURLINFO_RESPONSE_CODE, &http);
    curl_easy_getinfo(a->curl, CURLINFO_RETRY_AFTER, &after);
    curl_easy_cleanup(a->curl);
    if (after > 0)
        *wait = (long)after;
    *again = !a->error && !a->too_long && (http == 0 || http == 429 || http >= 500 || http < 300 || http == 416);
    if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_TOO_MANY_REDIRECTS ||
        code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT)
        *again = false;
    if (http == 416) { /* our part isn't of this file */
        a->have = 0;
        if (ftruncate(a->fd, 0) != 0)
            a->error = errno;
    }
    if (http >= 300 && code == CURLE_OK)
        return refused(a->hub, id, what, http, *wait);
    if (code != CURLE_OK || (a->file && a->have < a->file->size))
        return cut_off(a, id, what, code);
    return KZTTS_OK;
}

static void pause_for(kz_hub *hub, long wait) {
    char text[1300];
    struct timespec t = {.tv_sec = wait};
    snprintf(text, sizeof text, "%s (trying again in %ld s)", hub->message, wait);
    if (hub->note)
        hub->note(hub->user, text);
    nanosleep(&t, NULL);
}

/* A try that brought bytes doesn't count: a line that is cut now and then ends some time. */
static kztts_status with_retries(answer *a, const char *id, const char *what, const char *url) {
    kztts_status status;
    bool again;
    long wait;
    for (int tries = 1;; tries++) {
        uint64_t before = a->have;
        a->n = 0;
        status = request(a, id, what, url, &again, &wait);
        bool gained = a->have > before;
        if (status >= 0 || !again || wait > LONGEST_WAIT || (!gained && tries >= TRIES))
            return status;
        if (gained)
            tries = 0;
        pause_for(a->hub, gained ? 0 : wait >= 0 ? wait : 1L << (tries - 1));
    }
}

/* The name for a URL: what may not stand there is written as %XX. */
static bool add_escaped(char *url, size_t size, const char *text) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    size_t n = strlen(url);
    for (; *text && n + 4 < size; text++)
        n += (size_t)snprintf(url + n, size - n, strchr(plain, *text) ? "%c" : "%%%02X", (unsigned char)*text);
    return *text == '\0';
}

kztts_status kz_hub_fetch_tree(kz_hub *hub, const kz_hub_repo *repo, kz_hub_tree *tree) {
    char url[KZ_HUB_PATH], revision[3 * KZ_HUB_NAME] = "";
    answer a = {.hub = hub, .fd = -1};
    memset(tree, 0, sizeof *tree);
    if (hub->offline)
        return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND,
                           "%s@%s isn't (whole) in '%s', and the network is off (--offline, HF_HUB_OFFLINE or "
                           "TRANSFORMERS_OFFLINE)",
                           repo->id, repo->revision, hub->cache);
    for (const char *p = repo->revision; *p; p++) /* a branch may have slashes */
        snprintf(revision + strlen(revision), sizeof revision - strlen(revision), *p == '/' ? "%%2F" : "%c", *p);
    if (!kz_hub_format(url, "%s/api/models/%s/revision/%s?blobs=true", hub->endpoint, repo->id, revision))
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT, "the name is too long");
    kztts_status status = with_retries(&a, repo->id, "the list of files", url);
    if (status >= 0)
        status = kz_hub_parse_tree(hub, a.data ? a.data : "", a.n, tree);
    free(a.data);
    return status;
}

kztts_status kz_hub_fetch_file(kz_hub *hub, const kz_hub_repo *repo, const char *commit, const kz_hub_file *file,
                               int fd, uint64_t *have) {
    char url[KZ_HUB_PATH];
    answer a = {.hub = hub, .file = file, .fd = fd, .have = *have};
    if (!kz_hub_format(url, "%s/%s/resolve/%s/", hub->endpoint, repo->id, commit) ||
        !add_escaped(url, sizeof url, file->path))
        return kz_hub_fail(hub, KZTTS_ERROR_ARGUMENT, "the name is too long");
    kztts_status status = with_retries(&a, repo->id, file->path, url);
    *have = a.have;
    return status;
}

#else

bool kz_hub_has_network(void) { return false; }

static kztts_status without(kz_hub *hub, const kz_hub_repo *repo) {
    return kz_hub_fail(hub, KZTTS_ERROR_NOT_FOUND,
                       "%s isn't (whole) in '%s', and this kztts is built without libcurl, so it can't be fetched",
                       repo->id, hub->cache);
}

kztts_status kz_hub_fetch_tree(kz_hub *hub, const kz_hub_repo *repo, kz_hub_tree *tree) {
    *tree = (kz_hub_tree){.n = 0};
    return without(hub, repo);
}

kztts_status kz_hub_fetch_file(kz_hub *hub, const kz_hub_repo *repo, const char *commit, const kz_hub_file *file,
                               int fd, uint64_t *have) {
    (void)commit, (void)file, (void)fd, (void)have;
    return without(hub, repo);
}

#endif
