"""The checksums of other editions tell what an edition lost, without a word of theirs."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run
from rulesgraph.loaders.language.words import beginning
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.checking.checksums import KnownTexts, checksums_of, departures_from_known
from rulesgraph.queries.checking.texts import Departure, EditionText, TextPiece

BEFORE, BETWEEN, AFTER = "cr-2030-01-01", "cr-2032-01-01", "cr-2034-01-01"
BOTH = f"{BEFORE} and {AFTER} are known to have"
DRIFTS = "A ship without a captain drifts. It drifts for as long as the tide is out, and no longer."
GULLS = "Whoever feeds a gull keeps it for the rest of the voyage."
LIGHT = "Ada feeds two gulls before the tide turns, and keeps both of them."


def piece(kind: str, name: str, text: str, line: int) -> TextPiece:
    return TextPiece(kind, name, text, line)


TEXTS = (
    piece("rule", "100.1", "Every captain has one ship, and rows it home at night.", 1),
    piece(
        "rule",
        "100.1a",
        "A captain without a ship watches from the pier until the tide turns. Nobody else may watch.",
        2,
    ),
    piece("rule", "100.1b", DRIFTS, 3),
    piece("rule", "100.2", GULLS, 4),
    piece("example", "100.2", LIGHT, 5),
    piece("rule", "100.3", "The voyage ends when all ships lie in the same harbour.", 6),
    piece("entry", "Gull", "", 8),
    piece("paragraph", "Gull", "A bird that somebody may feed and keep.", 9),
    piece("entry", "Pier", "", 10),
    piece("paragraph", "Pier", "The place where ships lie while nobody rows them.", 11),
)


def without(name: str, *kinds: str) -> list[TextPiece]:
    return [it for it in TEXTS if it.name != name or (kinds and it.kind not in kinds)]


def changed(name: str, text: str, kind: str = "rule") -> list[TextPiece]:
    return [it._replace(text=text) if (it.kind, it.name) == (kind, name) else it for it in TEXTS]


def found(
    own: list[TextPiece],
    before: list[TextPiece] | None = None,
    after: list[TextPiece] | None = None,
    edition: str = BETWEEN,
) -> list[Departure]:
    known = checksums_of([EditionText(BEFORE, before or [*TEXTS]), EditionText(AFTER, after or [*TEXTS])])
    read = KnownTexts.read(known.as_file())
    assert read == known
    return list(departures_from_known(EditionText(edition, own), read))


@pytest.mark.parametrize(
    ("own", "lost", "line", "said"),
    [
        (without("100.1b"), "100.1b", 2, f"rule 100.1b is not here, or not in the words that {BOTH} for it"),
        (
            without("100.2", "example"),
            "100.2",
            4,
            f"an example of rule 100.2 is not here, or not in the words that {BOTH} for it",
        ),
        (without("Gull"), "Gull", 0, f"the glossary entry Gull is not here, and {BOTH} it"),
        (
            without("Pier", "paragraph"),
            "Pier",
            10,
            f"a paragraph of the glossary entry Pier is not here, or not in the words that {BOTH} for it",
        ),
    ],
)
def test_what_both_sides_have_is_lost(own: list[TextPiece], lost: str, line: int, said: str) -> None:
    assert found(own) == [Departure(True, lost, line, said, "")]


@pytest.mark.parametrize(
    "text",
    [
        "A ship without a captain drifts. It drifts for as long",
        "A ship without a captain drifts.",
        "A ship without a captain drifts. It drifts for as long as the Share this page tide is out, "
        "and no longer.",
    ],
    ids=["cut short", "a sentence lost", "words within"],
)
def test_a_text_of_another_length_departs(text: str) -> None:
    message = f"rule 100.1b departs from the words that {BOTH} for it"
    assert found(changed("100.1b", text)) == [Departure(False, "100.1b", 3, message, beginning(text))]


def test_a_sentence_is_lost_from_a_rule_that_was_reworded() -> None:
    early = changed("100.1b", f"{DRIFTS} Nobody may board it while it drifts.")
    late = changed("100.1b", "A ship that has no captain drifts away. Nobody may board it while it drifts.")
    message = f"rule 100.1b lacks a sentence that {BOTH} there"
    text = "A ship without a captain drifts. It drifts for as long as the tide is out, and no longer."
    assert found(changed("100.1b", text), early, late) == [
        Departure(False, "100.1b", 3, message, beginning(text))
    ]
    own = changed("100.1b", f"{DRIFTS} A ship that drifts may be boarded by nobody.")
    assert found(own, early, late) == []


def test_a_number_that_stands_no_more_is_lost_with_its_words_elsewhere() -> None:
    own = [
        it._replace(text=f"{it.text}\n{DRIFTS}") if it.name == "100.1a" else it for it in without("100.1b")
    ]
    assert [(it.lost, it.name) for it in found(own)] == [(True, "100.1b")]


def test_words_of_another_text_are_known_by_nobody_having_them() -> None:
    ends = "The voyage ends when all ships lie in the same harbour."
    text = f"{ends} Please preheat your oven and whisk some butter."
    message = "rule 100.3 has words that no known edition has: preheat, your, oven, whisk"
    assert found(changed("100.3", text)) == [Departure(False, "100.3", 6, message, beginning(text))]
    # names, forms of one word and lists tell nothing
    for fine in (
        "Preheat Oven and Whisk Butter lie in the same harbour.",
        "To moor is to be mooring: a moored ship is one that moors.",
        "These are words for ships: brig, cog, dory, hoy, junk, ketch, skiff, and yawl.",
    ):
        assert (
            found(changed("100.3", f"The voyage ends when all ships lie in the same harbour. {fine}")) == []
        )


def test_what_is_no_loss() -> None:
    assert found([*TEXTS]) == []
    moved = [it._replace(name=f"2{it.name[1:]}") if it.name[0] == "1" else it for it in TEXTS]
    assert found(moved) == []
    printed = changed("100.1b", DRIFTS.replace(",", " –").upper())
    assert found(printed) == []
    # a few letters for others are how this edition says it
    assert found(changed("100.2", GULLS.replace("voyage", "day"))) == []
    # nothing is known to be lost after the last edition, nor before the first one, nor from another game
    assert found(without("100.1b"), edition="cr-2036-01-01") == []
    assert found(without("100.1b"), edition="cr-2020-01-01") == []
    assert found([TEXTS[0]._replace(text="A moth sits on a lantern until somebody lights it.")]) == []


def test_an_edition_that_is_known_itself() -> None:
    text = "A ship without a captain drifts. It drifts"
    message = f"rule 100.1b departs from the words that {BEFORE} is known to have for it"
    known = checksums_of([EditionText(BEFORE, TEXTS)])
    own = EditionText(BEFORE, changed("100.1b", text))
    assert list(departures_from_known(own, known)) == [Departure(False, "100.1b", 3, message, text)]


def test_of_an_edition_that_is_known_itself_a_sentence_is_missed_that_another_rule_has_too() -> None:
    twice = changed("100.2", f"{GULLS} It drifts for as long as the tide is out, and no longer.")
    once = [it._replace(text=GULLS) if it.text.startswith(GULLS) else it for it in twice]
    message = f"rule 100.2 departs from the words that {BEFORE} is known to have for it"
    known = checksums_of([EditionText(BEFORE, twice)])
    assert list(departures_from_known(EditionText(BEFORE, once), known)) == [
        Departure(False, "100.2", 4, message, GULLS)
    ]
    assert list(departures_from_known(EditionText(BEFORE, twice), known)) == []
    assert found(once, twice, twice) == []


def test_the_file_has_no_words_and_spans_editions_without_a_gap() -> None:
    three = [EditionText(BEFORE, TEXTS), EditionText(BETWEEN, without("100.3")), EditionText(AFTER, TEXTS)]
    known = checksums_of(three)
    for word in ("captain", "harbour", "bird"):
        assert word not in known.as_file()
    last = [span for it, *span in known.pieces if it.name == "100.3"]
    assert last == [[0, 0], [2, 2]]
    assert [it.name for it in known.text(BETWEEN).pieces if it.name == "100.3"] == []
    with pytest.raises(UsageError, match="line 2"):
        KnownTexts.read("edition\tcr-2001-01-01\nnonsense\n")


def test_the_command_writes_what_the_loaded_editions_say(run: Run, mini_store: Path, tmp_path: Path) -> None:
    path = tmp_path / "checksums.tsv"
    code, _, err = run("authority", "--checksums", "--store", mini_store, "-o", path)
    assert code == 0
    read = KnownTexts.read(path.read_text())
    assert read.editions == ("cr-2031-02-01", "cr-2031-07-01")
    assert "2 editions covered" in err
    assert {it.name for it in read.text("cr-2031-02-01").pieces} >= {"301.2b", "Keeper"}
    assert run("authority", "--checksums", "--extend", path, "--store", mini_store)[0] == 2
