"""What two editions agree on is held against the one between them: what it lost, and where it departs.

Rules do go away, and come back in other words. But what stands word for word in the edition before and in
the one after was not taken out in between: either the rules were changed and changed back, which hardly
happens, or the copy lost it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from ...loaders.language.sentences import between_stops
from .depositions import TELLING, Deposition, DepositionKind, Witness, bare, key_of, words_alone

_ALIKE = 0.6
"""The share of words from which two texts are wordings of one rule."""

_BEGUN = 10
"""Letters from which the beginning of a text is known to be its beginning."""

APART = 12
"""Letters more or less by which words in the place of others are no slip, and no other way to print them."""

_AROUND = 30
"""Characters shown on each side of the place where two texts depart."""


class Departure(NamedTuple):
    """Where an edition departs from what two others agree on.

    `lost` tells that nothing stands in the place of the words; `line` is theirs, or the one behind which they
    would stand; `quote` is what stands there.
    """

    lost: bool
    name: str
    line: int
    message: str
    quote: str


def departures(own: Witness, before: Witness, after: Witness) -> Iterator[Departure]:
    """Yield where `own` departs from what the editions `before` and `after` it agree on.

    What stands in both, under whichever number, and nowhere in `own`, is lost, or was changed where `own`
    has other words in its place; of a few words, such as a title, it has to be the same number. A number
    that both have under like words, and `own` has not, is lost as well; so is a sentence that both have
    there. What stands in `own` alone under a name of which both have the same is none of it.
    """
    both = (before.name, after.name)
    behind = own.pieces[0].line if own.pieces else 0
    lost_entries = set()
    told = set()
    for piece in before.pieces:
        there = own.under(piece)
        if own.holds(piece):
            behind = max((it.line for it in there), default=behind)
            continue
        if bare(piece.name) in lost_entries:
            continue
        if after.bears_out(piece):
            found = _departure(piece, there, own, (before, after), behind)
            if found is None:
                continue
            if found.lost and piece.kind is DepositionKind.ENTRY:
                lost_entries.add(bare(piece.name))
            told.add((piece.kind, bare(piece.name)))
            yield found
        elif piece.kind is DepositionKind.RULE and not there and _is_numbered_alike(piece, own, after):
            words = f"rule {piece.name} stands in {before.name} and in {after.name}, and not here"
            yield Departure(True, piece.name, behind, words, "")
        elif there and (lost := _lost_sentence(piece, there, own, after)):
            message = f"{piece.kind.value} {piece.name} lacks what {both[0]} and {both[1]} agree on: “{lost}”"
            yield Departure(True, piece.name, there[0].line, message, there[0].text[-2 * _AROUND :])
    for piece in own.pieces:
        is_strange = not before.holds(piece) and not after.holds(piece)
        if is_strange and (piece.kind, bare(piece.name)) not in told and _is_added(piece, before, after):
            message = (
                f"{piece.kind.value} {piece.name} stands here alone: {both[0]} and {both[1]} have none such"
            )
            yield Departure(False, piece.name, piece.line, message, _short(piece.text))


def _lost_sentence(piece: Deposition, there: Sequence[Deposition], own: Witness, after: Witness) -> str:
    """Return a sentence of a piece that `after` has under the same name, and `own` nowhere.

    One that `own` says in other words is none: then all that it says there is in one of the others.
    """
    kept = [key_of(it)[1] for it in after.under(piece)]
    stands = [key_of(it)[1] for it in there]
    theirs = [key_of(piece)[1], *kept]
    mine = (sentence for it in there for sentence in _sentences(it))
    if not kept or not all(any(key in text for text in theirs) for _, key in mine):
        return ""
    for sentence, key in _sentences(piece):
        is_kept = len(key) >= TELLING and any(key in text for text in kept)
        if is_kept and not any(key in text for text in stands) and key not in own.run:
            return _short(sentence)
    return ""


def _sentences(piece: Deposition) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a piece, each as it is printed and as it is compared."""
    for sentence in between_stops(piece.text):
        yield sentence, key_of(piece._replace(text=sentence))[1]


def _is_added(piece: Deposition, before: Witness, after: Witness) -> bool:
    """Tell whether two editions have the same under the name of a piece that neither of them has."""
    one, other = ({key_of(it) for it in witness.under(piece)} for witness in (before, after))
    return piece.kind in (DepositionKind.EXAMPLE, DepositionKind.PARAGRAPH) and bool(one) and one == other


def _is_numbered_alike(piece: Deposition, own: Witness, after: Witness) -> bool:
    """Tell whether a rule goes on under its number in `after`, while nothing in `own` is like it."""
    kept = after.under(piece)
    return bool(kept) and _alike(piece, kept[0]) and not any(_alike(piece, it) for it in _rules(own))


def _rules(sheet: Witness) -> Iterator[Deposition]:
    return (it for it in sheet.pieces if it.kind is DepositionKind.RULE)


def _alike(one: Deposition, other: Deposition) -> bool:
    """Tell two wordings of the same, or one cut short, from two different things."""
    begun = key_of(other)[1]
    if len(begun) >= _BEGUN and key_of(one)[1].startswith(begun):
        return True
    return _most_alike(one.text, other.text) >= _ALIKE and (
        SequenceMatcher(None, _words(one.text), _words(other.text), autojunk=False).ratio() >= _ALIKE
    )


def _most_alike(one: str, other: str) -> float:
    """Return a likeness that two texts have at most, as `SequenceMatcher` counts it."""
    mine, theirs = _times(one), _times(other)
    both = mine.total() + theirs.total()
    shorter = min(mine.total(), theirs.total())
    if 2 * shorter < _ALIKE * both:
        return 0.0
    common = sum(min(count, theirs[word]) for word, count in mine.items() if word in theirs)
    return 2 * common / both if both else 1.0


@lru_cache(maxsize=1 << 13)
def _words(text: str) -> list[str]:
    return text.casefold().split()


@lru_cache(maxsize=1 << 13)
def _times(text: str) -> Counter[str]:
    return Counter(_words(text))


def _departure(
    piece: Deposition, there: Sequence[Deposition], own: Witness, others: Sequence[Witness], behind: int
) -> Departure | None:
    """Return what became of the words that two editions agree on; `there` stands under their name.

    None where `own` says it in other words, or says more.
    """
    agree = f"{others[0].name} and {others[1].name} agree on"
    stands = [it for it in there if _alike(piece, it)]
    if piece.kind is DepositionKind.RULE and not stands:
        if _stands_elsewhere(piece, own, others):
            return None
        stands = list(there)
    if stands:
        other = stands[0]
        if _is_reworded(piece, other):
            return None
        theirs, mine = _apart(piece.text, other.text)
        message = f"{piece.kind.value} {piece.name} departs from what {agree}: they have “{theirs}”"
        return Departure(False, piece.name, other.line, message, mine)
    message = f"{piece.kind.value} {piece.name} is not here"
    if piece.kind is not DepositionKind.ENTRY:
        message += f", or not in the words that {agree}: “{_short(piece.text)}”"
    else:
        message += f", and stands in {others[0].name} and in {others[1].name}"
    return Departure(True, piece.name, behind, message, "")


def _stands_elsewhere(piece: Deposition, own: Witness, others: Sequence[Witness]) -> bool:
    """Tell whether a rule's words have become part of another rule of an edition.

    Where a number was lost, or the break before it, they are part of another one too: that is told by the
    rest of it, which `others` have as a rule by itself, or by the line that they begin there. A title stands
    wherever it is cited.
    """
    words = key_of(piece)[1]
    if "." not in piece.text or len(words) < TELLING or words not in own.run:
        return False
    hosts = [it for it in _rules(own) if words in key_of(it)[1]]
    return not any(_begins_line(words, it) or _is_joined(words, it, others) for it in hosts)


def _begins_line(words: str, host: Deposition) -> bool:
    """Tell whether words begin a line of a piece that is not its first."""
    _, *others = host.text.splitlines()
    return any(words_alone(it).startswith(words) for it in others)


def _is_joined(words: str, host: Deposition, others: Sequence[Witness]) -> bool:
    """Tell whether a piece is words and another rule that all of the other editions have.

    Between the two stands the number of the second, or not.
    """
    kind, said = key_of(host)
    start, _, end = said.partition(words)
    rests = (start + end, start.removesuffix("#") + end.removeprefix("#"))
    return any(all((kind, rest) in it.keys for it in others) for rest in rests)


def _is_reworded(piece: Deposition, other: Deposition) -> bool:
    """Tell whether the other piece has some words for others, or all of them and goes on.

    What was lost left nothing in its place; what came in from elsewhere stands in the middle, or is known by
    its words.
    """
    theirs, mine = key_of(piece)[1], key_of(other)[1]
    shorter = min(len(theirs), len(mine))
    start = next((i for i in range(shorter) if theirs[i] != mine[i]), shorter)
    end = next((i for i in range(shorter - start) if theirs[-1 - i] != mine[-1 - i]), shorter - start)
    if start + end < shorter and abs(len(theirs) - len(mine)) < APART:
        return True
    return mine.startswith(theirs)


def _short(text: str) -> str:
    return text if len(text) <= 2 * _AROUND else f"{text[: 2 * _AROUND]}…"


def _apart(theirs: str, mine: str) -> tuple[str, str]:
    """Return the stretch in which two texts depart from each other, of each, with whole words around."""
    shorter = min(len(theirs), len(mine))
    start = next((i for i in range(shorter) if theirs[i] != mine[i]), shorter)
    end = next((i for i in range(shorter - start) if theirs[-1 - i] != mine[-1 - i]), shorter - start)
    return _stretch(theirs, start, len(theirs) - end), _stretch(mine, start, len(mine) - end)


def _stretch(text: str, start: int, end: int) -> str:
    left, right = max(0, start - _AROUND), min(len(text), end + _AROUND)
    left = text.rfind(" ", 0, left) + 1
    stop = text.find(" ", right)
    return text[left : stop if stop >= 0 else len(text)]
