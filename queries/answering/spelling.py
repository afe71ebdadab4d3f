"""Respell and rephrase words that ask: question words, and words of questions, kinds and places."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...loaders.language.everyday import FUNCTION_WORDS, corrected
from ...loaders.language.names import plural
from ..catalogue.matching import words_of_questions
from ..finding.kinds import kinds
from ..finding.recognition import known_names
from ..session import Session

_SHORT = re.compile(r"\b[a-z]{3,4}\b", re.IGNORECASE)
"""Words as short as question words that lack one letter."""

_AND_ALL = re.compile(r"(?<=[?.!,;])\s*(?:please )?(?:list|name|show)(?: me)?(?: them)? all(?: of them)?\W*$")
"""Words behind a question for a list that ask for it once more."""

_ASKING = {
    slip: it
    for it in ("what", "when", "which", "where")
    for slip in (it[:place] + it[place + 1 :] for place in range(1, len(it)))
    if slip not in FUNCTION_WORDS  # *were*
} | {"plz": "please", "pls": "please", "stil": "still"}
"""Question word without one letter after its first → that word; and other short forms."""


def asking_respelled(words: str) -> str:
    """Return words with question words corrected that lack one letter, and without *list all* behind them.

    >>> asking_respelled("wat happens wen a wall dies"), asking_respelled("wit")
    ('what happens when a wall dies', 'wit')
    """
    return _SHORT.sub(lambda found: _ASKING.get(found[0].lower(), found[0]), _AND_ALL.sub("", words))


def respelled(session: Session, words: str) -> str:
    """Return `words` with misspelled words of questions and kinds corrected: *waht is*.

    English words, and parts of names in the store, stay unchanged.
    """
    names, usual = known_names(session), words_of_questions()
    said = words.split()
    unknown = {it for it in said if it.isalpha() and it.lower() not in usual and not names.knows(it.lower())}
    # Nearly always all words are known, and making the plurals of all kinds is slow.
    frame = _frame(kinds(session)) if unknown else frozenset()
    return " ".join(_meant(it, frame) if it in unknown else it for it in said)


def _frame(kinds: Mapping[str, object]) -> frozenset[str]:
    of_kinds = {word for kind in kinds for word in kind.split()}
    return words_of_questions().union(of_kinds, map(plural, of_kinds))


def _meant(word: str, frame: frozenset[str]) -> str:
    small = word.lower()
    return (corrected(small, frame, shortest=3) if small not in frame else "") or word


_OF_THEIR_MAKERS = re.compile(
    r"\W*(?:(?:when|in (?:which|what) (?:year|edition)) did (?:they|we|wotc|wizards) (?:ever )?"
    r"(?:(?P<changed>change)|(?P<removed>remove|drop|cut|kill|delete|abolish|get rid of|do away with"
    r"|(?:stop|quit) (?:having|using|playing with))"
    r"|(?P<renamed>rename)|(?P<introduced>add|introduce|invent|create|bring in|switch to|start using))"
    r"|since when (?:is|are) there (?P<gone>no)(?: more)?) (?P<rest>.+)",
    re.IGNORECASE,
)
"""Matches a question about what people did to the rules: *when did they get rid of mana burn*, or what the
rules have lost: *since when is there no mana burn*."""

_REMOVED = re.compile(
    r"\W*(?:when|in (?:which|what) (?:year|edition)) (?P<what>(?:was|were) \w.*?)"
    r" (?:removed|dropped|cut|deleted|taken out|retired)"
    r"(?: (?:from|out of|of) the (?:game|(?:comprehensive )?rules|rulebook|glossary)| as an? [\w ]+)?\W*",
    re.IGNORECASE,
)
"""Matches a question about what the rules have lost, which may say where from, or as what."""

_RENAMED = re.compile(r"[\"'“‘]?(.+?)[\"'”’]? (?:to|as) (.+)", re.IGNORECASE)


def in_the_passive(words: str) -> str:
    """Rephrase a question about what people did to the rules, or what these have lost, in the passive.

    >>> in_the_passive("when was moth burn removed from the game?")
    'when was moth burn removed'
    >>> in_the_passive("when did they stop having moth burn?"), in_the_passive("When did we change the wane")
    ('when was moth burn removed', 'when was the wane changed')
    >>> in_the_passive("when did they rename moths to flutterers?")
    'when did moths become flutterers'
    """
    said = _OF_THEIR_MAKERS.fullmatch(words)
    if not said:
        lost = _REMOVED.fullmatch(words)
        return f"when {lost['what']} removed" if lost else words
    done = next(it for it in ("changed", "removed", "renamed", "introduced", "gone") if said[it])
    rest = said["rest"].rstrip("?!. ")
    if done == "renamed" and (named := _RENAMED.fullmatch(rest)):
        return f"when did {named[1]} become {named[2]}"
    return f"when was {rest} {'removed' if done == 'gone' else done}"


_HAD_TWICE = re.compile(
    r"\W*(?:(?:do(?:es)?|can|will|would) (?:(?:multiple|several|two|many) )?"
    r"(?:(?:instances|copies) of )?(?:an? )?"
    r"(?P<one>[\w' -]+?)(?<! the)(?<! a)(?<! on)(?<! onto)(?<! use)(?<! uses) stack"
    r"(?: up)?(?: with (?:itself|themselves|each other|one another)| together)?"
    r"|(?:what happens|what) (?:if|when) (?:an?|the|my|it|something) ?(?:\w+ )?(?:has|have|had|gains?|gets?)"
    r" (?P<other>[\w' -]+?) (?:twice|two times|multiple times|more than once)"
    r"|(?:does|is) (?:having|it (?:help|matter|useful|redundant) to have|it matter if \w+ (?:\w+ )?has)"
    r" (?P<third>[\w' -]+?) (?:twice|two times|multiple times|more than once)"
    r"(?: (?:matter|help|useful|redundant|do (?:anything|something)))?)\W*",
    re.IGNORECASE,
)
"""Matches a question about an ability that something has twice."""


def of_several(words: str) -> str:
    """Rephrase a question about an ability that something has twice in the words of the rules about that.

    >>> of_several("Does lamp oil stack?"), of_several("does it use the stack")
    ('are multiple instances of lamp oil redundant', 'does it use the stack')
    >>> of_several("what happens if a moth has glow twice?")
    'are multiple instances of glow redundant'
    """
    said = _HAD_TWICE.fullmatch(words)
    name = next(filter(None, said.groups()), "") if said else ""
    return f"are multiple instances of {name} redundant" if name else words


_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_PLACE = re.compile(rf"#?(\d{{1,2}})(?:st|nd|rd|th)?|{'|'.join(_ORDINALS)}|last|final", re.IGNORECASE)


def place_of(said: str) -> int | None:
    """Return the number of a place in words, 0 for the last one; None for other words."""
    found, word = _PLACE.fullmatch(said), said.lower()
    if not found:
        return None
    return int(found[1]) if found[1] else _ORDINALS.index(word) + 1 if word in _ORDINALS else 0
