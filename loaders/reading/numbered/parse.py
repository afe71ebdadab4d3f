"""Parse numbered rules, using a form: provisions with numbers, headings, paragraphs, examples, citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate

from ....ontology import DocumentKind, SourceError
from ...language.names import is_title
from ...language.words import ends_paragraph, fragment_id
from ...records import Document, Problem, Reference, Target, TargetKind
from ..comprehensive.parts import find_dates
from ..furniture import find_pages
from ..lines import Line, Wrapping, clean_lines, find_wrapping
from ..pieces import Draft, Piece, collect, entries, example_of
from ..references import find_references, with_references
from ..source import Source
from .form import LEAST, Form, bundled_forms

_PIECES = re.compile(r"\d+|[a-z]+", re.IGNORECASE)
_ITEM = re.compile(r"(?:[•·]|\d{1,2}\.)\s")
"""The beginning of a list item."""

_PAGE = re.compile(r"\s+\d{1,3}$")
_MORE = re.compile(r"(?:,? (?:and|or) |, |\s?([–—-])\s?)([A-Z]?\d+(?:\.\d+)*)\b(?!\.\d)")
"""What continues a list or a range of numbers."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_LONG = 100
"""Parts may begin at tens from this number on: lower ones count up one by one."""

_FARTHEST = 3
"""The maximum distance of a number from the expected one; a number farther off is a citation."""

_FEW = 4
"""If more than this share of all provisions is missing, the numbers in the text count as out of order."""

_DATED = 5
"""How many lines at the beginning may contain the day, if the title is itself a heading."""

_OF_THE_RULES = re.compile(r",? (?:of|in) the (?:\w+ )?comprehensive rules", re.IGNORECASE)

_SHOWN = 5
"""The maximum number of missing numbers that a message names."""

_HEADING = 90
"""The maximum number of characters in a heading."""


@dataclass(slots=True)
class _Provision:
    """A provision while its lines are collected."""

    number: str
    head: Line
    rest: str
    body: list[Line] = field(default_factory=list)


def parse(source: Source, form: Form) -> Document:
    """Return the content of a text of numbered rules; raise `SourceError` if too few numbers are in order.

    A contents page, after which the numbers begin again, is furniture, and so is everything before the first
    number.
    """
    lines, drawn = clean_lines(source.lines, find_pages(source.lines))
    aside = {line: None for line in lines if form.furniture and form.furniture.fullmatch(line.text)}
    kept = [line for line in lines if line not in aside]
    wrapping = find_wrapping(kept)
    provisions, front = _provisions(kept, form)
    if len(provisions) < LEAST:
        raise SourceError(
            f"{len(provisions)} lines begin with a number of the form {form.name!r}, in their order",
            way_out="Change `number` in the form, or give another text.",
        )
    issued = _issued([*front, *kept[: _DATED if form.date else 1]], form)
    identity = f"{form.name}-{issued or fragment_id(' '.join(line.text for line in kept))}"
    known = tuple(it.number for it in provisions if it.number)
    recorded = {line.number for it in provisions for line in (it.head, *it.body)}
    document = Document(
        kind=DocumentKind.NUMBERED,
        document=identity,
        edition=identity,
        title=next((line.text for line in kept if form.title.search(line.text)), form.name),
        issued=issued,
        checksum=source.checksum,
        encoding=source.encoding,
        lines=len(lines) + len(drawn),
        entries=entries(_drafts(provisions, form, wrapping)),
        problems=(*_unlisted(aside, form, known), *_gaps(provisions), *_out_of_order(provisions, form)),
        furniture=tuple(sorted({*drawn, *(line.number for line in lines)} - recorded)),
    )
    return with_references(document, lambda text: _references(text, form, known))


def _issued(front: Sequence[Line], form: Form) -> date | None:
    dated = [line for line in front if not form.date or form.date.search(line.text)]
    return next((day for day, _ in find_dates(dated)), None)


# -- numbers ----------------------------------------------------------------------------------------


def _provisions(lines: Sequence[Line], form: Form) -> tuple[list[_Provision], list[Line]]:
    """Return the provisions and the lines before them.

    Each time the first number returns, a new run begins; the run with the most lines is the text.
    """
    runs: list[list[_Provision]] = []
    found: list[_Provision] = []
    front: list[Line] = []
    numbers = [_canonical(match[0]) if (match := _numbered(line, form)) else "" for line in lines]
    # The next number after each line, looked up from the end.
    later = [*accumulate(reversed(numbers), lambda after, number: number or after, initial="")][-2::-1]
    for at, (line, number, following) in enumerate(zip(lines, numbers, later, strict=True)):
        heads = form.heading is not None and form.heading.fullmatch(line.text) is not None
        rest = line.text if heads else line.text[len(number) :].lstrip(".:) –—-") if number else ""
        again = found and (number, _unpaged(rest)) == (found[0].number, _unpaged(found[0].rest))
        opens_first = found and number and found[0].number == following and _is_below(following, number)
        if opens_first or again:
            runs.append(found)
            found = []
        last = next((it.number for it in reversed(found) if it.number), "")
        due = number and not rest[:1].islower() and _is_due(number, last)
        if due and number[0].isalpha():
            before = lines[at - 1].text  # an unfinished sentence may cite the number
            due = line.apart or line.marked or ends_paragraph(before) or is_title(before)
        if due and last and len(_place(number)) == 1 < len(_place(last)):
            # A single figure begins a part if a title, or a number below or after it, follows; list items do
            # not.
            own, after = _place(number)[0], _place(following)
            opens = own[0] >= _LONG and after and _follows(own, after[0], 1)
            due = _is_below(following, number) or opens or _is_heading(rest)
        if due or heads:
            found.append(_Provision(number, line, rest))
        else:
            (found[-1].body if found else front).append(line)
    text = max((found, *reversed(runs)), key=lambda run: sum(1 + len(it.body) for it in run))
    others = (it for run in (*runs, found) if run is not text for it in run)
    return text, [*front, *(line for it in others for line in (it.head, *it.body))]


def _is_below(number: str, part: str) -> bool:
    """Return whether a number is within the part that has a single figure."""
    place = _place(number)
    return len(place) > 1 and place[:1] == _place(part)


def _unpaged(rest: str) -> str:
    """Return what follows a number, without the page number that the contents add."""
    return _PAGE.sub("", rest).casefold()


def _numbered(line: Line, form: Form) -> re.Match[str] | None:
    return form.number.match(line.text) if form.number else None


def _is_due(number: str, before: str) -> bool:
    """Return whether a number may come next: below the last one, or after it or what that is part of."""
    place = _place(number)
    if not before:
        return place[0][0] >= _LONG or all(value <= 1 for value, _ in place)
    last = _place(before)
    pairs = zip(last, place, strict=False)
    common = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(last), len(place)))
    if common == len(place):
        return False
    if common == len(last):
        return place[common][0] <= _FARTHEST
    begins = all(value <= 1 for value, _ in place[common + 1 :])
    return begins and _follows(last[common], place[common], common)


def _follows(one: tuple[int, str], other: tuple[int, str], depth: int) -> bool:
    """Return whether a piece of a number may follow another at the same depth; parts may begin at tens."""
    if one[0] < 0 or other[0] < 0:
        return one[0] >= 0 > other[0] or (one[0] == other[0] and one[1] < other[1])
    near = 0 < other[0] - one[0] <= _FARTHEST
    return near or (depth == 0 and one[0] < other[0] >= _LONG and other[0] % 10 == 0)


def _place(number: str) -> tuple[tuple[int, str], ...]:
    """Return the figures and letters of a number as a sorting key: letters come after figures."""
    return tuple((int(it), "") if it.isdigit() else (-1, it) for it in _PIECES.findall(number))


def _canonical(number: str) -> str:
    """Return a number; one with a word in it is written as in a heading: ``Appendix A``."""
    return _WORD.sub(lambda match: match[0].capitalize(), number)


def _unlisted(aside: Iterable[Line], form: Form, known: Sequence[str]) -> Iterator[Problem]:
    """Yield the numbers in the contents that no provision has."""
    listed = {_canonical(match[0]): line for line in aside if (match := _numbered(line, form))}
    missing = [number for number in listed if number not in known]
    if missing:
        some = ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
        message = f"{len(missing)} of {len(listed)} numbers in the contents are missing in the text: {some}"
        yield Problem.at(listed[missing[0]].number, "contents-mismatch", message, missing[0])


def _gaps(provisions: Sequence[_Provision]) -> Iterator[Problem]:
    """Yield the numbers after which one or more numbers of their level are missing."""
    last: dict[tuple[tuple[int, str], ...], _Provision] = {}
    for it in filter(lambda it: it.number, provisions):
        *above, own = _place(it.number)
        before = last.get(tuple(above))
        begins = own[0] >= _LONG and own[0] % 10 == 0
        if before and own[0] - _place(before.number)[-1][0] > 1 and own[0] > 0 and not begins:
            message = f"a number is missing between {before.number} and {it.number}"
            yield Problem.at(it.head.number, "missing-number", message, it.number)
        last[tuple(above)] = it


def _out_of_order(provisions: Sequence[_Provision], form: Form) -> Iterator[Problem]:
    """Yield a problem if many lines begin with numbers that no provision has; single figures are lists."""
    known = {it.number for it in provisions}
    begun = ((line, match[0]) for it in provisions for line in it.body if (match := _numbered(line, form)))
    stray = {it: line for line, it in begun if len(it) > 1 and _canonical(it) not in known}
    if len(stray) > len(known) // _FEW:
        some = ", ".join(list(stray)[:_SHOWN]) + (" …" if len(stray) > _SHOWN else "")
        message = (
            f"{len(stray)} numbers at the start of lines are out of order and belong to no provision: {some}"
        )
        yield Problem.at(next(iter(stray.values())).number, "out-of-order", message)


# -- records ----------------------------------------------------------------------------------------


def _drafts(provisions: Sequence[_Provision], form: Form, wrapping: Wrapping) -> Iterator[Draft]:
    for it in provisions:
        heading, body = _headed(it, form)
        yield Draft(Piece("heading", [(it.head.number, heading)], it.number), _pieces(body, form, wrapping))


def _headed(it: _Provision, form: Form) -> tuple[str, list[Line]]:
    """Return a provision's heading, or nothing if a sentence follows its number, and its lines."""
    if not it.rest and it.body and _is_heading(it.body[0].text):  # on a separate line
        it = replace(it, rest=it.body[0].text, body=it.body[1:])
    whole = it.head._replace(text=it.rest)
    if not it.number:
        return it.rest, it.body
    if not it.rest or not (it.head.marked or _is_heading(it.rest)):
        return "", [whole, *it.body] if it.rest else it.body
    aside = re.search(rf"\s+({form.aside.pattern})$", it.rest, re.IGNORECASE) if form.aside else None
    if not aside:
        return it.rest, it.body
    return it.rest[: aside.start()], [whole._replace(text=aside[1], apart=True), *it.body]


def _is_heading(words: str) -> bool:
    return len(words) <= _HEADING and is_title(words) and not ends_paragraph(words)


def _pieces(body: Sequence[Line], form: Form, wrapping: Wrapping) -> list[Piece]:
    def opened(place: int, _: Sequence[Piece]) -> Piece | None:
        line = body[place]
        begins = line.marked or _ITEM.match(line.text)
        begun = Piece("paragraph", [(line.number, line.text)]) if begins else None
        return example_of(line, form.example) or begun

    return collect(body, wrapping, opened)


def _references(text: str, form: Form, known: Sequence[str]) -> tuple[Reference, ...]:
    """Return citations of other documents by name, of the form, and of the comprehensive rules.

    No words belong to two citations. A section is one of the comprehensive rules only if their name follows.
    """
    found: list[Reference] = []

    def add(*references: Reference) -> None:
        for it in references:
            if not any(it.start < other.end and other.start < it.end for other in found):
                found.append(it)

    for other in bundled_forms():
        for start, end, number in other.cited_elsewhere(text) if other.name != form.name else ():
            target = Target(TargetKind.ENTRY, f"{other.name.upper()} {_canonical(number)}")
            add(Reference(start, end, text[start:end], (target,)))
    for match in form.cites.finditer(text) if form.cites else ():
        if (number := _canonical(match[1])) in known:
            cited, end = [number], match.end()
            while (more := _MORE.match(text, end)) and more[2] in known:
                is_range = more[1] and known.index(cited[-1]) < known.index(more[2])
                begin = known.index(cited[-1]) + 1 if is_range else known.index(more[2])
                cited += known[begin : known.index(more[2]) + 1]
                end = more.end()
            targets = tuple(Target(TargetKind.ENTRY, it) for it in cited)
            add(Reference(match.start(), end, text[match.start() : end], targets))
    for it in find_references(text):
        if it.targets[0].kind is not TargetKind.SECTION or _OF_THE_RULES.match(text, it.end):
            add(it)
    return tuple(sorted(found, key=lambda it: it.start))
