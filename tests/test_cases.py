"""Solved cases: how they are read, and what they add to an answer."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from real import rules, rules_without_cases
from rulesgraph import Rules
from rulesgraph.app.mcp.toolbox import tools
from rulesgraph.loaders.cases import bundled_cases, bundled_file, is_case_data, read_cases
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.ontology.errors import SourceError
from rulesgraph.queries.finding.cases import LIKE, SAME, cases_alike, reworded, votes
from rulesgraph.queries.finding.recognition import recognise
from rulesgraph.queries.searching.closest import AlsoSought, closest

ASKED = "may my creature that got tapped in combat still strike whoever it blocks"
CASE = {
    "question": "A creature was tapped in combat, after it began to block; does it still strike?",
    "answer": "Yes.",
    "cards": ["Mist Lamp", "Old Moth"],
    "rules": ["310.4", "308.2c"],
    "as_of": "cr-2008-02-01",
    "source": "a judge",
    "licence": "CC0-1.0",
}


@pytest.fixture(scope="module")
def with_cases(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """The newest edition with one case, of other numbers, instead of the bundled ones."""
    file = tmp_path_factory.mktemp("one") / "bundled-cases.jsonl"
    file.write_text(json.dumps({"id": "one", **CASE}) + "\n", encoding="utf-8")
    return rulesgraph.build([rules(shared, "2026-01-16"), file], store=":memory:").rules


@pytest.fixture(scope="module")
def without_cases(shared: Path) -> Rules:
    return rules_without_cases(rules(shared, "2026-01-16"))


def test_a_case_is_read_from_json_or_a_table(tmp_path: Path) -> None:
    line = tmp_path / "own.jsonl"
    line.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    [case] = read_cases(line).cases
    assert (case.key, case.rules, case.cards) == ("1", ("310.4", "308.2c"), ("Mist Lamp", "Old Moth"))
    table = tmp_path / "own.tsv"
    table.write_text("question\trules\tas_of\nWhy?\t310.4, 308.2c\t2008-02-01\n", encoding="utf-8")
    [other] = read_cases(table).cases
    assert (other.rules, other.as_of, other.question) == (case.rules, case.as_of, "Why?")
    assert is_case_data(line)
    assert is_case_data(table)
    table.write_text("question\trules\nMay I?\t101.1\n", encoding="utf-8")
    assert is_case_data(table)  # and is refused for what it lacks
    assert not is_case_data(Path(__file__))
    assert not is_case_data(tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": ["soon"]}, "cites no rule numbers: 'soon'"),
        ({"rules": []}, "cites no rule numbers"),
        ({"question": ""}, "has no question"),
        ({"as_of": "lately"}, "no valid date or edition"),
        ({"as_of": None}, "`as_of` must be the date or the edition of its rules, not ''"),
        ({"as_of": "2008-02-31"}, "there is no day"),
    ],
)
def test_a_case_that_says_too_little_is_refused_with_its_line(
    change: dict[str, object], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(CASE) + "\n" + json.dumps({**CASE, **change}) + "\n", encoding="utf-8")
    with pytest.raises(SourceError, match=said) as caught:
        read_cases(file)
    assert caught.value.line == 2
    [refused] = rulesgraph.build([file], store=":memory:").refused
    assert said in refused.reason


def test_two_cases_with_one_id_and_a_broken_line_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    line = json.dumps({"id": "a", **CASE})
    for text, said in ((f"{line}\n{line}\n", "two cases have the id"), (f"{line}\n{{\n", "not JSON")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match=said):
            read_cases(file)


def test_a_case_is_shown_under_todays_numbers_and_its_rules_count(
    with_cases: Rules, without_cases: Rules
) -> None:
    answer, without = with_cases.ask(ASKED), without_cases.ask(ASKED)
    [told] = [note for note in answer.notes if note.startswith("A similar case")]
    assert told == f"A similar case (a judge): “{CASE['question']}” “Yes.” → 508.1f"
    [case] = answer.cases
    assert case[:4] == (CASE["question"], "Yes.", ("508.1f",), "a judge")
    assert (case.as_of, case.changed) == ("2008-02-01", ())
    assert LIKE <= case.likeness < 1
    reply = tools(with_cases)["ask"](question=ASKED)
    assert reply["cases"] == [{**case._asdict(), "rules": ("508.1f",)}]
    assert not [note for note in reply["notes"] if "similar case" in note]
    assert without.cases == ()
    assert not [note for note in without.notes if "similar case" in note]
    assert answer.rows[0][:6] == without.rows[0][:6]
    place = {row[0]: at for at, row in enumerate(answer.rows)}["508.1f"]
    assert "decided similar cases" in str(answer.rows[place][6])
    before = [row[0] for row in without.rows]
    assert "508.1f" not in before or place <= before.index("508.1f")


def test_a_rule_that_decided_a_similar_case_may_come_first(without_cases: Rules, newest_rules: Rules) -> None:
    for question, rule in (
        ("how many poison counters to lose", "104.3d"),
        ("can I play two lands in a turn", "305.2a"),
    ):
        first, before = (it.ask(question)[0]["number"] for it in (newest_rules, without_cases))
        assert (first, before != rule) == (rule, True)


def test_what_no_case_is_like_is_answered_as_without_cases(with_cases: Rules, without_cases: Rules) -> None:
    for words in ("what does annihilator do to my planeswalker", "how is the die rolled", "trample"):
        assert with_cases.ask(words).rows == without_cases.ask(words).rows


def test_a_case_cites_provisions_and_check_names_what_rots(with_cases: Rules) -> None:
    asked = "SELECT ?p WHERE { GRAPH ?g { ?case a rg:SolvedCase ; dcterms:references ?p } } ORDER BY ?p"
    then = bundled_lives()
    expected = {then.holding(number, "cr-2008-02-01") for number in ("310.4", "308.2c")}
    assert {str(row["p"]).rpartition("/")[2] for row in with_cases.sparql(asked)} == expected
    found = [row for row in with_cases.check().records() if row["check"] == "case-citation"]
    said = "the rule that was 310.4 on 2008-02-01 is gone from cr-2026-01-16."
    assert [row["message"] for row in found] == [said]


def test_a_set_of_cases_is_replaced_and_dropped(tmp_path: Path, run: Run) -> None:
    mini_text = Path(__file__).parent / "mini" / "lanterns-2031-07-01.txt"
    file = tmp_path / "asked.jsonl"
    store = tmp_path / "store"
    file.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    for _ in range(2):
        code, _, err = run("build", mini_text, file, "--store", store)
        assert (code, "asked: 1 case." in err) == (0, True)
    size = rulesgraph.open(store).sparql("SELECT ?case WHERE { GRAPH ?g { ?case a rg:SolvedCase } }")
    assert len(size) == 1
    assert run("drop", "asked", "--store", store)[0] == 0
    assert run("drop", "asked", "--store", store)[0] != 0


def test_the_bundled_cases_cite_rules_of_two_editions() -> None:
    lives = bundled_lives()
    cases = bundled_cases()
    # No judge is said to have answered them.
    assert {it["source"] for it in cases} == {"made up for rulesgraph"}
    assert len(cases) == 1471
    assert {case["as_of"] for case in cases} == {"cr-2026-01-16"}
    held = [lives.holding(it, case["as_of"]) for case in cases for it in case["rules"].split()]
    assert all(held)
    assert all(lives.at(it, "cr-2026-04-17") for it in held)
    assert {case["licence"] for case in cases} == {"CC0-1.0"}
    assert {case["part"] for case in cases} == {"tuned", "unseen"}
    assert len({case["question"] for case in cases}) == len(cases)


def test_weak_likeness_has_a_say_and_strong_likeness_more(with_cases: Rules) -> None:
    near = cases_alike(with_cases.session, ASKED, "cr-2026-01-16")
    far = cases_alike(with_cases.session, "is an untapped creature a blocker", "cr-2026-01-16")
    assert [it.rules for it in (*near, *far)] == [("508.1f",)] * 2
    assert LIKE <= near[0].likeness > far[0].likeness > 0
    assert votes(near)["508.1f"] > votes(far)["508.1f"] > 0
    assert not [
        note for note in with_cases.ask("is an untapped creature a blocker").notes if "Judges" in note
    ]


def test_words_beside_a_question_find_cases_too(with_cases: Rules) -> None:
    assert not cases_alike(with_cases.session, "who wins", "cr-2026-01-16")
    [found] = cases_alike(with_cases.session, "who wins", "cr-2026-01-16", {"combat": 0.5})
    assert found.rules == ("508.1f",)


def test_a_case_that_names_the_same_card_is_nearer(with_cases: Rules) -> None:
    """The name is removed from a question's words, but cases may have it as well."""
    recognised = recognise(with_cases.session, ASKED)
    likeness = [
        closest(with_cases.session, recognised, beside=AlsoSought(whole=whole), cases=True).cases[0].likeness
        for whole in ("", f"{ASKED} began", f"{ASKED} Frobnic")
    ]
    assert likeness[1] > likeness[0] > likeness[2]


def test_the_bundled_cases_are_given_out_as_build_reads_them(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(run("questions", "--cases")[1], encoding="utf-8")
    assert read_cases(file).cases == read_cases(bundled_file()).cases


TWO_LEGENDS = "Each of us controls a legendary creature of the same name; must one go?"


def test_the_bundled_cases_count_where_rules_have_permanent_ids(
    shared: Path, newest_rules: Rules, without_cases: Rules, tmp_path: Path
) -> None:
    """They need not be loaded; an edition without any permanent id belongs to another game."""
    [bundled] = [it for it in bundled_cases() if it["question"] == TWO_LEGENDS]
    [case] = [it for it in newest_rules.ask(TWO_LEGENDS).cases if it.question == TWO_LEGENDS]
    assert case[:4] == (TWO_LEGENDS, bundled["answer"], ("704.5j",), "made up for rulesgraph")
    assert (case.as_of, case.changed) == ("2026-01-16", ())
    assert without_cases.ask(TWO_LEGENDS).cases == ()
    assert len(newest_rules.sparql("SELECT ?case WHERE { GRAPH ?g { ?case a rg:SolvedCase } }")) == 0
    mini_text = Path(__file__).parent / "mini" / "lanterns-2031-07-01.txt"
    other = rulesgraph.build([mini_text], store=":memory:").rules
    assert cases_alike(other.session, TWO_LEGENDS, "cr-2031-07-01") == []
    # A text of the rules that the authority file does not have, with one word changed, and a number.
    words = rules(shared, "2026-01-16").read_text(encoding="utf-8-sig")
    text = tmp_path / "newer.txt"
    text.write_text(
        words.replace("January 16, 2026", "January 17, 2031").replace("\n704.5y ", "\n704.5zz "),
        encoding="utf-8",
    )
    newer = rulesgraph.build([text], store=":memory:").rules
    assert case in newer.ask(TWO_LEGENDS).cases


def test_a_case_whose_rule_was_reworded_says_so(shared: Path, tmp_path: Path) -> None:
    file = tmp_path / "bundled-cases.jsonl"
    file.write_text(
        json.dumps({"question": TWO_LEGENDS, "rules": "420.5e", "as_of": "2008-02-01"}), encoding="utf-8"
    )
    now = rulesgraph.build([rules(shared, "2026-01-16"), file], store=":memory:").rules
    [note] = [it for it in now.ask(TWO_LEGENDS).notes if it.startswith("A similar case")]
    source = "no source given, as of 2008-02-01; reworded since: 704.5j"
    assert note == f"A similar case ({source}): “{TWO_LEGENDS}” → 704.5j"


def test_a_case_that_only_shares_words_is_not_shown(newest_rules: Rules) -> None:
    """One of the best three rules decided each case that is shown."""
    asked = "can you counter a land"
    found = newest_rules.ask(asked)
    alike = [it for it in cases_alike(newest_rules.session, asked, found.edition) if it.likeness >= LIKE]
    assert found.rows[0][0] == "305.1"
    best = {row[0] for row in found.rows[:3]}
    assert [it for it in alike if best.isdisjoint(it.rules)]
    assert found.cases
    assert not any(best.isdisjoint(it.rules) and it.likeness < SAME for it in found.cases)


def test_what_was_decided_by_later_words_is_not_shown(shared: Path, store_of: Callable[..., Path]) -> None:
    """In 2008 both of two legends were lost: the case says what today's words decide."""
    then = rulesgraph.open(store_of(rules(shared, "2008-02-01")))
    alike = cases_alike(then.session, TWO_LEGENDS, "cr-2008-02-01")
    assert (alike[0].question, alike[0].rules) == (TWO_LEGENDS, ("420.5e",))
    assert reworded(then.session, alike[0], "cr-2008-02-01") == ("420.5e",)
    shown = then.ask(TWO_LEGENDS)
    assert "420.5e" in [row[0] for row in shown.rows]
    assert [it for it in shown.cases if it.changed] == []
    assert TWO_LEGENDS not in [it.question for it in shown.cases]


def test_that_the_rules_of_similar_cases_are_not_loaded_is_said(run: Run, tmp_path: Path) -> None:
    file, alone, other = (tmp_path / name for name in ("asked.jsonl", "alone", "other"))
    file.write_text(json.dumps({"id": "one", **CASE}) + "\n", encoding="utf-8")
    mini_text = Path(__file__).parent / "mini" / "lanterns-2031-07-01.txt"
    assert run("build", file, "--store", alone)[0] == 0
    assert run("build", mini_text, file, "--store", other)[0] == 0
    code, _, err = run("ask", ASKED, "--store", alone)
    assert (code, err.splitlines()[0]) == (1, "rulesgraph: no edition of the comprehensive rules is loaded")
    found = rulesgraph.open(other).ask(str(CASE["question"]))
    assert (
        found.lead[-1] == "Similar cases were found, but cr-2031-07-01 has none of the rules that they cite."
    )
    assert found.cases[0].rules == ("308.2c", "310.4")


def test_the_bundled_cases_are_given_out_by_part(run: Run) -> None:
    told = {it: run("questions", "--cases", it)[1].splitlines() for it in ("tuned", "unseen")}
    halves = Counter(it["part"] for it in bundled_cases())
    assert {it: len(lines) for it, lines in told.items()} == halves
    assert all(json.loads(line)["part"] == it for it, lines in told.items() for line in lines)
    assert run("questions", "--cases", "other")[0] == 2
