"""Defects of a source: each is found where it is and nowhere else; on real editions all findings are true."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from asking import session_on
from commands import Run
from measure_defects import AUDITED, verdicts
from real import FAR_APART, rules
from rulesgraph.loaders.build import build
from rulesgraph.loaders.linking.defects import find_defects
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Problem
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.ontology.iris import Iris
from rulesgraph.queries.checking.defects import defects
from rulesgraph.queries.session import Answer, Value

MINI = Path(__file__).with_name("mini")
EARLY = (MINI / "lanterns-2031-02-01.txt").read_text(encoding="utf-8")
LATE = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")


def found_in(text: str) -> list[Problem]:
    return find_defects(EditionView([load_document(decode(text.encode(), "mini.txt"))], Iris()))


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize("text", [EARLY, LATE])
def test_a_sound_text_has_no_defects(text: str) -> None:
    assert found_in(text) == []


@pytest.mark.parametrize(
    ("old", "new", "code", "subject"),
    [
        ("see rule 300.2.", "see rule 300.9.", "dangling-reference", "201.1a"),
        # the end of a range counts as well as its beginning
        ("See rule 201.2.", "See rules 201.1-203.", "dangling-reference", "Trim"),
        ('See rule 301.3, "Flutter."', 'See rule 301.2, "Flutter."', "wrong-rule-cited", "Flutter"),
        ('See rule 300, "Waning Checks."', 'See rule 300, "Fading Tests."', "wrong-title", "Waning Checks"),
        ('See rule 300, "Waning Checks."', 'See rule 300, "Checks."', "shortened-title", "Waning Checks"),
        ('See rule 301.3, "Flutter."', "See rule 301.2.", "wrong-rule-cited", "Flutter"),
        ('lanterns say "glow."', 'lanterns say "glow.', "unbalanced-quotes", "Glow (Obsolete)"),
        ("the bag. See rule 300.2.", 'the bag." See rule 300.2.', "unbalanced-quotes", "202.1"),
        ("See Lantern.", "See Beacon.", "redirect-nowhere", "Lamp"),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, code: str, subject: str) -> None:
    assert [(p.code, p.subject) for p in found_in(changed(EARLY, (old, new)))] == [(code, subject)]


ACTIONS = """302. Keyword Actions

302.1. Douse

302.1a To douse a lantern is to turn it dark.

Glossary

Bag"""


@pytest.mark.parametrize(
    ("opening", "message"),
    [
        ("A keyword ability that", ""),
        ("A static ability that", ""),  # no list
        (
            "A keyword action that",
            "Flutter is called a keyword action; its rule 301.3 is in “Keyword Abilities”, "
            "not in “Keyword Actions”",
        ),
    ],
)
def test_an_entry_of_another_kind_than_the_list_that_has_its_rule_is_found(
    opening: str, message: str
) -> None:
    said = ("Flutter is a triggered ability that", opening)
    found = [(it.code, it.message) for it in found_in(changed(EARLY, ("Glossary\n\nBag", ACTIONS), said))]
    assert found == ([("wrong-kind", message)] if message else [])


@pytest.mark.parametrize("cited", ["300", "300.2", "301", "301.3", "301.3a"])
def test_an_entry_may_cite_any_rule_but_that_of_another_keyword(cited: str) -> None:
    assert found_in(changed(EARLY, ('See rule 301.3, "Flutter."', f"See rule {cited}."))) == []


def test_a_defect_has_its_place_and_its_words() -> None:
    text = changed(EARLY, ('See rule 301.3, "Flutter."', 'See rule 301.2, "Flutter."'))
    [problem] = found_in(text)
    line = text.splitlines()[problem.first_line - 1]
    assert problem.quote in line
    assert "“Flutter” is rule 301.3" in problem.message


def test_entries_that_refer_to_each_other_go_in_a_circle() -> None:
    text = changed(
        EARLY,
        ("See Lantern.", "See Beacon."),
        ("Dark\nA", "Beacon\nSee Lamp.\n\nDark\nA"),
    )
    assert [p.code for p in found_in(text)] == ["redirect-circle"]


def test_a_quotation_may_go_on_in_the_next_paragraph() -> None:
    told = 'Dark\nA keeper says: "This lantern is dark.\nIt was lit before."'
    assert found_in(changed(EARLY, ("Dark\nA lantern that is not lit is dark.", told))) == []


DIM = "Dim Light (Obsolete)\nA dark lantern was called this.\n\nKeeper\nA keeper"
OBSOLETE = ("Keeper\nA keeper", DIM)


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Moths avoid dim light.", 1),
        # quoted, or about the past
        ('Moths avoid what is called a "dim light."', 0),
        ("Older lanterns spoke of a dim light.", 0),
        # another word begins with the name
        ("Moths avoid dim lighthouses.", 0),
    ],
)
def test_an_obsolete_name_in_use(sentence: str, count: int) -> None:
    text = changed(EARLY, OBSOLETE, ("Moths never leave the table otherwise.", sentence))
    assert [p.code for p in found_in(text)] == ["obsolete-term-used"] * count


def test_a_name_that_many_texts_use_is_plain_english() -> None:
    text = changed(
        EARLY,
        OBSOLETE,
        ("Moths never leave the table otherwise.", "Moths avoid dim light."),
        ("They wait for nobody.", "They wait for no dim light."),
        ("Several instances of glimmer add up.", "In dim light glimmer adds up."),
    )
    assert found_in(text) == []


# -- since when -----------------------------------------------------------------------------------


def test_a_defect_is_followed_back_through_new_numbers(tmp_path: Path, run: Run) -> None:
    """300.2 became 310.2: the same rule had the same defect before; an entry's is new in the later one."""
    old, new = "The waning checks are as follows:", 'The waning checks are "as follows:'
    early = changed(EARLY, (old, new))
    late = changed(
        LATE,
        (old.replace("waning", "dusk"), new.replace("waning", "dusk")),
        ('See rule 320.4, "Flutter."', 'See rule 320.4, "Flatter."'),
    )
    for name, text in (("early.txt", early), ("late.txt", late)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    store = tmp_path / "store"
    assert not build([tmp_path / "early.txt", tmp_path / "late.txt"], str(store)).refused
    answer = defects(session_on(store), "cr-2031-07-01")
    rows = [(row["severity"], row["check"], row["subject"], row["since"]) for row in answer.records()]
    assert rows == [
        ("warning", "wrong-title", "Flutter", "cr-2031-07-01"),
        ("info", "unbalanced-quotes", "310.2", "cr-2031-02-01"),
    ]
    assert all(row["line"] and row["document"] == "cr-2031-07-01" for row in answer.records())
    assert run("check", "--store", store, "--edition", "cr-2031-07-01")[0] == 1
    # what is only worth knowing is no failure
    assert run("check", "--store", store, "--edition", "cr-2031-02-01")[0] == 0
    with pytest.raises(UnknownNameError):
        defects(session_on(store), "cr-2031-12-01")


def test_a_defect_of_a_section_concerns_the_section(tmp_path: Path) -> None:
    """Senses of entries have numbers like those of sections."""
    source = tmp_path / "early.txt"
    contents = changed(EARLY, ("1. The Evening\n100. General\n", "1. The Night\n100. General\n"))
    source.write_text(contents, encoding="utf-8")
    store = str(tmp_path / "store")
    assert not build([source], store).refused
    found = session_on(store).sparql("SELECT ?part { ?problem rg:concerns ?part }")
    assert isinstance(found, Answer)
    [(part,)] = found.rows
    assert str(part).endswith("/edition/cr-2031-02-01/section/1")


def test_a_defect_stands_as_long_as_no_edition_was_without_it(tmp_path: Path) -> None:
    """In three editions, a rule and an entry keep their defects; one defect disappears in between."""
    rule = ("the bag. See rule 300.2.", 'the bag." See rule 300.2.')
    part = ('lanterns say "glow."', 'lanterns say "glow.')
    again = ("See Lantern.", "See Beacon.")
    first = "February 1, 2031"
    editions = [
        changed(EARLY, rule, part, again),
        changed(EARLY, rule, part, (first, "May 1, 2031")),
        changed(EARLY, rule, part, again, (first, "June 1, 2031")),
    ]
    sources = []
    for place, text in enumerate(editions):
        sources.append(tmp_path / f"{place}.txt")
        sources[-1].write_text(text, encoding="utf-8")
    store = str(tmp_path / "store")
    assert not build(sources, store).refused
    answer = defects(session_on(store))
    assert [(row["check"], row["subject"], row["since"]) for row in answer.records()] == [
        ("redirect-nowhere", "Lamp", "cr-2031-06-01"),
        ("unbalanced-quotes", "202.1", "cr-2031-02-01"),
        ("unbalanced-quotes", "Glow (Obsolete)", "cr-2031-02-01"),
    ]


def test_shapes_are_held_against_the_graph_on_request(mini_store: Path, run: Run) -> None:
    code, out, err = run("check", "--shapes", "--store", mini_store, "--format", "csv")
    assert (code, out.count("\n")) == (0, 1)
    assert "0 findings" in err
    assert run("check", "--shapes", "--store", mini_store, "--edition", "all")[0] == 2


def test_a_shape_that_is_broken_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from asking import session_of
    from rulesgraph.queries.checking.conclusions import violations

    session = session_of('t:lamp a rg:Term ; skos:prefLabel "Lamp" .')
    found = violations(session)
    assert {str(row[2]) for row in found} >= {"term/lamp"}
    assert {row[0] for row in found} == {"error"}


def test_without_pyshacl_the_way_out_is_said(
    mini_store: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyshacl", None)
    code, _, err = run("check", "--shapes", "--store", mini_store)
    assert code == 2
    assert "pip install" in err


# -- the real editions ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def audited(shared: Path, store_of: Callable[..., Path]) -> Path:
    return store_of(*(rules(shared, day) for day in FAR_APART))


@pytest.fixture(scope="module")
def reports(audited: Path) -> dict[str, list[dict[str, Value]]]:
    """The findings of the audited editions, by edition."""
    session = session_on(audited)
    return {edition: defects(session, edition).records() for edition in AUDITED}


@pytest.mark.long(small="test_what_is_wrong_is_found")
def test_the_report_was_audited_and_is_true(reports: dict[str, list[dict[str, Value]]]) -> None:
    """Every finding was looked up in its file; one that was not counts as wrong."""
    found = [
        (edition, str(row["check"]), str(row["subject"])) for edition, rows in reports.items() for row in rows
    ]
    true = sum(verdicts().get(key) == "true" for key in found)
    print(f"{true} of {len(found)} findings are true")
    assert set(found) == set(verdicts())
    assert true == len(found)


def test_a_check_of_all_editions_finds_what_one_of_each_finds(
    audited: Path, reports: dict[str, list[dict[str, Value]]]
) -> None:
    rows = defects(session_on(audited), "all").records()
    for edition, own in reports.items():
        found = [row for row in rows if row["document"] == edition]
        assert sorted(map(str, found)) == sorted(map(str, own))


@pytest.mark.long(small="test_what_is_wrong_is_found")
def test_known_defects_of_the_rules_are_there(reports: dict[str, list[dict[str, Value]]]) -> None:
    rows = {(row["check"], row["subject"], row["since"]) for row in reports["cr-2025-06-06"]}
    assert ("wrong-rule-cited", "Endure", "cr-2025-04-04") in rows
    assert ("dangling-reference", "Map", "cr-2025-04-04") in rows
    assert ("shortened-title", "Supervillain Rumble", "cr-2016-11-11") in rows


def test_defects_of_one_line_come_in_the_order_of_its_words() -> None:
    """They are equal except for quotes, so their numbers are the same in whatever order they are read."""
    cited = [f"{word}{number}" for number in ("300.7", "300.8", "300.9") for word in ("rule ", "rules ", "")]
    found = found_in(changed(EARLY, ("see rule 300.2.", f"see {'; see '.join(cited)}.")))
    assert [problem.quote for problem in found] == cited
