/* zip.c: finding members of a zip file, with 64-bit extensions.  SPDX-License-Identifier: Apache-2.0
 *
 * The directory at the end is what counts: local headers may lack sizes. */
#include "voice/zip.h"

#include <string.h>

#include "voice/importing.h"

enum {
    END_BYTES = 22,      /* end of the central directory */
    LOCATOR_BYTES = 20,  /* where its 64-bit form is */
    END64_BYTES = 56,    /* which this is */
    ENTRY_BYTES = 46,    /* of the directory, without name and extra fields */
    LOCAL_BYTES = 30,    /* header before a member, likewise */
    COMMENT_MAX = 65535, /* behind the end */
    MANY = 0xFFFF
};

#define LARGE 0xFFFFFFFFu /* the 64-bit form has the number */

static const char end_mark[] = "PK\5\6", end64_mark[] = "PK\6\6", locator_mark[] = "PK\6\7", entry_mark[] = "PK\1\2",
                  local_mark[] = "PK\3\4";

static bool is_mark(const kz_zip *z, size_t at, const char *mark) { return memcmp(z->data + at, mark, 4) == 0; }

static uint64_t number(const kz_zip *z, size_t at, size_t n_byte) { return kz_little(z->data + at, n_byte); }

static kztts_status fail(const kz_zip *z, const char *what) {
    return kz_fail(z->err, KZTTS_ERROR_FORMAT, "%s: a zip file that %s", z->label, what);
}

bool kz_zip_is(const void *data, size_t n) { return n >= 4 && memcmp(data, local_mark, 4) == 0; }

/* The last place that can be the end. */
static bool find_end(const kz_zip *z, size_t *at) {
    if (z->n < END_BYTES)
        return false;
    size_t last = z->n - END_BYTES, first = last > COMMENT_MAX ? last - COMMENT_MAX : 0;
    for (*at = last + 1; *at > first;)
        if (is_mark(z, --*at, end_mark))
            return true;
    return false;
}

static kztts_status set_directory(kz_zip *z, uint64_t offset, uint64_t size, size_t end) {
    if (offset > end || size > end - offset)
        return fail(z, "is damaged: its directory isn't where it should be");
    z->directory = (size_t)offset;
    z->directory_end = (size_t)(offset + size);
    return KZTTS_OK;
}

static kztts_status open_large(kz_zip *z, size_t end) {
    if (end < LOCATOR_BYTES || !is_mark(z, end - LOCATOR_BYTES, locator_mark))
        return fail(z, "is damaged: its 64-bit directory is missing");
    uint64_t at = number(z, end - LOCATOR_BYTES + 8, 8);
    if (at > end - LOCATOR_BYTES || end - LOCATOR_BYTES - at < END64_BYTES || !is_mark(z, (size_t)at, end64_mark))
        return fail(z, "is damaged: its 64-bit directory isn't where it should be");
    return set_directory(z, number(z, (size_t)at + 48, 8), number(z, (size_t)at + 40, 8), (size_t)at);
}

kztts_status kz_zip_open(kz_zip *z, const void *data, size_t n, const char *label, kz_err *err) {
    size_t end;
    *z = (kz_zip){.data = data, .n = n, .label = label, .err = err};
    if (!find_end(z, &end))
        return fail(z, "is cut off: the directory at its end is missing");
    uint64_t size = number(z, end + 12, 4), offset = number(z, end + 16, 4);
    if (number(z, end + 10, 2) == MANY || size == LARGE || offset == LARGE)
        return open_large(z, end);
    return set_directory(z, offset, size, end);
}

/* ---- members --------------------------------------------------------------------------------------------------- */

typedef struct entry {
    uint64_t packed, size, local;
    unsigned method, flags;
    const char *name;
    size_t n_name, next;
} entry;

/* Replaces what the 64-bit field has, in its order. */
static void read_extra(const kz_zip *z, entry *e, size_t at, size_t end) {
    while (end - at >= 4) {
        size_t id = (size_t)number(z, at, 2), n = (size_t)number(z, at + 2, 2);
        at += 4;
        if (n > end - at)
            return;
        uint64_t *const value[] = {&e->size, &e->packed, &e->local};
        size_t from = at;
        for (size_t i = 0; id == 1 && i < sizeof value / sizeof *value; i++)
            if (*value[i] == LARGE && at + n - from >= 8) {
                *value[i] = number(z, from, 8);
                from += 8;
            }
        at += n;
    }
}

static kztts_status read_entry(const kz_zip *z, size_t at, entry *e) {
    if (z->directory_end - at < ENTRY_BYTES || !is_mark(z, at, entry_mark))
        return fail(z, "has a damaged directory");
    size_t n_name = (size_t)number(z, at + 28, 2), n_extra = (size_t)number(z, at + 30, 2),
           n_comment = (size_t)number(z, at + 32, 2);
    if (n_name + n_extra + n_comment > z->directory_end - at - ENTRY_BYTES)
        return fail(z, "has a damaged directory");
    *e = (entry){.flags = (unsigned)number(z, at + 8, 2),
                 .method = (unsigned)number(z, at + 10, 2),
                 .packed = number(z, at + 20, 4),
                 .size = number(z, at + 24, 4),
                 .local = number(z, at + 42, 4),
                 .name = (const char *)z->data + at + ENTRY_BYTES,
                 .n_name = n_name};
    size_t extra = at + ENTRY_BYTES + n_name;
    read_extra(z, e, extra, extra + n_extra);
    e->next = extra + n_extra + n_comment;
    return KZTTS_OK;
}

static kztts_status open_member(const kz_zip *z, const entry *e, kz_zip_member *out) {
    if (e->method != 0 || e->packed != e->size)
        return fail(z, "is compressed; torch.save writes files that aren't, and only those are read");
    if (e->flags & 1)
        return fail(z, "is encrypted");
    if (e->local > z->n || z->n - e->local < LOCAL_BYTES || !is_mark(z, (size_t)e->local, local_mark))
        return fail(z, "is damaged: a member isn't where the directory says");
    size_t at = (size_t)e->local, skip = (size_t)number(z, at + 26, 2) + (size_t)number(z, at + 28, 2);
    at += LOCAL_BYTES;
    if (skip > z->n - at || e->size > z->n - at - skip)
        return fail(z, "is damaged: a member goes beyond its end");
    *out = (kz_zip_member){.name = e->name, .n_name = e->n_name, .data = z->data + at + skip, .n = (size_t)e->size};
    return KZTTS_OK;
}

static bool is_name(const entry *e, const char *name, size_t n_name, bool any_folder) {
    if (e->n_name < n_name || memcmp(e->name + e->n_name - n_name, name, n_name) != 0)
        return false;
    return e->n_name == n_name || (any_folder && e->name[e->n_name - n_name - 1] == '/');
}

kztts_status kz_zip_find(const kz_zip *z, const char *name, size_t n_name, bool any_folder, kz_zip_member *out) {
    entry e;
    *out = (kz_zip_member){0};
    for (size_t at = z->directory; at < z->directory_end; at = e.next) {
        KZ_TRY(read_entry(z, at, &e));
        if (is_name(&e, name, n_name, any_folder))
            return open_member(z, &e, out);
    }
    return KZTTS_OK;
}
