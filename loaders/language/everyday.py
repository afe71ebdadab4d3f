"""List everyday English words that do not mention a term, or that say little in a question.

The tables are about English, not about any document. A rules text that uses these words as terms marks them
(with capitals or quotes), and a term with the same name as a phrase wins over the phrase. The last part
corrects misspelled words: it finds the intended known word, and leaves English words alone.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

UNMARKED = frozenset(
    # function words and the like: whether they mean a term depends on the word itself
    "if unless instead during you your yours could would may might must can own then until "
    "becomes become as and or not all any each other another same "
    # subtypes and obsolete names that the texts use all the time in their plain sense
    "case cases role roles placed removed permanently".split()
) | {"depend on"}
"""Words that count as a mention only if marked: in quotes, or with a capital inside a sentence."""

COMPANY = {
    "create": r"tokens?\b",
    "move": r"\b(?:counters?|auras?|enchantments?|equipment)\b",
    "order": r"(?:librar|graveyard|stack|pile|deck)",
    "option": r"(?:multiplayer|variants?|games?|formats?)\b",
    "restriction": r"(?:attack|block)",
    "requirement": r"(?:attack|block)",
    "independent": r"\b(?:depend|effect)",
}
"""Names that count as a mention, in any form, only if a word of this pattern is in the same sentence."""

DETERMINERS = "a an the its his her their your that those these this what whatever all any each one".split()

NOUNS_AS_VERBS = {
    "match": ("match", "matches"),
    "reach": ("reach", "reaches"),
    "support": ("support", "supports"),
    "tie": ("tie", "ties"),
}
"""Names that are nouns; before a determiner they are verbs, and do not mention the term."""

UNBENT = frozenset(NOUNS_AS_VERBS) | frozenset("be color construct have limit modify phase start".split())
"""Verbs whose forms do not mean the term of that name: *colored*, *limits*, *phased*."""

BESIDE = {
    "step": r"\bsingle <>|<> of \w+ing\b",
    "play": r"\b(?:tournament|limited|constructed|sanctioned|organized|league|casual|draft|multiplayer) <>"
    r"|<> an? [\w-]+ game\b",
    "activate": r"<>(?:,| or| and) (?:or |and )?triggered abilit",
}
"""Names that have their everyday sense if the pattern matches; ``<>`` is the name, in any form."""

PHRASES = """
any class of|in general|general subset|general categories|general rule|general rules|general types
game world|long dash|the dash|a dash|in the event of|in the event that|organized event|discard pile
take effect|takes effect|taken effect|no effect|in effect|into effect
have any effect|has any effect|having any effect|effect on the game
these steps|those steps|following steps|the steps listed|the steps described|the steps below|steps below
the steps in|the steps above|necessary steps|possible steps|steps described|step of being
steps that are|step by step|step of its resolution|final step of resolving
deal* with|divide* into|way of playing|ways of playing|the named|passed to
counts as one|counts as two|count as one|count as two|front face up|back face up|game play
in play|into play|from play|out of play|enter play|enters play|leave play|leaves play|left play
return to play|returns to play|returned to play|to play under|to play attached
play* a game|play* the game|play* games|play* the magic game|continue to play|effect on play
play* first|play* with the|play* with his|play* with their|play with that|play begins
phase out|phases out|to phase in|that phase in|permanents phase in|permanent phases in|it phases in
block card|block cards|option to|the sacrifice option|power plant|double faced
number of|numbers of|that number|collector number|collector numbers|on the other hand|by hand
in order|in order to|in order for|turn order|the order written|attack left|attack right
not limited to|t limited to|is limited to|are limited to|be limited to|limited duration
as modified by|modified by|be modified|being modified|modified event|modified events|modified planeswalker
modified rule|modified version|modified for|modified accordingly|modified to|modified as
already modified|older name|names a|power* up|dependency loop|tie together|ties together
type of continuous|types of abilities|types of objects|locked in|reaches zero|reach zero|reaches 0|reach 0
to support|support play|variant of|variants of|visit the|to match|longer match|not match|t match
player dies|player died|players die|players died|opponent dies|opponent died|opponents die|opponents died
i die|i died|you die|you died|we die|we died|we both die|plays the role|play the role|card reference
"""


COMMON_OPENINGS = frozenset(
    "a an the this that these those each every any all both some no if when whenever while as at after "
    "before during until unless for from in into of on to with without by and or but not only also then "
    "once because since so such another other its his her their your my it they he she you one two three "
    "four five six seven many most few several multiple normally usually note see example otherwise "
    "instead however there here neither either nor unlike whoever only even".split()
)
"""Words that often open a sentence; their capital says nothing about the next word."""

JOINING = frozenset(("of", "the", "over"))
"""Small words inside proper names."""

SMALL = JOINING | frozenset(
    "a an and as at but by for from in into isn't nor on onto or out than to under up upon vs vs. with "
    "without".split()
)
"""Words that may be lower-case in a title."""

_ARTICLES_AND_POINTERS = (
    "a an the this that these those such same other another each every either neither both all any some "
    "no none"
)
_PRONOUNS = (
    "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we "
    "us our ours they them their theirs themselves one ones someone somebody something anyone anybody "
    "anything everyone everybody everything nobody nothing"
)
_QUESTIONS = "what which who whom whose when where why how whether whats whos hows wheres"
_JOINING = "and or but nor so if then than as because while though although unless until since once"
_PREPOSITIONS = (
    "of in into on onto to from at by for with without within about above after again against along among "
    "around before behind below beside between beyond down during except off out over per through under "
    "up upon via"
)
AUXILIARIES = (
    "am is are was were be been being do does did doing done have has had having will would shall should "
    "can could may might must ought cannot isn aren wasn weren don doesn didn haven hasn hadn won wouldn "
    "shouldn couldn mustn ain "
    "isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt wont wouldnt shouldnt couldnt cant mustnt"
)
_LIGHT_VERBS = (
    "get gets got getting go goes going gone went make makes made making put puts let lets say says said "
    "tell tells mean means meant happen happens happened know want wants need needs like please"
)
_ADVERBS = (
    "not only just also too very even still yet already now here there ever never always often much many "
    "more most less least few own quite rather really maybe"
)
_PIECES = (
    "s t re ll ve d m let us ok okay yes thing things stuff way "
    "im ive youre youve youll hes shes theyre theyve theyll weve thats theres itll"
)

UNINFLECTED = frozenset(
    " ".join(
        (_ARTICLES_AND_POINTERS, _PRONOUNS, _QUESTIONS, _JOINING, _PREPOSITIONS, AUXILIARIES, _ADVERBS)
    ).split()
) - {"own", "ones", "won"}
"""Words, in lower case, that have no other forms; *own* is also a verb, *won* belongs to another."""

FUNCTION_WORDS = (UNINFLECTED | frozenset(f"{_LIGHT_VERBS} {_PIECES} own ones".split())) - {"won"}
"""Words, in lower case, and pieces of words with an apostrophe; *won* is itself a verb."""


_SHORTEST = 5
"""The minimum number of letters in a word that may count as misspelled."""

_LONG = 8
"""With this many letters, two slips are forgiven instead of one."""

_LIST = ("symspellpy", "frequency_dictionary_en_82_765.txt")
"""The package with a list of English words, and its file: each line has a word and how often it is used."""


def corrected(
    word: str, known: frozenset[str], uses: Mapping[str, int] | None = None, shortest: int = _SHORTEST
) -> str:
    """Return the known word that a misspelled one, in lower case, was meant to be, or ``""``.

    Its first letter must be right. One slip is forgiven, two in a long word: a letter that is missing, too
    many, wrong, or swapped with the next. Words of less than five letters, where `shortest` allows them, must
    have the right letters. Of several equally near words, return the most used one, if `uses` says how often
    each is used, else the only one with the same last letter. English words never count as misspelled.

    >>> corrected("latnern", frozenset({"lantern", "lamp"})), corrected("lamb", frozenset({"lamp"}))
    ('lantern', '')
    >>> corrected("lantrnd", frozenset({"lanterns", "lanternd"}))
    'lanternd'
    """
    near = _closest(word, known, shortest)
    if len(near) > 1 and uses is None:
        near = tuple(it for it in near if it[-1] == word[-1])
    if not near or (len(near) > 1 and uses is None) or word in FUNCTION_WORDS or is_english(word):
        return ""
    return min(near, key=lambda it: (-uses.get(it, 0), it)) if uses else near[0]


@lru_cache(maxsize=8192)
def _closest(word: str, known: frozenset[str], shortest: int) -> tuple[str, ...]:
    """Return the known words that are the fewest slips away, if they are near enough."""
    if len(word) < shortest or not word.isalpha():
        return ()
    slips = 2 if len(word) >= _LONG else 1
    likely = [it for it in known if _may_be(word, it, slips, shortest)]
    if not likely:
        return ()
    # Most words are near none, and loading the library takes as long as answering a question.
    from rapidfuzz.distance import OSA

    far = {it: OSA.distance(word, it, score_cutoff=slips) for it in likely}
    least = min(far.values())
    return tuple(it for it, slip in far.items() if slip == least) if least <= slips else ()


def _may_be(word: str, other: str, slips: int, shortest: int) -> bool:
    """Return whether two words can be within some slips of each other, judging only by their letters."""
    if word[0] != other[0] or len(other) < shortest or abs(len(word) - len(other)) > slips:
        return False
    one, two = Counter(word), Counter(other)
    allowed = slips if len(word) >= _SHORTEST else 0
    return max((one - two).total(), (two - one).total()) <= allowed


@lru_cache(maxsize=8192)
def is_english(word: str, least: int = 0) -> bool:
    """Return whether a word is English, in any case, and occurs at least `least` times in the counted texts.

    >>> is_english("Lanterns"), is_english("lanterm"), is_english("ebullience", least=1_000_000)
    (True, False, False)
    """
    _, _, after = _words().partition(f"\n{word.lower()} ")
    return bool(after) and int(after.partition("\n")[0]) >= least


@cache
def english_words() -> frozenset[str]:
    """Return all known English words, for callers that check thousands."""
    return frozenset(line.partition(" ")[0] for line in _words().split("\n") if line)


@cache
def _words() -> str:
    # Searching the text takes a tenth of the time of making a set of its words.
    package, name = _LIST
    # Neither its package nor `importlib.resources` is imported: each would take longer than the reading.
    spec: Any = find_spec(package)
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), name))
    return "\n" + data.decode("utf-8-sig").replace("\r\n", "\n")
