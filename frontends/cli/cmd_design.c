/* cmd_design.c: `kztts design`: a description into a voice.  SPDX-License-Identifier: Apache-2.0
 *
 * Alone: description and seed, for the voice_design model itself. With --base: the model speaks a text with this seed,
 * and what it said is cloned on the base model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clone.h"
#include "language.h"
#include "open_model.h"
#include "recording.h"

int kz_cmd_design(const kz_args *args);

enum { REFERENCE_SECONDS = 30 };

typedef struct design_run {
    const kz_args *args;
    kz_text description, words;
    uint64_t seed;
    kz_opened design, base;
    kztts_voice *described, *cloned;
    float *pcm;
    size_t n;
    const char *language; /* or NULL */
    char created[32];
} design_run;

/* Some seconds of speech with most sounds of the language. */
static const char *reference_text(const char *language) {
    static const char *const texts[][2] = {
        {"chinese", "今天天气很好，我们一起去河边走走，坐在石头上听鸟儿唱歌，好吗？"},
        {"german",
         "Am frühen Morgen ging sie zum Fluss hinunter, setzte sich auf einen warmen Stein und hörte den Vögeln zu."},
        {"french",
         "Ce matin, elle est descendue au bord de la rivière pour écouter les oiseaux et regarder passer les bateaux."},
        {"spanish", "Esta mañana bajó hasta el río, se sentó en una piedra y escuchó a los pájaros un buen rato."},
        {"italian", "Questa mattina è scesa fino al fiume, si è seduta su una pietra e ha ascoltato gli uccelli."},
        {"portuguese", "Esta manhã ela desceu até o rio, sentou-se numa pedra e ficou ouvindo os pássaros."},
        {"russian", "Рано утром она спустилась к реке, села на тёплый камень и долго слушала птиц."},
        {"japanese", "今朝、彼女は川まで歩いて行き、石に座って、しばらく鳥の声を聞いていました。"},
        {"korean", "오늘 아침 그녀는 강가로 내려가 따뜻한 돌 위에 앉아 새소리를 들었습니다."}};
    for (size_t i = 0; language && i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i][0], language) == 0)
            return texts[i][1];
    return "Early in the morning she walked down to the river, sat on a warm stone, and listened to the birds for a "
           "while.";
}

static int outcome(kztts_status status, kztts_voice *const *voice) {
    return status < 0 ? kz_cli_fail_status(status, *voice ? kztts_voice_message(*voice) : NULL) : KZ_GO_ON;
}

static int describe(design_run *run) {
    int code = kz_cli_open_model_at(run->args, run->args->value[KZ_OPT_MODEL].text, true, &run->design);
    if (code == KZ_GO_ON)
        code = kz_needs_type(run->design.path, &run->design.info, "voice_design", "makes a voice of a description");
    if (code == KZ_GO_ON)
        code = kz_cli_language_name(run->design.model, run->args->value[KZ_OPT_LANGUAGE].text, &run->language);
    if (code == KZ_GO_ON)
        code =
            outcome(kztts_voice_describe(&run->described, run->design.model, run->description.data), &run->described);
    return code;
}

static int open_base(design_run *run) {
    int code = kz_cli_open_model_at(run->args, run->args->value[KZ_OPT_BASE].text, true, &run->base);
    if (code == KZ_GO_ON && strcmp(run->base.info.type, "base") != 0)
        return kz_cli_fail(KZ_EXIT_VOICE, "--base '%s' is a %s model; only a base model takes the designed voice over",
                           run->base.path, run->base.info.type);
    if (code == KZ_GO_ON && run->base.info.sample_rate != run->design.info.sample_rate)
        return kz_cli_fail(KZ_EXIT_VOICE, "the models' sample rates differ: %d and %d Hz", run->design.info.sample_rate,
                           run->base.info.sample_rate);
    return code;
}

/* The reference, in the voice that was described. */
static int speak(design_run *run) {
    char message[512];
    kztts_stream_options o;
    const kztts_model_info *info = &run->design.info;
    const kz_value *frames = &run->args->value[KZ_OPT_MAX_FRAMES];
    int most = REFERENCE_SECONDS * info->sample_rate / info->frame_samples;
    kztts_stream_options_init(&o, sizeof o);
    o.language = run->language;
    o.seed = run->seed;
    o.max_frames = frames->given ? frames->integer : most;
    const char *text = run->words.data ? run->words.data : reference_text(o.language);
    kztts_status status =
        kztts_speak(run->design.model, run->described, text, &o, &run->pcm, &run->n, message, sizeof message);
    if (status < 0)
        return kz_cli_fail_status(status, message);
    if (!frames->given && run->n >= (size_t)most * (size_t)info->frame_samples)
        return kz_cli_fail(
            KZ_EXIT_GUARD,
            "with seed %llu the model didn't come to an end within %d s; another seed (-s) may do better",
            (unsigned long long)run->seed, REFERENCE_SECONDS);
    return outcome(kztts_voice_clone(&run->cloned, run->base.model, run->pcm, run->n, text), &run->cloned);
}

static int design(design_run *run, const kz_voice_target *target) {
    kztts_voice_meta meta;
    int code = describe(run);
    bool base = run->args->value[KZ_OPT_BASE].text != NULL;
    if (code == KZ_GO_ON && base)
        code = open_base(run);
    if (code == KZ_GO_ON && base)
        code = speak(run);
    if (code != KZ_GO_ON)
        return code;
    kz_voice_meta_from(&meta, run->args, run->language, run->created);
    meta.source = "designed";
    meta.has_seed = 1;
    meta.seed = run->seed;
    if (base)
        meta.description = run->description.data;
    return kz_voice_save(run->args, base ? run->cloned : run->described, target, &meta);
}

static int check_request(design_run *run, kz_voice_target *target) {
    const kz_args *args = run->args;
    const kz_value *text = &args->value[KZ_OPT_REF_WORDS];
    if (args->n_word != 1)
        return kz_cli_usage(args->command, args->n_word ? "one description, in quotes" : "no description");
    if (text->text && !text->from_env && !args->value[KZ_OPT_BASE].text)
        return kz_cli_usage(args->command, "--text is what is said to be cloned: it belongs to --base");
    int code = kz_voice_target_from(target, args, NULL);
    if (code == KZ_GO_ON)
        code = kz_cli_text_word(args->words[0], "the description", &run->description);
    if (code == KZ_GO_ON && strspn(run->description.data, " \t\r\n\v\f") == run->description.n)
        return kz_cli_fail(KZ_EXIT_TEXT, "the description is empty");
    if (code == KZ_GO_ON && text->text)
        code = kz_cli_text_word(text->text, "--text", &run->words);
    return code;
}

int kz_cmd_design(const kz_args *args) {
    design_run run = {.args = args, .seed = kz_cli_seed(&args->value[KZ_OPT_SEED])};
    kz_voice_target target;
    int code = check_request(&run, &target);
    if (code == KZ_GO_ON)
        code = design(&run, &target);
    if (code == KZ_EXIT_OK)
        kz_cli_note(args->value[KZ_OPT_QUIET].flag, "seed %llu", (unsigned long long)run.seed);
    kztts_voice_close(&run.described);
    kztts_voice_close(&run.cloned);
    kz_cli_close_model(&run.base);
    kz_cli_close_model(&run.design);
    kztts_free(run.pcm);
    free(run.description.data);
    free(run.words.data);
    return code;
}
