"""Write questions for other programs: parameters are variables, and each has an example that runs.

A parameter is a variable that is bound before the query runs, as in SHACL. So there are no blocks of values,
a nested query passes its parameters on, and MINUS, which SHACL excludes, does not occur. Unbound, a question
is about everything. If your tool cannot bind variables, edit the term in the example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...ontology.iris import BASE, GAME
from ...ontology.resources import bind, literal
from ...ontology.terms import PREFIXES
from .questions import ParameterKind, Question

_BLOCK = re.compile(r"^ *VALUES \?\w+ \{ UNDEF \}\n|VALUES \?\w+ \{ UNDEF \} ", re.MULTILINE)
_TRUTH = re.compile(r"STRDT\((IF\(.*?\)), xsd:boolean\)", re.DOTALL)


def exported(question: Question) -> str:
    """Return the query of a question with free variables for its parameters.

    >>> from .questions import read_question
    >>> exported(read_question("lit", "SELECT ?moth {\\n  VALUES ?moth { UNDEF }\\n  ?moth ?is ?lit\\n}"))
    'SELECT ?moth {\\n  ?moth ?is ?lit\\n}'
    """
    return _plain(_BLOCK.sub("", question.query))


def asked(question: Question, values: Mapping[str, Sequence[str]]) -> str:
    """Return the query of a question with terms for its parameters, wherever engines need them."""
    return _plain(bind(question.query, values))


def example_of(question: Question) -> str:
    """Return the query of a question about one thing that is in any edition of today's rules."""
    found = {it: _GIVEN.get((question.name, it.name)) or _OF_A_KIND[it.kind] for it in question.parameters}
    query = asked(question, {it.name: [given] for it, given in found.items()})
    for parameter, given in found.items():
        if parameter.kind is ParameterKind.RULE:
            # The IRI of a rule is that of one edition: its number means it in any.
            block = f"VALUES ?{parameter.name} {{ {given} }}"
            query = query.replace(block, f"?{parameter.name} skos:notation {given} .")
    return query


def _plain(query: str) -> str:
    """Return a query that gives booleans as words: Virtuoso writes typed booleans as numbers."""
    query = _TRUTH.sub(r"\1", query)
    return query if query.count("xsd:") > 1 else re.sub(r"PREFIX xsd:.*\n", "", query)


def _term(slug: str) -> str:
    return f"<{BASE}term/{slug}>"


_OF_A_KIND = {
    ParameterKind.TERM: _term("trample"),
    ParameterKind.THING: _term("trample"),
    ParameterKind.KIND: f"<{GAME}Zone>",
    ParameterKind.PROCEDURE: _term("combat-phase"),
    ParameterKind.PART: _term("draw-step"),
    ParameterKind.RULE: literal("702.19"),
    ParameterKind.WORDS: literal("goblin"),
    ParameterKind.DATE: f'"2008-01-01"^^<{PREFIXES["xsd"]}date>',
    ParameterKind.AUTHORITY: f"<{BASE}authority/comprules>",
    ParameterKind.CARD: f"<{BASE}card/giant-growth>",
}
"""The subject of the example, by the kind of the parameter."""

_GIVEN = {
    ("called_also", "concept"): _term("artifact-type"),
    ("interaction", "other"): _term("deathtouch"),
    ("mentions_of_both", "other"): _term("deathtouch"),
    ("narrower_terms", "concept"): _term("token"),
    ("replacement", "concept"): _term("bury"),
    ("rules_relying_on", "concept"): _term("state-based-actions"),
    ("template_of", "concept"): _term("kicker"),
}
"""The subject where the usual example has no answer, by question and parameter."""
