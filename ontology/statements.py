"""Handle statements and literals as plain strings: read them, validate them, put them into words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from .terms import PREFIXES, TYPE

PlainTriple = tuple[str, str, str]
"""Subject, predicate and object as IRIs, blank node labels, or (objects) literals as in N-Triples."""


def with_article(name: str) -> str:
    """Return a name with its article.

    >>> with_article("evasion ability"), with_article("rule")
    ('an evasion ability', 'a rule')
    """
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def in_words(statement: PlainTriple, labels: Mapping[str, str]) -> str:
    """Return a statement as a reader would say it, its classes and properties by their labels."""
    s, p, o = statement
    if p == TYPE:
        return f"{s} is {with_article(labels.get(o, o))}"
    return f"{s} {labels.get(p, p)} {o}"


# -- literals ----------------------------------------------------------------------------------------

_XSD = PREFIXES["xsd"]
_PLAIN = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*")
_STRINGS = frozenset({"string", "normalizedString", "token"})
_WHOLE = frozenset(
    {
        *("integer", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
        *("long", "int", "short", "byte", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
    }
)
_NUMBERS = _WHOLE | {"decimal"}
READ_BY_REASONERS = frozenset(_XSD + name for name in _STRINGS | _NUMBERS | {"boolean", "float", "double"})
"""The datatypes that each of our reasoners can read; they fail on dates, among others."""


def is_literal(node: str) -> bool:
    """Return whether this is an N-Triples literal, not an IRI or the label of a blank node."""
    return node.startswith('"')


@cache
def parts(literal: str) -> tuple[str, str]:
    """Return the words and the datatype of a literal; one with a language has `rdf:langString`.

    >>> parts('"4"^^<urn:wick>'), parts('"dusk"@en')[0]
    (('4', 'urn:wick'), 'dusk')
    """
    from pyoxigraph import Literal, RdfFormat, parse

    (quad,) = parse(input=f"<urn:s> <urn:p> {literal} .", format=RdfFormat.N_TRIPLES)
    if not isinstance(quad.object, Literal):
        raise TypeError(f"no literal: {literal}")
    return quad.object.value, quad.object.datatype.value


def is_well_formed(literal: str) -> bool:
    """Return whether the words of a literal are valid for its datatype; unknown datatypes accept any words.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> [is_well_formed(f'"{words}"^^<{xsd}integer>') for words in ("12", "twelve", "1_2")]
    [True, False, False]
    """
    from rdflib import Literal, URIRef

    words, datatype = parts(literal)
    if datatype.removeprefix(_XSD) in _NUMBERS and not _PLAIN.fullmatch(words):
        return False
    return not Literal(words, datatype=URIRef(datatype), normalize=False).ill_typed


def fits(literal: str, datatype: str) -> bool:
    """Return whether the value of a well-formed literal also belongs to a datatype of `READ_BY_REASONERS`.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> fits(f'"3"^^<{xsd}byte>', xsd + "integer"), fits('"3"', xsd + "integer")
    (True, False)
    """
    words, own = parts(literal)
    one, other = own.removeprefix(_XSD), datatype.removeprefix(_XSD)
    if own == datatype or {one, other} <= _STRINGS:
        return True
    if not {one, other} <= _NUMBERS:
        return False
    value = Decimal(words.strip())
    whole = value == value.to_integral_value()
    return other == "decimal" or (whole and is_well_formed(f'"{int(value)}"^^<{datatype}>'))
