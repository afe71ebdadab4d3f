"""Find the rules and entries of an edition that people name by number, range or heading."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...loaders.language.numbers import number_in
from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..finding.names import Named
from ..finding.numbering import elsewhere, nearest_numbers, place_among
from ..finding.things import editions_with
from ..session import Edition, Session

_HEADING = re.compile(r"rules?\s+", re.IGNORECASE)


def numbers_in(text: str) -> list[str]:
    """Return the rule numbers of a number, list or range; anything else is the name of an entry."""
    stem = _HEADING.sub("", text.strip())
    if number_in(stem) or not any(it.isdigit() for it in stem):
        return [number_in(stem) or text.strip()]
    # Reading references loads a grammar; lists and ranges alone need it.
    from ...loaders.reading.references import find_references

    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    return found or [text.strip()]


def locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and the label of a rule or entry in one edition."""
    document = (session.iris.document(edition.documents[0].id),)
    rule = session.iris.rule(edition.id, wanted)
    if session.run("history", "numbered", document, {"rule": [rule]}):
        return rule, wanted
    rows = session.run("history", "entries_of", document, {"term": [session.iris.term(slug(wanted))]})
    if rows:
        return str(rows[0][0]), str(rows[0][1])
    number = number_in(wanted)
    by_heading = None if number else _headed(session, document, wanted)
    if by_heading:
        return by_heading
    # Only for what is unknown.
    from difflib import get_close_matches

    names = [str(row[0]) for row in session.run("history", "names", document)]
    looked = f"looked in {edition.id}"
    if not number:
        raise UnknownNameError("rule or entry", wanted, get_close_matches(wanted, names, n=3), looked)
    others = sorted(editions_with(session, Named("number", number, number), False))
    place = f"it stands in {', '.join(others[-5:])}" if others else place_among(number, names)
    told = "" if others else elsewhere(number)
    near = [] if others or told else nearest_numbers(number, names)
    looked = f"{looked}: {place}" if place else looked
    raise UnknownNameError("rule or entry", wanted, near, "\n  ".join(it for it in (looked, told) if it))


def _headed(session: Session, document: Sequence[str], wanted: str) -> tuple[str, str] | None:
    """Return the IRI and the label of the one entry with a heading, or a name in it; else of the one rule."""
    # Most names are those of terms.
    from ...loaders.language.names import split_heading
    from ..finding.namesakes import the_one_called

    headings, rules = [], []
    for iri, title, number in session.run("history", "headings", document):
        if number:
            rules.append((str(title), (str(iri), str(number))))
        else:
            names = (str(title), *split_heading(str(title)).names)
            headings += [(name, (str(iri), str(title))) for name in names]
    return the_one_called(headings, wanted, bent=False) or the_one_called(rules, wanted, bent=False)


def stands_in(session: Session, edition: Edition, wanted: Sequence[str]) -> bool:
    """Tell whether an edition has all of some rules and entries."""
    try:
        return bool([locate(session, edition, it) for it in wanted])
    except UnknownNameError:
        return False
