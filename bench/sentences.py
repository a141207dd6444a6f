#!/usr/bin/env python3
# sentences.py: plain English sentences, as many as asked for, the same ones for the same seed.  SPDX-License-Identifier: Apache-2.0
"""
  bench/sentences.py [NUMBER (1000)] [SEED (1)]           a sentence a line
  bench/sentences.py --words NUMBER [SEED (1)]            one text of at least so many words, in paragraphs

About 3 to 17 words: statements, questions, replies, numbers and dates. Input of bench_guards (docs/guards.md).
"""
import sys

SUBJECTS = ("the doctor", "her neighbour", "his sister", "my brother", "our teacher", "the baker", "the driver", "every child",
            "a young woman", "the old farmer", "nobody", "the man next door", "their captain", "one of the guests")
VERBS = ("borrowed", "painted", "carried", "wanted", "repaired", "cleaned", "forgot", "noticed", "sold", "lost", "opened",
         "described", "measured", "remembered")
OBJECTS = ("a small boat", "some fresh bread", "the green door", "a letter", "the garden chair", "an old clock",
           "a bottle of milk", "the kitchen window", "seven books", "a pair of shoes", "the broken lamp", "two tickets",
           "a map of the town", "the last apple")
PLACES = ("", "", "", " at the station", " without a word", " after lunch", " behind the house", " near the river",
          " on the hill", " every morning", " in the market", " before the rain", " with great care", " last winter")
TAILS = ("", "", "", ", because it was late", ", but the shop was closed", ", so we went home", ", and nobody asked why",
         ", when the bell rang", ", and that was all", ", although it was cold")
ENDS = (".", ".", ".", ".", ".", ".", "!")
QUESTIONS = ("What time does the {place} open?", "Could you {act}, please?", "Why did {subject} leave so early?",
             "Have you seen {object} anywhere?", "Where does {subject} live now?", "Is it far to the {place}?",
             "Do you think that {subject} {verb} {object}?")
REPLIES = ("Yes, of course.", "No, not yet.", "I am not sure.", "That is true.", "Well, let us see.", "Thank you very much.",
           "It does not matter.", "Of course not, my friend.", "Come in, please.", "Good morning, everyone.")
PLACES_NAMED = ("library", "station", "museum", "market", "harbour", "post office")
ACTS = ("open the window", "close the door", "wait for me", "read it again", "call a doctor", "bring some water")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")


class Dice:
    """The same numbers in every version of Python."""

    def __init__(self, seed):
        self.state = seed & 0xffffffffffffffff

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff
        return (self.state >> 33) % n

    def of(self, words):
        return words[self.below(len(words))]


def capital(text):
    return text[0].upper() + text[1:]


def number(dice):
    kind = dice.below(5)
    if kind == 0:
        return f"The number is {dice.below(100)} and the date is {dice.of(MONTHS)} {1 + dice.below(28)}."
    if kind == 1:
        return f"It cost {2 + dice.below(98)} dollars and {10 + dice.below(89)} cents."
    if kind == 2:
        return f"The train leaves at {1 + dice.below(12)}:{10 + dice.below(50)} from platform {1 + dice.below(12)}."
    if kind == 3:
        return f"In {1900 + dice.below(120)} about {(1 + dice.below(9)) * 1000} people lived here."
    return f"That makes {dice.below(10)}.{dice.below(10)} percent of {100 + dice.below(900)}."


def question(dice):
    return dice.of(QUESTIONS).format(place=dice.of(PLACES_NAMED), act=dice.of(ACTS), subject=dice.of(SUBJECTS),
                                     object=dice.of(OBJECTS), verb=dice.of(VERBS))


def statement(dice):
    return capital(dice.of(SUBJECTS)) + " " + dice.of(VERBS) + " " + dice.of(OBJECTS) + dice.of(PLACES) + dice.of(
        TAILS) + dice.of(ENDS)


def sentence(dice):
    kind = dice.below(10)
    return number(dice) if kind == 0 else question(dice) if kind == 1 else dice.of(REPLIES) if kind == 2 else statement(dice)


def text_of_words(dice, words):
    paragraphs, n = [], 0
    while n < words:
        paragraphs.append(" ".join(sentence(dice) for _ in range(4 + dice.below(5))))
        n += len(paragraphs[-1].split())
    return "\n\n".join(paragraphs)


def main(args):
    whole = args[:1] == ["--words"]
    numbers = [int(a) for a in args[whole:]]
    dice = Dice(numbers[1] if len(numbers) > 1 else 1)
    n = numbers[0] if numbers else 1000
    print(text_of_words(dice, n) if whole else "\n".join(sentence(dice) for _ in range(n)))


if __name__ == "__main__":
    main(sys.argv[1:])
