"""Documents and cards of a kind that is seldom met: odd marks, equal days, fields of the wrong type."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.loaders.language.dates import read_day
from rulesgraph.loaders.language.everyday import _words, is_english
from rulesgraph.loaders.linking.defects import _NO_VERB
from rulesgraph.loaders.reading.web_page import is_page, page_lines
from rulesgraph.loaders.store.scan import decoded

MINI = Path(__file__).parent / "mini" / "lanterns-2031-02-01.txt"


def _cards(path: Path, name: str, **more: object) -> Path:
    card: Mapping[str, object] = {
        **{"name": name, "layout": "normal", "type": "Creature", "text": "Flying", "manaValue": 1.0},
        **more,
    }
    path.write_text(json.dumps({"meta": {"date": "2031-01-01"}, "data": {name: [card]}}))
    return path


def test_every_word_of_the_list_is_english() -> None:
    """Also the last one, which has no line break after it; of the others, some thousand."""
    words = [line.partition(" ")[0] for line in _words().split("\n") if line]
    assert [word for word in (*words[::300], words[-1]) if not is_english(word)] == []


def test_a_question_with_the_last_word_of_the_list_is_answered(starter_store: Path) -> None:
    assert rulesgraph.open(starter_store).ask("Hi, does Wicker Saint die?").rows


def test_two_files_without_a_date_are_one_set(tmp_path: Path) -> None:
    files = [_cards(tmp_path / f"{name}.json", name) for name in ("Wick", "Wack")]
    report = rulesgraph.build(files, store=tmp_path / "store")
    assert [it.cards for it in report.cards] == [1, 2]
    assert [report.rules.card(name).name for name in ("Wick", "Wack")] == ["Wick", "Wack"]


@pytest.mark.parametrize(
    "field", [{"layout": ["x"]}, {"identifiers": ["x"]}, {"rulings": ["x"]}, {"rulings": 5}, {"side": 3}]
)
def test_a_field_of_the_wrong_type_ends_no_build(field: dict[str, object], tmp_path: Path) -> None:
    assert rulesgraph.build([_cards(tmp_path / "a.json", "Wick", **field)], store=":memory:").rules.card(
        "Wick"
    )


def test_a_name_without_words_is_no_name_of_a_card(tmp_path: Path) -> None:
    file = _cards(tmp_path / "a.json", "A-", type="Legendary Creature")
    assert len(rulesgraph.build([file], store=":memory:").cards) == 1


def test_cards_of_one_name_and_several_ids_stay_apart(tmp_path: Path) -> None:
    """The second one is counted, not mixed with the first."""
    cards = [
        {"name": "Wick", "type_line": "Creature", "oracle_text": text, "oracle_id": oracle,
         "released_at": "2031-01-01"}
        for oracle, text in (("a", "Flying"), ("b", "Trample"))
    ]  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps(cards))
    report = rulesgraph.build([tmp_path / "a.json"], store=":memory:")
    assert [row["text"] for row in report.rules.ask("[[Wick]]")] == ["Flying"]


def test_comments_before_a_page_are_passed_over_once() -> None:
    comments = "<!-- lamp -->\n" * 140
    assert is_page(f"{comments}<html>", [])
    assert not is_page(f"{comments}lamp", ["lamp"])


def test_what_is_no_marked_section_is_text() -> None:
    lines = page_lines(["<html><p>Lamps</p>", "<![ x ]>", "<p>Moths</p>"])
    assert ("Lamps" in lines, "Moths" in lines) == (True, True)


def test_a_line_break_in_a_page_parts_words() -> None:
    page = ["<pre>", *["A lamp"] * 40, "draws a card<br>each turn", "</pre>"]
    assert "draws a card each turn" in page_lines(page)


def test_a_heading_in_capitals_is_read_once() -> None:
    assert _NO_VERB.match("Lamp-Lit Moths’ Own")
    assert not _NO_VERB.match("L" * 200 + ", old")


def test_the_long_s_is_an_s() -> None:
    assert read_day("ſeptember 1, 2031") == read_day("September 1, 2031") is not None


def test_no_escape_is_beyond_the_last_character() -> None:
    assert decoded(r'"\u0041 \UFFFFFFFF"') == r'"A \UFFFFFFFF"'


def test_text_that_opens_no_rule_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One sentence.\n601.1. the lamp burns.\n601.2. the moth flies.\n")
    assert len(rulesgraph.build([tmp_path / "a.txt"], store=":memory:").refused) == 1


def test_a_folder_with_a_nul_is_no_store() -> None:
    with pytest.raises(rulesgraph.UsageError, match="NUL"):
        rulesgraph.open("lamp\0")


def test_a_number_of_any_length_is_unknown(mini_rules: rulesgraph.Rules) -> None:
    with pytest.raises(rulesgraph.UnknownNameError):
        mini_rules.show("100." + "9" * 5000)


def test_an_element_that_is_never_closed_hides_nothing() -> None:
    page = ["<form>", "<p>They fly.</p>", "<nav>Menu</nav>", "<script>x</script>", "<p>They rest.</p>"]
    assert page_lines(page) == ["", "They fly.", "", "", "They rest."]


def test_a_form_that_is_closed_is_no_text() -> None:
    page = ["<p>They fly.</p>", "<form><form>", "<p>Search</p>", "</form>", "<p>They rest.</p>"]
    assert page_lines(page) == ["They fly.", "", "", "", "They rest."]


def test_no_edition_has_two_kinds(tmp_path: Path) -> None:
    """Another game's rules may have the same name and day; the one that is loaded stays as it was."""
    form = tmp_path / "form.toml"
    form.write_text('name = "cr"\ntitle = "^Oars"\nnumber = "[0-9]+\\\\."\ndate = "As of"\n')
    oars = "Oars of the lake\nAs of February 1, 2031\n\n1. Row.\n\n2. Rest.\n\n3. Row again.\n"
    (tmp_path / "oars.txt").write_text(oars)
    first = rulesgraph.build([MINI], store=tmp_path / "store")
    second = rulesgraph.build([tmp_path / "oars.txt"], store=tmp_path / "store", form=form)
    assert [it.edition for it in first.documents] == ["cr-2031-02-01"]
    assert "cr-2031-02-01, which is one of comprehensive rules" in second.refused[0].reason
    assert rulesgraph.open(tmp_path / "store").show("100.1")


def test_cards_without_a_day_have_that_of_their_file(tmp_path: Path) -> None:
    card = {"name": "Wick", "layout": "normal", "type_line": "Creature", "oracle_text": "", "oracle_id": "w"}
    (tmp_path / "a.json").write_text(json.dumps([card]))
    os.utime(tmp_path / "a.json", (86_400, 86_400))
    report = rulesgraph.build([tmp_path / "a.json"], store=":memory:")
    assert [it.card_set for it in report.cards] == ["scryfall-1970-01-02"]
