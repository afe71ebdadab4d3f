"""Read forms: small files that describe how a kind of numbered rules is printed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ....ontology import UsageError, packaged
from ...given import read_whole

_HEAD = 40
"""How many lines at the head of a text may contain its title."""

LEAST = 3
"""A text is one of numbered rules if it has this many provisions."""

_WANTED = ("name", "title", "number")
_KNOWN = (*_WANTED, "heading", "date", "cites", "called", "aside", "example", "furniture", "topics")
_WORDS = ("name", "topics")
"""The values that are not patterns."""

_WAY_OUT = f"A form has {', '.join(_WANTED)}, and may have {', '.join(_KNOWN[len(_WANTED) :])}."
_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


@dataclass(frozen=True)
class Form:
    """How a kind of numbered rules is printed; all fields but the name and the topics are patterns.

    `name` begins the ids of its editions (``ipg-2024-09-23``), `title` matches the head of a text, `number`
    is the number of a provision at the start of a line, `heading` a whole line that heads a provision without
    a number; a form has one of the two, or both. `date` are the words before the day. `cites` are citations,
    the number in their first group, and `called` is its name in other documents; `aside` is what may follow a
    heading on its line; `example` begins an example; `furniture` are whole lines without content. `topics`
    are words, between commas, that people use when they ask about what only these rules regulate; ``…``
    stands for one more word.
    """

    name: str
    title: re.Pattern[str]
    number: re.Pattern[str] | None = None
    heading: re.Pattern[str] | None = None
    date: re.Pattern[str] | None = None
    cites: re.Pattern[str] | None = None
    called: re.Pattern[str] | None = None
    aside: re.Pattern[str] | None = None
    example: re.Pattern[str] | None = None
    furniture: re.Pattern[str] | None = None
    topics: str = ""

    def cited_elsewhere(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where another document cites a section of this one by its name: start, end and number."""
        if self.called and self.called.search(text):
            for it in _citing(self.called.pattern).finditer(text):
                yield it.start(), it.end(), it["behind"] or it["bare"] or it["before"]

    def fits(self, lines: Sequence[str]) -> bool:
        """Return whether a text has this title and provisions; a glossary may just have such an entry."""
        written = [" ".join(line.strip("#* \t").split()) for line in lines if line.strip()]
        return any(map(self.title.search, written[:_HEAD])) and sum(map(self.begins, written)) >= LEAST

    def begins(self, text: str) -> bool:
        """Return whether a line begins with a number, or is a heading without one."""
        if self.number and self.number.match(text):
            return True
        return self.heading is not None and self.heading.fullmatch(text) is not None


@cache
def _citing(called: str) -> re.Pattern[str]:
    section = r"(?:\d{1,2}(?:\.\d{1,2})?|appendix [A-Z]\b)(?!\.?\d)"
    return re.compile(
        rf"\b(?:{called}),? (?:(?:sections? )(?P<behind>{section})|(?P<bare>\d{{1,2}}\.\d{{1,2}}(?!\.?\d)))"
        rf"|\b(?:sections? )?(?P<before>(?:(?<=section )|(?<=sections )|(?=a)){section})"
        rf"(?:,)? (?:of|in) (?:the )?(?:{called})",
        re.IGNORECASE,
    )


def form_of(values: Mapping[str, object], where: str) -> Form:
    """Return the form that the values of a file describe.

    Raises `UsageError` for a value that is missing, unknown, not a text or not a pattern.
    """

    def wrong(what: str, way_out: str = _WAY_OUT) -> UsageError:
        return UsageError(what, where=where, way_out=way_out)

    patterns: dict[str, re.Pattern[str]] = {}
    wanted = [key for key in _WANTED if key != "number" or "heading" not in values]
    for key in (*wanted, *values):
        value = values.get(key)
        if key not in _KNOWN or not isinstance(value, str) or not value:
            what = "is not a key of a form" if key not in _KNOWN else "must be a string"
            raise wrong(f"{key!r} {what}")
        if key in _WORDS:
            continue
        try:
            patterns[key] = re.compile(value, re.IGNORECASE if key != "number" else 0)
            if key == "called":
                _citing(value)  # it becomes a part of that
        except re.error as error:
            raise wrong(f"{key!r} is not a pattern: {error}") from error
        if patterns[key].match(""):
            raise wrong(f"{key!r} also matches nothing at all")
    name = str(values["name"])
    if not _NAME.fullmatch(name):
        raise wrong(f"{name!r} cannot start an id", "Use lowercase letters and hyphens.")
    cites = patterns.get("cites")
    if cites and not cites.groups:
        raise wrong("'cites' has no group", "Put the number in brackets.")
    return Form(name, **patterns, topics=str(values.get("topics", "")))


def read_form(path: str | Path) -> Form:
    """Return the form that a file (TOML) describes; raises `UsageError` when it cannot be read."""
    try:
        values = tomllib.loads(read_whole(path).decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        what = f"the form cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError(what, where=str(path), way_out="Give a form: a file in TOML.") from error
    return form_of(values, str(path))


@cache
def bundled_forms() -> tuple[Form, ...]:
    """Return the bundled forms, which are those of the tournament rules."""
    return tuple(form_of(values, str(values["name"])) for values in _bundled())


def bundled_topics() -> tuple[str, ...]:
    """Return the topics of the bundled forms, without compiling their patterns."""
    return tuple(str(values.get("topics", "")) for values in _bundled())


@cache
def _bundled() -> tuple[Mapping[str, object], ...]:
    """Return the values of each bundled form."""
    tables = tomllib.loads(packaged(__package__, "forms.toml").decode("utf-8"))
    return tuple(
        {"name": name, **tables.get(values.pop("like", ""), {}), **values} for name, values in tables.items()
    )


def is_of_tournaments(edition: str) -> bool:
    """Return whether these are tournament rules; rules of another game may cite their own rule 100."""
    return any(edition.startswith(f"{values['name']}-") for values in _bundled())
