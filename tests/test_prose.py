"""Glossary prose: blocks with and without blank lines, wrapped or not; headings that are left."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from real import parsed, seed
from rulesgraph.loaders.history.departures import doubted
from rulesgraph.loaders.reading.fragments import is_heading, parse_fragment
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document, Severity
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.terms import DocumentKind

BLOCKS = [
    "A bell is rung by its keeper, and nobody else may ring it while the keeper is awake. See rule 408.1.",
    "Lamp Oil",
    "Oil burns in a lamp until the lamp is put out or the oil is used up, whichever comes first. It smells.",
    "Example: A lamp with no oil in it is lit. It goes out again at once, and no oil is paid for it.",
    "See Lamp.",
    "A tower holds a bell. Towers that lose their bell remain towers; see rule 214, “Towers.”",
]


def load(text: str) -> Document:
    return parse_fragment(decode(text.encode(), "prose.txt"), DocumentKind.PROSE)


def check(document: Document) -> None:
    assert [p.text for p in document.paragraphs] == [BLOCKS[0], BLOCKS[2], BLOCKS[4], BLOCKS[5]]
    assert [p.key for p in document.paragraphs] == ["1", "2", "3", "4"]
    assert [(e.heading, e.key, e.paragraphs) for e in document.entries] == [("Lamp Oil", "lamp-oil", ())]
    assert [f"Example: {e.text}" for e in document.paragraphs[1].examples] == [BLOCKS[3]]
    assert document.unaccounted == ()
    assert document.kind is DocumentKind.PROSE
    assert document.problems == ()


@pytest.mark.parametrize("width", [0, 60, 72])
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n \n\n"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_habits_change_nothing(width: int, gap: str, line_end: str) -> None:
    blocks = [textwrap.fill(block, width) if width else block for block in BLOCKS]
    document = load(gap.join(blocks).replace("\n", line_end))
    check(document)
    assert document.edition == load("\n".join(BLOCKS)).edition


def test_straight_quotes_make_the_same_fragment() -> None:
    straight = load("\n".join(BLOCKS).replace("“", '"').replace("”", '"'))
    assert straight.edition == load("\n".join(BLOCKS)).edition
    assert straight.document == straight.edition
    assert straight.edition.startswith("fragment-")


def test_spans_are_lines_of_the_file() -> None:
    document = load("\n\n".join(textwrap.fill(block, 60) for block in BLOCKS))
    assert [(p.first_line, p.last_line) for p in document.paragraphs] == [(1, 2), (6, 7), (12, 12), (14, 15)]
    assert document.lines == 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pay", True),
        ("Active Player, Nonactive Player Order", True),
        ("Local Enchantment (Obsolete)", True),
        ("“As Though”", True),
        ("{T}", True),
        ("See Lamp.", False),
        ("Bell, Bellows, Candle, Gong, Lamp, Lantern, Oil, Taper, Torch, Tower, Wick", False),
        ("the lamp", False),
        ("The following lamps burn:", False),
        ("* * *", False),
    ],
)
def test_what_a_heading_is(text: str, expected: bool) -> None:
    assert is_heading(text) is expected


def test_a_text_that_kept_its_headings_has_entries() -> None:
    document = load("Bell\nA bell rings.\nLamp\nA lamp burns.\nIt needs oil.\n")
    assert [(e.heading, [p.text for p in e.paragraphs]) for e in document.entries] == [
        ("Bell", ["A bell rings."]),
        ("Lamp", ["A lamp burns.", "It needs oil."]),
    ]
    assert document.paragraphs == ()


def test_an_example_without_a_paragraph_is_reported() -> None:
    document = load("Example: A lamp burns.\nA lamp is lit.\n")
    assert [(p.code, p.first_line) for p in document.problems] == [("stray-text", 1)]
    assert document.unaccounted == ()


def test_a_site_s_damage_is_mended_here_as_well() -> None:
    (paragraph,) = load("A lamp pa.s.ses for ”bright.”\n").paragraphs
    assert paragraph.text == "A lamp passes for “bright.”"
    assert paragraph.as_found == "A lamp pa.s.ses for ”bright.”"


def test_a_quotation_that_never_ends_is_reported() -> None:
    document = load("A lamp is lit.\nIt is called “bright.\n")
    assert [(p.code, p.first_line) for p in document.problems] == [("unbalanced-quotes", 2)]


def test_text_without_paragraphs_is_refused() -> None:
    with pytest.raises(SourceError, match="no paragraph"):
        load("Bell\nLamp\n")


WORD = st.sampled_from("bell lamp keeper tower rings burns waits oil".split())
SENTENCE = st.lists(WORD, min_size=4, max_size=40).map(lambda ws: " ".join(ws).capitalize() + ".")
HEADING = st.lists(WORD, min_size=1, max_size=3).map(lambda ws: " ".join(ws).title())


PARTS = st.lists(st.tuples(st.booleans(), HEADING, SENTENCE), min_size=1, max_size=12)


@given(PARTS, st.sampled_from([1, 2]))
def test_rendered_prose_reads_back(parts: list[tuple[bool, str, str]], breaks: int) -> None:
    blocks = [block for headed, heading, sentence in parts for block in ([heading] * headed + [sentence])]
    document = load(("\n" * breaks).join(blocks))
    below = [p for e in document.entries for p in e.paragraphs]
    assert [p.text for p in (*document.paragraphs, *below)] == [sentence for _, _, sentence in parts]
    headings = [heading for headed, heading, _ in parts if headed]
    assert [e.heading for e in document.entries] == headings
    assert bool(below) == (len(headings) * 2 >= len(parts))
    keys = [(entry.key, entry.occurrence) for entry in document.entries]
    assert len(keys) == len(set(keys))


@given(st.text(max_size=200))
def test_any_text_is_loaded_or_refused(text: str) -> None:
    try:
        document = load(text)
    except SourceError:
        return
    assert document.unaccounted == ()
    units = [*document.paragraphs, *(p for e in document.entries for p in e.paragraphs)]
    assert units
    for unit in units:
        assert 1 <= unit.first_line <= unit.last_line
        for reference in unit.references:
            assert unit.text[reference.start : reference.end] == reference.surface


def test_the_real_prose(shared: Path) -> None:
    document = parsed(seed(shared, "001"))
    assert [e.heading for e in document.entries] == ["Pay", "Poison Counter"]
    assert len(document.paragraphs) == 31
    assert sum(len(p.examples) for p in document.paragraphs) == 1
    assert (document.lines, document.furniture, document.unaccounted) == (34, (), ())
    assert document.problems == ()


TALK = """\
Last week I brought a new lamp to the pier, and we lit it at dusk. {rest}

My friend says rule 408.1 lets any player ring the bell. I doubt that: our keeper was asleep.
"""


def test_talk_about_the_game_is_refused() -> None:
    with pytest.raises(SourceError, match="about the game: “I brought” and “we lit”, which rules never say"):
        load(TALK.format(rest="It was a fine game."))


def test_cards_may_say_i() -> None:
    """Text within quotation marks, and the people who made the rules, are no filler."""
    said = "A card that says “I win, we lose, and my lamp burns” wins the game. See rule 408.1."
    assert load(f"Lamp Oil\n{said}\nCredits\nOur team and my friends; we thank them.\n").problems == ()


PROSE = """\
Better Lamps

A lamp that burns for three turns costs a player two oil. Players light {count} lamps when the game ends.

Rule 408.1 tells when a bell is rung. A player who holds two bells rings both, and {count} gulls come.
"""


def test_a_text_of_no_known_edition_is_doubted() -> None:
    document = doubted(load(PROSE.format(count="two")))
    [doubt] = document.problems
    assert (doubt.code, doubt.severity, doubt.first_line) == ("unknown-text", Severity.WARNING, 3)
    assert doubt.message == (
        "none of its 2 paragraphs is in a known edition: this may be a text about the rules"
    )


def test_real_fragments_are_not_doubted(shared: Path) -> None:
    sites = shared / "corpora" / "rulings"
    fragments = [seed(shared, "001"), seed(shared, "002"), *sites.glob("r*_*.txt")]
    assert len(fragments) == 5
    for path in fragments:
        assert doubted(parsed(path)) == parsed(path)
    known = " ".join(it.text for it in parsed(fragments[0]).paragraphs[:1])
    mixed = load(f"{PROSE.format(count='ten')}\n{known}\n")
    assert "only 1 of its 3 paragraphs is" in doubted(mixed).problems[0].message


def test_build_prints_the_doubt_and_strict_refuses(tmp_path: Path, run: Run) -> None:
    text = tmp_path / "article.txt"
    text.write_text(parse_ready(PROSE), encoding="utf-8")
    code, _, err = run("build", text, "--store", tmp_path / "store")
    assert (code, "this may be a text about the rules" in err) == (0, True)
    code, _, err = run("build", text, "--strict", "--store", tmp_path / "other")
    assert (code, "this may be a text about the rules" in err) == (3, True)


def parse_ready(text: str) -> str:
    """Return a text with so many words of the game that it is taken for a part of a glossary."""
    return text.format(count="creature cards, spells, lands and")


def test_a_copy_cut_within_a_sentence_and_words_twice_are_told() -> None:
    text = "\n\n".join(["Lamp", BLOCKS[0], "Oil", BLOCKS[2], "Tower", BLOCKS[5], "Wick", BLOCKS[0], "Yard"])
    document = load(f"{text}\n\nA yard is a place in which a bell may be rung by any keeper that has the")
    assert [(it.code, it.severity) for it in document.problems] == [
        ("duplicate-text", Severity.WARNING),
        ("cut-off", Severity.INFO),
    ]
