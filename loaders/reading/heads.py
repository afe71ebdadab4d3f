"""Read the rule number at the start of a line: its level, and slips in how it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..language.names import is_title
from ..language.numbers import successors
from ..language.sentences import ends_paragraph

_HEAD = re.compile(
    r"""
    (?P<chapter>\d{3})(?!\d)
    (?:
        (?P<before>\s?)\.(?P<after>\s?)                     # 606.8b, 606. 8b
        (?:
            (?P<rule>\d{1,3})(?!\d)
            (?:
                (?P<letter>[a-z](?![a-z’'])                 # 704.5a
                    | [a-z]{2}(?=\.?\s*(?:[^a-z\s]|$)))      # 704.5aa
              | (?P<apart>\s|\.\s?)(?P<letter2>[a-z])(?=\.?\s+[“"‘'(\[{A-Z])   # 704.5 a, 704.5.a
            )?
          | (?P<letter3>[a-z]{1,2})(?=\.?\s)                # 408.f
        )?
    )?
    """,
    re.VERBOSE,
)
_NOT_A_HEAD = re.compile(r"\.?[,;:)\]–—/”\"’'-]|\.\d")


_MARKED = re.compile(r"(?:[•·]\s*)?(?:CR\s+)?(?=\d{3}\.)")


def unmarked(text: str) -> str:
    """Return a line without the marks that pages of rules put before a number: a bullet, *CR*.

    >>> unmarked("• CR 606.2a A lamp glows.")
    '606.2a A lamp glows.'
    """
    return _MARKED.sub("", text, 1) if text[:1] in "•·C" else text


@dataclass(frozen=True, slots=True)
class Head:
    """A number at the start of a line, and what follows it.

    `number` is canonical (``606.8b``); for a subrule that has lost its figure (``408.f``) it is not known yet
    and `lost` is true. `printed` is the number as printed, without a final dot; `level` is ``"chapter"``,
    ``"rule"`` or ``"subrule"``; `slips` are codes of problems.
    """

    number: str
    level: str
    printed: str
    rest: str
    slips: tuple[str, ...] = ()
    lost: bool = False

    @property
    def chapter(self) -> str:
        """The chapter of the number: the first three figures."""
        return self.number[:3]


def read_head(text: str) -> Head | None:
    """Return the number that `text` (white space folded) begins with, or None.

    A number followed by a comma, a bracket or a dash is in the middle of a sentence, so None is returned;
    whether a number after a line break is one depends on the words before it.

    >>> read_head("606. 8b The lamp goes out.").number, read_head("901.4.All lamps glow.").slips
    ('606.8b', ('missing-space',))
    """
    match = _HEAD.match(text)
    if not match:
        return None
    chapter, rule = match["chapter"], match["rule"]
    letter = match["letter"] or match["letter2"] or match["letter3"] or ""
    tail = text[match.end() :]
    if not rule and not letter:
        return _chapter(chapter, match["after"] is not None, tail, text)
    if _NOT_A_HEAD.match(tail):
        return None
    slips = ["extra-space"] if match["before"] or match["after"] else []
    if match["letter2"]:
        slips.append("extra-dot" if "." in match["apart"] else "extra-space")
    lost = bool(match["letter3"])
    if lost:
        slips.append("lost-digit")
    dotted = tail.startswith(".")
    rest = tail[1:] if dotted else tail
    if letter and dotted:
        slips.append("extra-dot")
    elif not letter and not dotted:
        slips.append("missing-dot")
    if rest and not rest.startswith(" "):
        slips.append("missing-space")
    number = f"{chapter}.{rule or ''}{letter}"
    level = "subrule" if letter else "rule"
    return Head(number, level, match[0], rest.strip(), tuple(dict.fromkeys(slips)), lost)


_WITHIN = re.compile(
    r"(?<=[a-z.!?:”\"’')\]])\s?(?P<number>(?P<chapter>\d{3})\.(?:\d{1,3}(?:[a-z]{1,2})?)?)\.?\s?(?=[A-Z“\"‘'(\[{])"
)
"""A number within a line, followed by the beginning of a rule."""


def cut_at_numbers(text: str, before: str, following: str) -> Iterator[str]:
    """Yield the parts of a line that contains numbers which lost the line break before them.

    Such a number is the next one in order after a title or a sentence that has ended; a chapter is followed
    by its first rule. `before` is the number of the rule before the line, if its own words do not begin with
    one; `following` is the line below it.

    >>> list(cut_at_numbers("606.6. Turns of Ships 606.6a A ship turns. See rule 606.6b.", "606.5", ""))
    ['606.6. Turns of Ships', '606.6a A ship turns. See rule 606.6b.']
    """
    head, start = read_head(text), 0
    current, begin = (head.number, len(head.printed)) if head else (before, 0)
    for match in _WITHIN.finditer(text, begin):
        number = match["number"].rstrip(".")
        words = text[begin : match.start()].lstrip(". ")
        if not current or number not in successors(current) or not (is_title(words) or ends_paragraph(words)):
            continue
        if "." not in number and f"{number}.1" not in (text[match.end() :] + following):
            continue
        yield text[start : match.start()].rstrip()
        start, begin, current = match.start("number"), match.end(), number
    yield text[start:]


def _chapter(chapter: str, dotted: bool, tail: str, text: str) -> Head | None:
    if dotted:
        rest = tail.lstrip(". ")
        spaced = text[3:5] in (". ", ".")
        if rest and not (rest[0].isupper() or rest[0] in "“\"'‘([{_"):
            return None
        return Head(chapter, "chapter", chapter, rest, () if spaced else ("missing-space",))
    if tail.startswith(" ") and tail[1:2].isupper() and is_title(tail.strip()):
        return Head(chapter, "chapter", chapter, tail.strip(), ("missing-dot",))
    return None
