"""A good rules text in invented words, and copies of it in other encodings and layouts.

Each copy is a function of the lines of a good text, so the invented text and the real editions are copied in
the same ways.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence

Lines = Sequence[str]
Damaging = Callable[[Lines], list[str]]

GOOD = """\
Harbours Comprehensive Rules

These rules are current as of March 4, 2032.

Introduction

Harbours is a game of ships and tides for any number of captains. The box holds all that it needs.

Contents

1. The Voyage
100. General
101. Setting Out

2. Afloat
200. General
201. Ships

Glossary

Credits

1. The Voyage

100. General

100.1. Every captain has one ship. See section 2, “Afloat.”

100.1a A captain without a ship watches from the pier.

100.1b A captain’s ship is moored while the tide is out. (See rule 101.2.)

100.2. The tide has three states:

100.2a The tide is in.

100.2b The tide is out.

100.2c The tide turns. It stays so for one turn.

100.3. The voyage ends when all ships lie in the same harbour.

101. Setting Out

101.1. Each captain picks a harbour—any harbour—and loads the ship.
Example: Zoë picks Cádiz and loads salt. Her ship sails at the next tide.
Example: René picks Malmö. Nobody else may pick it.

101.2. A moored ship may not leave the harbour until the tide turns.

     A ship that never left the harbour counts as moored.

101.3. Captains who pick the same harbour share its pier.

2. Afloat

200. General

200.1. Ships are afloat or moored. No ship is ever both.

201. Ships

201.1. A ship carries cargo. The kinds of cargo are salt, wool, tar, and letters.

201.2. Caulking

201.2a Caulking is a kind of repair. “Caulk N” means “Take N holes from this ship.”

201.2b A ship without holes may be caulked. Nothing happens.

201.2c Caulking twice helps twice.

201.3. A ship with seven holes sinks. (See rule 201.2, “Caulking.”)

Glossary

Afloat
A ship that is not moored is afloat. See rule 200.1.

Captain
1. A person who plays.
2. The owner of a ship.
See rule 100, “General.”

Cargo
What a ship carries. See rule 201.1.

Caulking
A kind of repair. See rule 201.2, “Caulking.”

Dry Dock (Obsolete)
An older name of the pier.

Harbour
A place where ships lie.
     Some harbours have a pier, and some have two.

Hole
See Caulking.

Moored
A ship that cannot leave is moored. See rule 101.2.

Tide
The tide is in, out, or turning. See rule 100.2.

Wool, Tar
Kinds of cargo that burn.

Credits

Harbours was made for these tests.
"""
"""An invented rules text: contents, two sections, titles, examples, further paragraphs, a glossary."""

STRAIGHT = GOOD.replace("“", '"').replace("”", '"').replace("’", "'").replace("—", "--").replace("ë", "é")
"""The same without curly quotes and dashes, which DOS code pages do not have."""

ENCODINGS: Mapping[str, Callable[[str], bytes]] = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "utf-16 little endian": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "utf-16 big endian": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-16 little endian, no mark": lambda text: text.encode("utf-16-le"),
    "utf-16 big endian, no mark": lambda text: text.encode("utf-16-be"),
    "cp1252": lambda text: text.encode("cp1252"),
    "mac-roman": lambda text: text.encode("mac-roman"),
}
CODE_PAGES: Mapping[str, Callable[[str], bytes]] = {
    "cp437": lambda text: text.encode("cp437"),
    "cp850": lambda text: text.encode("cp850"),
}
LINE_ENDS: Mapping[str, Callable[[Lines], str]] = {
    "LF": lambda lines: "\n".join(lines) + "\n",
    "CRLF": lambda lines: "\r\n".join(lines) + "\r\n",
    "lone CR": lambda lines: "\r".join(lines) + "\r",
    "CR CR LF": lambda lines: "\r\r\n".join(lines) + "\r\r\n",
    "one CR CR LF among CRLF": lambda lines: "\r\n".join(lines).replace("\r\n", "\r\r\n", 1),
    "CRLF among lone CRs": lambda lines: "".join(
        line + ("\r\n" if n % 40 == 5 else "\r") for n, line in enumerate(lines)
    ),
    "no break at the end": "\n".join,
}


def start_of(lines: Lines, pattern: str, after: int = 0) -> int:
    """Return the place of the first line, from `after` on, that matches the pattern."""
    return next(i for i in range(after, len(lines)) if re.match(pattern, lines[i]))


def first_rule(lines: Lines) -> int:
    return start_of(lines, r"\s*100\.1")


def glossary(lines: Lines) -> int:
    return start_of(lines, r"Glossary\s*$", first_rule(lines))


def back(lines: Lines) -> int:
    return start_of(lines, r"(?:Credits|Index)\s*$", glossary(lines))


# Layouts: the same words in another arrangement.


def wrapped(width: int, hanging: str = "") -> Damaging:
    def wrap(lines: Lines) -> list[str]:
        result: list[str] = []
        for line in lines:
            indent = line[: len(line) - len(line.lstrip())]
            parts = textwrap.wrap(
                line.strip(),
                width,
                initial_indent=indent,
                subsequent_indent=hanging,
                break_long_words=False,
                break_on_hyphens=False,
            )
            result.extend(parts or [""])
        return result

    return wrap


def markdown(lines: Lines) -> list[str]:
    """The style of an edition of 2026: bold numbers with dots, headings, quoted examples."""
    result = []
    for line in (line.strip().replace("*", r"\*") for line in lines):
        numbered = re.match(r"(\d{3}\.\d+[a-z]*)\.?(.*)", line)
        if numbered:
            result.append(f"**{numbered[1]}.**{numbered[2]}")
        elif re.match(r"\d{3}\. ", line):
            result.append(f"### {line}")
        elif re.match(r"\d\. [A-Z][^.]*$", line) or line in ("Glossary", "Credits", "Contents"):
            result.append(f"## {line}")
        elif line.startswith("Example:"):
            result.append(f"> **Example:**{line[8:]}")
        else:
            result.append(line)
    return result


def bulleted(lines: Lines) -> list[str]:
    """The style of note-taking programs: subrules are list items, and only numbers are bold."""
    result = []
    for line in lines:
        subrule = re.match(r"(\d{3}\.\d+)([a-z]+)( .*)", line)
        rule = re.match(r"(\d{3}\.\d+\.)( .*)", line)
        if subrule:
            result.append(f"+ **{subrule[1]}**{subrule[2]}{subrule[3]}")
        elif rule:
            result.append(f"**{rule[1]}**{rule[2]}")
        elif re.match(r"\d{3}\. ", line):
            result.append(f"# **{line[:4]}**{line[4:]}")
        else:
            result.append(line)
    return result


def without_blank_lines(lines: Lines) -> list[str]:
    start, end = first_rule(lines), glossary(lines)
    return [*lines[:start], *(line for line in lines[start:end] if line.strip()), *lines[end:]]


def glossary_without_blank_lines(lines: Lines) -> list[str]:
    start = glossary(lines)
    return [*lines[:start], *(line for line in lines[start:] if line.strip())]


def doubly_spaced(lines: Lines) -> list[str]:
    return [part for line in lines for part in (line, "")]


def numbers_on_own_lines(lines: Lines) -> list[str]:
    result: list[str] = []
    for line in lines:
        match = re.match(r"(\d{3}\.\d+[a-z.]|\d{3}\.) (.*)$", line)
        in_rules = len(result) > first_rule(lines)
        result.extend(match.groups() if match and in_rules else [line])
    return result


def without_contents(lines: Lines) -> list[str]:
    contents, start = start_of(lines, r"Contents\s*$"), first_rule(lines)
    while not re.match(r"\s*1\. ", lines[start]):
        start -= 1
    return [*lines[:contents], *lines[start:]]


def dotted_contents(lines: Lines) -> list[str]:
    start, end = start_of(lines, r"Contents\s*$"), first_rule(lines) - 6
    return [
        f"{line}{'.' * 40}{n // 20 + 1}" if start < n < end and line.strip() else line
        for n, line in enumerate(lines)
    ]


def no_break_spaces(lines: Lines) -> list[str]:
    return [
        re.sub(r"^(\d{3}\.\d+[a-z.]+) ", "\\1\u00a0", line) if line.strip() else "\u00a0" for line in lines
    ]


def tabs(lines: Lines) -> list[str]:
    return [re.sub(r"^(\d{3}\.\d*[a-z.]+) ", "\t\\1\t", line) for line in lines]


def banners(lines: Lines) -> list[str]:
    result: list[str] = []
    for n, line in enumerate(lines):
        heading = n > first_rule(lines) and re.match(r"\d\. [A-Z][^.]*$", line)
        result.extend(["-" * 40, line, "-" * 40] if heading else [line])
    return result


def marks_within(lines: Lines) -> list[str]:
    """Byte order marks inside the text, as after joining files."""
    return [f"\ufeff{line}" if n % 50 == 30 else line for n, line in enumerate(lines)]


def italics(lines: Lines) -> list[str]:
    return [re.sub(r"\b(Harbours|Magic)\b(?! Comp)", r"_\1_", line) for line in lines]


LAYOUTS: Mapping[str, Damaging] = {
    "wrapped at 78": wrapped(78),
    "wrapped at 101": wrapped(101),
    "wrapped, hanging": wrapped(78, "       "),
    "Markdown": markdown,
    "Markdown lists": bulleted,
    "rules without blank lines": without_blank_lines,
    "glossary without blank lines": glossary_without_blank_lines,
    "doubly spaced": doubly_spaced,
    "numbers on their own lines": numbers_on_own_lines,
    "without contents": without_contents,
    "dotted contents": dotted_contents,
    "no-break spaces": no_break_spaces,
    "tabs": tabs,
    "banners": banners,
    "byte order marks within": marks_within,
    "italics": italics,
}
