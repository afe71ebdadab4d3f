"""The kind of a document by its content alone, texts of no kind, and the effect of the file name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from copies import GOOD, LAYOUTS
from rulesgraph.loaders.reading.detect import detect, load_document
from rulesgraph.loaders.reading.source import decode, read_source
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.terms import DocumentKind

MINI = Path(__file__).parent / "mini"

RULINGS = """\
This search based on the March 3, 2007 release of the Rulings.
G31.1 - Dusk
G31.2 - Lamp  G31.1a - Dusk follows dawn. [CompRules 2005/08/01]
  Note - Also see Rule 408.1, "Timing."
"""
OLDER_RULINGS = """\
G31.1 - Dusk Step
- G31.1a - The dusk step follows the dawn step. See Rules 412.4, 412.5, and
413.2a. [CompRules 2005/08/01]
- Note - Also see Rule 212.4, "Enchantments".
"""
RULE_PAGE = """\
502 - Keyword Abilities
502.2 - First Lamp  502.1 - Most lamps say what they do. [CompRules 2003/07/01]

502.3 - Second Lamp  502.2a - First lamp is a static ability.  (See Rule 310,
    "Combat Damage Step.") [CompRules 2003/07/01]
"""
PROSE = """\
A lit creature deals damage to each player who controls no lamp. See rule 310, “Combat Damage Step.”
To light a lamp is to put a light counter on the permanent, using mana of any type.
Lamp Counter
A player with ten lamp counters loses the game. See rule 420.5.
An artifact spell with a wick can be played only during a main phase. See rule 305, “Main Phase.”
"""
WEB_COPY = """\
Part 12 (2/2)

A creature with a wick can't block, and its controller pa.s.ses priority. See rule 310, ”Combat Damage Step.”

Lamp

Creatures that block a lamp a.s.sign combat damage to its controller. See rule 305, ”Main Phase.”
"""

KINDS = [
    (RULINGS, DocumentKind.RULINGS),
    (OLDER_RULINGS, DocumentKind.RULINGS),
    (RULE_PAGE, DocumentKind.RULINGS),
    (PROSE, DocumentKind.PROSE),
    (WEB_COPY, DocumentKind.WEB_COPY),
    (WEB_COPY.removeprefix("Part 12 (2/2)").replace("block a", "bl.o.c.k a"), DocumentKind.WEB_COPY),
    (WEB_COPY.replace(" See rule 305, ”Main Phase.”", ""), DocumentKind.WEB_COPY),  # that cites one rule
    (GOOD, DocumentKind.COMPREHENSIVE),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_the_four_kinds(text: str, kind: DocumentKind) -> None:
    assert detect(decode(text.encode(), "any name.pdf")) is kind


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_of_the_same_kind(layout: str) -> None:
    text = "\n".join(LAYOUTS[layout](GOOD.splitlines()))
    assert detect(decode(text.encode(), "x")) is DocumentKind.COMPREHENSIVE


def test_cells_in_half_of_the_lines_make_no_table() -> None:
    lines = [*RULINGS.splitlines(), "G31.3 - Moon", "G31.4 - Oil"]

    def text(cells: int) -> bytes:
        return "\n".join(
            f"{line} moth\tlamp\toil" if it < cells else line for it, line in enumerate(lines)
        ).encode()

    assert detect(decode(text(3), "x")) is DocumentKind.RULINGS
    with pytest.raises(SourceError, match="it is data"):
        detect(decode(text(4), "x"))


def test_real_documents(shared: Path) -> None:
    kinds = {
        "000": DocumentKind.RULINGS,
        "001": DocumentKind.PROSE,
        "002": DocumentKind.WEB_COPY,
        "003": DocumentKind.RULINGS,
        "004": DocumentKind.RULINGS,
    }
    for path in sorted((shared / "seeds").iterdir()):
        assert detect(read_source(path)) is kinds.get(path.name[:3], DocumentKind.RULINGS), path.name
    for path in sorted((shared / "corpora" / "cr").iterdir()):
        assert detect(read_source(path)) is DocumentKind.COMPREHENSIVE, path.name


NOVEL = """\
Chapter One

It was in the spring of the year 1846 that the keeper first played cards with the captain.
“See here,” he said, “you owe me 100. General Foster owes me more.” The damage was done.

Part 12 (2/2)

The lamp stood on the pa.s.sage table. In the year 305 such a lamp would have been a marvel.
"""
PROGRAM = """\
def parse(source):
    for line in source.lines:
        if RULE.match(line):
            yield line  # see rule 704.5
    return None
"""
README = """\
# lamplight

A rules engine for card games. [Documentation](https://example.org) and see rule 704.5a.

- cards, players, spells, abilities
- `pip install lamplight`

| phase | step |
|---|---|
| combat | damage |
"""
TABLE = '"number","text"\n"100.1","See rule 305 for creatures and damage."\n"100.2","Spells use mana."\n'
STATUTE = "1005.1 The landlord shall keep the cellar dry.\n27.3 The tenant shall not play cards in it.\n" * 4
NUMBERS = "512.5 kg of flour\n300.25 g of sugar\n100.7 g of salt\n" * 4
ARTICLE = (
    "The new set lets players cast spells from the graveyard. Creatures fight, mana flows, life is lost.\n"
    * 5
)

HIDDEN = "".join(
    f"Rule {n}.1. A creature on the battlefield deals damage to its controller; see rule {n}.\n"
    for n in range(100, 120)
)
OTHERS = [
    (NOVEL, "of its words are game terms"),
    (PROGRAM, "program"),
    (README, "Markdown"),
    (json.dumps([{"number": "100.1", "text": "Creatures deal damage. See rule 305."}] * 9, indent=1), "data"),
    ('{"100.1": "See rule 305."}\n{"100.2": "See rule 306."}\n', "data"),
    (TABLE, "data"),
    (STATUTE, "of its words are game terms"),
    (NUMBERS, "not in the order of the rules"),
    (HIDDEN, "after other words or not in the order of the rules"),
    (ARTICLE, "cites too few"),
    ("Lorem ipsum dolor sit amet.\n", "no numbered rules"),
]


@pytest.mark.parametrize(("text", "seen"), OTHERS)
def test_other_texts_are_refused_with_what_was_seen(text: str, seen: str) -> None:
    with pytest.raises(SourceError, match=seen) as refusal:
        detect(decode(text.encode(), "rules.txt"))
    assert "comprehensive rules" in refusal.value.way_out
    assert refusal.value.line == 1


def orders(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines of a text out of order: reversed, and shuffled."""
    yield lines[::-1]
    yield sorted(lines, key=lambda line: hashlib.sha256(line.encode()).digest())


def test_a_text_whose_lines_are_out_of_order_is_refused() -> None:
    every_order_is_refused(MINI / "lanterns-2031-07-01.txt")


@pytest.mark.long(small="test_a_text_whose_lines_are_out_of_order_is_refused")
def test_real_texts_whose_lines_are_out_of_order_are_refused(shared: Path) -> None:
    paths = sorted((shared / "corpora").glob("[cp][ra]*/*.txt"))
    assert len(paths) > 15
    every_order_is_refused(*paths)


def every_order_is_refused(*paths: Path) -> None:
    for path in paths:
        source = read_source(path)
        for lines in orders(list(source.lines)):
            with pytest.raises(SourceError, match="not in the order of the rules"):
                detect(replace(source, lines=tuple(lines)))


# What the name of the file adds

FILES = [
    ("rules.txt", None),
    ("MagicCompRules 20320304.txt", None),
    ("2032-03-04.txt", None),
    ("/old/2031-01-01/2032_03_04.txt", None),  # folders say nothing
    ("MagicCompRules 20320305.txt", "2032-03-05"),
    ("2032.03.11 rules.txt", "2032-03-11"),
    ("C:\\rules\\2001-12-24.txt", "2001-12-24"),
    ("order 20321399.txt", None),  # no date
    ("120320304.txt", None),
]


@pytest.mark.parametrize(("name", "said"), FILES)
def test_a_date_in_the_name_is_held_against_the_text(name: str, said: str | None) -> None:
    document = load_document(decode(GOOD.encode(), name))
    assert [problem.subject for problem in document.problems if problem.code == "date-mismatch"] == (
        [said] if said else []
    )
    assert document.edition == "cr-2032-03-04"
    assert replace(document, problems=()) == replace(load_document(decode(GOOD.encode(), "")), problems=())


def test_problems_of_the_characters_come_first() -> None:
    text = GOOD.replace("captain’s", "captain\ufffds").replace("101.3.", "101.3")
    document = load_document(decode(text.encode(), "2001-12-24.txt"))
    assert [problem.code for problem in document.problems] == [
        "replacement-character",
        "date-mismatch",
        "missing-dot",
    ]
