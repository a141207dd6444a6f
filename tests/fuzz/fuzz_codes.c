/* fuzz_codes.c: any bytes as a codes file.  SPDX-License-Identifier: Apache-2.0
 *
 * Input: a byte for the code groups, a byte for the codebook's size, then the file. What is read must print and read
 * back as the same codes. */
#include "../../frontends/cli/codes.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check_message(const char *message) {
    if (!message[0] || strlen(message) > 255)
        abort();
}

/* The codes as `say --codes` writes them; free(). */
static char *print(const kz_codes *codes, int n_code, size_t *n_text) {
    size_t n = codes->n_frame * (size_t)n_code;
    char *text = malloc(n * 12 + 1);
    *n_text = 0;
    for (size_t i = 0; text && i < n; i++) {
        const char *end = (i + 1) % (size_t)n_code ? " " : "\n";
        *n_text += (size_t)snprintf(text + *n_text, 13, "%ld%s", (long)codes->code[i], end);
    }
    return text;
}

static void check_round_trip(const kz_codes *codes, int n_code, int codebook_size) {
    char message[256] = "";
    size_t n_text, n = codes->n_frame * (size_t)n_code;
    kz_codes again;
    for (size_t i = 0; i < n; i++)
        if (codes->code[i] < 0 || codes->code[i] >= codebook_size)
            abort();
    char *text = print(codes, n_code, &n_text);
    if (!text)
        return;
    if (kz_codes_parse(&again, text, n_text, n_code, codebook_size, message, sizeof message) != 0 ||
        again.n_frame != codes->n_frame || memcmp(again.code, codes->code, n * sizeof *again.code) != 0)
        abort();
    free(again.code);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char message[256] = "";
    kz_codes codes;
    if (n < 2)
        return 0;
    int n_code = 1 + data[0] % 32, codebook_size = 1 << data[1] % 31;
    /* a copy of its own, so that a read past the end is seen */
    char *file = malloc(n > 2 ? n - 2 : 1);
    if (!file)
        return 0;
    memcpy(file, data + 2, n - 2);
    if (kz_codes_parse(&codes, file, n - 2, n_code, codebook_size, message, sizeof message) == 0)
        check_round_trip(&codes, n_code, codebook_size);
    else if (codes.code || codes.n_frame)
        abort();
    else
        check_message(message);
    free(codes.code);
    free(file);
    return 0;
}
