# say --ref: what doesn't go together, and models that can't.  SPDX-License-Identifier: Apache-2.0
clip a.wav
refused 5 "this custom_voice model can't take the voice of a recording" say --ref a.wav hello
refused 6 "none.wav" say --ref none.wav hello
base_model
refused 2 "-v and --ref are two voices" say --ref a.wav -v anna hello
refused 2 "--ref-text belongs to --ref" say -v anna -T words hello
refused 2 "--raw belongs to --ref" say --raw hello
refused 2 "standard input can be one thing only" say --ref -
refused 2 "standard input can be one thing only" say --ref a.wav --ref-text-file - -
refused 3 "the transcript is empty" say --ref a.wav -T "" hello
