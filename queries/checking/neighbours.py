"""Compare an edition with those before and after it, and report what only it lost or has.

Rules do go away, and come back in other words. But what stands word for word in the edition before and in
the one after was not taken out in between: either the rules were changed and changed back, which hardly
happens, or the copy lost it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...loaders.language.numbers import parent
from ...loaders.language.sentences import between_stops
from ..session import Cells, Session, with_history
from .counts import unlikely_counts
from .texts import TELLING, Departure, EditionText, TextPiece, bare, texts_of, words_alone

_ALIKE = 0.6
"""The share of words from which two texts are wordings of one rule."""

_APART = 12
"""Letters more or less that neither a slip nor another way to print the same words accounts for."""

_BEGUN = 10
"""Letters from which the beginning of a text is known to be its beginning."""

_AROUND = 30
"""Characters shown on each side of the place where two texts depart."""

_CITED = re.compile(r"\b[1-9]\d\d(?:\.\d+[a-z]{0,2})?\b")
_WHOLE = {"example": "rule", "paragraph": "entry"}
"""What a kind of piece is a part of."""


def compared_with_neighbours(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a row for each finding on the editions `names`, with the columns of `defects`.

    First come counts of rules, entries and examples that are out of line, then the places where a text
    departs from others. Only both neighbours together show that words were lost: rules do go away.
    """
    order = with_history(session.editions())
    chosen = [(at, it) for at, it in enumerate(order) if it.id in names]
    for place, edition in chosen if len(order) > 1 else ():
        near = {it.id: it for it in session.counted(order[max(0, place - 1) : place + 2])}
        before = near[order[place - 1].id] if place else None
        after = near[order[place + 1].id] if place + 1 < len(order) else None
        yield from unlikely_counts(near[edition.id], before, after)
    between = [place for place, _ in chosen if 0 < place < len(order) - 1]
    used = sorted({near for place in between for near in (place - 1, place, place + 1)})
    known: dict[int, EditionText] = {}
    for place, text in zip(used, texts_of(session, (order[it] for it in used)), strict=False):
        known[place] = text
        known.pop(place - 3, None)
        if place - 1 not in between:
            continue
        document = order[place - 1].documents[0].id
        found = departures(known[place - 2], known[place - 1], text)
        for it in sorted(found, key=lambda it: it.line):
            code = "lost-text" if it.lost else "altered-text"
            yield "warning", code, it.name, document, it.line, it.message, it.quote, order[place - 1].id


# -- words ------------------------------------------------------------------------------------------


def departures(before: EditionText, own: EditionText, after: EditionText) -> Iterator[Departure]:
    """Yield where `own` departs from what the editions `before` and `after` it agree on.

    What stands in both, under whichever number, and nowhere in `own`, is lost, or was changed where `own`
    has other words in its place; of a few words, such as a title, it has to be the same number. A number
    that both have under like words, and `own` has not, is lost as well; so is a sentence that both have
    there. What stands in `own` alone is no departure, but for a paragraph or example under a name of which
    both have the same.
    """
    # Most stands in neighbouring editions as it is: only the rest is looked at.
    behind = own.pieces[0].line if own.pieces else 0
    lost_entries = set()
    told = set()
    for piece in before.pieces:
        there = own.under(piece)
        if piece[:3] in own.unlined:
            behind = max((it.line for it in there), default=behind)
            continue
        stays = any(it.key == piece.key for it in after.under(piece))
        if own.says(piece):
            behind = max((it.line for it in there), default=behind)
            if stays and (found := _misplaced(piece, own, (before, after))):
                told.add(piece.place)
                yield found
            continue
        if bare(piece.name) in lost_entries:
            continue  # an entry is reported once, not with each of its paragraphs
        if after.confirms(piece):
            found = _departure(piece, own, (before, after), behind)
            if found is None and stays:
                found = _alone(piece, own, (before, after))
            if found is None:
                continue
            if found.lost and piece.kind == "entry":
                lost_entries.add(bare(piece.name))
            told.add(piece.place)
            yield found
        elif piece.kind == "rule" and not there and _is_numbered_alike(piece, own, after):
            message = f"rule {piece.name} is in {before.name} and in {after.name}, but not here"
            yield Departure(True, piece.name, behind, message, "")
        elif there and (lost := _lost_sentence(piece, there, own, after)):
            message = f"{piece.called} lacks what {before.name} and {after.name} agree on: “{lost}”"
            yield Departure(True, piece.name, there[0].line, message, there[0].text[-2 * _AROUND :])
    unlike = (it for it in own.pieces if it[:3] not in before.unlined and it[:3] not in after.unlined)
    for piece in unlike:
        is_strange = not before.says(piece) and not after.says(piece)
        if is_strange and piece.place not in told and _is_added(piece, before, after):
            message = f"{piece.called} is only here: neither {before.name} nor {after.name} has it"
            yield Departure(False, piece.name, piece.line, message, _short(piece.text))


def _lost_sentence(piece: TextPiece, there: Sequence[TextPiece], own: EditionText, after: EditionText) -> str:
    """Return a sentence of a piece that `after` has under the same name, and `own` nowhere.

    One that `own` says in other words is none: then all that it says there is in one of the others.
    """
    kept = [it.key[1] for it in after.under(piece)]
    stands = [it.key[1] for it in there]
    theirs = [piece.key[1], *kept]
    mine = (words_alone(sentence) for it in there for sentence in between_stops(it.text))
    if not kept or not all(any(key in text for text in theirs) for key in mine):
        return ""
    for sentence in between_stops(piece.text):
        key = words_alone(sentence)
        is_kept = len(key) >= TELLING and any(key in text for text in kept)
        if is_kept and not any(key in text for text in stands) and key not in own.words:
            return _short(sentence)
    return ""


def _is_added(piece: TextPiece, before: EditionText, after: EditionText) -> bool:
    """Return whether two editions have the same under the name of a piece that neither of them has."""
    one, other = ({it.key for it in text.under(piece)} for text in (before, after))
    return piece.kind in ("example", "paragraph") and bool(one) and one == other


def _is_numbered_alike(piece: TextPiece, own: EditionText, after: EditionText) -> bool:
    """Return whether a rule keeps its number in `after` while nothing in `own` resembles it."""
    kept = after.under(piece)
    return bool(kept) and _alike(piece, kept[0]) and not any(_alike(piece, it) for it in _rules(own))


def _rules(text: EditionText) -> Iterator[TextPiece]:
    return (it for it in text.pieces if it.kind == "rule")


def _alike(one: TextPiece, other: TextPiece) -> bool:
    """Return whether two wordings are of the same thing, perhaps with one cut short."""
    from rapidfuzz.distance import Indel  # imported where texts depart: most checks compare nothing

    begun = other.key[1]
    if len(begun) >= _BEGUN and one.key[1].startswith(begun):
        return True
    mine, theirs = (it.text.casefold().split() for it in (one, other))
    return Indel.normalized_similarity(mine, theirs, score_cutoff=_ALIKE) >= _ALIKE


def _departure(
    piece: TextPiece, own: EditionText, others: tuple[EditionText, EditionText], behind: int
) -> Departure | None:
    """Return what became of the words that two editions agree on.

    None where `own` says it in other words, or says more.
    """
    there = own.under(piece)
    agree = f"{others[0].name} and {others[1].name} agree on"
    stands = [it for it in there if _alike(piece, it)]
    if piece.kind == "rule" and not stands:
        if _is_part_of_another(piece, own, others):
            return None
        stands = list(there)
    if stands:
        other = stands[0]
        if _is_reworded(piece, other):
            return None
        return _differing(piece, other, others)
    message = f"{piece.called} is missing here, "
    if piece.kind == "entry":
        message += f"but is in {others[0].name} and in {others[1].name}"
    else:
        message += f"or not in the words that {agree}: “{_short(piece.text)}”"
    return Departure(True, piece.name, behind, message, "")


def _alone(piece: TextPiece, own: EditionText, others: tuple[EditionText, EditionText]) -> Departure | None:
    """Return what `own` has for the words that two editions have under one name, and neither has anywhere.

    Words that are changed, and changed back, hardly ever happen to a rule: that is a slip of this copy. What
    goes on behind them may be another rule, which is reported by itself.
    """
    strange = (it for it in own.under(piece) if not any(text.says(it) for text in others))
    for other in strange:
        if _alike(piece, other) and not other.key[1].startswith(piece.key[1]):
            return _differing(piece, other, others)
    return None


def _differing(piece: TextPiece, other: TextPiece, others: tuple[EditionText, EditionText]) -> Departure:
    start, end = _common_ends(piece.text, other.text)
    theirs, mine = (_stretch(it.text, start, len(it.text) - end) for it in (piece, other))
    agree = f"{others[0].name} and {others[1].name} agree on"
    message = f"{piece.called} differs from what {agree}: they have “{theirs}”"
    return Departure(False, piece.name, other.line, message, mine)


def _misplaced(
    piece: TextPiece, own: EditionText, others: tuple[EditionText, EditionText]
) -> Departure | None:
    """Return where `own` has words that two editions have under one name: elsewhere, or citing others.

    `own` has to have some words under that name, or the words may have moved with their rule.
    """
    there = own.under(piece)
    same = next((it for it in there if it.key == piece.key), None)
    if same is not None:
        is_kept = [it.text for it in others[1].under(piece) if it.key == piece.key]
        astray = any(_cites_others(piece, text, same, others[0], own) for text in is_kept)
        return _differing(piece, same, others) if astray else None
    whole = there or own.under(piece._replace(kind=_WHOLE.get(piece.kind, piece.kind)))
    if not whole or piece.kind == "entry" or len(piece.key[1]) < TELLING or _is_moved(piece, own, others[0]):
        return None
    place = next(it for it in own.pieces if it.key == piece.key)
    message = f"{piece.called} is here {place.called}, unlike in {others[0].name} and in {others[1].name}"
    return Departure(False, piece.name, place.line, message, _short(place.text))


def _is_moved(piece: TextPiece, own: EditionText, before: EditionText) -> bool:
    """Return whether what a rule is a part of has other words in an edition: the rule moved with it."""
    if piece.kind != "rule":
        return False
    whole = TextPiece("rule", parent(piece.name))
    return {it.key for it in own.under(whole)} != {it.key for it in before.under(whole)}


def _cites_others(
    piece: TextPiece, later: str, here: TextPiece, before: EditionText, own: EditionText
) -> bool:
    """Return whether a piece cites other rules than two editions do, which cite the same ones there."""
    theirs, mine = _CITED.findall(piece.text), _CITED.findall(here.text)
    if theirs != _CITED.findall(later) or len(theirs) != len(mine):
        return False
    for number, other in zip(theirs, mine, strict=True):
        one, two = (text.under(TextPiece("rule", it)) for text, it in ((before, number), (own, other)))
        if number != other and not (one and two and _alike(one[0], two[0])):
            return True
    return False


def _is_part_of_another(piece: TextPiece, own: EditionText, others: Sequence[EditionText]) -> bool:
    """Return whether a rule's words have become part of another rule of an edition.

    If a number was lost, or the break before it, they are part of another one too: that is reported by the
    rest of it, which `others` have as a rule by itself, or by the line that they begin there. A title stands
    wherever it is cited.
    """
    words = piece.key[1]
    if "." not in piece.text or len(words) < TELLING or words not in own.words:
        return False
    hosts = [it for it in _rules(own) if words in it.key[1]]
    return not any(_begins_line(words, it) or _is_joined(words, it, others) for it in hosts)


def _begins_line(words: str, host: TextPiece) -> bool:
    """Return whether words begin a line of a piece that is not its first."""
    return any(words_alone(it).startswith(words) for it in host.text.splitlines()[1:])


def _is_joined(words: str, host: TextPiece, others: Sequence[EditionText]) -> bool:
    """Return whether a piece is words and another rule that all of the other editions have.

    Between the two stands the number of the second, or not.
    """
    kind, said = host.key
    start, _, end = said.partition(words)
    rests = (start + end, start.removesuffix("#") + end.removeprefix("#"))
    return any(all((kind, rest) in it.keys for it in others) for rest in rests)


def _is_reworded(piece: TextPiece, other: TextPiece) -> bool:
    """Return whether the other piece has some words for others, or all of them and goes on.

    What was lost left nothing in its place; what came in from elsewhere stands in the middle, or is known by
    its words.
    """
    theirs, mine = piece.key[1], other.key[1]
    is_replaced = sum(_common_ends(theirs, mine)) < min(len(theirs), len(mine))
    return (is_replaced and abs(len(theirs) - len(mine)) < _APART) or mine.startswith(theirs)


def _common_ends(one: str, other: str) -> tuple[int, int]:
    """Return how many characters two texts share at the beginning, and then at the end."""
    from rapidfuzz.distance import Postfix, Prefix

    start = Prefix.similarity(one, other)
    return start, Postfix.similarity(one[start:], other[start:])


def _short(text: str) -> str:
    return text if len(text) <= 2 * _AROUND else f"{text[: 2 * _AROUND]}…"


def _stretch(text: str, start: int, end: int) -> str:
    """Return a stretch of a text with some characters around it, cut between words."""
    right = min(len(text), end + _AROUND)
    left = text.rfind(" ", 0, max(0, start - _AROUND)) + 1
    stop = text.find(" ", right)
    return text[left : stop if stop >= 0 else len(text)]
