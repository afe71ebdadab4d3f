"""Words as people ask them are held against the phrasings of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple, TypeVar

from .questions import Question, questions

_T = TypeVar("_T")

_HOLE = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\(([^()]*)\)")

_SAID = {
    "u": "you", "r": "are", "ur": "your", "pls": "please", "plz": "please", "wat": "what", "wut": "what",
    "wich": "which",
    "whats": "what is", "hows": "how is", "wheres": "where is", "whos": "who is", "whens": "when is",
    "dont": "do not", "doesnt": "does not", "isnt": "is not", "cant": "can not", "im": "i am",
    "thx": "thanks", "abt": "about", "diff": "difference",
}  # fmt: skip
"""Words as they are typed in haste, and what they are in full."""

_SHORT = (
    (r"\b(what|how|where|who|when|that|it)['’]s\b", r"\1 is"),
    (r"\b(do|does|is|are|did|was|would|could)n['’]t\b", r"\1 not"),
    (r"\bcan['’]t\b", "can not"),
    (r"\bi['’]m\b", "i am"),
)
_SYNONYMS = (
    (r"\b(?:depends? (?:up)?on)\b", "rely on"),
    (r"^list (?=which|what|who|where|how)", ""),
    (r"^what (?=terms|rules|entries|names|documents|[a-z]+ (?:does|do|did|has|have|are|is) )", "which "),
)
_OPENING = re.compile(
    r"^(?:please|hey|hi|hello|yo|so|and|but|also|ok(?:ay)?|well|wait|um+|uh+|quick question|question|help|"
    r"(?:can|could|would|will) (?:you|someone|somebody|anyone|anybody)(?: please)?|"
    r"(?:does|do) (?:anyone|anybody|you) know|(?:just |i was )?wondering|"
    r"i (?:want|need|would like) to know|"
    r"(?:please )?(?:tell|show|give|remind|teach) (?:me|us)|eli5|exactly|actually|basically)\b[\s,:;.!-]*",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[\s,]+(?:please|thanks|thank you|exactly|actually|again|anyway|anyways|then|though|really|lol|"
    r"like i am (?:five|5|new)|in (?:simple|plain|easy) (?:terms|words|english)|"
    r"for (?:dummies|beginners|a beginner|new players)|btw|to me|"
    r"(?:in|of) (?:mtg|magic(?: the gathering)?|the game|this game|the rules|general))$",
    re.IGNORECASE,
)
_MARKS = " \t\n?!.,;:…¿¡"


class Fit(NamedTuple):
    """A question that some words fit, and what stands in its holes, by parameter.

    `loose` is true where the words are not a phrasing of the question, but one of its looser wordings.
    """

    question: Question
    given: dict[str, str]
    loose: bool = False


class _Form(NamedTuple):
    """One way to ask: the words between the holes, in small letters, and the names of the holes."""

    question: Question
    pieces: tuple[str, ...]
    holes: tuple[str, ...]
    loose: bool


def fitting(words: str) -> list[Fit]:
    """Return the questions that some words fit, the one with the most words of its own first.

    Words that fit none are tried again in the words that the catalogue prefers, and as a name.
    """
    asked = tidy(words)
    fits = [*_fitting(asked)] or [*_fitting(_otherwise(asked))]
    if fits:
        fits.sort(key=lambda found: found[0])
        return [fit for _, fit in fits]
    name = asked.lower().replace(" ", "_")
    return [Fit(it, {}) for it in questions() if it.name == name and not it.parameters]


def nearest(words: str) -> Sequence[str]:
    """Return the titles of the questions without holes that have the likest wording, quoted."""
    # Only where nothing fits: it takes longer to load than most questions to be answered.
    from rapidfuzz import fuzz, process, utils

    titles = {phrasing: question.title for question in questions() for phrasing in question.phrasings}
    near = process.extract(
        tidy(words), list(titles), scorer=fuzz.token_set_ratio, processor=utils.default_process, limit=8
    )
    return list(dict.fromkeys(f'"{titles[phrasing]}"' for phrasing, _, _ in near))[:3]


def in_full(words: str) -> str:
    """Return the question with words typed in haste written out, and without marks at its ends.

    >>> in_full("whats  Landwalk plz?")
    'what is Landwalk please'
    """
    text = " ".join(words.split()).strip(_MARKS)
    for short, full in _SHORT:
        text = re.sub(short, full, text, flags=re.IGNORECASE)
    return " ".join(_SAID.get(word.lower(), word) for word in text.split())


def tidy(words: str) -> str:
    """Return the question without what does not change it: case is kept, polite words and marks go.

    >>> tidy("Please tell me:  what's  Landwalk, exactly ?")
    'what is Landwalk'
    """
    text, before = in_full(words), ""
    while before != text:
        before, text = text, _CLOSING.sub("", _OPENING.sub("", text)).strip(_MARKS)
    return text


def _otherwise(asked: str) -> str:
    """Return the question in the words that the catalogue prefers.

    >>> _otherwise("what terms depend on Moth")
    'which terms rely on Moth'
    """
    for found, preferred in _SYNONYMS:
        asked = re.sub(found, preferred, asked, flags=re.IGNORECASE)
    return asked


def written_out(wording: str) -> Iterator[str]:
    """Yield each plain phrasing that a wording with choices stands for.

    >>> list(written_out("(list|name) (all |){concept}"))
    ['list all {concept}', 'list {concept}', 'name all {concept}', 'name {concept}']
    """
    pieces = _CHOICE.split(wording)
    choices = [piece.split("|") if place % 2 else [piece] for place, piece in enumerate(pieces)]
    for chosen in product(*choices):
        yield " ".join("".join(chosen).split())


def splits(pieces: Sequence[str], text: str) -> Iterator[tuple[str, ...]]:
    """Yield what stands between the pieces of a phrasing, in each way in which `text` can be split by them.

    >>> list(splits(("how do ", " and ", " interact"), "How do Moth and Rust and Bag interact"))
    [('Moth', 'Rust and Bag'), ('Moth and Rust', 'Bag')]
    """
    small = text.lower() if len(text.lower()) == len(text) else text
    first, *rest = pieces
    if small.startswith(first):
        yield from _split(rest, small, text, len(first))


def beginning(openings: Mapping[str, Iterable[_T]], text: str) -> Iterator[_T]:
    """Yield what stands under each opening that `text` begins with, in any case."""
    small = text.lower()
    for opening, those in openings.items():
        if small.startswith(opening):
            yield from those


def _split(pieces: Sequence[str], small: str, text: str, start: int) -> Iterator[tuple[str, ...]]:
    if not pieces:
        if start == len(text):
            yield ()
        return
    piece, *rest = pieces
    if not rest:
        end = len(text) - len(piece)
        if end > start and small.endswith(piece):
            yield (text[start:end],)
        return
    end = small.find(piece, start + 1)
    while end > 0:
        for further in _split(rest, small, text, end + len(piece)):
            yield (text[start:end], *further)
        end = small.find(piece, end + 1)


@cache
def _forms() -> tuple[_Form, ...]:
    forms = []
    for question in questions():
        ways = [(phrasing, False) for phrasing in question.phrasings]
        ways += [(plain, True) for wording in question.wordings for plain in written_out(wording)]
        for way, loose in dict(reversed(ways)).items():
            parts = _HOLE.split(way.strip(_MARKS).lower())
            forms.append(_Form(question, tuple(parts[::2]), tuple(parts[1::2]), loose))
    return tuple(forms)


@cache
def frame_words() -> frozenset[str]:
    """Return the words that questions are worded with, in small letters."""
    return frozenset(word for form in _forms() for piece in form.pieces for word in piece.split())


def _fitting(asked: str) -> Iterator[tuple[tuple[int, bool, str], Fit]]:
    for question, pieces, holes, loose in beginning(_by_opening(), asked):
        for given in splits(pieces, asked):
            own_words = sum(len(piece.split()) for piece in pieces)
            fit = Fit(question, dict(zip(holes, given, strict=True)), loose)
            yield (-own_words, loose, question.name), fit


@cache
def _by_opening() -> dict[str, list[_Form]]:
    found: dict[str, list[_Form]] = {}
    for form in _forms():
        found.setdefault(form.pieces[0], []).append(form)
    return found
