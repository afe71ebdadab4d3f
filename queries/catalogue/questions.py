"""Read the headers of `.rq` files: which questions there are, how to ask them, and what they return.

A header is at the top of each answer::

    #+ question: Which terms rely on {concept}?
    #+ question: What breaks when {concept} (changes|is removed)?
    #+ area: reliance
    #+ param concept (thing): a term or a rule number
    #+ returns: term, quote, document, line
    #+ cut: start, end
    #+ walk: terms_relying_on
    #    #+ note: what a reader should know about the rows

The questions are examples of what people ask; the first is the title. ``{concept}`` is a slot: its parameter
says what may fill it (`ParameterKind`). Words in brackets are alternatives; `matching` says which other words
count as the same. Two slots need no parameter: ``{number}``, a number for the only parameter,
and ``{kind}``, the kind of thing in the answer.

`area` is the subject (`AREAS`). `cut` names columns that locate the evidence in `quote`, as code points or as
a term to search for; they are not shown. `walk` names the function that answers instead of the query alone.
`wider` names a question that may find more, or only the items of a list; a note then suggests it. `picture`
is how to draw the answer if not as a list: ``chain``, ``meeting`` (common ground) or ``changes``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from ...ontology import PREFIXES, UnknownNameError, bind, literal
from ...ontology.iris import BASE, GAME
from .. import QUERIES

_LINE = re.compile(r"#\+\s*(?P<key>\w+)(?:\s+(?P<name>\w+)(?:\s+\((?P<kind>\w+)\))?)?\s*:\s*(?P<value>.*\S)")

AREAS = {
    "names": "Terms and their names",
    "reliance": "What relies on what",
    "kinds": "Kinds and lists",
    "order": "Steps and their order",
    "history": "What changed",
    "texts": "What the texts say",
    "cards": "Cards",
    "defects": "Defects of the texts",
}
"""The subjects of questions, as people read them, in the order in which they are shown."""


class ParameterKind(StrEnum):
    """What kind of value a question accepts."""

    TERM = "term"
    """A term by any of its names, or the number of an entry or rule that defines it."""

    THING = "thing"
    """A term, or anything with a number."""

    KIND = "kind"
    """A kind of thing in the game by a label of the vocabulary, a term that names one, or a number."""

    PROCEDURE = "procedure"
    """A procedure by its name in the rules, or anything that has one: a term, or something with a number."""

    PART = "part"
    """A part of the turn, with or without *step* or *phase* after its name, or something with a number."""

    RULE = "rule"
    """The number of a rule, section or entry. The name of a term is accepted, but has no parts."""

    WORDS = "words"
    """Words that occur in a text, in any case and number."""

    DATE = "date"
    """A day, or a month or year for its first day."""

    EDITION = "edition"
    """An edition by its id, by a day, or in relation to others: *now*, *the last edition*."""

    PERIOD = "period"
    """A year, month or day, or an edition, which means the time since the previous one."""

    AUTHORITY = "authority"
    """The authority named in brackets after a paragraph."""

    CARD = "card"
    """A card of the newest card data, by its name, a face's name, or a part of it that no other card has."""

    @property
    def stands_in_editions(self) -> bool:
        """True for parameters that decide in which edition the question is answered."""
        return self not in {"words", "date", "edition", "period", "authority", "card"}


class Parameter(NamedTuple):
    """A parameter of a question: the variable in the query, its kind, and what to enter."""

    name: str
    kind: ParameterKind
    description: str

    @property
    def usage(self) -> str:
        """The parameter as shown in help.

        >>> Parameter("concept", ParameterKind.THING, "a term or a rule number").usage
        'CONCEPT (thing)'
        """
        return f"{self.name.upper()} ({self.kind})"


class Question(NamedTuple):
    """A question of the catalogue, with the `examples` from its header."""

    name: str
    examples: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    cut: tuple[str, ...]
    walk: str
    note: str
    text: str
    wider: str = ""
    area: str = ""
    picture: str = ""

    @property
    def title(self) -> str:
        """The question as people ask it."""
        return self.examples[0]

    @property
    def usage(self) -> str:
        r"""The title with the parameters as shown in help.

        >>> read_question("lit", "#+ question: Is {moth} lit?\n#+ param moth (term): a moth").usage
        'Is MOTH lit?'
        """
        return self.about([it.name.upper() for it in self.parameters])

    def about(self, values: Iterable[str]) -> str:
        """Return the title with these values in its slots."""
        return self.title.format(**dict(zip((it.name for it in self.parameters), values, strict=False)))

    @property
    def phrasings(self) -> tuple[str, ...]:
        """The examples in plain words: the first of any alternatives, and the parameters' names for slots.

        >>> read_question("lit", "#+ question: Is {moth} (lit|bright)?").phrasings
        ('Is {moth} lit?',)
        """
        plain = (re.sub(r"\(([^|)]*)[^)]*\)", r"\1", example) for example in self.examples)
        if len(self.parameters) == 1:
            plain = (example.replace("{number}", f"{{{self.parameters[0].name}}}") for example in plain)
        return tuple(example for example in plain if "{kind}" not in example)

    @property
    def follows_links(self) -> bool:
        """True if the answer is found link by link, so that an empty one means something."""
        return bool(self.walk) and self.area == "reliance"

    @property
    def query(self) -> str:
        """The SPARQL below the header."""
        lines = self.text.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("#+"))


_OLD_NAMES = {"shared_grounds": "interaction"}
"""Former names of questions."""


def question(name: str) -> Question:
    """Return the question called `name`; raises `UnknownNameError`, with similar names."""
    folded = _folded(name)
    if not QUERIES.has("answers", folded):
        from difflib import get_close_matches

        near = get_close_matches(folded, QUERIES.names("answers"), n=3, cutoff=0.6)
        raise UnknownNameError("question", name, near, "`rulesgraph ask --list` shows all questions.")
    return read_question(folded, QUERIES.read("answers", folded))


def is_name(words: str) -> bool:
    """Return whether these words are the name of a question, not the question itself.

    >>> is_name("What is a moth?"), is_name("terms_relying_on"), is_name("moth")
    (False, True, False)
    """
    return " " not in words.strip() and QUERIES.has("answers", _folded(words))


def _folded(name: str) -> str:
    """Return the current name of a question in the form of its file name; former names are replaced."""
    folded = name.strip().lower().replace("-", "_").replace(" ", "_")
    return _OLD_NAMES.get(folded, folded)


@cache
def questions() -> tuple[Question, ...]:
    """Return all questions, sorted by name."""
    return tuple(read_question(name, QUERIES.read("answers", name)) for name in QUERIES.names("answers"))


def read_question(name: str, text: str) -> Question:
    """Read the header of one question; raises `ValueError` for a malformed line or an unknown value."""
    found: dict[str, list[str]] = {}
    parameters = []
    for key, parameter, kind, value in header(text):
        if key == "param":
            parameters.append(Parameter(parameter, ParameterKind(kind), value))
        else:
            found.setdefault(key, []).append(value)
    area = " ".join(found.get("area", ()))
    if area and area not in AREAS:
        raise ValueError(f"not an area of questions: {area}")
    return Question(
        name=name,
        examples=tuple(found.get("question", ())),
        parameters=tuple(parameters),
        returns=_listed(found.get("returns", ())),
        cut=_listed(found.get("cut", ())),
        text=text,
        area=area,
        **{key: " ".join(found.get(key, ())) for key in ("walk", "note", "wider", "picture")},
    )


def header(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the lines of a header, ``#+ key: value`` or ``#+ key name (kind): value``.

    Each is (key, name, kind, value). Raises `ValueError` for a malformed line.

    >>> list(header("#+ param moth (term): any of them\\nSELECT"))
    [('param', 'moth', 'term', 'any of them')]
    """
    for line in text.splitlines():
        if line.startswith("#+"):
            match = _LINE.fullmatch(line.rstrip())
            if not match:
                raise ValueError(f"not a line of a header: {line}")
            yield match["key"], match["name"] or "", match["kind"] or "", match["value"]


def _listed(values: Iterable[str]) -> tuple[str, ...]:
    """Return the items of comma-separated lists."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())


_BLOCK = re.compile(r"^ *VALUES \?\w+ \{ UNDEF \}\n|VALUES \?\w+ \{ UNDEF \} ", re.MULTILINE)
_TRUTH = re.compile(r"STRDT\((IF\(.*?\)), xsd:boolean\)", re.DOTALL)


def exported(question: Question) -> str:
    """Return the query of a question for other programs, with a free variable for each parameter.

    As in SHACL, you bind these variables before you run the query. So the query has no blocks of values, its
    nested queries pass their parameters on, and MINUS, which SHACL excludes, does not occur. Unbound, it is
    about everything. If your tool cannot bind variables, edit the term in the example.

    >>> exported(read_question("lit", "SELECT ?moth {\\n  VALUES ?moth { UNDEF }\\n  ?moth ?is ?lit\\n}"))
    'SELECT ?moth {\\n  ?moth ?is ?lit\\n}'
    """
    return _plain(_BLOCK.sub("", question.query))


def asked(question: Question, values: Mapping[str, Sequence[str]]) -> str:
    """Return the query of a question with terms for its parameters, wherever engines need them."""
    return _plain(bind(question.query, values))


def example_of(question: Question) -> str:
    """Return the query of a question about one thing in any of today's editions or the starter."""
    found = {it: _GIVEN.get((question.name, it.name)) or _OF_A_KIND[it.kind] for it in question.parameters}
    query = asked(question, {it.name: [given] for it, given in found.items()})
    for it, given in found.items():
        if it.kind is ParameterKind.RULE:
            # The IRI of a rule belongs to one edition, its number to all.
            query = query.replace(f"VALUES ?{it.name} {{ {given} }}", f"?{it.name} skos:notation {given} .")
    return query


def _plain(query: str) -> str:
    """Return a query that returns booleans as words, since Virtuoso writes typed booleans as numbers."""
    query = _TRUTH.sub(r"\1", query)
    return query if query.count("xsd:") > 1 else re.sub(r"PREFIX xsd:.*\n", "", query)


def _term(slug: str) -> str:
    return f"<{BASE}term/{slug}>"


_OF_A_KIND = {
    ParameterKind.TERM: _term("trample"),
    ParameterKind.THING: _term("trample"),
    ParameterKind.KIND: f"<{GAME}KeywordAbility>",
    ParameterKind.PROCEDURE: _term("combat-phase"),
    ParameterKind.PART: _term("draw-step"),
    ParameterKind.RULE: literal("702.19"),
    ParameterKind.WORDS: literal("goblin"),
    ParameterKind.DATE: f'"2008-01-01"^^<{PREFIXES["xsd"]}date>',
    ParameterKind.AUTHORITY: f"<{BASE}authority/rulesgraph>",
    ParameterKind.CARD: f"<{BASE}card/merrin-keeper-of-tolls>",
}
"""What the example is about, by the kind of the parameter."""

_GIVEN = {
    ("also_see", "concept"): _term("equipment"),
    ("called_also", "concept"): _term("artifact-type"),
    ("cards_touched_by", "concept"): _term("protection"),
    ("cards_with", "concept"): _term("protection"),
    ("cards_with_both", "concept"): _term("creature"),
    ("cards_with_both", "other"): _term("protection"),
    ("interaction", "other"): _term("deathtouch"),
    ("mentions_of_both", "other"): _term("deathtouch"),
    ("narrower_terms", "concept"): _term("token"),
    ("replacement", "concept"): _term("bury"),
    ("rules_relying_on", "concept"): _term("state-based-actions"),
    ("template_of", "concept"): _term("kicker"),
}
"""What the example is about where the usual one has no answer, by question and parameter."""
