"""Old names that still have an entry lead to the new ones, also in a store of one edition."""

from __future__ import annotations

import pytest
import rulesgraph
from asking import session_of
from rulesgraph.queries.finding.names import identify

_OLD = (
    "t:old a rg:Term ; skos:prefLabel 'Old'@en . t:new a rg:Term ; skos:prefLabel 'New Lamp'@en . "
    "e:old a rg:Entry ; rg:defines t:old ; rg:status rg:Obsolete . "
    "e:p a rg:Paragraph ; dcterms:isPartOf e:old ; rg:text {text} ; rg:firstLine 1 . "
)


@pytest.mark.parametrize(
    ("text", "more", "now"),
    [
        ("'An obsolete term for a new lamp. See New Lamp.'", "", "New Lamp"),
        ("'It is now called the new lamp.'", "", "New Lamp"),
        # to the term of the one rule that is cited
        ("'A lamp that was renamed. See rule 1.'", "e:p rg:cites e:r . t:new rg:definedBy e:r .", "New Lamp"),
        ("'A kind of lamp. See rule 1.'", "e:p rg:cites e:r . t:new rg:definedBy e:r .", None),
        # where to look, and nothing else
        ("'See New Lamp.'", "t:old rg:redirectsTo t:new .", "New Lamp"),
        # what is in the place of a thing is another thing
        ("'Cards with old on them now use \"new lamp\".'", "", None),
        ("'An obsolete term for the fog.'", "", None),
    ],
)  # fmt: skip
def test_an_obsolete_entry_says_what_its_term_is_called_now(text: str, more: str, now: str | None) -> None:
    session = session_of(_OLD.format(text=text) + more)
    assert [alias.name for alias in identify(session, "old").renamed] == ([now] if now else [])


OTHER_NAMES = [("In Play", "Battlefield"), ("Totem Armor", "Umbra Armor"), ("Tribal", "Kindred")]
OTHERS = pytest.mark.long(small="test_one_edition_is_enough_to_follow_its_obsolete_names")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Converted Mana Cost", "Mana Value"),
        *(pytest.param(*names, marks=OTHERS) for names in OTHER_NAMES),
    ],
)
def test_one_edition_is_enough_to_follow_its_obsolete_names(
    newest_rules: rulesgraph.Rules, old: str, new: str
) -> None:
    said = f"{old} is now called {new}: both names count."
    asked, meant = (newest_rules.ask("terms_relying_on", name) for name in (old, new))
    assert said in asked.notes
    assert {row[0] for row in meant.rows} - {old, new} <= {row[0] for row in asked.rows}
    assert newest_rules.show(old).notes[0] == said
    assert newest_rules.why(old, "Permanent").notes[0] == said
    assert newest_rules.interaction(old, "Spell").notes[0] == said


def test_an_entry_that_only_says_what_stands_in_its_place_is_not_followed(
    newest_rules: rulesgraph.Rules,
) -> None:
    for name in ("Interrupt", "Summon", "Mana Burn", "Snow-Covered", "Bury"):
        assert identify(newest_rules.session, name).renamed == ()


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        ("life total", "Life total is found under Life."),
        ("artifacts", None),
        ("state based actions", None),
        ("Battlefields", None),
    ],
)
def test_an_answer_by_another_name_than_the_one_typed_says_so(
    newest_rules: rulesgraph.Rules, typed: str, remark: str | None
) -> None:
    notes = newest_rules.ask("definition", typed).notes
    assert [note for note in notes if "is found under" in note] == ([remark] if remark else [])
