"""The weights used to rank passages for a question: a few numbers with plain meanings.

They were set by hand on half steps and hold over a wide range (DECISIONS tells how that was measured):
none of them is fitted to the questions that we measure with.
"""

FIELDS = {"headings": 1.0, "text": 1.0, "examples": 0.4, "entries": 0.3}
"""How much a word counts in the titles of a passage, its text, its examples, the entries that cite it."""

LONG = {"headings": 0.3, "text": 0.5, "examples": 0.3, "entries": 0.3}
"""How much a longer field than usual takes off (the b of BM25)."""

REPETITION = 1.2
"""How slowly further occurrences of a word stop to count (the k of BM25)."""

SMALL = 0.2
"""How much a function word counts, or a figure, beside a word of substance."""

BESIDE = 0.5
"""How much it counts that a figure stands behind the word that it follows, or before the next; the rarer, the
more."""

NEAR = 2
"""How many words stand between a figure and the next word at most: *0 or less life*."""

IMPLIED = 0.5
"""How much a word counts that is not in the question, but in the name of what it speaks of."""

OF_NAME = 0.25
"""By which power of their number the words of a name count less, each: together they say one thing."""

PLAIN = 0.6
"""How much a word counts that the rules say where the question has another."""

CITED = 0.3
"""How much of its own score a passage hands to each rule that it cites; the next one hands on half of it."""

CITING = 20
"""How many of the best passages hand something on."""

SPEAKS = 0.1
"""How much it counts that a passage speaks of a thing asked about; the rarer the thing, the more."""

DEFINES = 0.4
"""How much it counts that a passage defines such a thing, or is part of the rule that does.

Of several things, each counts less: by the root of how many there are."""

NAMED = 5.0
"""What a rule gets that is named by its number, or by what players call it; its parts get half."""

SHARED = 0.4
"""How much it counts that two definitions speak of the same; the rarer, the more."""

GROUND = 4.6
"""How rare (the logarithm of one in so many passages) that has to be: state-based actions are not."""

RARE = 3.5
"""How rare (the logarithm of one in so many passages) is a word that a chapter may be about alone."""

HEADS = 0.1
"""How much of the best of its parts a rule gets itself."""

WHOLE = 0.3
"""How much of its score a passage gets besides that has all the words of the question, by their rarity."""

ASIDE = 0.3
"""How much of its score a passage loses whose rule, or chapter, is about what was not asked about."""

ALONE = 0.22
"""A chapter is about a rare word of its title alone that has more than such a part of its passages there."""

OPPOSITE = 0.75
"""How much a word counts that is the opposite of one of the question: of *tapped*, *untapped*."""

TIMED = 0.5
"""How much of its score a passage gets besides that tells of a step or a phase, where it is asked when."""

LATER = 0.35
"""How much a subrule behind the first two of a rule that defines a thing counts beside them."""

CROWDING = 40
"""How many of the best passages are looked at for others of the same rule."""

SIDE_BY_SIDE = 2
"""How many passages of one rule stand side by side before the next ones count less."""

SIBLING = 0.85
"""How much of its score the next one keeps, each time."""

CASES = 0.5
"""What part of the best score a rule gets, at most, that decided cases like the question."""

CASES_OF_CARDS = 2.0
"""The same where the question names cards: its words tell more of them than of what decides."""

SECOND = 0.99
"""What part of the best score such a rule has at most: the first place is that of the rules' own words."""
