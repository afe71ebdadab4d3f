"""What an edition lost is seen beside the editions before and after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from commands import Run
from real import AROUND, rules
from rulesgraph.queries.checking.neighbours import compared_with_neighbours, departures
from rulesgraph.queries.checking.texts import Departure, EditionText, TextPiece

MINI = Path(__file__).parent / "mini"
DAMAGE = {
    # the last subrule of its rule: no gap in the numbers tells
    "301.2b Several instances of glimmer add up.\n\n": "",
    # an example cut short
    "Ada lights three lanterns, Bo lights three lanterns, and Ada begins.": "Ada lights three",
    # an entry gone
    "Keeper\nA keeper is one of the people at the table. See rule 100.1.\n\n": "",
    # text of another kind in the middle of a rule
    "Only a lit lantern draws moths.": "Of gulls and tar. Only a lit lantern draws moths.",
}


def piece(name: str, text: str, line: int = 1, part: str = "rule") -> TextPiece:
    return TextPiece(part, name, text, line)


def found(own: list[TextPiece], before: list[TextPiece], after: list[TextPiece]) -> list[Departure]:
    return list(departures(EditionText("a", before), EditionText("b", own), EditionText("c", after)))


FIRST = piece("100.1", "Every captain has one ship, and rows it at night.", 3)
OTHER = piece("100.2", "A captain without a ship watches from the pier.", 5)


def test_what_both_neighbours_have_is_lost() -> None:
    message = f"rule 100.2 is missing here, or not in the words that a and c agree on: “{OTHER.text}”"
    assert found([FIRST], [FIRST, OTHER], [FIRST, OTHER]) == [Departure(True, "100.2", 3, message, "")]


@pytest.mark.parametrize(
    "own",
    [
        pytest.param([FIRST, OTHER._replace(name="200.7")], id="moved"),
        pytest.param([FIRST, OTHER._replace(text=OTHER.text.upper())], id="capitals"),
        pytest.param([FIRST, OTHER._replace(text=OTHER.text.replace("ship", "ship(TM)"))], id="a mark"),
    ],
)
def test_the_same_words_are_not_lost(own: list[TextPiece]) -> None:
    assert found(own, [FIRST, OTHER], [FIRST, OTHER]) == []


@pytest.mark.parametrize(
    ("own", "is_lost"),
    [
        pytest.param(
            [FIRST, piece("200.7", f"Piers are of stone. {OTHER.text}")], False, id="in another chapter"
        ),
        pytest.param(
            [
                FIRST,
                piece("100.2", "Gulls eat tar.", 5),
                piece("100.3", f"Piers are of stone. {OTHER.text}", 6),
            ],
            False,
            id="beside what has its number now",
        ),
        pytest.param(
            [FIRST, piece("100.3", f"Piers are of stone. {OTHER.text}", 6)], False, id="in a neighbour"
        ),
        pytest.param(
            [FIRST, piece("200.7", f"Piers are of stone.\n{OTHER.text}")], True, id="a line of its own"
        ),
        pytest.param([FIRST._replace(text=f"{FIRST.text} {OTHER.text}")], True, id="its number lost"),
        pytest.param([FIRST._replace(text=f"{FIRST.text} 100.2 {OTHER.text}")], True, id="two in one line"),
    ],
)
def test_words_that_went_into_another_rule_are_not_lost(own: list[TextPiece], is_lost: bool) -> None:
    message = f"rule 100.2 is missing here, or not in the words that a and c agree on: “{OTHER.text}”"
    lost = [Departure(True, "100.2", 3, message, "")] if is_lost else []
    assert found(own, [FIRST, OTHER], [FIRST, OTHER]) == lost


def test_words_that_one_copy_alone_has_are_told_however_few_they_are() -> None:
    """A figure or a letter was changed, and changed back: that is a slip of the copy."""
    slip = FIRST._replace(text=FIRST.text.replace("one ship", "two ships"))
    (only,) = found([slip, OTHER], [FIRST, OTHER], [FIRST, OTHER])
    assert (only.lost, only.name, only.line) == (False, "100.1", 3)
    assert only.message.startswith("rule 100.1 differs from what a and c agree on: they have “")
    # What one of the others says elsewhere is a change of the rules.
    assert found([slip, OTHER], [FIRST, OTHER, slip._replace(name="200.1")], [FIRST, OTHER]) == []
    # Where only one of them has the words, they were changed once.
    assert found([slip, OTHER], [FIRST, OTHER], [slip, OTHER]) == []


def test_texts_under_each_others_numbers_are_told() -> None:
    both, swapped = [FIRST, OTHER], [FIRST._replace(name="100.2"), OTHER._replace(name="100.1")]
    assert [(it.name, it.message) for it in found(swapped, both, both)] == [
        ("100.1", "rule 100.1 is here rule 100.2, unlike in a and in c"),
        ("100.2", "rule 100.2 is here rule 100.1, unlike in a and in c"),
    ]
    # Where the chapter has another title, its rules moved with it.
    titles = [piece("100", title) for title in ("Harbours", "Captains and ships")]
    moved = found([titles[0], *swapped], [titles[1], *both], [titles[1], *both])
    assert not [it for it in moved if it.name != "100"]


def test_an_example_below_another_rule_is_told() -> None:
    example = piece("100.1", "Ada has one ship and rows it through the night.", 4, "example")
    both = [FIRST, example, OTHER]
    (only,) = found([FIRST, OTHER, example._replace(name="100.2", line=6)], both, both)
    assert only.message == "an example of rule 100.1 is here an example of rule 100.2, unlike in a and in c"


def test_a_reference_to_another_rule_is_told() -> None:
    citing, slip = (
        piece("100.3", f"A lost ship is told in the log (see rule {it}).", 7) for it in ("100.1", "100.2")
    )
    both = [FIRST, OTHER, citing]
    (only,) = found([FIRST, OTHER, slip], both, both)
    assert (only.lost, only.name) == (False, "100.3")
    # Where the rule that is cited has that number, nothing is wrong.
    moved = [OTHER._replace(name="100.1"), FIRST._replace(name="100.2"), slip]
    assert not [it for it in found(moved, both, both) if it.name == "100.3"]


def test_numbers_of_rules_move_between_the_same_words() -> None:
    own, before, after = (
        [piece("1", f"Rowing is not sailing. See rules {it}.")] for it in ("101.2a", "409.1f-h", "300 – 306")
    )
    assert found(own, before, after) == []


def test_a_title_may_stand_again_by_chance() -> None:
    title = piece("216", "Tokens", 7)
    assert found([FIRST], [FIRST, title], [FIRST, title._replace(name="111")]) == []
    message = "rule 216 is missing here, or not in the words that a and c agree on: “Tokens”"
    assert found([FIRST], [FIRST, title], [FIRST, title]) == [Departure(True, "216", 3, message, "")]


def test_what_one_neighbour_alone_has_is_no_loss() -> None:
    assert found([FIRST], [FIRST, OTHER], [FIRST]) == []
    assert found([FIRST], [FIRST], [FIRST, OTHER]) == []


def test_a_number_that_goes_on_under_like_words_is_lost() -> None:
    later = OTHER._replace(text="A captain without a ship waits on the pier.")
    words = "rule 100.2 is in a and in c, but not here"
    assert found([FIRST], [FIRST, OTHER], [FIRST, later]) == [Departure(True, "100.2", 3, words, "")]
    # under another number it is not
    own = [FIRST, OTHER._replace(name="100.3", text="A captain without a ship must watch from the pier.")]
    assert found(own, [FIRST, OTHER], [FIRST, later]) == []
    # and a number that another rule took says nothing
    assert found([FIRST], [FIRST, OTHER], [FIRST, OTHER._replace(text="The tide turns.")]) == []


def test_a_sentence_is_lost_from_a_rule_that_was_reworded() -> None:
    early = OTHER._replace(text="A captain rows at night. Nobody else may watch from the pier. It is dark.")
    late = OTHER._replace(
        text="A captain rows when it is late. Nobody else may watch from the pier. It is cold."
    )
    message = "rule 100.2 lacks what a and c agree on: “Nobody else may watch from the pier.”"
    own = OTHER._replace(text="A captain rows at night. It is cold.")
    assert found([FIRST, own], [FIRST, early], [FIRST, late]) == [
        Departure(True, "100.2", 5, message, "A captain rows at night. It is cold.")
    ]
    # where other words stand, that is how this edition says it
    own = OTHER._replace(text="A captain rows at night. Only gulls watch. It is cold.")
    assert found([FIRST, own], [FIRST, early], [FIRST, late]) == []


def test_a_paragraph_of_its_own_is_none_of_an_entry() -> None:
    entry = [piece("Pier", "", 8, "entry")]
    entry.append(piece("Pier", "Where ships lie.", 9, "paragraph"))
    more = piece("Pier", "Gulls are sold here.", 10, "paragraph")
    message = "a paragraph of the glossary entry Pier is only here: neither a nor c has it"
    assert found([FIRST, *entry, more], [FIRST, *entry], [FIRST, *entry]) == [
        Departure(False, "Pier", 10, message, "Gulls are sold here.")
    ]


def test_a_text_cut_short_shows_what_was_cut() -> None:
    own = [FIRST, OTHER._replace(text="A captain without a ship")]
    message = (
        "rule 100.2 differs from what a and c agree on: they have "
        "“A captain without a ship watches from the pier.”"
    )
    assert found(own, [FIRST, OTHER], [FIRST, OTHER]) == [
        Departure(False, "100.2", 5, message, "A captain without a ship")
    ]


def test_an_entry_is_lost_with_its_paragraphs_once() -> None:
    entry = [
        piece("Pier", "", 8, "entry"),
        piece("Pier", "Where ships lie.", 9, "paragraph"),
    ]
    message = "the glossary entry Pier is missing here, but is in a and in c"
    assert found([FIRST], [FIRST, *entry], [FIRST, *entry]) == [Departure(True, "Pier", 3, message, "")]


def test_build_and_check_tell_what_was_lost(tmp_path: Path, run: Run) -> None:
    text = (MINI / "lanterns-2031-02-01.txt").read_text(encoding="utf-8")
    middle = text.replace("February 1", "April 1")
    for whole, broken in DAMAGE.items():
        assert whole in middle
        middle = middle.replace(whole, broken)
    later = text.replace("February 1", "June 1")
    for name, words in (("a", text), ("b", middle), ("c", later)):
        (tmp_path / f"{name}.txt").write_text(words, encoding="utf-8")
    store = tmp_path / "store"
    report = rulesgraph.build([tmp_path / f"{name}.txt" for name in "abc"], store)
    told = {
        it.edition: [p for p in it.problems if p.code in ("lost-text", "altered-text")]
        for it in report.documents
    }
    assert told.pop("cr-2031-02-01") == told.pop("cr-2031-06-01") == []
    both = "cr-2031-02-01 and cr-2031-06-01"
    assert [(p.code, p.severity, p.subject, p.line, p.message) for p in told["cr-2031-04-01"]] == [
        (
            "altered-text",
            "warning",
            "101.1",
            41,
            f"an example of rule 101.1 differs from what {both} agree on: they have “older than Bo. Ada "
            "lights three lanterns, Bo lights three lanterns, and Ada begins.”",
        ),
        (
            "altered-text",
            "warning",
            "201.1",
            53,
            f"rule 201.1 differs from what {both} agree on: they have “A lantern is lit or dark. Only a lit "
            "lantern draws moths.”",
        ),
        (
            "lost-text",
            "warning",
            "301.2b",
            85,
            f"rule 301.2b is missing here, or not in the words that {both} agree on: “Several instances of "
            "glimmer add up.”",
        ),
        (
            "lost-text",
            "warning",
            "Keeper",
            106,
            "the glossary entry Keeper is missing here, but is in cr-2031-02-01 and in cr-2031-06-01",
        ),
    ]
    code, out, _ = run("check", "--store", store, "--edition", "cr-2031-04-01", "--format", "json")
    assert code == 1
    assert [row["line"] for row in out_rows(out) if str(row["check"]).endswith("ed-text")] == [41, 53]
    assert [row["subject"] for row in out_rows(out) if row["check"] == "lost-text"] == ["301.2b", "Keeper"]


def out_rows(out: str) -> list[dict[str, object]]:
    import json

    rows: list[dict[str, object]] = json.loads(out)
    return rows


@pytest.mark.long(small="test_build_and_check_tell_what_was_lost")
def test_no_real_edition_lost_anything(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(*(rules(shared, day) for day in AROUND)))
    assert list(compared_with_neighbours(session, [f"cr-{day}" for day in AROUND])) == []
