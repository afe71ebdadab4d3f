"""Ways in which copies of a rules text are damaged: in transport, by an editor's slip, by foreign text.

Each takes the lines of an intact text and a random generator, and does one kind of damage at a random place;
it returns None if there is no such place.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

Harming = Callable[[list[str], random.Random], list[str] | None]

NUMBER = r"\s*\d{3}\.\d+[a-z]*\.?\s"
CHAPTER = r"\s*\d{3}\.? [A-Z]"
EXAMPLE = r"\s*(?:Example|EXAMPLE):"
PROSE = "The harbour master counts the boats at dusk and writes them into a book of his own."
PAGE = ("Home", "Forums", "Share this page", "Posted by harbourmaster on Tuesday", "Next page")


# -- where things are -----------------------------------------------------------------------------


def body(lines: list[str]) -> tuple[int, int, int]:
    """Return where the rules and the glossary begin, and what follows the glossary."""
    start = next(i for i, line in enumerate(lines) if re.match(r"\s*100\.1", line))
    glossary = next(i for i in range(start, len(lines)) if re.match(r"Glossary\s*$", lines[i], re.I))
    back = next(i for i in range(glossary, len(lines)) if re.match(r"(Credits|Index)\s*$", lines[i], re.I))
    return start, glossary, back


def places(lines: list[str], pattern: str, first: int, last: int) -> list[int]:
    return [i for i in range(first, last) if re.match(pattern, lines[i])]


def drop(lines: list[str], first: int, count: int = 1) -> list[str]:
    return [*lines[:first], *lines[first + count :]]


def put(lines: list[str], place: int, *new: str) -> list[str]:
    return [*lines[:place], *new, *lines[place + 1 :]]


def rules_of(lines: list[str]) -> list[int]:
    start, glossary, _ = body(lines)
    return places(lines, NUMBER + r".*\w{3}.{40}", start, glossary)


def blocks(lines: list[str]) -> list[tuple[int, int]]:
    """Return the entries of the glossary: first line, and the line after the last."""
    _, glossary, back = body(lines)
    found, place = [], glossary + 1
    while place < back:
        end = place
        while end < back and lines[end].strip():
            end += 1
        if end - place > 1:
            found.append((place, end))
        place = end + 1
    return found


def number_of(line: str) -> str:
    found = re.match(r"\s*(\d{3}\.\d+[a-z]*)", line)
    return found[1] if found else ""


# -- what happens in transport --------------------------------------------------------------------


def cut(where: str) -> Harming:
    """Cut the file at a character of one of its parts."""

    def change(lines: list[str], rng: random.Random) -> list[str]:
        start, glossary, back = body(lines)
        parts = {"rules": (start, glossary), "glossary": (glossary, back), "back": (back, len(lines))}
        first, last = parts[where]
        filled = [i for i in range(first + 1, last) if lines[i].strip()]
        weights = [len(lines[i]) for i in filled]
        place = rng.choices(filled, weights)[0]
        return [*lines[:place], lines[place][: rng.randrange(1, len(lines[place]) + 1)]]

    return change


def run_lost(lines: list[str], rng: random.Random) -> list[str]:
    """Remove a run of 100 to 3000 characters, wherever it begins and ends."""
    start, glossary, _ = body(lines)
    text = "\n".join(lines[start:glossary])
    first = rng.randrange(max(1, len(text) - 3000))
    text = text[:first] + text[first + rng.randrange(100, 3000) :]
    return [*lines[:start], *text.split("\n"), *lines[glossary:]]


def end_lost(lines: list[str], rng: random.Random) -> list[str] | None:
    """Remove whole lines after the glossary."""
    back = body(lines)[2]
    filled = [i for i in range(back, len(lines)) if lines[i].strip()]
    return [*lines[: rng.choice(filled)], ""]


def lines_lost(lines: list[str], rng: random.Random) -> list[str]:
    start, glossary, _ = body(lines)
    return drop(lines, rng.randrange(start, glossary - 60), rng.randrange(5, 40))


# -- what an editor loses -------------------------------------------------------------------------


def rule_lost(lines: list[str], rng: random.Random) -> list[str]:
    place = rng.choice(rules_of(lines))
    return drop(lines, place)


def last_lost(lines: list[str], rng: random.Random) -> list[str] | None:
    """Remove the last subrule of a rule, or the last rule of a chapter."""
    rules = rules_of(lines)
    up = [number_of(lines[i]).rstrip("abcdefghijklmnopqrstuvwxyz") for i in rules]
    ends = zip(rules, up, up[1:], strict=False)
    last = [i for i, mine, other in ends if mine != other and number_of(lines[i])[-1].isalpha()]
    return drop(lines, rng.choice(last))


def example_lost(lines: list[str], rng: random.Random) -> list[str]:
    start, glossary, _ = body(lines)
    return drop(lines, rng.choice(places(lines, EXAMPLE, start, glossary)))


def shortened(pattern: str) -> Harming:
    """Cut a line at a word."""

    def change(lines: list[str], rng: random.Random) -> list[str] | None:
        start, glossary, _ = body(lines)
        place = rng.choice(places(lines, pattern, start, glossary))
        ends = [m.start() for m in re.finditer(r"\s", lines[place])][4:]
        return put(lines, place, lines[place][: rng.choice(ends)]) if ends else None

    return change


def sentence_lost(last: bool) -> Harming:
    """Lose a sentence of a rule: the last one, or one before it."""

    def change(lines: list[str], rng: random.Random) -> list[str]:
        several = [i for i in rules_of(lines) if len(re.findall(r"[.] [A-Z]", lines[i][10:])) >= 2]
        place = rng.choice(several)
        parts = re.split(r"(?<=[a-z)”\"]\.) (?=[A-Z])", lines[place])
        gone = len(parts) - 1 if last else rng.randrange(1, max(2, len(parts) - 1))
        return put(lines, place, " ".join(parts[:gone] + parts[gone + 1 :]))

    return change


def entry_lost(lines: list[str], rng: random.Random) -> list[str]:
    first, end = rng.choice(blocks(lines))
    return drop(lines, first, end - first + 1)


def entry_line_lost(lines: list[str], rng: random.Random) -> list[str] | None:
    several = [(a, b) for a, b in blocks(lines) if b - a > 2]
    if not several:
        return None
    first, end = rng.choice(several)
    return drop(lines, rng.randrange(first + 1, end))


def entry_cut(lines: list[str], rng: random.Random) -> list[str]:
    end = rng.choice([b for _, b in blocks(lines) if len(lines[b - 1]) > 60])
    words = lines[end - 1].split(" ")
    return put(lines, end - 1, " ".join(words[: rng.randrange(4, len(words))]))


def heading_lost(lines: list[str], rng: random.Random) -> list[str]:
    return drop(lines, rng.choice(blocks(lines))[0])


def chapter_lost(lines: list[str], rng: random.Random) -> list[str]:
    start, glossary, _ = body(lines)
    chapters = places(lines, CHAPTER, start, glossary)
    which = rng.randrange(len(chapters) - 1)
    return drop(lines, chapters[which], chapters[which + 1] - chapters[which])


def chapter_heading_lost(lines: list[str], rng: random.Random) -> list[str]:
    start, glossary, _ = body(lines)
    return drop(lines, rng.choice(places(lines, CHAPTER, start, glossary)))


def contents_line_lost(lines: list[str], rng: random.Random) -> list[str] | None:
    start = body(lines)[0]
    chapters = places(lines, CHAPTER, 0, start - 3)
    return drop(lines, rng.choice(chapters[:-1])) if len(chapters) > 20 else None


def number_lost(lines: list[str], rng: random.Random) -> list[str]:
    place = rng.choice(rules_of(lines))
    return put(lines, place, re.sub(NUMBER, "", lines[place], count=1))


def number_mistyped(lines: list[str], rng: random.Random) -> list[str]:
    place = rng.choice(rules_of(lines))
    at = lines[place].index(".") - 1
    other = rng.choice([c for c in "123456789" if c != lines[place][at]])
    return put(lines, place, lines[place][:at] + other + lines[place][at + 1 :])


def rules_joined(lines: list[str], rng: random.Random) -> list[str]:
    """Remove the breaks between two rules, so that they share a line."""
    rules = rules_of(lines)
    which = rng.randrange(len(rules) - 1)
    first, second = rules[which : which + 2]
    if any(line.strip() for line in lines[first + 1 : second]):
        return drop(lines, first)
    return [*lines[:first], f"{lines[first]} {lines[second].lstrip()}", *lines[second + 1 :]]


def swapped(lines: list[str], rng: random.Random) -> list[str]:
    rules = rules_of(lines)
    which = rng.randrange(len(rules) - 1)
    first, second = rules[which : which + 2]
    return put(put(lines, first, lines[second]), second, lines[first])


def pasted_twice(lines: list[str], rng: random.Random) -> list[str]:
    start, glossary, _ = body(lines)
    first = rng.randrange(start, glossary - 20)
    while not lines[first].strip():
        first += 1
    count = rng.randrange(1, 12)
    return [*lines[: first + count], *lines[first : first + count], *lines[first + count :]]


# -- what is in between ---------------------------------------------------------------------------


def between(*new: str) -> Harming:
    """Put lines of another text between two rules."""

    def change(lines: list[str], rng: random.Random) -> list[str]:
        place = rng.choice(rules_of(lines))
        return [*lines[: place + 1], "", *new, *lines[place + 1 :]]

    return change


def within(new: str) -> Harming:
    """Put words of another text into a rule."""

    def change(lines: list[str], rng: random.Random) -> list[str]:
        place = rng.choice(rules_of(lines))
        spaces = [m.start() for m in re.finditer(" ", lines[place])][2:]
        at = rng.choice(spaces)
        return put(lines, place, f"{lines[place][:at]} {new}{lines[place][at:]}")

    return change


def in_glossary(new: str) -> Harming:
    """Put a line of another text into an entry."""

    def change(lines: list[str], rng: random.Random) -> list[str]:
        end = rng.choice(blocks(lines))[1]
        return [*lines[:end], new, *lines[end:]]

    return change


# -- what a copyist mistakes ------------------------------------------------------------------------

FIGURES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def mistaken(pattern: str, instead: Callable[[str, random.Random], str]) -> Harming:
    """Replace one of the places in a rule that match a pattern."""

    def change(lines: list[str], rng: random.Random) -> list[str] | None:
        found = [(i, m) for i in rules_of(lines) for m in re.finditer(pattern, lines[i]) if m.start() > 9]
        if not found:
            return None
        place, match = rng.choice(found)
        line = lines[place]
        return put(lines, place, line[: match.start()] + instead(match[0], rng) + line[match.end() :])

    return change


def another_figure(word: str, rng: random.Random) -> str:
    return rng.choice([it for it in FIGURES if it != word])


def another_rule(number: str, rng: random.Random) -> str:
    return f"{int(number[:3]) + rng.choice((-1, 1, 2))}{number[3:]}"


def transposed(word: str, rng: random.Random) -> str:
    at = rng.choice([i for i in range(1, len(word) - 1) if word[i] != word[i + 1]])
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def words_swapped(lines: list[str], rng: random.Random) -> list[str]:
    """Swap the words of two rules, but not their numbers."""
    rules = rules_of(lines)
    which = rng.randrange(len(rules) - 1)
    own = [re.match(rf"({NUMBER})(.*)", lines[place], re.S) for place in rules[which : which + 2]]
    one, other = (match.groups() for match in own if match)
    first, second = rules[which : which + 2]
    return put(put(lines, first, one[0] + other[1]), second, other[0] + one[1])


def example_moved(lines: list[str], rng: random.Random) -> list[str]:
    """Move an example below another rule."""
    start, glossary, _ = body(lines)
    place = rng.choice(places(lines, EXAMPLE, start, glossary))
    rest = drop(lines, place)
    at = rng.choice([i for i in rules_of(rest) if i > place] or rules_of(rest)[:1])
    return [*rest[: at + 1], lines[place], *rest[at + 1 :]]


HARMS: Mapping[str, Harming] = {
    "a figure changed": mistaken(rf"\b(?:{'|'.join(FIGURES)})\b", another_figure),
    "a reference changed": mistaken(r"\b[1-9]\d\d\.\d+[a-z]?\b", another_rule),
    "letters transposed": mistaken(r"\b(?!(?:(\w)\1*)\b)[a-z]{6,}\b", transposed),
    "the words of two rules swapped": words_swapped,
    "an example below another rule": example_moved,
    "cut off in the rules": cut("rules"),
    "cut off in the glossary": cut("glossary"),
    "cut off behind the glossary": cut("back"),
    "a run of characters lost": run_lost,
    "the last lines lost": end_lost,
    "5 to 40 lines lost": lines_lost,
    "a rule lost": rule_lost,
    "the last subrule of a rule lost": last_lost,
    "an example lost": example_lost,
    "an example cut short": shortened(EXAMPLE),
    "a rule cut short": shortened(NUMBER + r".{60}"),
    "the last sentence of a rule lost": sentence_lost(last=True),
    "a sentence within a rule lost": sentence_lost(last=False),
    "a glossary entry lost": entry_lost,
    "a line of an entry lost": entry_line_lost,
    "an entry cut short": entry_cut,
    "the heading of an entry lost": heading_lost,
    "a chapter lost": chapter_lost,
    "the heading of a chapter lost": chapter_heading_lost,
    "a line of the contents lost": contents_line_lost,
    "the number of a rule lost": number_lost,
    "the number of a rule mistyped": number_mistyped,
    "two rules in one line": rules_joined,
    "two rules swapped": swapped,
    "lines pasted twice": pasted_twice,
    "a web page between two rules": between(*PAGE),
    "words of a web page within a rule": within("Share this page"),
    "a sentence of another text between two rules": between(PROSE),
    "a sentence of another text within a rule": within(PROSE),
    "a sentence of another text in the glossary": in_glossary(PROSE),
    "the head of a page within a rule": within("Comprehensive Rules Page 12 of 90"),
}
