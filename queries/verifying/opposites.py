"""Compare directions, orders and degrees with the cited rule's, and find what a copy of it has changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from itertools import chain

from ...loaders.language.numbers import numbers
from .citations import Citation
from .claims import FIGURES
from .denials import denies, is_limited, plain_tokens, tokens_of
from .findings import UNREAD, Finding
from .meanings import CHAPTER
from .rulebook import Rulebook, folded, pieces
from .subjects import said_by
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


def _by_word() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    contrary: dict[str, frozenset[str]] = {}
    same: dict[str, frozenset[str]] = {}
    for groups in _OPPOSITES:
        for own in map(str.split, groups):
            others = frozenset(" ".join(groups).split()).difference(own)
            contrary |= {it: contrary.get(it, frozenset()) | others for it in own}
            same |= {it: same.get(it, frozenset()).union(own) for it in own}
    return contrary, same


_CONTRARY, _SAME = _by_word()
"""Word → its contraries, and the words that mean the same."""

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
    [number], topics = citation.numbers, book.topics
    tokens = plain_tokens(said, citation)
    own = {at for at, it in enumerate(tokens) if it in _CONTRARY and it not in _ZONES}
    if not own or any(numbers(said)):
        return None
    plain = [it for at, it in enumerate(tokens) if at not in own]
    words = {*chain(*topics.stemmer.of(plain))}
    whole = sum(map(topics.weight, words))
    told: list[tuple[str, str, str]] = []
    for it in book.with_parts(number) if whole and len(words) >= _FEWEST else ():
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


NEARLY = "words that are nearly those of the rule, and may mean something else"

JOINS = re.compile(r"(?:\.|[,;] (?:and|but)) ")
"""What may join two sentences: *… gains life, and nothing replaces that*."""

_TOKEN = re.compile(r"[+-]?\d+(?:/[+-]?\d+)?[a-z]?|[^\W\d_]+(?:'[a-z]+)?")
_FEWEST_SAME, _ENOUGH_SAME, _MOST_OTHER = 8, 0.85, 3
"""How many words, and which share, must be a rule's, in order; how many in a row may differ."""


def altered(book: Rulebook, citation: Citation) -> Finding | None:
    """Report words without quotation marks that are nearly those of a cited rule, with one thing changed.

    That thing is a figure, a negation or an opposite. Other words for the same are not wrong.
    """
    own = [it for number in citation.numbers if "." in number for it in book.family(number)]
    for text in said_by(citation):
        said = words_and_figures(text)
        if len(said) < _FEWEST_SAME or book.anywhere(pieces(text)):
            continue
        whole = 1 if JOINS.search(folded(text)) else 0  # it may join two sentences
        read = ((it, words) for it in own for words in (*book.sentences(it), *book.items[it].texts[:whole]))
        found = [(*_alike(said, words_and_figures(words)), it, words) for it, words in dict.fromkeys(read)]
        same, change, number, words = max(found, default=(0, "", "", ""))
        if same and change:
            message = f"these are nearly the words of {number}, which has {change}"
            return Finding("words", message, (), text, wording=words)
        if same and not any(_joined(text) in _joined(words) for it in own for words in book.items[it].texts):
            return Finding(UNREAD, NEARLY, quote=text)
    return None


def _joined(text: str) -> str:
    """Return the words of a text, without those that join its sentences."""
    return f" {' '.join(words_and_figures(JOINS.sub(' ', folded(text))))} "


def words_and_figures(text: str) -> list[str]:
    """Return the words of a text, folded, with figures for number words."""
    return [FIGURES.get(it, it) for it in _TOKEN.findall(folded(text))]


def _alike(said: list[str], right: list[str]) -> tuple[int, str]:
    """Return how many words are the same (0 if too few), and the first one that the other text replaces."""
    steps = SequenceMatcher(None, said, right, autojunk=False).get_opcodes()
    same = [it for it in steps if it[0] == "equal"]
    count = sum(end - start for _, start, end, _, _ in same)
    if count < _FEWEST_SAME:
        return 0, ""
    first, last = steps.index(same[0]), steps.index(same[-1])
    inner = steps[first : last + 1]
    length = max(same[-1][2] - same[0][1], same[-1][4] - same[0][3])
    if count < _ENOUGH_SAME * length:
        return 0, ""
    edges = [it for it in (*steps[:first], *steps[last + 1 :]) if it[0] == "replace"]
    is_even = sum(map(_denies, said)) % 2 == sum(map(_denies, right)) % 2
    parts = ((said[a:b], right[c:d]) for kind, a, b, c, d in (*inner, *edges) if kind != "equal")
    changes = (_change(*it, is_even=is_even) for it in parts)
    return count, next(filter(None, changes), "")


def _change(said: list[str], right: list[str], *, is_even: bool) -> str:
    """Return in words what a rule has instead of some words, if that changes the meaning.

    A denial does not if both texts deny an even number of times: *it isn't as though it exists*.
    """
    if len(said) > _MOST_OTHER or len(right) > _MOST_OTHER:
        return ""
    figures = [{it for it in words if it[-1].isdigit() and len(it) < CHAPTER} for words in (said, right)]
    denials = [any(map(_denies, words)) for words in (said, right)]
    is_same = (is_even or denials[0] == denials[1]) and (not all(figures) or figures[0] == figures[1])
    if is_same and not has_contrary(said, right):
        return ""
    one, other = (f"“{' '.join(it)}”" for it in (said, right))
    return f"{other} instead of {one}" if said and right else f"no {one}" if said else f"{other} as well"


def _denies(word: str) -> bool:
    return denies(word) or word == "without" or word.startswith("non")
