"""The weights used to rank passages for a question: a few numbers with plain meanings.

They were set by hand on half steps and work over a wide range (DECISIONS says how that was measured): none of
them is fitted to the questions that we measure with.
"""

FIELDS = {"headings": 1.0, "text": 1.0, "examples": 0.4, "entries": 0.3}
"""The weight of a word in the titles of a passage, its text, its examples, the entries that cite it."""

LONG = {"headings": 0.3, "text": 0.5, "examples": 0.3, "entries": 0.3}
"""How much a longer field than usual takes off (the b of BM25)."""

REPETITION = 1.2
"""How slowly further occurrences of a word stop counting (the k of BM25)."""

SMALL = 0.2
"""The weight of a function word, or a figure, relative to a substantial word."""

BESIDE = 0.5
"""The weight of a figure right after the word that it follows, or before the next; the rarer, the more."""

NEAR = 2
"""The maximum number of words between a figure and the next word: *0 or less life*."""

IMPLIED = 0.5
"""The weight of a word that is not in the question, but in the name of its subject."""

OF_NAME = 0.25
"""The power of their number by which the words of a name count less, each: together they say one thing."""

PLAIN = 0.6
"""The weight of a word of the rules where the question has another."""

CITED = 0.3
"""The share of its score that a passage passes on to each rule that it cites; the next one passes on half."""

CITING = 20
"""The number of best passages that pass something on."""

SPEAKS = 0.1
"""The weight of a mention of a subject; the rarer the thing, the more."""

DEFINES = 0.4
"""The weight of a definition of a subject, or of a part of the rule that defines it.

Of several things, each counts less: by the root of their number."""

NAMED = 5.0
"""The score of a rule given by its number, or by a players' word; its parts get half."""

SHARED = 0.4
"""The weight of a thing that two definitions mention; the rarer, the more."""

GROUND = 4.6
"""Its minimum rarity (the logarithm of one in so many passages): state-based actions are too common."""

RARE = 3.5
"""The minimum rarity (logarithm of one in so many passages) of a word that is a chapter's only subject."""

HEADS = 0.1
"""The share of its best part's score that a rule gets."""

WHOLE = 0.3
"""The bonus, as a share of its score, of a passage with all the words of the question, by their rarity."""

ASIDE = 0.3
"""The share of its score that a passage loses if its rule, or chapter, has another subject."""

VARIANT = 0.15
"""The share of its score that a rule of a variant, or of multiplayer games, loses unless named."""

ALONE = 0.22
"""The share of a word's passages in a chapter above which the chapter is about a rare word of its title."""

OPPOSITE = 0.75
"""The weight of the opposite of a word of the question: of *tapped*, *untapped*."""

TIMED = 0.5
"""The bonus, as a share of its score, of a passage on a step or a phase, if the question asks when."""

LATER = 0.35
"""The weight of a subrule after the first two of a rule that defines a thing, relative to them."""

CROWDING = 40
"""The number of best passages that are checked for others of the same rule."""

SIDE_BY_SIDE = 2
"""The number of passages of one rule side by side before the next ones count less."""

SIBLING = 0.85
"""The share of its score that the next one keeps, each time."""

CASES = 0.5
"""The maximum bonus, as a share of the best score, of a rule that decided similar cases."""

CASES_OF_CARDS = 2.0
"""The same if the question names cards: its words then say more about them than about the deciding rule."""

MET = 0.5
"""The bonus, as a share of the best score, of a rule in which abilities of cards meet."""
