"""Words quoted from the glossary are compared with their entry, and with the rules that it leads to."""

from __future__ import annotations

import json

import pytest
import rulesgraph

BASE = "https://w3id.org/rulesgraph/"
RIGHT = "Dusk checks are made by the evening itself and not by any keeper."
WRONG = RIGHT.replace("and not", "or else")
FORMS = (
    '{{"term": "Dusk Checks", "quote": "{words}"}}',
    '[{{"entry": "dusk check", "definition": "{words}"}}]',
    f'{{{{"iri": "{BASE}term/dusk-checks", "text": "{{words}}"}}}}',
    f'{{{{"quote": "{{words}}", "source": "{BASE}edition/cr-2031-07-01/entry/dusk-checks"}}}}',
    'The glossary says of dusk checks: "{words}"',
    "According to the glossary entry for Dusk Checks, “{words}”",
    "“{words}” (Glossary, “Dusk Checks”)",
    'The rules define dusk checks as "{words}"',
    f"{BASE}term/dusk-checks: “{{words}}”",
    f"[“{{words}}”]({BASE}term/dusk-checks)",
)


@pytest.mark.parametrize("form", FORMS)
def test_altered_words_of_an_entry_are_told(mini_rules: rulesgraph.Rules, form: str) -> None:
    right = mini_rules.verify(form.format(words=RIGHT))
    assert (right.rows, right.checked and right.checked["not_checked"]) == ((), 0)
    assert right.checked
    assert right.checked["citations"] == 1 + (BASE in form)
    [row] = mini_rules.verify(form.format(words=WRONG)).records()
    assert (row["number"], row["finding"], row["severity"]) == ("Dusk Checks", "words", "warning")
    assert row["message"] == "these words are not in “Dusk Checks” of the glossary"
    assert (row["quote"], row["wording"], row["edition"]) == (WRONG, RIGHT, "cr-2031-07-01")


def test_an_entry_is_quoted_with_the_rules_that_it_leads_to(mini_rules: rulesgraph.Rules) -> None:
    words = "Dusk checks happen whenever a keeper would take a turn. They wait for nobody."
    assert mini_rules.verify(json.dumps({"term": "Dusk Checks", "quote": words})).rows == ()
    wrong = words.replace("nobody", "everybody")
    [row] = mini_rules.verify(json.dumps({"term": "Dusk Checks", "quote": wrong})).records()
    assert (row["finding"], row["wording"]) == ("words", words)
    # These are the words of another entry, and of a rule.
    [row] = mini_rules.verify(f"“{RIGHT}” (glossary, Keeper)").records()
    assert row["message"] == "these words are not in “Keeper” of the glossary; they are in “Dusk Checks”"
    [row] = mini_rules.verify(f"The glossary says of keepers: “{words}”").records()
    assert (row["number"], row["now"]) == ("Keeper", "310.1")


@pytest.mark.parametrize(
    ("text", "not_checked"),
    [
        (f'The glossary says: "{RIGHT}"', 0),  # of any entry
        ('The glossary says of moths: "quite another thing, and none of the words of it at all"', 1),
        (
            '{"name": "Glimmer", "text": "Pay two oil: put a moth into your own hand, then shuffle."}',
            1,
        ),
        ('My dictionary defines a moth as "an insect with wings that flies at night, mostly"', 1),
        ('She defines it as "an insect with wings that flies at night, mostly"', 0),
        (f'The glossary and rule 310 agree: "{RIGHT}"', 0),
    ],
)
def test_what_is_not_like_an_entry_is_not_checked(
    mini_rules: rulesgraph.Rules, text: str, not_checked: int
) -> None:
    answer = mini_rules.verify(text)
    assert (answer.rows, answer.checked and answer.checked["not_checked"]) == ((), not_checked)
