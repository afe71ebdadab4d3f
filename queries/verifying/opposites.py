"""Compare the direction, order or degree that a text gives beside a citation with the cited rule's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain

from ...loaders.language.numbers import numbers
from .citations import Citation
from .denials import denies, is_limited, plain_tokens, tokens_of
from .findings import Finding
from .rulebook import Rulebook
from .topics import Stems

_OPPOSITES = (
    ("top", "bottom"),
    ("left", "right"),
    ("clockwise", "counterclockwise"),
    ("highest greatest largest", "lowest smallest fewest"),
    ("higher greater", "lower less fewer smaller"),
    ("longest", "shortest"),
    ("beginning begins begin start starts", "end ends"),
    ("before", "after"),
    ("first", "last"),
    ("earliest earlier", "latest later"),
    ("oldest old previous", "newest new next"),
    ("tapped", "untapped"),
    ("tap taps", "untap untaps"),
    ("face-up", "face-down"),
    ("up", "down"),
    ("attacking attacker attackers", "blocking blocker blockers"),
    ("attack attacks attacked", "block blocks blocked"),
    ("active", "nonactive"),
    ("precombat", "postcombat"),
    ("enter enters entered", "leave leaves left"),
    ("gain gains gained win wins won keep keeps kept", "lose loses lost"),
    ("add adds added", "remove removes removed subtract subtracts"),
    ("increase increases increased", "reduce reduces reduced decrease decreases"),
    ("public", "hidden"),
    ("legal", "illegal"),
    ("same", "different"),
    ("positive", "negative"),
    ("mandatory", "optional"),
    ("exactly", "least most"),
    ("odd", "even"),
    ("owner owner's owners", "controller controller's controllers", "opponent opponent's opponents"),
    ("graveyard graveyards", "hand hands", "library libraries", "battlefield"),
)
"""Words of which only one can be right: each group with those that mean the same."""

_ZONES = frozenset(" ".join(_OPPOSITES[-1]).split())
"""Words that are compared only in nearly the words of a rule: one sentence may speak of several zones."""

_ORDER = frozenset("before after first last earliest earlier latest later".split())
"""Words that are compared only if the words on both sides are the same: two events may have an order each."""

_APART = frozenset("other except unless".split())
"""Words of a rule that sets other cases apart."""

_CONTRARY: dict[str, frozenset[str]] = {}
_SAME: dict[str, frozenset[str]] = {}
for _groups in _OPPOSITES:
    for _own in map(str.split, _groups):
        _others = frozenset(" ".join(_groups).split()).difference(_own)
        _CONTRARY |= {it: _CONTRARY.get(it, frozenset()) | _others for it in _own}
        _SAME |= {it: _SAME.get(it, frozenset()).union(_own) for it in _own}

_SHARED, _SAID = 0.8, 0.4
"""The share of the weight of a text's other words that one sentence of the rule must have to contradict it,
and that a sentence with the text's own word may have to agree with it."""

_FEWEST = 3
"""The minimum number of these words."""


def has_contrary(said: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether a text has a word whose contrary another has, and each only its own.

    >>> has_contrary(["the", "top"], ["its", "bottom"]), has_contrary(["top", "or", "bottom"], ["bottom"])
    (True, False)
    """
    return any(_contrary(one, said, right) for one in said)


def _contrary(word: str, said: Collection[str], right: Sequence[str]) -> str:
    """Return the contrary of a word of `said` in another text, if each has only its own, else ``""``."""
    if word not in _CONTRARY or not _SAME[word].isdisjoint(right):
        return ""
    return next((it for it in right if it in _CONTRARY[word] and _SAME[it].isdisjoint(said)), "")


def contrary_word(book: Rulebook, citation: Citation, said: str) -> Finding | None:
    """Report a sentence with the contrary of a word of the cited rule: *the top* for *the bottom*.

    One sentence of the rule, or of its parts, must have nearly all of its other words, among them the one
    before or after the contrary. Nothing is reported if another of them has the text's own word as well.
    """
    [number, *more], topics = citation.numbers, book.topics
    tokens = plain_tokens(said, citation)
    own = {at for at, it in enumerate(tokens) if it in _CONTRARY and it not in _ZONES}
    if more or number not in book.items or not own or any(numbers(said)):
        return None
    plain = [it for at, it in enumerate(tokens) if at not in own]
    words = {*chain(*topics.stemmer.of(plain))}
    whole = sum(map(topics.weight, words))
    told: list[tuple[str, str, str]] = []
    for it in (number, *book.below.get(number, ())) if whole and len(words) >= _FEWEST else ():
        title = topics.words_of_title(number) | topics.words_of_title(it)
        for text in book.sentences(it):
            theirs = tokens_of(text)
            held = words & title.union(*topics.stemmer.of(theirs))
            shared = sum(map(topics.weight, held)) / whole
            missing = [at for at in own if _SAME[tokens[at]].isdisjoint(theirs)]
            if not missing and shared >= _SAID:
                return None
            is_even = sum(map(denies, theirs)) % 2 == sum(map(denies, tokens)) % 2
            is_plain = _APART.isdisjoint({*theirs}.difference(tokens)) and not is_limited(plain, theirs)
            if shared >= _SHARED and is_even and is_plain:
                told += [
                    (tokens[at], other, text)
                    for at in missing
                    if (other := _contrary(tokens[at], tokens, theirs))
                    and any(
                        it == other and _is_alike(tokens, at, theirs, n, topics.stemmer)
                        for n, it in enumerate(theirs)
                    )
                ]
    if not told:
        return None
    word, other, text = told[0]
    message = f"{number} has “{other}” where these words have “{word}”"
    return Finding("words", message, quote=said, wording=text)


def _is_alike(tokens: Sequence[str], at: int, theirs: Sequence[str], place: int, stemmer: Stems) -> bool:
    """Return whether two words of two texts have the same telling word before, or after, them.

    Their clauses must have as many denials: *no legal target* is *an illegal target*.
    """
    if _denials(tokens, at) != _denials(theirs, place):
        return False

    def near(words: Sequence[str]) -> Sequence[int]:
        return next((found for it in words if (found := stemmer.of([it])[0])), ())

    before = near(tokens[:at][::-1]), near(theirs[:place][::-1])
    after = near(tokens[at + 1 :]), near(theirs[place + 1 :])
    same = [one == two != () for one, two in (before, after)]
    return all(same) if tokens[at] in _ORDER else any(same)


def _denials(tokens: Sequence[str], at: int) -> int:
    """Return the number of denials in the clause of a word."""
    marks = [-1, *(n for n, it in enumerate(tokens) if it in ",;:."), len(tokens)]
    since, until = max(n for n in marks if n < at), min(n for n in marks if n > at)
    return sum(map(denies, tokens[since + 1 : until]))
