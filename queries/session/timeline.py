"""Decide whether the timeline can change what a query finds: without it, a query takes half the time."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"""(<[^<>\s]*>|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\#[^\n]*""", re.DOTALL)
_NO_PATTERN = re.compile(r"\bSELECT\b[^{]*|\b(?:GROUP|ORDER)\s+BY\b[^{}]*", re.IGNORECASE)

_REACHES = re.compile(
    r"""
    Tenure | LegalExpression | hadNumber | (?:first|last)Edition | in_force   # what the timeline says
    | changeKind | wasDerivedFrom | versionInfo
    | \bDESCRIBE\b
    | (?: (?<![?$:\w-])a\b | [:#]type\b>? ) \s* [^\s\w<:]                     # a class that is not named
    | [\w>"')\];|] \s* [?$]\w+\b \s*                                          # a variable as a property
      (?! (?: AS|BIND|FILTER|GRAPH|IN|MINUS|NOT|OPTIONAL|SERVICE|UNION|VALUES)\b (?!:) ) [\w<"'(\[?$:+-]
    | ! \s* (?: [^\s=A-Za-z] | \w*: | a\b )                                   # any property but these
    | [\w>)] \s* \* | \?(?!\w)                                                # a path of no steps
    | \"{3} | '{3} | \\[uU] | \bPREFIX\b [^<]* <[^>]*\w>                      # what hides names from us
    """,
    re.VERBOSE | re.IGNORECASE,
)


def reaches_timeline(query: str) -> bool:
    """Return whether a query may match a statement of the timeline; if in doubt, it may.

    >>> reaches_timeline("SELECT ?text { ?rule skos:notation '704.5j' ; rg:text ?text }")
    False
    >>> reaches_timeline("SELECT ?p ?o { ?rule skos:notation '704.5j' ; ?p ?o }")
    True
    """
    patterns = _NO_PATTERN.sub(" ", _COMMENT.sub(lambda it: it[1] or " ", query))
    return _REACHES.search(patterns) is not None
