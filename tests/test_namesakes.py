"""Names are found by what an edition calls a thing, and in other forms of their words."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.loaders.language.verbs import verbs_of_noun
from rulesgraph.ontology.errors import UnknownNameError

MINI = Path(__file__).parent / "mini" / "lanterns-2031-02-01.txt"
OLD, NEW = "cr-2031-02-01", "cr-2031-04-01"


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> rulesgraph.Rules:
    """Two editions: *Lantern, Light* of the older one is two entries in the newer, and two titles differ."""
    text = MINI.read_text(encoding="utf-8")
    newer = (
        text.replace("February 1", "April 1")
        .replace("202. Moths", "202. Handling Moths")
        .replace("201. Lanterns", "201. Minding Oil")
        .replace("Lantern, Light\n", "Lantern\n")
        .replace("Lose the Evening\nA", "Light\nWhat a lantern gives.\n\nLose the Evening\nA")
        .replace("Last Light (Informal)\n", 'Last Light (Informal)\nSee "Candles" in this Glossary.\n')
    )
    later = tmp_path_factory.mktemp("later") / "lanterns-2031-04-01.txt"
    later.write_text(newer, encoding="utf-8")
    return rulesgraph.build([MINI, later], store=":memory:").rules


@pytest.mark.parametrize(
    ("name", "edition", "line", "note"),
    [
        # a name of a heading, though another edition has a term of that name
        ("light", OLD, 117, ["Light is found under Lantern in cr-2031-02-01."]),
        ("Light", NEW, 124, []),
        ("Light", None, 124, []),
        # in another form, in one edition and in all
        ("Lost the evening", OLD, 123, ["Lost the evening is another form of Lose the Evening."]),
        ("Fluttering", None, 102, ["Fluttering is another form of Flutter."]),
    ],
)
def test_a_name_is_what_the_edition_calls_so(
    rules: rulesgraph.Rules, name: str, edition: str | None, line: int, note: list[str]
) -> None:
    answer = rules.ask("definition", name, edition=edition)
    assert (answer.records()[0]["line"], list(answer.notes)) == (line, note)


def test_a_heading_of_several_names_is_followed_by_each(rules: rulesgraph.Rules) -> None:
    for name in ("Light", "Lantern", "Lantern, Light"):
        assert [row[:3] for row in rules.trace(name, OLD).rows] == [
            (OLD, "Lantern, Light", ""),
            (NEW, "Lantern", "unchanged"),
            (NEW, "Light", "split"),
            (OLD, "201", ""),  # the rule that defines it
            (NEW, "201", "reworded"),
        ]
    assert [row[1:3] for row in rules.trace("Minding Oil", NEW, OLD).rows] == [
        ("201", ""),
        ("201", "reworded"),
    ]
    with pytest.raises(UnknownNameError, match="no rule or entry is called 'Wick'"):
        rules.trace("Wick", NEW)


def test_a_title_leads_to_what_the_rules_below_it_define(rules: rulesgraph.Rules) -> None:
    answer = rules.ask("defining_rules", "handling moths")
    assert [row["rule"] for row in answer.records()] == ["202"]
    assert answer.notes == ("Handling moths is the title of a rule that says what Moth is.",)


def test_what_is_only_referred_to_has_who_refers_to_it(rules: rulesgraph.Rules) -> None:
    assert [row["term"] for row in rules.ask("terms_relying_on", "Candles")] == ["Last Light"]
    assert rules.ask("definition", "Candles").rows == ()
    with pytest.raises(UnknownNameError, match=f"no term or number of {OLD} is called 'Candles'"):
        rules.ask("definition", "Candles", edition=OLD)


@pytest.mark.parametrize(
    ("noun", "verb"),
    [
        ("regeneration", "regenerate"),
        ("transformation", "transform"),
        ("exploration", "explore"),
        ("prevention", "prevent"),
        ("attachment", "attach"),
        ("resolution", "resolve"),
    ],
)
def test_nouns_for_what_is_done_lead_to_the_verb(noun: str, verb: str) -> None:
    assert verb in verbs_of_noun(noun)


@pytest.mark.parametrize("noun", ["champion", "moment", "lantern", "ion", "ment"])
def test_other_nouns_lead_nowhere(noun: str) -> None:
    assert verbs_of_noun(noun) == ()


@pytest.mark.parametrize("words", ["What is Minding Oil?", "minding oil", "define minding oil"])
def test_a_title_is_asked_about_in_words(rules: rulesgraph.Rules, words: str) -> None:
    answer = rules.ask(words)
    assert (answer.name, answer.rows) == ("definition", rules.ask("definition", "Minding Oil").rows)
