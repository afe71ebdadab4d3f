"""Queries are refused, read, and filled with values correctly, whatever strings and comments contain."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rulesgraph.loaders.store import MEMORY, open_store
from rulesgraph.loaders.store.query import prepare
from rulesgraph.loaders.store.results import Solutions
from rulesgraph.loaders.store.scan import form
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.resources import bind, literal


def rows(text: str) -> list[tuple[Any, ...]]:
    found = open_store(MEMORY).query(text)
    assert isinstance(found, Solutions)
    return list(found)


# -- SERVICE ---------------------------------------------------------------------------------------

REMOTE = "SERVICE <http://127.0.0.1:9/> { ?a ?b ?c }"

SERVICES = [
    # it is where a pattern may be
    (f"SELECT * {{ {REMOTE} }}", True),
    (f"ASK {{ OPTIONAL {{ {REMOTE} }} }}", True),
    (f"CONSTRUCT {{ ?a ?b ?c }} WHERE {{ ?a ?b ?c MINUS {{ {REMOTE} }} }}", True),
    (f"SELECT * {{ ?a ?b ?c FILTER NOT EXISTS {{ GRAPH ?g {{ {REMOTE} }} }} }}", True),
    (f"SELECT * {{ {{ SELECT ?a {{ {REMOTE} }} }} UNION {{ ?a ?b ?c }} }}", True),
    ("SELECT * { ?s ?p ?o SeRvIcE\tsilent ?s { ?a ?b ?c } }", True),
    (f"SELECT * {{ ?a ?b 'x'{REMOTE} }}", True),
    (f"SELECT * {{ ?a ?b ?c # SERVICE or not\n {REMOTE} }}", True),
    (f"SELECT * {{ ?a ?b ?c FILTER(?a<?b)\n{REMOTE}FILTER(?c>?b) }}", True),
    (f'SELECT * {{ ?a ?b "\\"" , """ " "" """ ; ?c ?d . {REMOTE} }}', True),
    (f"PREFIX service: <http://127.0.0.1:9/> SELECT * {{ ?a service:x ?c . {REMOTE} }}", True),
    # and is only a word elsewhere
    ("SELECT * { ?a ?b 'SERVICE <http://127.0.0.1:9/> { }' }", False),
    ('SELECT * { ?a ?b """a "SERVICE" <x:y> {""" }', False),
    ("SELECT * { ?a ?b ?c } # SERVICE <http://127.0.0.1:9/> { }", False),
    ("SELECT * { ?a <http://127.0.0.1/service> ?c }", False),
    ("PREFIX service: <http://127.0.0.1:9/> SELECT * { ?a service:service ?c }", False),
    ("PREFIX : <http://127.0.0.1:9/> SELECT * { ?a :service ?service ; :a\\'SERVICE ?b }", False),
    ("SELECT * { ?a ?b 'x'@service , _:service }", False),
]


@pytest.mark.parametrize(("text", "remote"), SERVICES)
def test_service_is_told_from_the_word(text: str, remote: bool) -> None:
    assert ("ServiceGraphPattern" in repr(translateQuery(parseQuery(text)).algebra)) is remote
    if remote:
        with pytest.raises(UsageError, match="SERVICE"):
            prepare(text)
    else:
        prepare(text)


@pytest.mark.parametrize("quote", ["'", '"', "'''", '"""'])
def test_service_behind_a_number_sign_in_a_string(quote: str) -> None:
    """rdflib, which judges the cases above, takes the sign for the beginning of a comment."""
    with pytest.raises(UsageError, match="SERVICE"):
        prepare(f"SELECT * {{ ?a ?b {quote}#{quote} . {REMOTE} }}")
    prepare(f"SELECT * {{ ?a ?b {quote}# . {REMOTE.replace('?', '')}{quote} }}")


PIECES = st.sampled_from(
    [
        "SERVICE",
        " ",
        "?a",
        "<x:y>",
        "{",
        "}",
        '"',
        "'",
        "'''",
        "#",
        "\n",
        "\\",
        "<",
        ">",
        "?b",
        ".",
        "service:",
        "x:",
    ]
)


@given(st.lists(PIECES, max_size=12))
def test_no_spelling_hides_a_service(pieces: list[str]) -> None:
    """What pyoxigraph accepts and rdflib finds a SERVICE in is refused."""
    text = f"PREFIX x: <x:> PREFIX service: <s:> SELECT * {{ ?a ?b ?c . {''.join(pieces)} SERVICE ?a {{ }} }}"
    try:
        prepare(text)
    except UsageError:
        return
    assert "ServiceGraphPattern" not in repr(translateQuery(parseQuery(text)).algebra)


def test_escapes_cannot_be_read_in_two_ways() -> None:
    """An engine that replaces ``\\u`` escapes before it parses must not see another query."""
    inside = prepare('SELECT * { ?a ?b "\\u0022 } SERVICE <x:y> { } #\\u000A" }').text
    assert "\\u" not in inside
    assert '"\\" } SERVICE <x:y> { } #\\n"' in inside
    assert "\\u" not in prepare("SELECT * { ?a ?b ?c } #\\u000A SERVICE <x:y> { }").text
    assert "<x:é>" in prepare("SELECT * { ?a <x:\\u00e9> ?c }").text
    assert "<x:'>" in prepare("SELECT * { ?a <x:\\u0027> ?c }").text
    with pytest.raises(UsageError):
        prepare("SELECT * { S\\u0045RVICE <x:y> { ?a ?b ?c } }")


@given(st.text(max_size=6))
def test_escaped_strings_keep_their_value(value: str) -> None:
    escaped = "".join(f"\\U{ord(char):08X}" for char in value)
    assert rows(f"SELECT ('{escaped}' AS ?x) {{ }}") == [(Literal(value),)]


# -- updates and errors ----------------------------------------------------------------------------

UPDATES = [
    "INSERT DATA { <x:a> <x:b> <x:c> }",
    "PREFIX x: <x:> DELETE { ?a ?b ?c } WHERE { ?a ?b ?c }",
    "# a comment\nBASE <x:> WITH <x:g> INSERT { ?a ?b ?c } WHERE { }",
    "LOAD <http://127.0.0.1:9/> INTO GRAPH <x:g>",
    "CLEAR ALL",
    "drop silent default",
    "CREATE GRAPH <x:g>",
    "COPY <x:a> TO <x:b>",
    "MOVE <x:a> TO <x:b>",
    "ADD <x:a> TO <x:b>",
    "DELETE WHERE { ?a ?b ?c }",
    "INSERT DATA { } ; SELECT * { ?a ?b ?c }",
]


@pytest.mark.parametrize("text", UPDATES)
def test_updates_are_told_to_be_updates(text: str) -> None:
    with pytest.raises(UsageError, match="only read"):
        prepare(text)


@given(st.sampled_from(UPDATES), st.sampled_from(["", "SELECT * { ?a ?b ?c } ", "ASK { } ; ", "# x\n"]))
def test_nothing_that_writes_is_a_query(update: str, before: str) -> None:
    with pytest.raises(UsageError):
        prepare(before + update)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT ?x\nWHRE { ?x ?y ?z }", ("line 2, column 6", "WHRE { ?x ?y ?z }", "     ^")),
        # what is missing at the end of a line is shown there
        ("SELECT ?x\nWHERE { ?x ?y }\n\n", ("line 2, column 16", "WHERE { ?x ?y }", "               ^")),
        # of what the parser expected only sentences are shown, neither tokens nor sets of letters
        ("ASK { ?a <x:y>/ }", ("line 1, column 17", "ASK { ?a <x:y>/ }", " " * 16 + "^")),
        ("SELECT ?x { ?x ?y 'z }", ("line 1, column 23", "SELECT ?x { ?x ?y 'z }", " " * 22 + "^")),
    ],
)
def test_the_place_of_an_error_is_shown(text: str, told: tuple[str, str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        prepare(text)
    place, line, caret = told
    assert str(caught.value) == f"the query does not parse at or before {place}\n    {line}\n    {caret}"


def test_a_long_line_is_shown_around_the_error() -> None:
    with pytest.raises(UsageError) as caught:
        prepare("SELECT ?x { " + "?x ?y ?z . " * 50 + "?x ?? }")
    _, line, caret = str(caught.value).split("\n")
    assert len(line) < 120
    assert line.endswith("?x ?? }")
    assert len(caret) <= len(line) + 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("SELECT ?x { ?x rules:text ?y }", "the prefix rules: is not declared"),
        ("PREFIX r: <x:> ASK { ?x r:a :b }", "the prefix : is not declared"),
        ("SELECT ?x (COUNT(?y) AS ?n) { ?x ?z ?y }", "variable that is unbound"),
    ],
)
def test_common_mistakes_are_named(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        prepare(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PREFIX select: <x:> # ASK\nBASE <x:construct> ASK { }", "ASK"),
        ("select * { ?a ?b ?c }", "SELECT"),
        ("CONSTRUCT WHERE { ?a ?b ?c }", "CONSTRUCT"),
        ("DESCRIBE <x:y>", "DESCRIBE"),
    ],
)
def test_form(text: str, expected: str) -> None:
    assert form(text) == expected


# -- FROM and the star -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "graphs"),
    [
        ("SELECT * FROM <x:a> FROM NAMED <x:b> { ?a ?b ?c }", ["x:a", "x:b"]),
        ("PREFIX g: <https://example.org/> SELECT * FROM g:x\\/y FROM g: { ?a ?b ?c }",
         ["https://example.org/x/y", "https://example.org/"]),
        ("BASE <https://example.org/a/> PREFIX p: <b/> ASK FROM <../c> FROM NAMED p:d { ?a ?b ?c }",
         ["https://example.org/c", "https://example.org/a/b/d"]),
        ("SELECT * { ?from ?b 'FROM <x:a>' } # FROM <x:a>", []),
        ("PREFIX from: <x:> SELECT * { ?a from:FROM ?c }", []),
    ],
)  # fmt: skip
def test_graphs_of_the_query(text: str, graphs: list[str]) -> None:
    assert list(prepare(text).graphs) == graphs


@pytest.mark.parametrize(
    ("text", "star"),
    [
        ("SELECT * { ?z ?y $x . ?x ?y ?a }", ["z", "y", "x", "a"]),
        ("SELECT DISTINCT # all of them\n * { ?z ?y 'x ?b' }", ["z", "y"]),
        ("SELECT ?a { ?z ?y ?a }", []),
        ("SELECT (COUNT(*) AS ?n) { ?z ?y ?a }", []),
        ("SELECT ?a { { SELECT * { ?z ?y ?a } } }", []),
    ],
)
def test_the_variables_of_a_star(text: str, star: list[str]) -> None:
    assert list(prepare(text).star) == star


# -- values, as `query_files` binds them ------------------------------------------------------------

HOSTILE = st.text(
    st.one_of(st.sampled_from("\"'\\{}<>?$#\n\r\t|^@.;uU0"), st.characters(exclude_categories=["Cs"]))
)


@given(HOSTILE)
def test_a_bound_text_comes_back_and_changes_nothing_else(value: str) -> None:
    text = "SELECT ?v ?x { VALUES ?v { UNDEF } VALUES ?x { 1 2 } }"
    for language in (None, "en"):
        found = rows(bind(text, {"v": [literal(value, language)]}))
        assert [row[0] for row in found] == [Literal(value, language=language)] * 2


@given(HOSTILE, HOSTILE)
def test_a_bound_text_stays_where_it_is_put(first: str, second: str) -> None:
    """Two values never run into each other, and the query around them has the same shape."""
    values = {"a b": [(literal(first), literal(second))]}
    bound = bind("SELECT ?a ?b { VALUES (?a ?b) { (UNDEF UNDEF) } }", values)
    algebra = translateQuery(parseQuery(bound)).algebra
    assert repr(algebra).count("ToMultiSet") == 1
    assert rows(bound) == [(Literal(first), Literal(second))]


@pytest.mark.parametrize(("opening", "closing"), ["{}", "()", "[]"])
def test_levels_that_would_end_the_process_are_refused(opening: str, closing: str) -> None:
    with pytest.raises(UsageError, match="the query is nested too deeply") as refusal:
        prepare("ASK {" + opening * 5000 + closing * 5000 + "}")
    assert refusal.value.way_out == "It may have 500 levels."
    assert prepare("ASK {" + "{}" * 5000 + "{" * 400 + "}" * 400 + "}").text.startswith("ASK {{}")
