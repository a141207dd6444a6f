/* test_batch.c: the items of a batch, each alone, give the batch's codes.  SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "golden_engine.h"

static bool same_setting(const cJSON *a, const cJSON *b, const char *key) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, key), *y = cJSON_GetObjectItemCaseSensitive(b, key);
    return (!x && !y) || cJSON_Compare(x, y, 1);
}

/* A batch's fixture doesn't repeat what the encoders made of its recording: another case with the same one does. */
static const cJSON *find_twin(const golden_case *c) {
    static const char *const keys[] = {"checkpoint", "clip", "clip_samples", "ref_text"};
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(golden_manifest(c), "cases")) {
        const cJSON *tensors = cJSON_GetObjectItemCaseSensitive(item, "tensors");
        bool same = cJSON_GetObjectItemCaseSensitive(tensors, "speaker_embedding") != NULL;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            same = same && same_setting(item, c->settings, keys[i]);
        if (same)
            return item;
    }
    return NULL;
}

static bool find_clone(golden_case *c, golden_model *m, golden_clone *clone, golden_case *twin) {
    char path[8192];
    kz_err err = {""};
    *clone = (golden_clone){NULL, NULL, 0};
    if (!golden_string(c, "clip", 0))
        return true;
    twin->settings = find_twin(c);
    twin->name = c->name;
    twin->set = c->set;
    if (!twin->settings) {
        golden_fail(c, "no other case has this recording's x-vector");
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", golden_root(c), golden_string(twin, "file", 0));
    if (!golden_ok(c, kz_weights_open_file(&twin->file, path, &err), &err, path))
        return false;
    size_t n = 0;
    const kz_tensor *x = golden_tensor(twin, "speaker_embedding"), *codes = golden_tensor(twin, "ref_codes");
    float *x_vector = golden_memory(c, m->cfg.talker.d_model, sizeof(float));
    if (x && x->n_elem == m->cfg.talker.d_model)
        memcpy(x_vector, x->data, x->n_byte);
    clone->x_vector = x_vector;
    if (codes) {
        /* golden_i32 keeps memory with the case that owns it: lend it our list. */
        twin->memory = c->memory;
        clone->ref_code = golden_i32(twin, "ref_codes", &n);
        c->memory = twin->memory;
        clone->n_ref = n / m->cfg.n_code;
    }
    return true;
}

static void check_item(golden_case *c, golden_model *m, size_t item, const golden_clone *clone) {
    char name[32];
    golden_request r;
    golden_speech s;
    golden_utterance u;
    snprintf(name, sizeof name, "codes_%zu", item);
    if (!golden_tensor(c, name))
        golden_fail(c, "%s: missing in the fixture", name);
    if (golden_request_make(&r, c, m, item, clone) && golden_speak(&s, c, m, &r.prompt, NULL, NULL))
        golden_check_i32(c, name, s.codes, s.n_frame * m->cfg.n_code);
    golden_request_free(&r);
    if (golden_engine_speak(&u, c, item, clone))
        golden_check_i32(c, name, u.codes, u.n_frame * u.n_code);
}

static void check(golden_case *c) {
    golden_model *m = golden_model_get(c, GOLDEN_PROMPT | GOLDEN_TALKER | GOLDEN_PREDICTOR);
    golden_case twin = {0};
    golden_clone clone;
    if (!m)
        return;
    if (find_clone(c, m, &clone, &twin))
        for (size_t i = 0; golden_string(c, "text", i); i++)
            check_item(c, m, i, &clone);
    kz_weights_close(twin.file);
}

int main(int argc, char **argv) { return golden_main("batch", check, argc, argv); }
