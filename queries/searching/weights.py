"""The weights for ranking passages: a few numbers with plain meanings.

They were set by hand in coarse steps, and a wide range around them works (DECISIONS says how that was
measured). None is fitted to the questions with which we measure.
"""

FIELDS = {"headings": 1.0, "text": 1.0, "examples": 0.4, "entries": 0.3}
"""The weight of a word in a passage's titles, its text, its examples, and the entries that cite it."""

LONG = {"headings": 0.3, "text": 0.5, "examples": 0.3, "entries": 0.3}
"""How much a field loses if it is longer than usual (the b of BM25)."""

REPETITION = 1.2
"""How slowly further occurrences of a word stop adding to the score (the k of BM25)."""

SMALL = 0.2
"""The weight of a function word or a figure, relative to a substantial word."""

BESIDE = 0.5
"""The weight of a figure directly after a certain word, or before the next one; rarer figures weigh more."""

NEAR = 2
"""The maximum number of words between a figure and the next word: *0 or less life*."""

IMPLIED = 0.5
"""The weight of a word that is not in the question but in the name of its subject."""

OF_NAME = 0.25
"""The words of a name are divided by this power of their number, since together they say one thing."""

PLAIN = 0.6
"""The weight of a word of the rules for a different word in the question."""

CITED = 0.3
"""The share of its score that a passage adds to each rule it cites; the next passage adds half."""

CITING = 20
"""The number of best passages that add to others."""

SPEAKS = 0.1
"""The weight of a mention of a subject; rarer things weigh more."""

DEFINES = 0.4
"""The weight of the definition of a subject, or of a part of the rule that defines it.

With several subjects, each is divided by the root of their number."""

NAMED = 5.0
"""The score of a rule named by its number or in players' words; its parts get half."""

SHARED = 0.4
"""The weight of a thing that two definitions mention; rarer things weigh more."""

GROUND = 4.6
"""The minimum rarity of such a thing, as the logarithm of one in so many passages; state-based actions are
too common."""

RARE = 3.5
"""The minimum rarity of a word that is the only subject of its chapter, on the same scale."""

HEADS = 0.1
"""The share of its best part's score that a rule gets."""

WHOLE = 0.3
"""The bonus, as a share of its score, of a passage with all words of the question, by their rarity."""

ASIDE = 0.3
"""The share of its score that a passage loses if its rule or chapter has another subject."""

VARIANT = 0.15
"""The share of its score that a rule of a variant or of multiplayer games loses, unless that is named."""

ALONE = 0.22
"""A chapter is about a rare word of its title if it has more than this share of the word's passages."""

OPPOSITE = 0.75
"""The weight of an opposite of a word in the question: of *untapped* for *tapped*."""

TIMED = 0.5
"""The bonus, as a share of its score, of a passage on a step or phase, if the question asks when."""

LATER = 0.35
"""The weight of each subrule after the first two in a rule that defines a thing, relative to these."""

CROWDING = 40
"""The number of best passages that are checked for others from the same rule."""

SIDE_BY_SIDE = 2
"""The number of passages of one rule next to each other before further ones count less."""

SIBLING = 0.85
"""The share of its score that each further one keeps."""

CASES = 0.5
"""The maximum bonus, as a share of the best score, of a rule that decided similar cases."""

CASES_OF_CARDS = 2.0
"""The same if the question names cards, since most of its words are then about these."""

MET = 0.5
"""The bonus, as a share of the best score, of a rule in which abilities of cards meet."""
