"""Read the prose in the strings of a JSON text: a program's answer, messages, or an answer on each line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...ontology import grouped
from .blocks import APART

QUOTE_KEY = re.compile(
    r"\"\w*(?:quot|text|word|verbatim|excerpt|passage|snippet|sentence)\w*\"\s?:?\s?\[?\s?\Z", re.IGNORECASE
)
"""A key whose string should be the words of a rule."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)
_NUMBER = re.compile(r'"?\u200b*(?:(?:CR|[Rr]ules?)\s*)?\d{3}(?:\.\d{1,4}[a-z]{0,2})?"?')
_RULE_KEY = re.compile(r'"(?:(?:CR|[Rr]ules?)\s*\d{3}(?=["\.])|\d{3}(?=\.))(?:\.\d{1,4}[a-z]{0,2})?"')
"""A key that is a rule number; *404* alone is more likely a code."""

_OF_A_RULE = re.compile(r'"(?:cr|rules?)(?:_?(?:number|id|no))?"', re.IGNORECASE)
_FIGURE = re.compile(r'"?[1-9][\d.]*[a-z]?"?')
_CITES = re.compile(r"\s.*\b\d{3}\b", re.DOTALL)
FILL = "\u200b"
"""A character that is ignored in reading; it keeps all others in their places."""


class _Token(NamedTuple):
    """A part of JSON; `owner` is the position of the object or list that it is in, by a `key`.

    `within` is the object around an object that begins here.
    """

    start: int
    end: int
    text: str
    owner: int
    key: str
    is_key: bool
    within: int


def parts(text: str) -> list[str]:
    """Return a text or, if it or each of its lines is JSON, the objects and the prose in it.

    Each part is as long as the text: everything else becomes empty lines, and escapes in prose are resolved.
    If an object has a rule number as a value, only those of its strings that cite rules are prose, unless
    they are marked as quotations; the others belong to that number. So does a string whose key is such a
    number; both get a line of their own.

    >>> [part.strip().replace("\u200b", "") for part in parts('{"said": "A \\\\"moth\\\\"."}')]
    ['', 'A "moth".']
    """
    if not text.lstrip().startswith(("{", "[")) or not _is_json(text):
        return [text]
    tokens = _joined([*_tokens(text)])
    numbered = {it.owner for it in tokens if _is_number(it)}
    objects, prose, place = "", "", 0
    for it in _on_lines(tokens, numbered):
        gap, nothing, is_numbered = text[place : it.start], "\n" * len(it.text), it.owner in numbered
        is_prose = _is_prose(it, is_numbered)
        said = "0".ljust(len(it.text)) if is_prose else it.text
        if is_numbered and objects.endswith(",") and "\n" not in gap:
            gap = gap.replace(" ", "\n", 1)  # each member on a line of its own, as in an indented text
        objects += gap
        if is_numbered and it.text == "{" and objects:
            objects = f"{objects[:-1]}{APART}"
        objects += said if is_numbered else nothing
        prose += text[place : it.start] + (
            f"\n{_ESCAPE.sub(_meant, it.text[1:-1])}\n" if is_prose else nothing
        )
        place = it.end
    return [objects + text[place:], prose + text[place:]]


def _on_lines(tokens: Sequence[_Token], numbered: set[int]) -> list[_Token]:
    """Return the parts of JSON; a number that is the key of a string becomes one before a quotation."""
    found = [*tokens]
    for at, it in enumerate(tokens[:-2]):
        value = tokens[at + 2]
        if it.is_key and it.owner not in numbered and _RULE_KEY.fullmatch(it.text) and value.text[0] == '"':
            numbered.add(it.start)
            said = _ESCAPE.sub(_meant, value.text[1:-1]).replace('"', "'")
            told = (f"\n{it.text[1:-1]}:", " ", f'"{said}"')
            found[at : at + 3] = (
                one._replace(owner=it.start, text=text, key='"quote"')
                for one, text in zip(tokens[at : at + 3], told, strict=True)
            )
    return found


def objects(text: str) -> Iterator[list[_Token]]:
    """Yield the strings in each object of a JSON text that has no rule number, without escapes."""
    is_json = text.lstrip().startswith(("{", "[")) and _is_json(text)
    for own in grouped((it.owner, it) for it in (_tokens(text) if is_json else ())).values():
        if not any(map(_is_number, own)):
            said = (it for it in own if it.text.startswith('"') and not it.is_key)
            yield [it._replace(text=str(json.loads(it.text))) for it in said]


def _joined(tokens: list[_Token]) -> list[_Token]:
    """Return the parts of JSON, joining a number and a quotation in one object if one is in a part of it.

    For example in ``{"quote": "…", "source": {"rule": "…"}}``, but not if there are several of them.
    """
    numbers = Counter(it.owner for it in tokens if _is_number(it))
    said = (it for it in tokens if it.text.startswith('"') and not it.is_key)
    quotes = Counter(it.owner for it in said if QUOTE_KEY.search(it.key))
    within = {it.start: it.within for it in tokens if it.text == "{"}
    pairs = [(numbers, quotes), (quotes, numbers)]
    whole = {
        part: outer
        for part, outer in within.items()
        for own, other in pairs
        if own[part] and not other[part] and not own[outer] and other[outer] == 1
    }
    once = Counter(whole.values())
    moved = {part: outer for part, outer in whole.items() if once[outer] == 1}
    open_end = {"{": " ", "}": ","}  # without an empty line, which would separate the two
    return [
        it._replace(owner=moved[it.owner], text=open_end.get(it.text, it.text)) if it.owner in moved else it
        for it in tokens
    ]


def _is_json(text: str) -> bool:
    for each in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            return all(isinstance(json.loads(it), dict | list) for it in each)
        except (ValueError, RecursionError):
            continue
    return False


def _is_number(it: _Token) -> bool:
    """Return whether a value is a rule number; one that is called so may be impossible."""
    is_possible = _NUMBER.fullmatch(it.text) or (_OF_A_RULE.fullmatch(it.key) and _FIGURE.fullmatch(it.text))
    return not it.is_key and bool(is_possible)


def _is_prose(it: _Token, is_numbered: bool) -> bool:
    if it.is_key or not it.text.startswith('"'):
        return False
    if not is_numbered:
        return True
    return bool(_CITES.search(it.text)) and not (_is_number(it) or QUOTE_KEY.search(it.key))


def _meant(match: re.Match[str]) -> str:
    """Return what an escape stands for, padded to its length."""
    said = str(json.loads(f'"{match[0]}"'))
    return said + FILL * (len(match[0]) - len(said))


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the parts of JSON."""
    within = [(-1, False)]  # the owner, and whether it is an object rather than a list
    keys = [""]
    matches = [*_TOKEN.finditer(text)]
    for place, match in enumerate(matches):
        outer = within[-1][0]
        if match[0] in ("{", "["):
            within.append((match.start() if match[0] == "{" else within[-1][0], match[0] == "{"))
            keys.append(keys[-1])
        owner, is_object = within[-1]
        is_key = is_object and place + 1 < len(matches) and matches[place + 1][0] == ":"
        keys[-1] = match[0] if is_key else keys[-1]
        yield _Token(*match.span(), match[0], owner, keys[-1], is_key, outer)
        if match[0] in ("}", "]"):
            within.pop()
            keys.pop()
