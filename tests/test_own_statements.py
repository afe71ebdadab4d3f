"""Users' own files: each statement is used for reasoning, or named with the reason why not."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from asking import session_on
from pyoxigraph import RdfFormat, parse, serialize
from rulesgraph.loaders.store.results import Solutions
from rulesgraph.ontology.explanation import in_sentences
from rulesgraph.ontology.hierarchy import fits, is_well_formed
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.checking.conclusions import conclude
from rulesgraph.queries.checking.statements import ENOUGH, Names, Own, left_out

HEAD = """\
@prefix rg: <https://w3id.org/rulesgraph/ns#> .
@prefix game: <https://w3id.org/rulesgraph/game#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix new: <https://w3id.org/rulesgraph/edition/cr-2031-07-01/rule/> .
@prefix edition: <https://w3id.org/rulesgraph/edition/> .
@prefix term: <https://w3id.org/rulesgraph/term/> .
@prefix my: <urn:mine:> .
"""
NEW = "edition/cr-2031-07-01"
ELSE = "the facts contradict each other; use --explain to see which"


def own(text: str) -> Own:
    triples = (
        quad.triple for quad in parse(input=HEAD + text, format=RdfFormat.TURTLE, base_iri="urn:mine:file")
    )
    return Own("mine.ttl", serialize(triples, format=RdfFormat.N_TRIPLES) or b"")


def findings(store: Path, text: str, explain: bool = False) -> list[tuple[str, str, str, str]]:
    """The findings, with the columns that a user's file can fill: severity, check, subject, message."""
    found, _ = conclude(session_on(store), own=own(text), explain=explain)
    for row in found.rows:
        assert (row[4], *row[6:]) == (None, "", "")
    return [(str(row[0]), str(row[1]), str(row[2]), str(row[5])) for row in found.rows]


def says(what: str) -> str:
    return f"mine.ttl says that {what}"


FindingRow = tuple[str, str, str, str]

TOLD: dict[str, tuple[str, list[FindingRow]]] = {
    "it agrees": ("term:glimmer rg:usesTerm term:lantern . my:n rg:cites new:310.2b .", []),
    "two editions": (
        "new:310.2b rg:inEdition edition:cr-2031-02-01 .",
        [
            (
                "error",
                "contradiction",
                f"{NEW}/rule/310.2b",
                f"nothing has more than one 'in edition', but {says(f'{NEW}/rule/310.2b has')} "
                "edition/cr-2031-02-01 as 'in edition', and "
                f"the documents say that {NEW}/rule/310.2b has {NEW} as 'in edition'",
            )
        ],
    ),
    "a domain": (
        'edition:cr-2031-07-01 rg:text "All of it." .',
        [
            (
                "error",
                "contradiction",
                NEW,
                "nothing is both an edition and a worded thing, but the documents say that "
                f"document/cr-2031-07-01 has {NEW} as 'in edition', and "
                f"{says(NEW)} has 'All of it.' as 'words'",
            )
        ],
    ),
    "literals": (
        'new:310.2b rg:firstLine "twelve"^^xsd:integer , "12" . '
        'term:glimmer rg:definedBy "310" . my:r rg:firstLine my:l .',
        [
            (
                "error",
                "bad_literal",
                "Glimmer",
                f"{says('Glimmer')} has '310' as 'defined by': rg:definedBy takes a resource, "
                "and this is a literal",
            ),
            (
                "error",
                "bad_literal",
                "urn:mine:r",
                f"{says('urn:mine:r')} has urn:mine:l as 'first line': rg:firstLine takes a literal, "
                "and this is a resource",
            ),
            (
                "error",
                "bad_literal",
                f"{NEW}/rule/310.2b",
                f"{says(f'{NEW}/rule/310.2b')} has '12' as 'first line': rg:firstLine takes xsd:integer, "
                "not xsd:string",
            ),
            (
                "error",
                "bad_literal",
                f"{NEW}/rule/310.2b",
                f"{says(f'{NEW}/rule/310.2b')} has 'twelve' as 'first line': this is not a valid xsd:integer",
            ),
        ],
    ),
    "words that nobody knows": (
        "term:glimmer rg:relyesOn term:lantern ; my:likes term:lantern . my:x a game:Lamp , my:Lamp .",
        [
            (
                "error",
                "unknown_word",
                "Glimmer",
                f"{says('Glimmer')} has Lantern as 'relyesOn': the vocabulary has no property rg:relyesOn",
            ),
            (
                "error",
                "unknown_word",
                "urn:mine:x",
                f"{says('urn:mine:x')} is a game#Lamp: the vocabulary has no class game:Lamp",
            ),
            (
                "info",
                "left_out",
                "Glimmer",
                f"{says('Glimmer')} has Lantern as 'urn:mine:likes': urn:mine:likes is not declared "
                "as a property",
            ),
            (
                "info",
                "left_out",
                "urn:mine:x",
                f"{says('urn:mine:x')} is an urn:mine:Lamp: urn:mine:Lamp is not declared as a class",
            ),
        ],
    ),
    "what is left out": (
        'term:glimmer rdfs:label "shine" , "gleam" ; rg:usesTerm game:Ability . '
        "term:glimmer rg:reliesOn term:lantern . "
        "<> owl:imports <urn:x> .",
        [
            (
                "info",
                "left_out",
                "Glimmer",
                f"{says('Glimmer')} has 'shine' as 'label', that Glimmer has 'gleam' as 'label': "
                "an annotation, from which nothing follows",
            ),
            (
                "info",
                "left_out",
                "Glimmer",
                f"{says('Glimmer')} has ability as 'uses term': to a reasoner, a class or property is not "
                "an individual",
            ),
            (
                "info",
                "left_out",
                "Glimmer",
                f"{says('Glimmer')} has Lantern as 'relies on': queries follow its chains, which is faster",
            ),
            (
                "info",
                "left_out",
                "urn:mine:file",
                f"{says('urn:mine:file')} has urn:x as 'imports': "
                "imports are not downloaded: join the files yourself",
            ),
        ],
    ),
    "a date": (
        'my:a a rg:Entry ; rg:asOf "2031-07-01"^^xsd:date .',
        [
            (
                "error",
                "contradiction",
                "urn:mine:a",
                "nothing is both an attribution and an edition-bound thing, but "
                f"{says('urn:mine:a')} has '2031-07-01' as 'as of', and {says('urn:mine:a')} is an entry",
            ),
            (
                "info",
                "left_out",
                "urn:mine:a",
                f"{says('urn:mine:a')} has '2031-07-01' as 'as of': reasoners do not read xsd:date, "
                "so it is passed on as plain text",
            ),
        ],
    ),
    "blank nodes": (
        "[] a rg:Term ; rg:represents [ a game:StaticAbility , game:TriggeredAbility ] .",
        [
            (
                "error",
                "contradiction",
                "a thing without a name",
                "nothing is both a static ability and a triggered ability, but "
                f"{says('a thing without a name')} is a static ability, and "
                f"{says('a thing without a name')} is a triggered ability",
            )
        ],
    ),
    "two contradictions": (
        "my:b rg:rewordedFrom my:d ; rg:renumberedFrom my:d . my:c rg:next my:c .",
        [
            (
                "error",
                "contradiction",
                "urn:mine:c",
                f"nothing has itself as 'next', but {says('urn:mine:c')} has urn:mine:c as 'next'",
            ),
            (
                "error",
                "contradiction",
                "urn:mine:b",
                "nothing has the same thing both as 'renumbered from' and as 'reworded from', but "
                f"{says('urn:mine:b')} has urn:mine:d as 'renumbered from', and "
                f"{says('urn:mine:b')} has urn:mine:d as 'reworded from'",
            ),
        ],
    ),
    "a rule that is not there": (
        "new:999 rg:cites term:glimmer .",
        [
            (
                "info",
                "unknown_thing",
                f"{NEW}/rule/999",
                f"mine.ttl mentions {NEW}/rule/999, which is not in the graph",
            )
        ],
    ),
    "what only a reasoner sees": (
        "my:a a [ a owl:Class ; owl:complementOf game:Step ] , game:Step .",
        [("error", "contradiction", "mine.ttl", ELSE)],
    ),
}
"""The statements of a file, and its findings: severity, check, subject, message."""

CONTRADICTORY = ("two editions", "a domain", "a date", "blank nodes", "two contradictions")
UNSEEN = "what only a reasoner sees"
MORE = pytest.mark.long(small="test_a_file_by_its_whole_output")


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(CONTRADICTORY, id="what contradicts"),
        pytest.param(
            tuple(name for name in TOLD if name not in (*CONTRADICTORY, UNSEEN)),
            marks=MORE,
            id="what contradicts nothing",
        ),
        pytest.param((UNSEEN,), marks=MORE, id=UNSEEN),
    ],
)
def test_a_file_by_its_whole_output(said: tuple[str, ...], mini_store: Path) -> None:
    """Starting a reasoner takes time, so one file has all statements that fit together."""
    rows = findings(mini_store, "\n".join(TOLD[name][0] for name in said))
    assert sorted(rows) == sorted(row for name in said for row in TOLD[name][1])
    assert rows == sorted(rows, key=lambda row: (row[0] != "error", row[0]))


@pytest.mark.long(small="test_a_file_by_its_whole_output")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            "my:Lamp a owl:Class ; rdfs:subClassOf game:StaticAbility , "
            "[ a owl:Restriction ; owl:onProperty rg:hasItem ; "
            'owl:maxCardinality "0"^^xsd:nonNegativeInteger ] . '
            "my:l a my:Lamp ; rg:hasItem my:wick .",
            "urn:mine:l 'has item' urn:mine:wick; urn:mine:l is an urn:mine:Lamp; "
            "every urn:mine:Lamp is such that: has item max 0",
            marks=MORE,
        ),
        (
            "[] a owl:NegativePropertyAssertion ; owl:sourceIndividual term:glimmer ; "
            "owl:assertionProperty rg:usesTerm ; owl:targetIndividual term:lantern . "
            "term:glimmer rg:usesTerm term:lantern .",
            "Glimmer 'uses term' Lantern; it is stated that Glimmer does not have Lantern as 'uses term'",
        ),
    ],
)
def test_another_reasoner_explains_in_words(text: str, message: str, mini_store: Path) -> None:
    (row,) = findings(mini_store, text, explain=True)
    assert (row[0], row[1], row[2]) == ("error", "contradiction", "mine.ttl")
    assert sorted(row[3].split("; ")) == sorted(message.split("; "))


@pytest.mark.parametrize(
    ("axiom", "sentence"),
    [
        ("1)   Functional inEdition", "nothing has more than one 'inEdition'"),
        ("     x differentFrom y", "x and y are different things"),
        (
            "rewordedFrom propertyDisjointWith next",
            "nothing has the same thing both as 'rewordedFrom' and as 'next'",
        ),
        ("text domain Rule", "what has 'text' is a Rule"),
        ("firstLine range integer[>= 5]", "the value of 'firstLine' is such that: integer[>= 5]"),
        ('x text "lit"^^string', "x 'text' \"lit\""),
        ("Ability disjointWith Zone", "nothing is both an Ability and a Zone"),
        ("next subPropertyOf precedes", "what has a thing as 'next' also has it as 'precedes'"),
    ],
)
def test_axioms_as_sentences(axiom: str, sentence: str) -> None:
    assert in_sentences(axiom, str) == [sentence]


XSD = PREFIXES["xsd"]


@pytest.mark.parametrize(
    ("words", "datatype", "good"),
    [
        *(("300", "byte", False), ("-1", "nonNegativeInteger", False), (" +4 ", "integer", True)),
        *(("1e3", "decimal", False), ("2031-02-30", "date", False), ("yes", "boolean", False)),
        *(("4.0", "decimal", True), ("", "integer", False), ("1e3", "double", True)),
    ],
)
def test_literals_that_are_what_they_claim(words: str, datatype: str, good: bool) -> None:
    assert is_well_formed(f'"{words}"^^<{XSD}{datatype}>') is good


@pytest.mark.parametrize(
    ("literal", "datatype", "good"),
    [
        (f'"4.0"^^<{XSD}decimal>', "integer", True),
        (f'"4.5"^^<{XSD}decimal>', "integer", False),
        (f'"300"^^<{XSD}integer>', "byte", False),
        ('"dusk"@en', "string", False),
        (f'"dusk"^^<{XSD}token>', "string", True),
        (f'"true"^^<{XSD}boolean>', "string", False),
    ],
)
def test_values_that_fit_a_range(literal: str, datatype: str, good: bool) -> None:
    assert fits(literal, XSD + datatype) is good


def test_of_many_links_to_one_thing_some_are_told(mini_store: Path) -> None:
    session = session_on(mini_store)
    mine = own("edition:cr-2031-07-01 rg:rulesInForce edition:cr-2031-02-01 . new:310.2b rg:cites new:310 .")
    touched, left = mine.touched(session, session.scope())
    edition = session.iris.edition("cr-2031-07-01")
    others = [
        s for s, p, o in touched if (p, o) == (PREFIXES["rg"] + "inEdition", edition) and s not in mine.things
    ]
    assert len(others) == ENOUGH
    link = PREFIXES["rg"] + "inEdition", edition
    asked = f"SELECT DISTINCT ?s WHERE {{ GRAPH ?g {{ ?s <{link[0]}> <{edition}> }} }}"
    linked = {str(row[0]).strip("<>") for row in cast(Solutions, session.store.query(asked))}
    assert left[link] == len(linked.difference(mine.things)) - ENOUGH
    assert left_out({link: left[link], ("urn:p", "urn:b"): 2}, Names(session, session.scope())) == (
        f"The reasoner got only {ENOUGH} of many links of one kind to one thing. "
        f"Left out: {left[link] + 2}, to {NEW}, urn:b."
    )
    of_rule = {fact[1] for fact in touched if fact[0].endswith("/rule/310.2b")}
    assert {PREFIXES["rg"] + name for name in ("text", "inEdition", "firstLine")} <= of_rule
