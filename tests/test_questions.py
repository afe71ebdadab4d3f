"""Questions made from the graph: the same everywhere, verified in a second way, and scored."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import real
import rulesgraph
from commands import Run
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.questioning.making import KINDS, EditionLinks, RulesQuestion, make
from rulesgraph.queries.questioning.scoring import COLUMNS, score

NEW = "cr-2031-07-01"

CITED = (
    "?part dcterms:isPartOf* ?rule . ?part a rg:Rule ; rg:cites ?cited . "
    "?cited a rg:Rule ; rg:firstLine ?begins "
    "FILTER NOT EXISTS { ?cited dcterms:isPartOf* ?rule }"
)
TERM = '?term skos:prefLabel "%s"@en ; rg:definedBy ?rule .'
RULE = '?rule a rg:Rule ; rg:firstLine ?at ; skos:notation "%s" .'
TWICE = (
    f"{TERM} {CITED} . ?below dcterms:isPartOf* ?cited . ?below a rg:Rule ; rg:cites ?end . "
    "?end a rg:Rule ; rg:firstLine ?ends "
    "FILTER NOT EXISTS { ?end dcterms:isPartOf* ?cited }"
)

SECOND_WAY = {
    "defining rule": f"SELECT DISTINCT ?a {{ {TERM} ?rule skos:notation ?a }}",
    "no such term": f"SELECT DISTINCT ?a {{ {TERM} ?rule skos:notation ?a }}",
    "cited rules": f"SELECT DISTINCT ?a {{ {RULE} {CITED} . ?cited skos:notation ?a }}",
    "no such rule": f"SELECT DISTINCT ?a {{ {RULE} ?rule skos:notation ?a }}",
    "number given up": f"SELECT DISTINCT ?a {{ {RULE} ?rule skos:notation ?a }}",
    "citing rules": f"SELECT DISTINCT ?a {{ {RULE} ?c rg:cites ?rule ; a rg:Rule ; skos:notation ?a "
    "FILTER NOT EXISTS { ?c dcterms:isPartOf* ?rule } }",
    "cited by definition": f"SELECT DISTINCT ?a {{ {TERM} {CITED} . ?cited skos:notation ?a }}",
    "citing definition": f"SELECT DISTINCT ?a {{ {TERM} ?c rg:cites ?rule ; a rg:Rule ; skos:notation ?a "
    "FILTER NOT EXISTS { ?c dcterms:isPartOf* ?rule } }",
    "terms cited": f"SELECT DISTINCT ?a {{ {TERM} {CITED} . ?other rg:definedBy ?cited ; skos:prefLabel ?a "
    "FILTER(?other != ?term) }",
    "cited twice": f"SELECT DISTINCT ?a {{ {TWICE} ?end skos:notation ?a }}",
    "terms cited twice": f"SELECT DISTINCT ?a {{ {TWICE} ?other rg:definedBy ?end ; skos:prefLabel ?a "
    "FILTER(?other != ?term) }",
    "new number": "SELECT DISTINCT ?a { GRAPH ?history { ?new rg:renumberedFrom ?old } "
    'GRAPH ?then { ?old skos:notation "%s" } GRAPH ?now { ?new skos:notation ?a ; rg:inEdition ed:NEWEST } }',
}


def subject(question: RulesQuestion) -> str:
    """Return the term or number that a question names, read from its words."""
    words = question.question.partition(": ")[2]
    for before, behind in (
        ("does rule ", ", with"),
        ("outside of rule ", " cite"),
        ("does rule ", " of "),
        ("the rule defining ", " cites"),
        ("the rule that defines ", " cite,"),
        ("very rule that defines ", "?"),
        ("rule defines ", "?"),
    ):
        if before in words and behind in words:
            return words.partition(before)[2].rpartition(behind)[0]
    raise AssertionError(words)


def test_a_question_has_its_gold_and_the_way_there(mini_rules: rulesgraph.Rules) -> None:
    found = {str(it["kind"]): it for it in mini_rules.quiz(seed=1, count=5)}
    assert list(found) == [kind for kind in KINDS if kind in found]
    assert found["cited rules"] == {
        "id": f"{NEW}/1/2",
        "kind": "cited rules",
        "hops": 1,
        "question": "By the rules of 2031-07-01: "
        "To which other rules does rule 202, with its parts, send its reader?",
        "asks": "rules",
        "answerable": True,
        "answer": ["310.2"],
        "rules": ["202", "310.2"],
        "chain": [["202", "cites", "310.2"]],
        "edition": NEW,
    }
    assert found["no such rule"]["answer"] == []
    assert found["no such rule"]["answerable"] is False


def test_the_same_seed_gives_the_same_and_more_begin_with_fewer(mini_rules: rulesgraph.Rules) -> None:
    many = mini_rules.quiz(seed=7, count=40)
    assert mini_rules.quiz(seed=7, count=40) == many
    assert mini_rules.quiz(seed=7, count=9) == many[:9]
    assert mini_rules.quiz(seed=8, count=40) != many
    assert [it["id"] for it in many][:2] == [f"{NEW}/7/1", f"{NEW}/7/2"]


def test_another_process_with_another_hash_seed_makes_the_same(run: Run, mini_store: Path) -> None:
    arguments = ["questions", "--seed", "3", "--n", "30", "--store", str(mini_store)]
    here = run(*arguments)[1]
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-m", "rulesgraph.app.cli", *arguments],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == here


def is_right_by_a_second_way(rules: rulesgraph.Rules, made: Sequence[RulesQuestion]) -> None:
    for it in made:
        query = SECOND_WAY[it.kind].replace("NEWEST", it.edition) % subject(it)
        found = rules.sparql(query, edition=None if it.kind == "new number" else it.edition)
        assert isinstance(found, rulesgraph.Answer)
        assert {str(row[0]) for row in found.rows} == set(it.answer), it.question
        assert it.answerable == bool(it.answer)


def test_the_gold_is_right_by_a_second_way(mini_rules: rulesgraph.Rules) -> None:
    made = make(EditionLinks(mini_rules.session), 11, 60)
    assert {it.kind for it in made} == set(SECOND_WAY) - {"cited twice", "terms cited twice"}
    is_right_by_a_second_way(mini_rules, made)


@pytest.mark.long(small="test_the_gold_is_right_by_a_second_way")
def test_the_gold_of_real_editions_is_right_by_a_second_way(
    shared: Path, store_of: Callable[..., Path]
) -> None:
    rules = rulesgraph.open(store_of(*(real.rules(shared, day) for day in real.AROUND)))
    made = make(EditionLinks(rules.session), 11, 96)
    assert {it.kind for it in made} == set(KINDS) == set(SECOND_WAY)
    assert {it.hops for it in made} == {1, 2, 3, 4}
    is_right_by_a_second_way(rules, made)


def test_every_step_of_a_chain_is_in_the_graph(mini_rules: rulesgraph.Rules) -> None:
    it = EditionLinks(mini_rules.session)
    for question in make(it, 5, 60):
        for start, link, end in question.chain:
            if link == "cites":
                assert end in it.cites[start] or start in it.cited_by[end]
            elif link == "defines":
                assert end in it.defines[start]
            elif link == "defined by":
                assert it.defined_by[start] == end
            else:
                assert it.moved[start] == end


def answers(rules: rulesgraph.Rules, change: Callable[[dict[str, object]], object]) -> list[str]:
    made = rules.quiz(seed=2, count=24)
    return [json.dumps({"id": it["id"], "answer": change(dict(it))}) for it in made]


def test_the_gold_scores_full_marks_and_nothing_scores_none(mini_rules: rulesgraph.Rules) -> None:
    full = mini_rules.mark(answers(mini_rules, lambda it: it["answer"]), seed=2, count=24)
    assert full.columns == COLUMNS
    assert {row[4:] for row in full.rows} == {(1.0, 1.0, 1.0)}
    assert full.rows[-1][:4] == ("all", None, 24, 24)
    none = mini_rules.mark([], seed=2, count=24)
    assert {row[3:] for row in none.rows} == {(0, 0.0, 0.0, 0.0)}


def test_texts_are_read_for_what_they_cite(mini_rules: rulesgraph.Rules) -> None:
    def worded(it: dict[str, object]) -> str:
        given = list(it["answer"])  # type: ignore[call-overload]
        return ", ".join(given if it["asks"] == "terms" else [f"rule {number}" for number in given])

    assert mini_rules.mark(answers(mini_rules, worded), seed=2, count=24).rows[-1][4:] == (1.0, 1.0, 1.0)


def test_one_answer_too_many_costs_precision_alone(mini_rules: rulesgraph.Rules) -> None:
    [row, _] = mini_rules.mark(
        [json.dumps({"id": f"{NEW}/1/1", "answer": [*mini_rules.quiz(seed=1, count=1)[0]["answer"], "999"]})],  # type: ignore[misc]
        seed=1,
        count=1,
    ).rows
    assert row == ("defining rule", 1, 1, 1, 0.0, 0.5, 1.0)


def asked(text: str, asks: str, *answer: str) -> RulesQuestion:
    return RulesQuestion("x", "kind", 1, text, asks, bool(answer), answer, answer, (), NEW)


NO_RULE = asked("By the rules of 2031-07-01: To which rules does rule 700.3z send its reader?", "rules")
NO_TERM = asked("By the rules of 2031-07-01: Which rule defines Gloomtide?", "rules")
RULES = asked("By the rules of 2031-07-01: Which rules does rule 700.3 cite?", "rules", "510.1c", "702.19b")
TERMS = asked("Which terms are defined there?", "terms", "Trample", "Fades In, Fades Out", "Seek and Hide")


@pytest.mark.parametrize(
    ("question", "answer", "is_right"),
    [
        (NO_RULE, "There is no rule 700.3z.", True),
        (NO_RULE, "Rule 700.3z does not exist; the last part of it is 700.3c.", True),
        (NO_RULE, "None.", True),
        (NO_RULE, [], True),
        (NO_RULE, "700.3z", False),
        (NO_RULE, "It sends its reader to rule 510.1.", False),
        (NO_RULE, "There is no doubt: to 510.1.", False),
        (NO_RULE, "To no other rule than 510.1; besides, to 510.2.", False),
        (NO_RULE, "Not sure, but I think 510.1.", False),
        (NO_RULE, ["510.1"], False),
        (NO_TERM, "No rule defines Gloomtide.", True),
        (NO_TERM, "Gloomtide is defined by rule 702.5.", False),
        (RULES, "Rule 700.3 cites rules 510.1c and 702.19b.", True),
        (RULES, ["CR 510.1c", "Rule 702.19b."], True),
        (RULES, "CR 510.1c; CR 702.19b", True),
        (RULES, "510.1c and 702.19b, not 702.19a.", True),
        (RULES, "510.1c and 702.19c", False),
        (RULES, "There is no rule 700.3.", False),
        (RULES, "700.3", False),
        (RULES, ["510.1c", "702.19b", "700.3"], False),
        (TERMS, "Trample, Fades In, Fades Out and Seek and Hide", True),
        (TERMS, "The terms are Trample (702.19), Fades In, Fades Out, and Seek and Hide.", True),
        (TERMS, "* **Trample**\n* **Fades In, Fades Out**\n* **Seek and Hide**", True),
        (TERMS, "Trample Twice, Fades In, Fades Out, Seek and Hide", False),
        (TERMS, "Trample, Haste, Fades In, Fades Out, Seek and Hide", False),
        (TERMS, "There are no such terms.", False),
    ],
)
def test_an_answer_is_scored_by_what_it_says(
    question: RulesQuestion, answer: str | list[str], is_right: bool
) -> None:
    given = answer if isinstance(answer, str) else frozenset(answer)
    assert score([question], {"x": given}).rows[-1][4] == float(is_right)


def test_answers_to_other_questions_are_told(mini_rules: rulesgraph.Rules) -> None:
    given = [*answers(mini_rules, lambda it: it["answer"])]
    with pytest.raises(UsageError, match=f"{NEW}/2/1 is not one of {NEW}/0/1 to {NEW}/0/24"):
        mini_rules.mark(given, count=24)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "this is not valid JSON"),
        ("[" * 100_000, "this is not valid JSON"),
        ("[]", "expected an object with `id` and `answer`"),
        ('{"id": "x"}', "expected an object with `id` and `answer`"),
        ('{"id": "x", "answer": 7}', "expected an object with `id` and `answer`"),
    ],
)
def test_lines_that_are_no_answers(mini_rules: rulesgraph.Rules, line: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        mini_rules.mark([line])


def test_the_command_makes_questions_and_scores_answers(run: Run, mini_store: Path, tmp_path: Path) -> None:
    code, out, err = run("questions", "--seed", "1", "--n", "5", "--store", mini_store)
    assert (code, err) == (0, "5 questions\n")
    made = [json.loads(line) for line in out.splitlines()]
    assert list(made[0]) == ("id kind hops question asks answerable answer rules chain edition".split())
    given = tmp_path / "answers.jsonl"
    given.write_text("".join(json.dumps({"id": it["id"], "answer": it["answer"]}) + "\n" for it in made))
    code, out, _ = run(
        "questions", "--seed", "1", "--n", "5", "--score", given, "--format", "json", "--store", mini_store
    )
    assert (code, json.loads(out)[-1]["exact"]) == (0, 1.0)
    assert run("questions", "--n", "0", "--store", mini_store)[0] == 2
    assert run("questions", "--n", "100000", "--store", mini_store)[0] == 1
    assert run("questions", "--score", tmp_path / "none", "--store", mini_store)[0] == 2


def test_there_must_be_rules(starter_store: Path, mini_rules: rulesgraph.Rules) -> None:
    with pytest.raises(UsageError, match="no edition of the comprehensive rules is loaded"):
        rulesgraph.open(starter_store).quiz()
    with pytest.raises(UnknownNameError):
        mini_rules.quiz(edition="cr-1999-01-01")
    with pytest.raises(UsageError, match="the limit is 0"):
        mini_rules.quiz(count=0)
