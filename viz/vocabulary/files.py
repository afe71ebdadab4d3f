"""Write the vocabulary and the catalogue of questions as the files that programs read.

In the catalogue each question is a `sh:SPARQLSelectExecutable` of the SHACL Advanced Features with its
parameters, as in public collections of example queries: tools for such collections find the question in
words, the query, and what to bind.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ...loaders.describing.describe import CC0
from ...loaders.graph.quads import TripleSet, english, integer, node, text
from ...ontology import PREFIXES, RG
from ...ontology.iris import BASE, QUESTION
from ...ontology.resources import (
    CODES_FILE,
    CONSTRAINTS_FILE,
    CONTEXT_FILE,
    SHAPES_FILE,
    VOCABULARY_FILES,
    read_bytes,
)
from ...queries.catalogue.questions import Parameter, ParameterKind, Question, example_of, exported, questions
from ...queries.export.notations import turtle_of

_SH = PREFIXES["sh"]
_CATALOGUE = node(QUESTION.removesuffix("#"))
_ABOUT = (
    "Each question is a SPARQL query over graph/current and graph/timeline, or over the graphs of one "
    "edition, with all as named graphs; one about cards also over those of their set. A parameter is a "
    "variable that is bound before the query runs, as in SHACL. The example of a question "
    "(schema:workExample) runs as it is; replace its term to ask about another."
)


def questions_turtle() -> bytes:
    """Return the catalogue as Turtle: for each question its words, its query, its parameters."""
    return turtle_of(executables().lines, BASE).encode()


def executables() -> TripleSet:
    """Return the catalogue as triples; the examples of a question are its labels, the first preferred."""
    triples = TripleSet()
    triples.say(_CATALOGUE, type=node(PREFIXES["dcat"] + "Dataset"), license=node(CC0))
    triples.say(_CATALOGUE, title=english("The catalogue of questions"), description=english(_ABOUT))
    for question in questions():
        _describe(question, triples)
    return triples


def _describe(question: Question, triples: TripleSet) -> None:
    me = node(QUESTION + question.name)
    classes = [node(f"{_SH}{kind}") for kind in ("SPARQLExecutable", "SPARQLSelectExecutable")]
    triples.say(me, type=(*classes, node(_SH + "Parameterizable")), isDefinedBy=_CATALOGUE)
    triples.say(me, label=english(question.title), altLabel=map(english, question.phrasings[1:]))
    triples.say(me, comment=question.note and english(question.note))
    triples.add(me, node(_SH + "select"), text(exported(question)))
    if question.parameters:
        example = node(f"{QUESTION}{question.name}-example")
        triples.add(me, node("https://schema.org/workExample"), example)
        title = english(f"{question.title} An example")
        triples.say(example, type=classes, label=title, isDefinedBy=_CATALOGUE)
        triples.add(example, node(_SH + "select"), text(example_of(question)))
    for place, parameter in enumerate(question.parameters):
        own = node(f"{QUESTION}{question.name}-{parameter.name}")
        triples.add(me, node(_SH + "parameter"), own)
        _declare(parameter, own, place, triples)


def _declare(parameter: Parameter, me: str, place: int, triples: TripleSet) -> None:
    """Describe the values of a parameter; the local name of its path is the variable of the query."""
    path = node(QUESTION + parameter.name)
    triples.say(path, type=node(PREFIXES["rdf"] + "Property"), isDefinedBy=_CATALOGUE)
    triples.say(me, type=node(_SH + "Parameter"))
    triples.add(me, node(_SH + "path"), path)
    triples.add(me, node(_SH + "name"), english(parameter.name))
    triples.add(me, node(_SH + "description"), english(parameter.description))
    triples.add(me, node(_SH + "order"), integer(place))
    if parameter.kind in _DATATYPES:
        triples.add(me, node(_SH + "datatype"), node(PREFIXES["xsd"] + _DATATYPES[parameter.kind]))
        return
    triples.add(me, node(_SH + "nodeKind"), node(_SH + "IRI"))
    if parameter.kind in _CLASSES:
        triples.add(me, node(_SH + "class"), node(_CLASSES[parameter.kind]))


_DATATYPES = {ParameterKind.DATE: "date", ParameterKind.WORDS: "string"}
"""The datatype of a parameter's value, if it is not a thing."""

_CLASSES = {
    ParameterKind.TERM: RG.Term,
    ParameterKind.AUTHORITY: RG.Authority,
    ParameterKind.CARD: RG.Card,
    ParameterKind.RULE: RG.DocumentPart,
}
"""The class of a parameter's value, if there is only one."""


# -- the files ----------------------------------------------------------------------------------------


class VocabularyFile(NamedTuple):
    """A file: its name, its description, the function that returns its bytes (UTF-8), and its media type."""

    file: str
    holds: str
    content: Callable[[], bytes]
    media: str = "text/turtle"

    @property
    def address(self) -> str:
        """The whole file as an address, with which a page can offer it without a server."""
        return f"data:{self.media};base64,{b64encode(self.content()).decode()}"


def _turtle() -> bytes:
    """Return the vocabulary in one file, without imports: programs would fetch what the file already has."""
    return re.sub(
        rb" *owl:imports [^;]+;\n", b"", b"\n".join(map(read_bytes, (*VOCABULARY_FILES, CODES_FILE)))
    )


FILES = {
    "turtle": VocabularyFile(
        "rulesgraph.ttl", "classes, properties and controlled values, in Turtle", _turtle
    ),
    "shapes": VocabularyFile(
        "shapes.ttl", "constraints on the data, in SHACL Core", partial(read_bytes, SHAPES_FILE)
    ),
    "constraints": VocabularyFile(
        "constraints.ttl",
        "more constraints on the data, in SHACL-SPARQL",
        partial(read_bytes, CONSTRAINTS_FILE),
    ),
    "context": VocabularyFile(
        "context.jsonld", "the JSON-LD context", partial(read_bytes, CONTEXT_FILE), "application/ld+json"
    ),
    "questions": VocabularyFile(
        "questions.ttl", "the catalogue of questions, as SHACL executables", questions_turtle
    ),
}
"""The files by the names that `--as` takes."""
