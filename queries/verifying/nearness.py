"""Match quotations with the citations near them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from .blocks import TextBlock
from .citations import Citation, CitingBlock

FEWEST_WORDS = 6
"""Fewer quoted words than this are a name or a manner of speaking."""

CARDS = r"\b(?i:(?:the|this|its)\scard|card(?:'s)?\stext|oracle|rulings?|gatherer|judges?|reminder|flavor)\b"
_OF_CARDS = re.compile(CARDS)
_BREAK = re.compile(r"[.!?][\"”’)\]]*\s+(?=\W?[A-Z])")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=\W?[A-Z])")
_WITHIN = re.compile(r"[\w:][^.!?\w]*$")
_SIGNS = re.compile(r"\W*[-–—(\[]\W*")
_FOOTNOTE_MARK = re.compile(r"\W{0,3}\[\^?([\w-]{1,20})\]")
_FOOTNOTE = re.compile(r"\[\^?([\w-]{1,20})\]:?\s")
_MARK = re.compile(r"\[\^?([\w-]{1,20})\]")
_PART = re.compile(r"\s*(?:[.,;:!?]|(?:and|but|or|while)\s)")
_AND = re.compile(r"^\W*(?:(?:and|but|or|while)\s)?")
"""The marks between two sentences or two parts of one, and what leads the second part."""

_FIRM, _ALONE, _LOOSE, _FEW_WORDS = 2, 1, 0, 4
"""How firmly a citation in a neighbouring block belongs to a quotation: by punctuation, because its block
has hardly more words, or only by nearness; and the number of such words."""


@dataclass(eq=False, slots=True)
class NearQuotation:
    """Words quoted from `start` to `end` of the block `at` a place, and the citations beside them.

    If `sure`, more than nearness connects them; `shared` is true if one citation has several quotations.
    """

    at: int
    start: int
    end: int
    words: str
    beside: list[Citation] = field(default_factory=list)
    sure: bool = False
    signed: bool = False
    shared: bool = False

    @property
    def is_long(self) -> bool:
        """Whether it has more words than a name or a manner of speaking."""
        return len(self.words.split()) >= FEWEST_WORDS

    @property
    def is_clear(self) -> bool:
        """Whether exactly one citation is beside it, and another quotation has none of them."""
        return len(self.beside) == 1 and not self.shared


def nearest(
    found: list[Citation], text: str, quote: NearQuotation, first: int, last: int
) -> tuple[list[Citation], bool]:
    """Return the citations beside a quotation, between two others; if some are in its sentence, only these.

    Also return whether there are none and other words in its sentence may name the source.
    """
    found = [one for one in found if not one.is_bare]
    before = [one for one in found if first <= one.start and one.end <= quote.start][-1:]
    after = [one for one in found if quote.end <= one.start and one.end <= last][:1]
    gaps = [*((text[one.end : quote.start], one) for one in before)]
    gaps += [(text[quote.end - 2 : one.start], one) for one in after]
    told = [(bool(_BREAK.search(gap)), one) for gap, one in gaps if not _OF_CARDS.search(gap)]
    own = [one for breaks, one in told if not breaks]
    return (own, False) if own else ([one for _, one in told], not begins_sentence(text, quote.start))


def begins_sentence(text: str, start: int) -> bool:
    """Return whether a sentence begins at this position in a text."""
    return not _WITHIN.search(text, 0, start)


def give_near(blocks: Sequence[CitingBlock], quotes: Sequence[NearQuotation]) -> None:
    """Give quotations the citations in their footnote or in the blocks around theirs, if they have none."""
    notes = _notes_of(blocks)
    for it in quotes:
        mark = _FOOTNOTE_MARK.match(blocks[it.at][0].text, it.end)
        if mark and mark[1] in notes:
            it.beside, it.sure = notes[mark[1]], True
    _give_across(blocks, quotes)
    _give_elsewhere(blocks, notes)


def _give_across(blocks: Sequence[CitingBlock], quotes: Sequence[NearQuotation]) -> None:
    """Give quotations without a citation in their own block those of the blocks around it."""
    groups: list[list[NearQuotation]] = []
    for it in quotes:
        block, found = blocks[it.at]
        if it.beside or (found and not block.quoted):
            continue
        before = groups[-1][-1] if groups else None
        if before and block.quoted and before.at == it.at - 1 and blocks[before.at][0].quoted:
            groups[-1].append(it)
        else:
            groups.append([it])
    taken = {one for it in quotes for one in it.beside}
    links = [[it for it in _links(blocks, group) if it[1] not in taken] for group in groups]
    for least in (_FIRM, _ALONE, _LOOSE):
        while True:
            free = [
                [it for it in own if it[0] >= least and it[1] not in taken] if not group[0].beside else []
                for group, own in zip(groups, links, strict=True)
            ]
            only = next((n for n, it in enumerate(free) if len(it) == 1), None)
            if only is None:
                break
            [(degree, one)] = free[only]
            taken.add(one)
            for it in groups[only]:
                it.beside, it.sure = [one], degree == _FIRM
    for group, own in zip(groups, links, strict=True):
        if own and not group[0].beside:
            for it in group:
                it.beside, it.shared = [one for _, one in own], True


def _links(blocks: Sequence[CitingBlock], group: Sequence[NearQuotation]) -> list[tuple[int, Citation]]:
    """Return the citations in the blocks around quotations, with how firmly each points to them."""
    first, last = group[0], group[-1]
    is_short = sum(len(it.words.split()) for it in group) < FEWEST_WORDS
    least = (
        _FIRM
        if is_short
        else _ALONE
        if not begins_sentence(blocks[first.at][0].text, first.start)
        else _LOOSE
    )
    told = []
    if first.at and not _BREAK.search(blocks[first.at][0].text, 0, first.start):
        block, found = blocks[first.at - 1]
        degree = _FIRM if block.heading or announces(block, found) else _degree(block, found)
        facing = [it for it in found if not _BREAK.search(block.text, it.end)]
        told += [(degree, one) for one in facing if not _OF_CARDS.search(block.text, one.end)]
    if last.at + 1 < len(blocks) and not _BREAK.search(blocks[last.at][0].text, last.end):
        block, found = blocks[last.at + 1]
        signs = found and _SIGNS.fullmatch(block.text, 0, found[0].start)
        degree = _degree(block, found)
        if block.heading or (degree == _ALONE and announces(block, found)):
            found = []
        facing = [it for it in found if not _BREAK.search(block.text, 0, it.start)]
        told += [(_FIRM if signs and degree == _ALONE else degree, one) for one in facing]
    return [it for it in told if it[0] >= least]


def _degree(block: TextBlock, found: Sequence[Citation]) -> int:
    """Return whether a block has hardly more than its citations."""
    numbers = sum(len(one.surface.split()) for one in found)
    return _ALONE if len(block.text.split()) - numbers <= _FEW_WORDS else _LOOSE


def _notes_of(blocks: Sequence[CitingBlock]) -> dict[str, list[Citation]]:
    """Return mark → the citations in each footnote, or in each source that is only a list of numbers."""
    told = [(block, found) for block, found in blocks if found]
    listed = {block.mark.strip(".)"): found for block, found in told if _degree(block, found) == _ALONE}
    return listed | {it[1]: found for block, found in told if (it := _FOOTNOTE.match(block.text))}


def _give_elsewhere(blocks: Sequence[CitingBlock], notes: Mapping[str, list[Citation]]) -> None:
    """Give a number in a heading what is below it, and one in a footnote what is before its mark.

    If a footnote has a second mark, what is before that gets a citation of its own.
    """
    for (head, heads), (block, found) in pairwise(blocks):
        if head.heading and len(heads) == 1 and _degree(head, heads) == _ALONE and not found:
            heads[0].said = block.text
    for block, found in blocks if notes else ():
        begin = end = 0
        for mark in _MARK.finditer(block.text):
            begin = end if _PART.match(block.text, end, mark.start()) else begin
            end = mark.end()
            before = block.text[begin : mark.start()].rstrip()
            said = _SENTENCES.split(before)[-1]
            is_own = any(begin + len(before) - len(said) <= one.start < end for one in found)
            is_said = not is_own and re.search(r"\w{3}", said)
            note, said = notes.get(mark[1], []), _AND.sub("", _MARK.sub("", said))
            for one in {it.span: it for it in reversed(note)}.values() if is_said else ():
                note += [replace(one, said=said)] if one.said else []
                one.said = one.said or said


def announces(block: TextBlock, found: Sequence[Citation]) -> bool:
    """Return whether a block has a citation and ends with a colon."""
    return bool(found) and block.text.rstrip().endswith(":")
