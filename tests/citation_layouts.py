"""Lists of rules with their names, as in programs and notes: all correct, or with one wrong number in ten.

Half of the layouts, selected by name, were not run before the figures of docs/quality.md were taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import NamedTuple

from rulesgraph.queries.citing.cite import judged
from rulesgraph.queries.citing.scan import read
from rulesgraph.queries.verifying.findings import NOTE
from rulesgraph.queries.verifying.rulebook import Book

SEED, ONE_IN, IN_A_LINE = 58, 10, 5


class CiteLayout(NamedTuple):
    """The name of a file; what surrounds the whole, a line and an item; what joins several items in a line.

    An item has a number `n`, its name as `name` or `low`, and as an identifier in `id`.
    """

    file: str
    item: str
    line: str = "{}"
    whole: str = "{}"
    joiner: str = ""


LAYOUTS: Mapping[str, CiteLayout] = {
    "// CR n name": CiteLayout("a.rs", "CR {n} {low}", "// {}"),
    "// CR n Name": CiteLayout("a.rs", "CR {n} {name}", "// {}"),
    "// CR n: Name": CiteLayout("a.rs", "CR {n}: {name}", "// {}"),
    "// CR n - name": CiteLayout("a.rs", "CR {n} - {low}", "// {}"),
    "// CR n (Name)": CiteLayout("a.rs", "CR {n} ({name})", "// {}"),
    "// (CR n) Name": CiteLayout("a.rs", "(CR {n}) {name}", "// {}"),
    "// n | Name": CiteLayout("a.rs", "{n} | {name}", "// {}"),
    "// n Name": CiteLayout("a.rs", "{n} {name}", "// {}"),
    "// Name: CR n": CiteLayout("a.rs", "{name}: CR {n}", "// {}"),
    "// name (n)": CiteLayout("a.rs", "{low} ({n})", "// {}"),
    "// name, CR n": CiteLayout("a.rs", "{low}, CR {n}", "// {}"),
    "// Name, below it CR n": CiteLayout("a.rs", "{name}\n// CR {n}", "// {}"),
    "// CR n, below it Name": CiteLayout("a.rs", "CR {n}\n// {name}", "// {}"),
    "// See CR n for Name.": CiteLayout("a.rs", "See CR {n} for {name}.", "// {}"),
    "// CR n name, …": CiteLayout("a.rs", "CR {n} {low}", "// {}", joiner=", "),
    "// CR n: Name; …": CiteLayout("a.rs", "CR {n}: {name}", "// {}", joiner="; "),
    "// name CR n, …": CiteLayout("a.rs", "{low} CR {n}", "// {}", joiner=", "),
    "// Name (n), …": CiteLayout("a.rs", "{name} ({n})", "// {}", joiner=", "),
    "// n name / …": CiteLayout("a.rs", "CR {n} {low}", "// {}", joiner=" / "),
    "// CR n, name, …": CiteLayout("a.rs", "CR {n}, {low}", "// {}", joiner=", "),
    "// name, CR n, …": CiteLayout("a.rs", "{low}, CR {n}", "// {}", joiner=", "),
    " * CR n Name": CiteLayout("A.java", "CR {n} {name}", " * {}", "/**\n{}\n */\n"),
    " * CR n: name": CiteLayout("A.java", "CR {n}: {low}", " * {}", "/**\n{}\n */\n"),
    " * Name – CR n": CiteLayout("A.java", "{name} – CR {n}", " * {}", "/**\n{}\n */\n"),
    "/* rule n name, … */": CiteLayout("a.c", "rule {n} {low}", "/* {} */", joiner=", "),
    "/* CR n Name in plain lines */": CiteLayout("a.c", "CR {n} {name}", "   {}", "/*\n{}\n*/\n"),
    "/* CR n - Name in plain lines */": CiteLayout("a.c", "CR {n} - {name}", "{}", "/*\n{}\n*/\n"),
    "docstring CR n Name": CiteLayout("a.py", "CR {n} {name}", "    {}", '"""\n{}\n"""\n'),
    "docstring Name: rule n": CiteLayout("a.py", "{name}: rule {n}", "    {}", '"""Keywords.\n\n{}\n"""\n'),
    "# name CR n": CiteLayout("a.py", "{low} CR {n}", "# {}"),
    "# CR n is name": CiteLayout("a.py", "CR {n} is {low}", "# {}"),
    "-- CR n = Name": CiteLayout("a.sql", "CR {n} = {name}", "-- {}"),
    "; rule n: name": CiteLayout("a.el", "rule {n}: {low}", "; {}"),
    "ENUM, // CR n": CiteLayout("a.rs", "{id}, // CR {n}", "    {}", "enum Keyword {{\n{}\n}}\n"),
    "text CR n: Name": CiteLayout("a.txt", "CR {n}: {name}"),
    "text Name CR n": CiteLayout("a.txt", "{name} CR {n}"),
    "text n Name": CiteLayout("a.txt", "{n} {name}"),
    "- n Name": CiteLayout("a.md", "{n} {name}", "- {}"),
    "- **Name** (CR n)": CiteLayout("a.md", "**{name}** (CR {n})", "- {}"),
    "| n | Name |": CiteLayout("a.md", "| {n} | {name} |", whole="| rule | name |\n|---|---|\n{}\n"),
    "| Name | CR n |": CiteLayout("a.md", "| {name} | CR {n} |", whole="| name | rule |\n|---|---|\n{}\n"),
    '"n": "name"': CiteLayout("a.py", '"CR {n}": "{low}",', "    {}", "RULES = {{\n{}\n}}\n"),
    '"name": "n"': CiteLayout("a.py", '"{low}": "CR {n}",', "    {}", "RULES = {{\n{}\n}}\n"),
    '("n", "name")': CiteLayout("a.py", '("CR {n}", "{low}"),', "    {}", "RULES = [\n{}\n]\n"),
    '@Rule(number="n", name="Name")': CiteLayout("A.java", '@Rule(number = "CR {n}", name = "{name}")'),
}


def is_unseen(name: str) -> bool:
    """Return whether a layout is in the half that was not run during development."""
    return sha256(name.encode()).digest()[0] % 2 == 1


def titled(material: Book, chapters: Sequence[str]) -> list[tuple[str, str]]:
    """Return the titled rules of some chapters of an edition, in order."""
    titles = material.titles.items()
    return [(it, title) for it, title in titles if it[:3] in chapters and "." in it and title]


def written(layout: CiteLayout, rows: Sequence[tuple[str, str]]) -> str:
    """Return numbers with their names in a layout."""
    items = []
    for number, title in rows:
        low = title[:1].lower() + title[1:]
        identifier = re.sub(r"\W+", "", title.title())
        items.append(layout.item.format(n=number, name=title, low=low, id=identifier))
    size = IN_A_LINE if layout.joiner else 1
    lines = [layout.joiner.join(items[at : at + size]) for at in range(0, len(items), size)]
    return layout.whole.format("\n".join(layout.line.format(it) for it in lines)) + "\n"


def arranged(rows: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield a third of the rows as they are, one in reverse, and one shuffled."""
    one, two = len(rows) // 3, 2 * len(rows) // 3
    yield [*rows[:one]]
    yield [*reversed(rows[one:two])]
    yield Random(SEED).sample(rows[two:], len(rows) - two)


def spoilt(rows: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], set[int]]:
    """Return the rows with one number in ten replaced by another's, and which these are."""
    random, found = Random(SEED), [*rows]
    wrong = {at + random.randrange(ONE_IN) for at in range(0, len(rows) - ONE_IN + 1, ONE_IN)}
    for at in wrong:
        number = random.choice([it for it, title in rows if title != rows[at][1]])
        found[at] = (number, rows[at][1])
    return found, wrong


def reported(
    material: Book, layout: CiteLayout, rows: Sequence[tuple[str, str]]
) -> tuple[list[bool], int, int]:
    """Return whether each row is reported, how many are checked, and how many `--fix` would change."""
    sites = read(layout.file, written(layout, rows))[0]
    flags, cited = judged(material, sites, "")
    assert len(sites) == len(rows), "not all numbers are read"
    places = {it.site.start for it in flags if it.finding.severity != NOTE}
    told = [it.start in places for it in sorted(sites, key=lambda it: it.start)]
    return told, sum(cited.values()), sum(it.finding.fix for it in flags)


class JudgedLayout(NamedTuple):
    """Correct citations: all, those checked, false findings and fixes; wrong ones: all, and those found."""

    right: int
    checked: int
    false: int
    fixed: int
    wrong: int
    found: int


def judged_layout(material: Book, rows: Sequence[tuple[str, str]], layout: CiteLayout) -> JudgedLayout:
    """Return the figures for a layout: each third with all numbers correct, and with some wrong."""
    right = checked = false = fixed = wrong = found = 0
    for own in arranged(rows):
        told, count, new = reported(material, layout, own)
        some, spoiled = spoilt(own)
        again, *_ = reported(material, layout, some)
        right += len(told)
        checked += count
        false += sum(told) + sum(it for at, it in enumerate(again) if at not in spoiled)
        fixed += new
        wrong += len(spoiled)
        found += sum(again[at] for at in spoiled)
    return JudgedLayout(right, checked, false, fixed, wrong, found)


def table(figures: Mapping[str, Sequence[JudgedLayout]], half: bool | None = None) -> str:
    """Return the figures of layouts for some editions together, in Markdown; `half` is true for unseen."""
    lines = ["| layout | half | right | checked | false findings | false fixes | wrong | found |"]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for name, each in figures.items():
        if half in (None, is_unseen(name)):
            counts = map(sum, zip(*each, strict=True))
            shown = name.replace("|", "\\|")
            part = "unseen" if is_unseen(name) else "seen"
            lines.append(f"| `{shown}` | {part} | " + " | ".join(f"{it:,}" for it in counts) + " |")
    return "\n".join(lines) + "\n"
