"""Read the entries of a glossary, whatever its layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from ..language.names import is_title, small_share
from ..language.words import ends_paragraph, split_heading
from ..records import Entry, Problem
from .lines import Line, Wrapping, is_full
from .pieces import EXAMPLE, Draft, Opening, Piece, collect, entries, example_of


@dataclass(slots=True)
class _Block:
    """The lines of an entry.

    `cut` says that its heading was on the line of its first sense; `within` names the entry that it was in,
    without a blank line between.
    """

    heading: Line
    body: list[Line] = field(default_factory=list)
    cut: bool = False
    within: str = ""


def read_glossary(
    lines: Sequence[Line], wrapping: Wrapping
) -> tuple[tuple[Entry, ...], list[Problem], list[int]]:
    """Return the entries of a glossary, their problems, and the lines before the first heading.

    Three layouts are distinguished by the lines themselves: headings marked by markup; blocks between blank
    lines, each a heading and its paragraphs; and lines one after the other (no blank lines at all, or one
    after every line), where headings are known by their form.

    A block continues the entry before it if it is indented more than headings, if it begins with a numbered
    sense or a sentence, or if it is a single line above bare names in a list that a colon announces. A
    heading that lost the line break after it, or the blank line before it, is cut out (`unglued`,
    `swallowed`) and reported.
    """
    blocks, loose = _separated(lines, wrapping)
    drafts = (
        Draft(
            Piece("heading", [(it.heading.number, it.heading.text)]),
            collect(it.body, wrapping, _opening(it.body)),
        )
        for it in blocks
    )
    found = entries(drafts)
    problems = [it for entry, block in zip(found, blocks, strict=True) for it in _problems(entry, block)]
    return found, problems, loose


def _problems(entry: Entry, block: _Block) -> Iterable[Problem]:
    name, line = entry.heading, entry.first_line
    if not entry.paragraphs:
        yield Problem.at(line, "empty-entry", f"{name}: there is no text under the heading", name)
    if entry.occurrence > 1:
        message = f"{name}: this heading appears {entry.occurrence} times in the glossary"
        yield Problem.at(line, "duplicate-entry", message, name)
    if block.cut:
        message = f"{name}: the first sense is on the line of the heading"
        yield Problem.at(line, "glued-heading", message, name)
    if block.within:
        message = f"{block.within}: {name!r} is the heading of an entry, but has no blank line before it"
        yield Problem.at(line, "heading-in-entry", message, block.within)


def _separated(lines: Sequence[Line], wrapping: Wrapping) -> tuple[list[_Block], list[int]]:
    """Return the entries, with headings cut out of lines that contain them, and the lines before all."""
    separate, cut = unglued(lines)
    whole, loose = _laid_out(separate, wrapping)
    found: list[_Block] = []
    for number, block in enumerate(whole):
        block.cut = block.heading.number in cut
        found.append(block)
        after = whole[number + 1].heading if number + 1 < len(whole) else None
        while place := swallowed(found[-1].heading, found[-1].body, after, wrapping):
            outer = found[-1]
            found.append(_Block(outer.body[place], outer.body[place + 1 :], within=outer.heading.text))
            del outer.body[place:]
    return found, loose


def _laid_out(lines: Sequence[Line], wrapping: Wrapping) -> tuple[list[_Block], list[int]]:
    blocks = _between_blanks(lines)
    marked = sum(line.marked for line in lines)
    if marked > 2 and marked * 3 > len(blocks):
        return _headed((line, line.marked and not SENSE.match(line.text)) for line in lines)
    single = sum(len(block) == 1 for block in blocks)
    if len(lines) > 3 and (single * 2 > len(blocks) or len(lines) > 12 * len(blocks)):
        return _headed(_by_form(lines, wrapping))
    return _headed(_by_blocks(blocks))


def _between_blanks(lines: Sequence[Line]) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    for line in lines:
        if line.apart or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def _headed(lines: Iterable[tuple[Line, bool]]) -> tuple[list[_Block], list[int]]:
    blocks: list[_Block] = []
    loose: list[int] = []
    for line, heads in lines:
        if heads:
            blocks.append(_Block(line))
        elif blocks:
            blocks[-1].body.append(line)
        else:
            loose.append(line.number)
    return blocks, loose


def _by_form(lines: Sequence[Line], wrapping: Wrapping) -> Iterable[tuple[Line, bool]]:
    """Yield each line, and whether it is a heading by its form and does not continue a sentence or a list."""
    before: Line | None = None
    for line, after in zip_longest(lines, lines[1:]):
        stands = before is None or ends_paragraph(before.text) or is_heading(before.text)
        is_broken = wrapping.wrapped and after is not None and is_full(line, after, wrapping)
        heads = stands or (not wrapping.wrapped and is_title(line.text))
        yield line, heads and is_heading(line.text) and not is_broken
        before = line


def _by_blocks(blocks: Sequence[Sequence[Line]]) -> Iterable[tuple[Line, bool]]:
    indents = Counter(block[0].indent for block in blocks if len(block) > 1)
    usual = indents.most_common(1)[0][0] if indents else 0
    listing = False
    for place, block in enumerate(blocks):
        after = blocks[place + 1] if place + 1 < len(blocks) else ()
        first, alone = block[0], len(block) == 1
        unusual = not alone and len(first.text) <= 40 and first.text[-1] in ")]?,"
        heads = first.indent <= usual + 1 and (unusual or is_heading(first.text))
        listed = listing and alone and bool(after) and all(line.text[-1] not in ".!?:" for line in after)
        heads = heads and not listed
        listing = (listing and not heads) or block[-1].text.endswith(":")
        yield first, heads
        for line in block[1:]:
            yield line, False


def _opening(body: Sequence[Line]) -> Opening:
    """Return a function that finds new pieces in an entry: examples, and numbered senses."""

    def opened(place: int, pieces: Sequence[Piece]) -> Piece | None:
        line = body[place]
        sense = SENSE.match(line.text)
        if sense and (not pieces or line.apart or ends_paragraph(pieces[-1].end)):
            return Piece("paragraph", [(line.number, line.text[sense.end() :])], sense["number"])
        return example_of(line)

    return opened


SENSE = re.compile(r"(?P<number>\d{1,2})[.)](?:\s+(?=\S)|$)")
_PLACEHOLDER = re.compile(r".*\[[a-z]+\]$")
"""A placeholder for a picture: ``Portal [symbol]`` is a line of a table."""

_LONGEST = 90
"""The maximum number of characters in a heading; the longest of the official glossaries has 70."""

_SHORT = 30
"""The maximum number of characters in a heading all of whose words are in lower case."""

_HALF = 0.5

_GLUED = re.compile(r"(?P<name>[^\d].*?[^\d\s])(?=1[.)]\s+\S)")
"""A heading followed by its first sense, without a space between."""


def is_heading(text: str) -> bool:
    """Return whether a line is the heading of an entry, not a sentence of its text.

    A heading is short, is not a numbered sense, does not end in a full stop, and has few lower-case words.

    >>> is_heading("Active Player, Nonactive Player Order"), is_heading("See Landwalk.")
    (True, False)
    """
    if len(text) > _LONGEST or text[0] == "(" or any(it.match(text) for it in (SENSE, EXAMPLE, _PLACEHOLDER)):
        return False
    if split_heading(text).status:
        return True
    if text.endswith((".", ":", ";", "?", ",", ".”", '."', ".)", ".’")):
        return False
    return small_share(text) <= _HALF or len(text) <= _SHORT


def unglued(lines: Sequence[Line]) -> tuple[list[Line], frozenset[int]]:
    """Return the lines with headings separated from their first sense, and the numbers of those lines.

    ``Ship1. It sails.`` is a heading and a sense if the line below it is the second sense.
    """
    parted: list[Line] = []
    cut: set[int] = set()
    for place, line in enumerate(lines):
        glued = _GLUED.match(line.text)
        second = SENSE.match(lines[place + 1].text) if glued and place + 1 < len(lines) else None
        if glued and second and second["number"] == "2" and is_heading(glued["name"]):
            cut.add(line.number)
            parted.append(line._replace(text=glued["name"]))
            parted.append(line._replace(text=line.text[glued.end() :], apart=False, marked=False))
        else:
            parted.append(line)
    return parted, frozenset(cut)


def swallowed(heading: Line, body: Sequence[Line], after: Line | None, wrapping: Wrapping) -> int | None:
    """Return the place of the first line of `body` that is the heading of another entry, or None.

    It looks like one, is between whole paragraphs without blank lines, is not indented more than `heading`,
    and its first letter is between those of `heading` and of the heading `after` the body.
    """
    before = heading
    for place, (line, following) in enumerate(pairwise(body)):
        alone = not line.apart and not following.apart and line.indent <= heading.indent
        between = after is None or _letter(line) <= _letter(after)
        in_order = _letter(heading) <= _letter(line) and between
        alone = alone and not (wrapping.wrapped and is_full(before, line, wrapping))
        if alone and in_order and place and is_heading(line.text) and ends_paragraph(before.text):
            return place
        before = line
    return None


def _letter(heading: Line) -> str:
    return next((char for char in heading.text.lower() if char.isalnum()), "")
