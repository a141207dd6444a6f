/* man.c: the manual page. docs/man/kztts.1 is its output (`kztts help man`); a test keeps them equal.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "cli.h"
#include "manifest.h"

/* Text with what roff would take for markup made harmless. */
static void print_roff(const char *text) {
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            printf("\\%s", *text == '-' ? "-" : "e");
        else
            putchar(*text);
    }
}

static void print_commands(void) {
    puts(".SH COMMANDS");
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        printf(".TP\n.B kztts %s ", kz_commands[i].name);
        print_roff(kz_commands[i].arguments);
        printf("\n");
        print_roff(kz_commands[i].summary);
        puts(".");
    }
}

static void print_option(const kz_option *o) {
    char name[72];
    const char *separator = "";
    puts(".TP");
    fputs(o->letter ? ".BR \\-" : ".BR ", stdout);
    if (o->letter)
        printf("%c \", \" ", o->letter);
    fputs("\\-\\-", stdout);
    print_roff(o->name);
    if (o->argument) {
        fputs(" \" ", stdout);
        print_roff(o->argument);
        putchar('"');
    }
    fputs("\n(", stdout);
    for (int i = 0; i < KZ_CMD_COUNT; i++) {
        if (!kz_cli_option_fits(o, &kz_commands[i]))
            continue;
        printf("%s%s", separator, kz_commands[i].name);
        separator = ", ";
    }
    fputs(") ", stdout);
    print_roff(o->help);
    putchar('.');
    if (o - kz_options != KZ_OPT_HELP) {
        kz_cli_env_name(name, sizeof name, o->name);
        printf(" Variable: %s.", name);
    }
    putchar('\n');
}

static const char head[] =
    ".SH NAME\n"
    "kztts \\- speech from Qwen3-TTS 12 Hz models, offline, on the CPU\n"
    ".SH SYNOPSIS\n"
    ".B kztts\n"
    ".I command\n"
    ".RI [ option ]...\n"
    ".RI [ argument ]...\n"
    ".SH DESCRIPTION\n"
    ".B kztts say\n"
    "speaks a text into a sound file or a pipe, or plays it. The other commands look at models and at the steps on the "
    "way. The same\n"
    "model, text, voice, options and seed give the same bytes on every CPU, for every number of threads.\n";

static const char text_section[] =
    ".SH TEXT\n"
    "The text is, first that applies: the words of the command line, joined by blanks; the files of\n"
    ".BR \\-f ,\n"
    "joined by newlines; standard input, when it is\n"
    ".B \\-\n"
    "or when nothing else is given and standard input is not a terminal. It is UTF-8 of at most 1 MiB; a byte order "
    "mark\n"
    "is dropped, CRLF becomes LF, newlines at the end are dropped.\n"
    ".B \\-\\-\n"
    "ends the options, for texts that begin with a dash. With\n"
    ".B tokenize \\-\\-jsonl\n"
    "each line of standard input is a JSON string, taken exactly as it is.\n"
    ".SH MODEL\n"
    "Without\n"
    ".B \\-m\n"
    "and KZTTS_MODEL the voice in the box is used: kazeia-mini, looked for in share/kztts/voices beside the folder of "
    "the\n"
    "program, in a folder voices in up to three levels above the program, and in the data folder chosen when it was "
    "built.\n"
    "A MODEL without a slash that is no directory is looked for by name in the same folders.\n";

static const char voice_section[] =
    ".SH VOICES\n"
    "The VOICE of\n"
    ".B \\-v\n"
    "is a preset of the model, by name; else a voice of yours; a word with a slash or ending in .kzvoice is a file.\n"
    "Voices of yours are the files NAME.kzvoice in $XDG_DATA_HOME/kztts/voices, or ~/.local/share/kztts/voices. Beside "
    "a\n"
    "clone with a transcript a file NAME.kzvoice.snapshot saves the time to read its recording again; it may be "
    "removed.\n"
    ".PP\n"
    ".B kztts clone\n"
    "makes one of a recording on a base model, best of 5 to 15 seconds of one clear speaker. It tells length, level,\n"
    "clipping, noise, silence at the ends, a cut-off ending and whether the transcript may be the recording's, trims\n"
    "long silence at the ends and adds silence after a cut-off ending. A recording that can't serve is refused (exit "
    "code\n"
    "8, or 3 when it is the transcript). With a transcript the recording becomes the context of all that is spoken; "
    "without, or\n"
    "with\n"
    ".BR \\-\\-x\\-vector\\-only ,\n"
    "the speaker's vector alone is used. The speaker's consent must be stated, with\n"
    ".B \\-\\-consent\n"
    "or when asked on a terminal; it is stored in the file.\n"
    ".B kztts say \\-\\-ref\n"
    "does the same for one utterance, and stores nothing.\n"
    ".PP\n"
    ".B kztts design\n"
    "stores a description and a seed for a voice_design model; with\n"
    ".B \\-\\-base\n"
    "it speaks a text with them and makes a clone for that base model.\n"
    ".PP\n"
    ".B kztts voices\n"
    "without an action, or with list, lists the voices of the model, and yours with what they fit. show VOICE tells "
    "all "
    "that\n"
    "a file holds; check VOICE reads it, and tries it on the model of\n"
    ".BR \\-m ;\n"
    "add takes a .kzvoice file, a recording, or a folder with ref.wav (and ref.txt) or instruct.txt; rm removes "
    "(asking, "
    "or with\n"
    ".BR \\-\\-force );\n"
    "export VOICE writes JSON; import takes .json, .bin and .f32 files of other engines.\n";

static const char hub_section[] =
    ".SH MODELS OF A HUB\n"
    ".B kztts pull\n"
    "fetches a repository USER/REPO, or one of 0.6b-custom, 0.6b-base, 1.7b-custom, 1.7b-base, 1.7b-design, and "
    "prints\n"
    "its folder. A cut download goes on where it ended; size and hash of every file are checked. The options\n"
    ".BR \\-hf ,\n"
    ".B \\-hff\n"
    "and\n"
    ".B \\-hft\n"
    "are short for\n"
    ".BR \\-\\-hf\\-repo ,\n"
    ".B \\-\\-hf\\-file\n"
    "and\n"
    ".BR \\-\\-hf\\-token .\n"
    "What is in the cache is used without any request; pull asks for a newer state. The cache is that of the Python\n"
    "package huggingface_hub, whose files are found and left as they are.\n"
    ".PP\n"
    ".B kztts models\n"
    "lists the cache; path prints a model's folder, rm removes a model (asking, or with\n"
    ".BR \\-\\-force ),\n"
    "verify compares all its files with their hashes.\n"
    ".PP\n"
    ".B kztts doctor\n"
    "says ok, warn or fail of each thing it looks at, and what to do. Exit code 1: something fails. The self-test "
    "speaks\n"
    "about a second; for the bundled voice its MD5 hash is known.\n";

static const char output_section[] =
    ".SH OUTPUT\n"
    "Sound goes, first that applies: to the file of\n"
    ".BR \\-o ;\n"
    "to standard output, when it is a pipe or a file; to the loudspeaker, when standard output is a terminal; to\n"
    "kztts-out.wav in the current folder, when there is none.\n"
    ".B \\-\\-play\n"
    "plays whatever standard output is. The formats are wav (16 bit), flac (the same samples), mp3, opus (in Ogg), "
    "aac\n"
    "(ADTS), m4a (AAC in MP4), f32 (little-endian floats), pcm (little-endian 16 bit), md5 (a line with the MD5 hash "
    "of\n"
    "what pcm writes) and null (nothing). File names choose them by .wav, .flac, .mp3, .opus, .ogg, .aac, .m4a, .f32, "
    ".pcm\n"
    "and .raw. Sizes and lengths in headers are filled in at the end when the output is a file; in a pipe they say "
    "that "
    "they\n"
    "aren't known. m4a needs a file. An existing file is overwritten, but only when sound is there to be written. "
    "When\n"
    "something fails, a file that was begun is removed unless it was there before. When the reader of a pipe has gone, "
    "the\n"
    "program ends at once with exit code 0.\n"
    ".PP\n"
    ".B \\-\\-speed\n"
    "and\n"
    ".B \\-\\-rate\n"
    "change the samples on their way out; the codes stay the same. With\n"
    ".B \\-\\-speed\n"
    "whole periods of the voice are left out or repeated, so the length is met within half a percent.\n"
    ".PP\n"
    ".BR \\-\\-srt ,\n"
    ".B \\-\\-vtt\n"
    "and\n"
    ".B \\-\\-json\\-timing\n"
    "write when each sentence is heard, in the time of the output. Borders of sentences that are spoken in one go are\n"
    "estimated; JSON says which (exact).\n"
    ".PP\n"
    "Sound is played by the desktop's sound server (PulseAudio, or PipeWire in its place), if one runs, else by "
    "ALSA's\n"
    "default device. Ctrl-C stops it at once.\n"
    ".PP\n"
    ".B \\-\\-codes\n"
    "writes the codes: a line a frame, a number a code group, separated by a blank;\n"
    ".B kztts decode\n"
    "reads them.\n"
    ".PP\n"
    "Sound files tell where they come from: AI-generated speech, the engine, the model and the voice. WAV has it in a "
    "LIST "
    "chunk\n"
    "of type INFO (behind the samples in a file, before them in a pipe), FLAC and Opus in comments, MP3 and AAC in an "
    "ID3\n"
    "tag, m4a in its tags; raw samples have no room for it. The samples are the same.\n"
    ".B kztts inspect\n"
    "shows it.\n"
    ".PP\n"
    "Ctrl-C (SIGINT) and SIGTERM end the speech after the current frame and complete the file; a second one ends the\n"
    "program at once.\n"
    ".SH SUMMARY LINE\n"
    "The last line on standard error (not with\n"
    ".BR \\-q )\n"
    "tells what was done:\n"
    ".PP\n"
    ".nf\n"
    "ok audio=12.48s wall=5.90s rtf=0.47 first_audio=142ms load=80ms frames=156 seed=42 voice=vivian lang=en mode=full "
    "finish=eos out=hello.wav\n"
    ".fi\n"
    ".PP\n"
    "audio is the length of the sound. wall is the time from the request to the last sample, without loading the "
    "model,\n"
    "which is load. rtf is wall divided by audio: lower is better, below 1 is faster than listening. first_audio is "
    "the\n"
    "time from the request to the first samples. finish tells why the speech ended: eos (the model ended it), length\n"
    "(the limit of frames), cancelled. The line begins with interrupted after a signal.\n";

static const char manifest_section[] =
    ".SH MANIFESTS\n"
    "The list of\n"
    ".B kztts batch\n"
    "is UTF-8 and ends in .jsonl or .ndjson (an object a line, values are strings, numbers or null), .csv or .tsv (a "
    "table\n"
    "whose first line names the fields). All items are checked before the first is spoken, and no file may be named "
    "twice.\n"
    "An item that fails doesn't end the batch. What is done is noted in the journal, and an item is spoken again only "
    "if\n"
    "its text, voice or options, the model, or the version of kztts are others, or its file is missing. Retries are 2 "
    "unless\n"
    ".B \\-\\-retries\n"
    "is given. The report has a line of JSON an item: id, line, status (ok, skipped, failed), out, and what the "
    "summary "
    "line\n"
    "tells, or the exit code. An item's fields, all but the text optional:\n";

static void print_fields(void) {
    fputs(manifest_section, stdout);
    for (int f = 0; f < KZ_FIELDS; f++) {
        printf(".TP\n.B %s\n", kz_manifest_fields[f]);
        print_roff(kz_manifest_help[f]);
        putchar('\n');
    }
}

static const char exit_section[] = ".SH EXIT STATUS\n"
                                   ".TP\n.B 0\ndone, or the reader of the output has gone\n"
                                   ".TP\n.B 1\nunexpected failure, e.g. the output can't be written\n"
                                   ".TP\n.B 2\nwrong usage\n"
                                   ".TP\n.B 3\nthe text can't be spoken: not UTF-8, empty, too long\n"
                                   ".TP\n.B 4\naudio device or encoder not usable\n"
                                   ".TP\n.B 5\nthe voice doesn't fit the model\n"
                                   ".TP\n.B 6\nmodel, voice or file not found, or offline and not in the cache\n"
                                   ".TP\n.B 7\nnetwork trouble, or the hub refused\n"
                                   ".TP\n.B 8\na file is damaged or of an unknown format\n"
                                   ".TP\n.B 9\nout of memory\n"
                                   ".TP\n.B 10\nthe generation gave no usable speech\n"
                                   ".TP\n.B 20\nbatch: items failed, the report says which; the others are done\n"
                                   ".TP\n.BR 129 \", \" 130 \", \" 143\nended by SIGHUP, SIGINT (Ctrl-C) or SIGTERM\n";

static const char environment_section[] =
    ".SH ENVIRONMENT\n"
    "Each option can be set by the variable named with it; the command line goes first. Flags are 1 or 0. An empty\n"
    "variable is as if it were not set.\n"
    ".TP\n.B GGML_NUM_THREADS\nused when neither \\-t nor KZTTS_THREADS is given\n"
    ".TP\n.B KZTTS_CP_NO_NEON\n1: the code predictor uses the portable kernels (same result, for tests)\n"
    ".TP\n.B KZTTS_CP_CACHE\n0: the code predictor works without its cache (same result, slow, for tests)\n"
    ".TP\n.B HF_HUB_CACHE\nthe cache; else hub in the folder HF_HOME, else ~/.cache/huggingface/hub\n"
    ".TP\n.B HF_TOKEN\naccess token; else the file HF_TOKEN_PATH, else token in the folder HF_HOME\n"
    ".TP\n.B HF_ENDPOINT\nthe hub, for all requests; default: https://huggingface.co\n"
    ".TP\n.BR HF_HUB_OFFLINE \", \" TRANSFORMERS_OFFLINE\n1: as --offline\n"
    ".TP\n.BR HF_HUB_ETAG_TIMEOUT \", \" HF_HUB_DOWNLOAD_TIMEOUT\nseconds without an answer, without data; default: "
    "10\n"
    ".TP\n.B HF_HUB_DISABLE_PROGRESS_BARS\n1: no progress of downloads\n"
    ".TP\n.BR http_proxy \", \" https_proxy \", \" no_proxy\nproxies, as libcurl knows them\n"
    ".TP\n.B TERM\ndumb: no progress bar. Colours are never used, so NO_COLOR is always honoured\n"
    ".SH EXAMPLES\n"
    ".nf\n"
    "kztts say 'Hello there.' -o hello.wav\n"
    "kztts say -m ./Qwen3-TTS-12Hz-0.6B-CustomVoice -v vivian -l english -s 7 -f letter.txt -o letter.wav\n"
    "echo 'Good morning.' | kztts say --format pcm | aplay -t raw -f S16_LE -r 24000 -c 1\n"
    "kztts say --codes hello.codes --format null Hello && kztts decode -o hello.wav hello.codes\n"
    "echo '{\"id\":\"one\",\"text\":\"Good morning.\",\"srt\":\"one.srt\"}' > list.jsonl; kztts batch -o folder "
    "list.jsonl\n"
    "kztts clone -m ./Qwen3-TTS-12Hz-0.6B-Base me.wav -T 'What I say in it.' -o me\n"
    "kztts say -m ./Qwen3-TTS-12Hz-0.6B-Base -v me -o hello.wav 'Hello from me.'\n"
    ".fi\n";

void kz_cli_print_man(void) {
    puts(".\\\" SPDX-License-Identifier: Apache-2.0. Made by `kztts help man`: change frontends/cli, not this file.");
    printf(".TH KZTTS 1 \"\" \"kztts %s\" \"User Commands\"\n", kztts_version());
    puts(".nh\n.ad l");
    fputs(head, stdout);
    print_commands();
    puts(".SH OPTIONS");
    for (int id = 0; id < KZ_OPT_COUNT; id++)
        print_option(&kz_options[id]);
    puts(".PP\n.B kztts \\-\\-version\nprints the version,\n.B kztts \\-\\-help\nthe list of commands.");
    fputs(text_section, stdout);
    fputs(voice_section, stdout);
    fputs(hub_section, stdout);
    fputs(output_section, stdout);
    print_fields();
    fputs(exit_section, stdout);
    fputs(environment_section, stdout);
}
