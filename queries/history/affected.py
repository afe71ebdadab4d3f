"""Rules and entries that changed become the terms that rest on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ...loaders.history.items import ChangeKind, Item
from ..session import Edition, Session
from .outcomes import Outcome
from .outline import label

TERM_COLUMNS = ("term", "links", "rests on")

_SAME_WORDS = (ChangeKind.RENUMBERED, ChangeKind.REFERENCES)


def affected(
    session: Session, edition: Edition, changes: Iterable[Outcome], new: Mapping[str, Item]
) -> tuple[tuple[str, int, str], ...]:
    """Return the terms of `edition` that link to what came or has other words, most links first.

    Only explicit links count. A term counts as linked to a rule when it is linked to the rule itself, to one
    of its subrules, or to a term that the rule defines.
    """
    derived, terms = session.iris.derived(edition.id), session.iris.graph("terms")
    iris = session.iris
    touched = {it.after: new[it.after] for it in changes if it.after and it.change not in _SAME_WORDS}
    rules = {iri: label(it) for iri, it in touched.items() if not it.is_entry}
    changed_terms = {iris.term(it.key): label(it) for it in touched.values() if it.is_entry}
    for defined, rule in session.run("history", "defining", (derived,)):
        if str(rule) in rules:
            changed_terms.setdefault(str(defined), rules[str(rule)])
    above: dict[str, set[str]] = defaultdict(set)
    for iri, number in rules.items():
        above[iri].add(number)
        place = iris.parse(iri)
        whole = place._replace(key=place.key.rstrip("abcdefghijklmnopqrstuvwxyz"))
        above[iris.iri(whole)].add(number)
    found: dict[str, set[str]] = defaultdict(set)
    for term, name, thing in session.run("history", "relying", (derived, terms)):
        labels = above.get(str(thing), set())
        if str(thing) in changed_terms and str(thing) != str(term):
            labels = labels | {changed_terms[str(thing)]}
        found[str(name)] |= labels
    rows = [(name, len(labels), ", ".join(sorted(labels))) for name, labels in found.items() if labels]
    return tuple(sorted(rows, key=lambda row: (-row[1], row[0])))
