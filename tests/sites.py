"""Render a rules text as four reading sites show it: in parts, each between words of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

TITLE = "Lantern Comprehensive Rules"
NUMBERED = re.compile(r"\d{3}\.")


@dataclass(frozen=True)
class SiteLayout:
    """How a site shows part *n* of *m*: what comes above and below, and what it does to the paragraphs."""

    above: Callable[[int], list[str]]
    below: Callable[[int], list[str]]
    blank: bool = True
    changed: Callable[[Sequence[str]], list[str]] = list


def talking(host: str, mark: str) -> Callable[[int], list[str]]:
    return lambda part: [
        *([host, f"{TITLE} Part {part}"] if mark == "reading" else []),
        f"{TITLE} - {host}",
        f"You’re {mark} {'light ' if mark == 'read' else ''}novel {TITLE} Part {part} online at {host}. "
        "Use the follow button and hear of each new chapter when you visit us. F11 shows it full-screen.",
    ]


def farewell(host: str) -> Callable[[int], list[str]]:
    return lambda part: [
        "Please leave more comments, they keep the lamps lit.",
        "Recently Updated",
        "The Keeper of a Thousand Lamps",
        "My Lighthouse Has a System",
        f"{TITLE} Part {part} summary",
        f"You're reading {TITLE}. This novel has been translated by nobody.",
        f"{host} is a website to read novels on, day and night.",
    ]


def glued(lines: Sequence[str]) -> list[str]:
    """Put each subrule after a title on the title's line, as lost breaks do."""
    found: list[str] = []
    for line in lines:
        behind_title = found and re.match(r"\d{3}\.\d+\. [^.?!]*$", found[-1])
        if behind_title and re.match(r"\d{3}\.\d+a ", line):
            found[-1] += f" {line}"
        else:
            found.append(line)
    return found


def doubled(lines: Sequence[str]) -> list[str]:
    """Write a quotation mark for each apostrophe."""
    return [re.sub(r"(?<=\w)['’](?=\w)|(?<=[a-z]s)['’](?= [a-z])", '"', line) for line in lines]


SITES = {
    "library": SiteLayout(
        lambda part: [f"{TITLE} - Part {part}", "Library", "", f"Part {part}"],
        lambda part: ["Previous Part", "Next Part", f"{TITLE} - Part {part}", "Library", "Home"],
        changed=glued,
    ),
    "plain": SiteLayout(lambda _: [], lambda _: [], blank=False, changed=doubled),
    "reading": SiteLayout(talking("OarNovel.com", "reading"), farewell("OarNovel.com")),
    "read": SiteLayout(talking("novelpier.com", "read"), farewell("novelpier.com"), blank=False),
}


def parts(paragraphs: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield the paragraphs in parts of at least so many characters."""
    part: list[str] = []
    for paragraph in paragraphs:
        part.append(paragraph)
        if sum(map(len, part)) >= size:
            yield part
            part = []
    if part:
        yield part


def rendered(paragraphs: Sequence[str], site: SiteLayout, part: int) -> str:
    """Return a page of a site with one part of a text."""
    between = "\n\n" if site.blank else "\n"
    page = [*site.above(part), *site.changed(paragraphs), *site.below(part)]
    return between.join(page) + "\n"
