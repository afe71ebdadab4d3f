"""JSON is checked like prose: a number with its quotation, answers, messages, an answer on each line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import pytest
import rulesgraph
from rulesgraph.ontology.terms import RG
from sweep import PartOf

TRIM = "To trim a lantern means to take one oil from it and turn it to the right."
WRONG = TRIM.replace("one oil", "all oil")
SEED = 20261128

# Words of a rule, and what turns them into others.
CHANGES = {
    "can’t": "can",
    "can't": "can",
    "may": "must",
    "is": "isn’t",
    "all": "no",
    "creature": "artifact",
    "battlefield": "graveyard",
    "one": "two",
}

FORMS: dict[str, Callable[[str, str], object]] = {
    "pair": lambda number, words: {"rule": number, "quote": words},
    "pair with an explanation": lambda number, words: {
        "why": "It is so by rule 100.1, as ever.", "text": words, "rule": f"CR {number}"
    },
    "number within": lambda number, words: {"quote": words, "source": {"rule": number, "line": 7}},
    "quotation within": lambda number, words: {"rule": number, "support": {"quote": words}},
    "number as a key": lambda number, words: {number: words},
    "numbers as keys": lambda number, words: {"404": "Not found.", f"CR {number}": words},
    "answer": lambda number, words: {"answer": f'The rules are plain: "{words}" (rule {number})'},
    "answer and its rules": lambda number, words: {
        "answer": f'The rules are plain: "{words}" (rule {number})', "rules": [number]
    },
    "messages": lambda number, words: [
        {"role": "user", "content": "What do the rules say?"},
        {"role": "assistant", "content": f"They say this:\n\n“{words}” (rule {number})"},
    ],
}  # fmt: skip


def written(form: str, number: str, words: str, layout: int | None = None, *, ascii: bool = True) -> str:
    return json.dumps(FORMS[form](number, words), indent=layout, ensure_ascii=ascii)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layout", [None, 2])
def test_a_quotation_in_json_is_checked(mini_rules: rulesgraph.Rules, form: str, layout: int | None) -> None:
    for plain in (False, True):
        right = mini_rules.verify(written(form, "201.2", TRIM, layout, ascii=plain), strict=True)
        assert not right.rows
        wrong = mini_rules.verify(written(form, "201.2", WRONG, layout, ascii=plain))
        assert [row[3:6] for row in wrong.rows] == [("201.2", "words", "warning")]


def test_a_finding_has_its_line(mini_rules: rulesgraph.Rules) -> None:
    found = mini_rules.verify(written("answer and its rules", "201.2", WRONG, 2), every=True)
    assert [(row[0], *row[3:5]) for row in found.rows] == [(2, "201.2", "words"), (3, "201.2", "stands")]


def test_each_line_of_json_is_one_answer(mini_rules: rulesgraph.Rules) -> None:
    lines = [written("answer", "201.2", words) for words in (TRIM, WRONG)] + ['{"said": "Rule 201.2."}']
    found = mini_rules.verify("\n".join(lines), strict=True)
    assert [(row[0], *row[3:5]) for row in found.rows] == [(2, "201.2", "words")]
    assert (found.checked or {})["citations"] == 3


def test_what_a_quotation_cites_does_not_take_it_away(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("104.3d").text
    assert "rule 704" in words
    wrong = words.replace("loses", "wins")
    assert wrong != words
    for form in FORMS:
        assert [row[3:5] for row in newest_rules.verify(written(form, "104.3d", wrong)).rows] == [
            ("104.3d", "words")
        ]


@pytest.mark.parametrize("form", FORMS)
def test_json_of_a_whole_edition_is_checked_as_well_as_prose(
    newest_rules: rulesgraph.Rules, form: str, part_of: PartOf
) -> None:
    """Of rules drawn by seed, exact words have no finding, and nearly all changed ones have."""
    drawn = random.Random(SEED)
    rules = part_of(drawn.sample([it for it in newest_rules.rules() if len(it.text.split()) >= 8], 120), 50)
    for it in rules:
        found = newest_rules.verify(written(form, it.number, it.text))
        assert [row for row in found.rows if row[3] == it.number] == [], it.number
    changed, told = 0, 0
    for it in rules:
        ways = [word for word in CHANGES if re.search(rf"\b{word}\b", it.text)]
        if ways:
            word = drawn.choice(ways)
            wrong = re.sub(rf"\b{word}\b", CHANGES[word], it.text, count=1)
            changed += 1
            told += bool(newest_rules.verify(written(form, it.number, wrong)).rows)
    assert changed > len(rules) / 2
    assert told >= 0.98 * changed


BASE = "https://w3id.org/rulesgraph/"
NOW = "edition/cr-2031-07-01/rule/201.2"
IRI_FORMS = (
    '{iri} says: "{words}"',
    "“{words}” ({iri})",
    "[“{words}”]({iri})",
    "“{words}” [1]\n\n[1]: {iri}",
    '{{"rule": "{iri}", "quote": "{words}"}}',
    '{{"text": "{words}", "iri": "{iri}"}}',
    '[{{"number": "201.2", "text": "{words}", "edition": "cr-2031-07-01", "line": 5, "iri": "{iri}"}}]',
)


@pytest.mark.parametrize("form", IRI_FORMS)
@pytest.mark.parametrize("iri", [BASE + NOW, "/" + NOW, NOW, f"http://localhost:8000/{NOW}"])
def test_words_beside_an_iri_are_compared_as_beside_its_number(
    mini_rules: rulesgraph.Rules, form: str, iri: str
) -> None:
    right, wrong = (mini_rules.verify(form.format(iri=iri, words=words)) for words in (TRIM, WRONG))
    assert (right.rows, right.checked and right.checked["not_checked"]) == ((), 0)
    [row] = wrong.records()
    assert (row["citation"], row["number"], row["finding"], row["wording"]) == (iri, "201.2", "words", TRIM)
    assert (row["edition"], row["iri"], row["quote"]) == ("cr-2031-07-01", BASE + NOW, WRONG)


def test_words_beside_an_iri_are_those_of_its_edition(mini_rules: rulesgraph.Rules) -> None:
    then = f"{BASE}edition/cr-2031-02-01/rule/201.2"
    left, right = TRIM.replace("right", "left"), f'{then}: "{TRIM}"'
    assert mini_rules.verify(f'{then}: "{left}"').rows == ()
    [row] = mini_rules.verify(right).records()
    assert (row["citation"], row["finding"], row["edition"], row["wording"]) == (
        *(then, "words", "cr-2031-02-01"),
        left,
    )
    permanent = next(iter(mini_rules.session.pairs(None, RG.provision, of=[then])))[1]
    assert mini_rules.verify(f'{{"rule": "{permanent}", "quote": "{TRIM}"}}').rows == ()
    [row] = mini_rules.verify(f'{{"rule": "{permanent}", "quote": "{WRONG}"}}').records()
    assert (row["finding"], row["wording"]) == ("words", TRIM)


def test_a_path_that_only_looks_like_one_of_ours_is_none(mini_rules: rulesgraph.Rules) -> None:
    text = "a long-term/short-term plan, https://example.org/edition/second/rule/7, term/comet, provision/new"
    answer = mini_rules.verify(text, every=True)
    assert (answer.rows, answer.checked and answer.checked["citations"]) == ((), 0)


CLAIMS = [
    ("704.5b", "A player with 0 or less life loses the game"),
    ("702.12b", "Indestructible permanents can be destroyed by lethal damage"),
    ("701.18", "Scry"),
    ("701.22", "Surveil"),
    ("702.19a", "Trample is a static ability"),
]


@pytest.mark.parametrize("around", ["{}", '{{"answers": {}}}'])
def test_claims_are_judged_alike_in_every_layout(newest_rules: rulesgraph.Rules, around: str) -> None:
    """Programs write a list on one line, or an object on each; people see it indented."""
    objects = [{"rule": number, "claim": said} for number, said in CLAIMS]
    indented = json.dumps(objects, indent=1)
    texts = [around.format(indented), around.format(json.dumps(objects))]
    texts += ["\n".join(map(json.dumps, objects))] if around == "{}" else []
    found = []
    for text in texts:
        answer = newest_rules.verify(text, every=True)
        rows = [(row["number"], row["finding"], row["severity"], row["now"]) for row in answer]
        found.append((rows, (answer.checked or {})["not_checked"]))
    assert found[1:] == found[:1] * (len(found) - 1)
    assert {row[0] for row in found[0][0] if row[2] in ("error", "warning")} == {
        "704.5b",
        "702.12b",
        "701.18",
        "701.22",
    }
