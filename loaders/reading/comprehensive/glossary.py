"""Read the entries of a glossary, whatever its layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ....ontology.iris import slug
from ...language.names import is_title, small_share, split_heading
from ...language.sentences import ends_paragraph
from ...records import Entry, Problem
from .lines import Line, Wrapping
from .rules import EXAMPLE, Portion, References, goes_on, read_paragraphs


@dataclass(slots=True)
class _Draft:
    """An entry while its paragraphs are collected.

    `cut` tells that its heading stood in one line with its first sense, `within` names the entry that it
    stood in without a blank line.
    """

    heading: Line
    body: list[Line] = field(default_factory=list)
    cut: bool = False
    within: str = ""


def read_names(lines: Sequence[Line], wrapping: Wrapping) -> frozenset[str]:
    """Return the names of all entries: a reference may name one that holds a comma."""
    drafts, _ = _drafts(lines, wrapping)
    return frozenset(name for draft in drafts for name in split_heading(draft.heading.text).names)


def read_glossary(
    lines: Sequence[Line], wrapping: Wrapping, references: References
) -> tuple[tuple[Entry, ...], list[Problem], list[int]]:
    """Return the entries of a glossary, their problems, and the lines before the first heading.

    Three layouts are known, and told apart by the lines themselves: headings that markup marks; blocks
    between blank lines, each a heading and its paragraphs; and lines one after the other (no blank lines
    at all, or one after every line), where headings are known by their form.

    In blocks, one that is indented more than headings are, begins with a numbered sense or a sentence,
    or is a single line above names alone in a list that a colon announces, goes on with the entry before
    it. A heading that lost the line break behind it, or the blank line before it, is cut out
    (`unglued`, `swallowed`) and reported.
    """
    drafts, loose = _drafts(lines, wrapping)
    entries: list[Entry] = []
    problems: list[Problem] = []
    times: Counter[str] = Counter()
    for draft in drafts:
        key = slug(split_heading(draft.heading.text).names[0])
        times[key] += 1
        last = draft.body[-1] if draft.body else draft.heading
        entry = Entry(
            key=key,
            number="",
            heading=draft.heading.text,
            first_line=draft.heading.number,
            last_line=last.number,
            occurrence=times[key],
            paragraphs=read_paragraphs(_body_portions(draft, wrapping), references),
        )
        entries.append(entry)
        problems.extend(_problems(entry, draft))
    return tuple(entries), problems, loose


def _problems(entry: Entry, draft: _Draft) -> Iterable[Problem]:
    name, line = entry.heading, entry.first_line
    if not entry.paragraphs:
        yield Problem.at(line, "empty-entry", f"{name}: there is no text under the heading", name)
    if entry.occurrence > 1:
        message = f"{name}: this heading appears {entry.occurrence} times in the glossary"
        yield Problem.at(line, "duplicate-entry", message, name)
    if draft.cut:
        message = f"{name}: the first sense is on the line of the heading"
        yield Problem.at(line, "glued-heading", message, name)
    if draft.within:
        message = f"{draft.within}: {name!r} is the heading of an entry, but has no blank line before it"
        yield Problem.at(line, "heading-in-entry", message, draft.within)


def _drafts(lines: Sequence[Line], wrapping: Wrapping) -> tuple[list[_Draft], list[int]]:
    """Return the entries, headings cut out of the lines they stand in, and the lines before the first."""
    separate, cut = unglued(lines)
    whole, loose = _laid_out(separate, wrapping)
    drafts: list[_Draft] = []
    for number, draft in enumerate(whole):
        draft.cut = draft.heading.number in cut
        drafts.append(draft)
        after = whole[number + 1].heading if number + 1 < len(whole) else None
        while not wrapping.wrapped and (place := swallowed(drafts[-1].heading, drafts[-1].body, after)):
            outer = drafts[-1]
            drafts.append(_Draft(outer.body[place], outer.body[place + 1 :], within=outer.heading.text))
            del outer.body[place:]
    return drafts, loose


def _laid_out(lines: Sequence[Line], wrapping: Wrapping) -> tuple[list[_Draft], list[int]]:
    blocks = _blocks(lines)
    marked = sum(line.marked for line in lines)
    if marked > 2 and marked * 3 > len(blocks):
        return _collect((line, line.marked and not SENSE.match(line.text)) for line in lines)
    single = sum(len(block) == 1 for block in blocks)
    if len(lines) > 3 and (single * 2 > len(blocks) or len(lines) > 12 * len(blocks)):
        return _collect(_by_form(lines, wrapping))
    return _collect(_by_blocks(blocks))


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    for line in lines:
        if line.apart or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def _collect(lines: Iterable[tuple[Line, bool]]) -> tuple[list[_Draft], list[int]]:
    drafts: list[_Draft] = []
    loose: list[int] = []
    for line, heads in lines:
        if heads:
            drafts.append(_Draft(line))
        elif drafts:
            drafts[-1].body.append(line)
        else:
            loose.append(line.number)
    return drafts, loose


def _by_form(lines: Sequence[Line], wrapping: Wrapping) -> Iterable[tuple[Line, bool]]:
    """Take a line as a heading by its form, unless it goes on with a sentence or a list before it."""
    before: Line | None = None
    for line in lines:
        stands = before is None or ends_paragraph(before.text) or is_heading(before.text)
        yield line, is_heading(line.text) and (stands or (not wrapping.wrapped and is_title(line.text)))
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


def _body_portions(draft: _Draft, wrapping: Wrapping) -> list[Portion]:
    portions: list[Portion] = []
    before = draft.heading
    for line in draft.body:
        sense = SENSE.match(line.text)
        example = EXAMPLE.match(line.text)
        if example:
            portions.append(Portion("example", line.text[example.end() :], [line.number]))
        elif sense and (not portions or line.apart or ends_paragraph(portions[-1].end)):
            portions.append(Portion("text", line.text[sense.end() :], [line.number], number=sense["number"]))
        elif portions and goes_on(line, before, portions[-1].end, wrapping):
            portions[-1].take(line)
        else:
            portions.append(Portion("text", line.text, [line.number]))
        before = line
    for portion in portions:
        portion.finish()
    return portions


SENSE = re.compile(r"(?P<number>\d{1,2})[.)]\s+(?=\S)")
_STATE = re.compile(r"[(\[]\s*(?:obsolete|informal)\s*[)\]]$", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\[[a-z]+\]$")
"""What stands for a picture: ``Portal [symbol]`` is a line of a table."""

_LONGEST = 90
"""Characters; the longest heading of the official glossaries has 70."""

_SHORT = 30
"""Characters of a heading that may write all its words small."""

_HALF = 0.5

_GLUED = re.compile(r"(?P<name>[^\d].*?[^\d\s])(?=1[.)]\s+\S)")
"""A heading with its first sense behind it, and no space between."""


def is_heading(text: str) -> bool:
    """Tell the heading of an entry from a sentence of its text.

    A heading is short, is no numbered sense, does not end in a stop, and has few words in small letters.

    >>> is_heading("Active Player, Nonactive Player Order"), is_heading("See Landwalk.")
    (True, False)
    """
    if len(text) > _LONGEST or SENSE.match(text) or EXAMPLE.match(text) or _PLACEHOLDER.search(text):
        return False
    if _STATE.search(text):
        return True
    if text.endswith((".", ":", ";", "?", ",", ".”", '."', ".)", ".’")):
        return False
    return small_share(text) <= _HALF or len(text) <= _SHORT


def unglued(lines: Sequence[Line]) -> tuple[list[Line], frozenset[int]]:
    """Return the lines with headings parted from their first sense, and the numbers of those lines.

    ``Ship1. It sails.`` is a heading and a sense where the line below it is the second sense.
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


def swallowed(heading: Line, body: Sequence[Line], after: Line | None) -> int | None:
    """Return the place of the first line of `body` that is the heading of another entry, or None.

    It looks like one, stands between whole paragraphs without blank lines around it, is indented no
    more than `heading`, and its letter stands in the alphabet between that of `heading` and that of the
    heading `after` the body.
    """
    before = heading
    for place, (line, following) in enumerate(pairwise(body)):
        alone = not line.apart and not following.apart and line.indent <= heading.indent
        between = after is None or _letter(line) <= _letter(after)
        in_order = _letter(heading) <= _letter(line) and between
        if alone and in_order and place and is_heading(line.text) and ends_paragraph(before.text):
            return place
        before = line
    return None


def _letter(heading: Line) -> str:
    return next((char for char in heading.text.lower() if char.isalnum()), "")
