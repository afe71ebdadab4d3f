"""Ways to damage copies of a rules text, and what must be noticed about each.

Each is a function of the lines of a text, so the invented text of `copies` and the real editions are damaged
in the same ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from copies import Damaging, Lines, back, first_rule, glossary, start_of


@dataclass(frozen=True)
class Damage:
    """A way to break a text; `refused` are words of the refusal, or `problem` is the problem's code."""

    change: Damaging
    refused: str = ""
    problem: str = ""


def replaced(pattern: str, replacement: str) -> Damaging:
    """Replace the first match in the rules part."""

    def change(lines: Lines) -> list[str]:
        start = first_rule(lines)
        place = next(i for i in range(start, len(lines)) if re.search(pattern, lines[i]))
        return [*lines[:place], re.sub(pattern, replacement, lines[place], count=1), *lines[place + 1 :]]

    return change


def removed(pattern: str, count: int = 1) -> Damaging:
    """Remove the first line in the rules part that matches, and those after it."""

    def change(lines: Lines) -> list[str]:
        place = start_of(lines, pattern, first_rule(lines))
        return [*lines[:place], *lines[place + count :]]

    return change


def cut_in_rules(lines: Lines) -> list[str]:
    middle = (first_rule(lines) + glossary(lines)) // 2
    return list(lines[:middle])


def cut_in_entry(lines: Lines) -> list[str]:
    place = glossary(lines) + 2 * (back(lines) - glossary(lines)) // 3
    while not (lines[place].strip() and lines[place - 1].strip() and len(lines[place]) > 25):
        place += 1
    return [*lines[:place], lines[place][:20]]


def cut_behind_heading(lines: Lines) -> list[str]:
    place = glossary(lines) + (back(lines) - glossary(lines)) // 2
    while lines[place].strip() or len(lines[place + 2]) < 5:
        place += 1
    return list(lines[: place + 2])


def without_beginning(lines: Lines) -> list[str]:
    return list(lines[start_of(lines, r"\s*101\. ", first_rule(lines)) :])


def without_glossary(lines: Lines) -> list[str]:
    return [*lines[: glossary(lines)], *lines[back(lines) :]]


def glossary_headings_only(lines: Lines) -> list[str]:
    start, end = glossary(lines), back(lines)
    kept = [
        line for n, line in enumerate(lines[start:end], start) if not line.strip() or not lines[n - 1].strip()
    ]
    return [*lines[:start], *kept, *lines[end:]]


def without_back(lines: Lines) -> list[str]:
    return list(lines[: back(lines)])


def short_lines(lines: Lines) -> list[str]:
    """Every line cut at one width, as by a database field."""
    return [line[:45] for line in lines]


def twice(lines: Lines) -> list[str]:
    return [*lines, *lines]


def repeated_number(lines: Lines) -> list[str]:
    place = start_of(lines, r"\s*100\.2", first_rule(lines))
    return [*lines[:place], "100.1. Other words stand here.", "", *lines[place:]]


def entry_twice(lines: Lines) -> list[str]:
    start = glossary(lines)
    return [*lines[: start + 4], *lines[start + 1 : start + 4], *lines[start + 4 :]]


def lost_heading_body(lines: Lines) -> list[str]:
    start = glossary(lines)
    place = start + 2
    return [*lines[: place + 1], *lines[start_of(lines, r"\s*$", place) :]]


def lost_characters(lines: Lines) -> list[str]:
    """The output of a program that does not know the encoding: one mark for each lost character."""
    return [re.sub(r"[^\x00-\x7f]", "\ufffd", line) for line in lines]


def misread_once(lines: Lines) -> list[str]:
    place = next(i for i in range(first_rule(lines), len(lines)) if re.search("[’”éâ]", lines[i]))
    broken = lines[place].encode().decode("cp1252", "replace").replace("\ufffd", "\x9d")
    return [*lines[:place], broken, *lines[place + 1 :]]


def other_date_at_end(lines: Lines) -> list[str]:
    return [*lines, "", "These rules are current as of May 5, 2001."]


def without_date(lines: Lines) -> list[str]:
    return [line for line in lines if " as of " not in line or not re.search(r"\b(?:19|20)\d\d\b", line)]


def chapter_renamed(lines: Lines) -> list[str]:
    place = start_of(lines, r"\s*101\. ", first_rule(lines))
    return [*lines[:place], "101. Something Else", *lines[place + 1 :]]


def cut_example(lines: Lines) -> list[str]:
    place = start_of(lines, "Example: ", first_rule(lines))
    return [*lines[:place], lines[place][:21], *lines[place + 1 :]]


def example_twice(lines: Lines) -> list[str]:
    place = start_of(lines, "Example: ", first_rule(lines))
    return [*lines[:place], lines[place], *lines[place:]]


def bare_title(lines: Lines) -> list[str]:
    """Remove a rule that is a title, but not its subrules."""
    place = start_of(lines, r"\s*\d{3}\.\d+\. [A-Z][a-z]+$", first_rule(lines))
    return [*lines[: place + 1], "", *lines[start_of(lines, r"\s*\d{3}\.\d+\. ", place + 1) :]]


def rules_joined(lines: Lines) -> list[str]:
    """Move the last subrule of a rule above the one before it."""
    place = start_of(lines, r"\s*100\.1a", first_rule(lines))
    last = start_of(lines, r"\s*100\.1b", place)
    return [*lines[:place], f"{lines[place]} {lines[last].strip()}", *lines[last + 1 :]]


def first_sense_lost(lines: Lines) -> list[str]:
    place = start_of(lines, r"1\. ", glossary(lines))
    return [*lines[:place], *lines[place + 1 :]]


def heading_lost(lines: Lines) -> list[str]:
    place = start_of(lines, "Moored$|Morph$", glossary(lines))
    return [*lines[:place], *lines[place + 1 :]]


def cut_in_back(lines: Lines) -> list[str]:
    place = max(i for i, line in enumerate(lines) if line.strip())
    return [*lines[:place], lines[place][:21]]


def nothing_behind_back(lines: Lines) -> list[str]:
    return [*lines[: back(lines) + 1], ""]


DAMAGES: Mapping[str, Damage] = {
    "cut off in the rules": Damage(cut_in_rules, refused="cut off"),
    "cut off within an entry": Damage(cut_in_entry, refused="cut off"),
    "cut off behind a heading": Damage(cut_behind_heading, refused="cut off"),
    "the beginning is missing": Damage(without_beginning, refused="beginning is missing"),
    "the glossary is missing": Damage(without_glossary, refused="glossary"),
    "a glossary of headings": Damage(glossary_headings_only, refused="no text under their heading"),
    "lines cut at one width": Damage(short_lines, refused="middle of a sentence"),
    "the text stands twice": Damage(twice, refused="more than one text"),
    "the back is missing": Damage(without_back, problem="missing-part"),
    "a rule is missing": Damage(removed(r"\s*100\.2\b[^a-z]*\. "), problem="missing-number"),
    "a subrule is missing": Damage(removed(r"\s*100\.1a"), problem="missing-subletter"),
    "a number stands twice": Damage(repeated_number, problem="duplicate-number"),
    "a number out of order": Damage(replaced(r"^\s*101\.3\.", "100.9."), problem="out-of-order"),
    "a dot too few": Damage(replaced(r"^(\s*101\.2)\.", r"\1"), problem="missing-dot"),
    "a dot too many": Damage(replaced(r"^(\s*100\.1a)", r"\1."), problem="extra-dot"),
    "no space": Damage(replaced(r"^(\s*101\.2\.) ", r"\1"), problem="missing-space"),
    "a space too many": Damage(replaced(r"^(\s*100\.)1a", r"\1 1a"), problem="extra-space"),
    "a lost figure": Damage(replaced(r"^(\s*100\.)1b", r"\1b"), problem="lost-digit"),
    "an empty rule": Damage(replaced(r"^(\s*101\.1\.).*", r"\1"), problem="empty-rule"),
    "a sentence cut short": Damage(
        replaced(r"^(\s*100\.1\..{20}\w+).*", r"\1 and"), problem="unfinished-sentence"
    ),
    "the beginning of a rule lost": Damage(replaced(r"^(\s*101\.2\. )\w+ ", r"\1"), problem="cut-beginning"),
    "an example cut short": Damage(cut_example, problem="unfinished-sentence"),
    "an example stands twice": Damage(example_twice, problem="duplicate-text"),
    "a title without its rules": Damage(bare_title, problem="missing-subletter"),
    "two rules in one line": Damage(rules_joined, problem="glued-number"),
    "a sense is missing": Damage(first_sense_lost, problem="missing-sense"),
    "a heading of the glossary lost": Damage(heading_lost, problem="missing-heading"),
    "a text of another kind within a rule": Damage(
        replaced(r"^(\s*101\.2\. \w+ )", r"\1Share this page. "), problem="stray-text"
    ),
    "the file ends within a word": Damage(cut_in_back, problem="cut-off"),
    "nothing behind the last heading": Damage(nothing_behind_back, problem="cut-off"),
    "a chapter renamed": Damage(chapter_renamed, problem="contents-mismatch"),
    "an entry stands twice": Damage(entry_twice, problem="duplicate-entry"),
    "an entry without text": Damage(lost_heading_body, problem="empty-entry"),
    "lost characters": Damage(lost_characters, problem="replacement-character"),
    "one line misread": Damage(misread_once, problem="mojibake"),
    "two dates": Damage(other_date_at_end, problem="date-mismatch"),
    "no date": Damage(without_date, problem="missing-date"),
}


def misread_throughout(lines: Lines, codec: str) -> bytes:
    """UTF-8 read in another encoding and saved as UTF-8 again."""
    data = "\n".join(lines).encode()
    table = {b: bytes((b,)).decode(codec, "ignore") or chr(b) for b in range(256)}
    return "".join(table[b] for b in data).encode()


def misread_with_loss(lines: Lines) -> bytes:
    """The same, by a program that drops bytes without a meaning in the other encoding."""
    return "\n".join(lines).encode().decode("cp1252", "ignore").encode()


def utf16_encoded_again(lines: Lines) -> bytes:
    """UTF-16 bytes read as UTF-8 with replacements, and encoded again."""
    return (b"\xff\xfe" + "\n".join(lines).encode("utf-16-le")).decode("utf-8", "replace").encode()


def foreign_bytes(lines: Lines) -> bytes:
    """UTF-8 that contains bytes of another encoding."""
    data = "\n".join(lines).encode()
    middle = data.index("’".encode())
    return data[:middle] + b"\x92\xff" + data[middle:]


BROKEN_BYTES: Mapping[str, tuple[Callable[[Lines], bytes], str]] = {
    "UTF-8 read as Windows, with loss": (misread_with_loss, "another encoding"),
    "UTF-16 encoded again": (utf16_encoded_again, "encoded again"),
    "foreign bytes": (foreign_bytes, "cannot be part of it"),
    "NUL bytes": (lambda lines: "\n".join(lines).encode().replace(b" ", b"\0", 9), "not a text"),
}
