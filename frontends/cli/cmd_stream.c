/* cmd_stream.c: `kztts stream`: text as it comes in, sound as it is made.  SPDX-License-Identifier: Apache-2.0
 *
 * One thread: between two frames whatever text is there is taken; when there is nothing to say it waits for text. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"
#include "signals.h"
#include "speaking.h"

int kz_cmd_stream(const kz_args *args);

/* PIECE: bytes read at a time. AHEAD: bytes of text that may be unspoken before more is read. PAUSE_MS: a writer that is
 * silent so long has ended its sentence, if it looks like one. */
enum { PIECE = 4096, AHEAD = 1 << 16, PAUSE_MS = 400 };

typedef struct kz_reader {
    kz_speaking run;
    uint64_t n_put;
    size_t n_head;     /* bytes of a byte order mark seen */
    size_t n_newline;  /* by tokens: newlines that are spoken only if text follows */
    bool blank, fresh; /* the line so far is blank; text has come since the last pause */
    bool ended;
} kz_reader;

/* Newlines at the end of a text that is one utterance are no part of it, as in `say`. */
static size_t hold_newlines(kz_reader *r, const char *text, size_t n) {
    size_t n_word = n;
    while (n_word && text[n_word - 1] == '\n')
        n_word--;
    for (; n_word && r->n_newline; r->n_newline--)
        if (kz_speaking_put(&r->run, "\n", 1) < 0)
            break;
    r->n_newline += n - n_word;
    return n_word;
}

static int put(kz_reader *r, const char *text, size_t n) {
    if (r->run.options.commit == KZTTS_COMMIT_TOKEN)
        n = hold_newlines(r, text, n);
    kztts_status status = kz_speaking_put(&r->run, text, n);
    r->n_put += n;
    r->fresh = true;
    return status < 0 ? kz_speaking_failed(&r->run, status) : KZ_GO_ON;
}

static int flush(kz_reader *r) {
    kztts_status status = kztts_stream_flush(r->run.stream);
    return status < 0 ? kz_speaking_failed(&r->run, status) : KZ_GO_ON;
}

/* The text up to each empty line is spoken at once. */
static int put_lines(kz_reader *r, const char *text, size_t n) {
    size_t from = 0;
    int code = KZ_GO_ON;
    for (size_t i = 0; i < n && code == KZ_GO_ON; i++) {
        if (text[i] != '\n') {
            r->blank = r->blank && (text[i] == ' ' || text[i] == '\t');
            continue;
        }
        if (r->blank) {
            code = put(r, text + from, i + 1 - from);
            from = i + 1;
            if (code == KZ_GO_ON)
                code = flush(r);
        }
        r->blank = true;
    }
    return code == KZ_GO_ON && from < n ? put(r, text + from, n - from) : code;
}

/* Drops a byte order mark at the very beginning and all carriage returns. */
static size_t tidy(kz_reader *r, char *text, size_t n) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (r->n_head < 3 && text[i] == mark[r->n_head]) {
            r->n_head++;
            continue;
        }
        if (r->n_head < 3) { /* it was none: what looked like one is text */
            memmove(text + to + r->n_head, text + i, n - i);
            memcpy(text + to, mark, r->n_head);
            n += r->n_head - (i - to);
            to += r->n_head;
            i = to;
            r->n_head = 3;
        }
        if (text[i] != '\r')
            text[to++] = text[i];
    }
    return to;
}

static int end_text(kz_reader *r) {
    r->ended = true;
    kztts_status status = kztts_stream_finish(r->run.stream);
    return status < 0 ? kz_speaking_failed(&r->run, status) : KZ_GO_ON;
}

static int take_text(kz_reader *r) {
    char text[PIECE + 4];
    ssize_t got = read(STDIN_FILENO, text, PIECE);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return KZ_GO_ON;
    if (got < 0)
        return kz_cli_fail(KZ_EXIT_FAILED, "can't read standard input: %s", strerror(errno));
    if (!got)
        return end_text(r);
    if (memchr(text, 0, (size_t)got))
        return kz_cli_fail(KZ_EXIT_TEXT, "standard input: a NUL byte; a text is UTF-8");
    size_t n = tidy(r, text, (size_t)got);
    return put_lines(r, text, n);
}

/* Whether text is there, within wait_ms (-1: as long as it takes, or until nobody reads the sound). */
static bool text_waits(const kz_reader *r, int wait_ms) {
    const kz_outfile *out = &r->run.out.sink.out;
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = out->pipe ? out->fd : -1}};
    return poll(fds, 2, wait_ms) > 0 && fds[0].revents;
}

static bool far_ahead(const kz_reader *r) {
    kztts_summary s = {.size = sizeof s};
    return kztts_stream_get_summary(r->run.stream, &s) >= 0 && r->n_put - s.text_bytes > AHEAD;
}

/* Nothing can be said before more text comes, or before its writer has paused. */
static int wait_for_text(kz_reader *r) {
    if (text_waits(r, r->fresh ? PAUSE_MS : -1))
        return take_text(r);
    if (kz_output_unread(&r->run.out))
        return KZ_EXIT_OK;
    if (r->fresh && !kz_signals_seen()) {
        kztts_status status = kztts_stream_settle(r->run.stream);
        r->fresh = false;
        return status < 0 ? kz_speaking_failed(&r->run, status) : KZ_GO_ON;
    }
    return KZ_GO_ON;
}

static int speak(kz_reader *r) {
    kztts_status status = KZTTS_AGAIN;
    int code = KZ_GO_ON;
    while (status >= 0 && status != KZTTS_END && code == KZ_GO_ON && !r->run.codes.error && !kz_signals_seen()) {
        if (!r->ended && status == KZTTS_OK && !far_ahead(r) && text_waits(r, 0))
            code = take_text(r);
        if (code == KZ_GO_ON)
            code = kz_speaking_read(&r->run, &status);
        if (code == KZ_GO_ON && status == KZTTS_AGAIN && !r->ended)
            code = wait_for_text(r);
    }
    return code == KZ_GO_ON ? kz_speaking_end(&r->run) : code;
}

static int check_arguments(const kz_args *args) {
    bool dash = args->n_word == 1 && strcmp(args->words[0], "-") == 0 && !args->literal;
    if (args->n_word && !dash)
        return kz_cli_usage(args->command, "stream reads its text from standard input; `kztts say` takes words");
    if (args->value[KZ_OPT_COMMIT].integer == 2 && args->value[KZ_OPT_TEXT_MODE].integer == 2)
        return kz_cli_usage(args->command, "--commit token reads along with speaking; --text-mode full can't");
    if (isatty(STDIN_FILENO))
        kz_cli_note(args->value[KZ_OPT_QUIET].flag,
                    "text from the terminal: an empty line speaks what is there, Ctrl-D ends");
    return KZ_GO_ON;
}

static int run_all(kz_reader *r) {
    int code;
    if ((code = check_arguments(r->run.args)) != KZ_GO_ON ||
        (code = kz_voice_choice_prepare(&r->run.choice, r->run.args)) != KZ_GO_ON ||
        (code = kz_speaking_prepare(&r->run)) != KZ_GO_ON || (code = kz_speaking_open(&r->run)) != KZ_GO_ON)
        return code;
    code = speak(r);
    kz_progress_end();
    return code;
}

int kz_cmd_stream(const kz_args *args) {
    kz_reader r = {.blank = false};
    kz_speaking_init(&r.run, args);
    kz_signals_install();
    int code = kz_speaking_close(&r.run, run_all(&r));
    kz_speaking_free(&r.run);
    return code;
}
