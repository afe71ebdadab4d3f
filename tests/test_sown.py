"""Shapes and constraints find errors in a seeded real edition and none in intact ones, in two validators."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pyoxigraph
import pytest
import sown
from asking import session_of
from rdflib import SH, Graph
from real import AROUND
from rulesgraph.queries.checking.conclusions import sparql_violations
from rulesgraph.queries.session import Session
from servers import run_jena
from sweep import PartOf

MISSED = {"mention of what is not named", "renaming only beside it", "more references counted"}
"""No query knows the forms of a word; a term may have been renamed in an edition that is not asked; to count
references takes long.
"""

BROKEN = """
    r:101 a rg:Rule ; rg:inEdition <EDITION> ; rg:level "chapter" ; skos:notation "102" ; rg:firstLine 9 .
    r:101.1 a rg:Rule ; rg:inEdition <EDITION> ; rg:level "rule" ; skos:notation "101.1" ;
        dcterms:isPartOf r:101 ;
        rg:text "Light it (rule 101.2)." ; rg:firstLine 3 ; rg:provision <urn:p> ; rg:mentions t:moth ;
        rg:hasReference <EDITION/rule/101.1/ref/1> .
    <EDITION/rule/101.1/ref/1> rg:surface "rule 101.2" ; a rg:Reference ; rg:start 9 ; rg:end 19 ;
        rg:to r:101.3 ; rg:quotedTitle "Wicks" .
    r:101.3 a rg:Rule ; rg:inEdition <EDITION> ; rg:level "rule" ; skos:notation "101.3" ;
        rg:provision <urn:p> ;
        rg:wording "Light it." ; rg:next r:101.1 ; rg:text "Nothing." .
    r:101.1 rg:next r:101.3 .
    <urn:elsewhere> rg:inEdition <EDITION> .
    <EDITION/fact/1> a rg:Fact ; rg:inEdition <EDITION> ; rg:quote "Never." ; prov:wasDerivedFrom r:101.1 ;
        rg:factSubject t:moth ; rg:factProperty rg:alsoCalled ; rg:factValue "fly" .
    r:101.1 rg:hasChange <EDITION/change/1> ; rg:splitFrom <urn:old> .
    <EDITION/change/1> a rg:Change ; rg:changedFrom <urn:old> ; rg:changeKind code:reworded .
    <EDITION/renaming/1> a rg:Renaming ; rg:oldName t:moth ; rg:newName t:lamp .
    t:moth a rg:Term ; skos:prefLabel "Moth"@en ; rg:definedBy r:101.3 ; rg:hasKind game:Zone .
    t:wick a rg:Term ; skos:prefLabel "Moth"@en .
    t:lamp a rg:Term ; skos:prefLabel "Lamp"@en .
    <EDITION/sense/moth/1> a game:Zone , game:Color ; rg:inEdition <EDITION> ; rg:surface "Moth" .
    game:Zone owl:disjointWith game:Color . rg:surface rdfs:domain rg:Reference .
    e:lamp a rg:Entry ; rg:inEdition <EDITION> ; dcterms:title "Wick" ; rg:defines t:lamp .
"""
"""What breaks each constraint, and little else."""


def test_each_constraint_sees_what_breaks_it() -> None:
    session = session_of(BROKEN.replace("EDITION", "https://w3id.org/rulesgraph/edition/cr-2030-01-01"))
    found = {str(row[1]) for row in sparql_violations(session, session.scope(None))}
    assert found == {str(it).rpartition("#")[2] for it in sown.shapes().subjects(SH.sparql)}


def test_the_small_game_has_the_shapes_of_both_files(mini: Session) -> None:
    assert not list(sparql_violations(mini, mini.scope(None)))


@pytest.mark.long(small="test_each_constraint_sees_what_breaks_it")
def test_a_second_validator_sees_the_same(tmp_path: Path, real: Session, part_of: PartOf) -> None:
    """Apache Jena: what breaks the constraints breaks them there, and a whole edition breaks nothing.

    A whole run also sows errors in the newest edition, as the next test does for pySHACL.
    """
    ours = sown.shapes().serialize(format="nt")
    broken = session_of(BROKEN.replace("EDITION", "https://w3id.org/rulesgraph/edition/cr-2030-01-01"))
    for address in run_jena(tmp_path):

        def report(store: pyoxigraph.Store, to: str = address.replace("/query", "/shacl")) -> Graph:
            data = sown.lines(it.triple for it in store).decode()
            request = urllib.request.Request(to, json.dumps({"data": data, "shapes": ours}).encode())
            request.add_header("Content-Type", "application/json")
            with urllib.request.urlopen(request) as answer:
                return Graph().parse(data=answer.read(), format="nt")

        known = {str(row[1]) for row in sparql_violations(broken, broken.scope(None))}
        assert sown.fired_in(report(sown.whole(broken))) >= known
        assert not list(sparql_violations(real, real.scope(f"cr-{AROUND[0]}")))
        assert not sown.fired_in(report(sown.whole(real, f"cr-{AROUND[0]}")))
        if part_of.is_whole:
            store = sown.whole(real)
            group = sown.apart(store, sown.kinds(), sown.SEED)[0]
            _assert_seen(sown.fired_by(report(sown.changed(store, group)), group))


@pytest.mark.long(small="test_each_constraint_sees_what_breaks_it")
def test_errors_in_a_real_edition_are_seen(real: Session) -> None:
    """Those that have no place in common, in pySHACL; `sown` run as a program sows the others too."""
    store = sown.whole(real)
    group = sown.apart(store, sown.kinds(), sown.SEED)[0]
    _assert_seen(sown.in_rdflib(store, group))


def _assert_seen(fired: dict[str, set[str]]) -> None:
    assert len(fired) > 30
    assert {kind for kind, shapes in fired.items() if not shapes} <= MISSED
