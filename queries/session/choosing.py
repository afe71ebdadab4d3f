"""An edition, several, or all of them, as people name them, become the scope that a question sees."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...ontology.errors import UsageError
from .editions import Edition, local_id, unknown_edition
from .runner import Runner
from .scope import ALL, Scope, merged, unmerged


def current_scope(runner: Runner) -> Scope:
    """Return what a plain question sees: `graph/current` as the one default graph."""
    iris = runner.iris
    names: list[str] = []
    documents: list[str] = []
    in_force: set[str] = set()
    for edition, document, _, rules in runner.run("session", "current", (iris.graph("current"),)):
        name = local_id(iris, edition)
        if name not in names:
            names.append(name)
        if str(document) not in documents:
            documents.append(str(document))
        if rules:
            in_force.add(local_id(iris, rules))
    # The release comes before the rules that it was made under, though those may share its date.
    names.sort(key=lambda name: name in in_force)
    return merged(iris, names, documents)


_ID = re.compile(r"[\w.~-]+")
"""What an edition may be called; of other names no IRI can be made."""


def scope_of(runner: Runner, wanted: str, current: Scope, loaded: Callable[[], Sequence[Edition]]) -> Scope:
    """Return the scope of an edition, of several (``"A,B"``) or of all (``"all"``), by ids or days.

    `current` is what a plain question sees, `loaded` gives all editions. An edition that is named is
    looked at alone: the rules that were in force when a release of rulings appeared belong to what a
    plain question sees, and here have to be named as well.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` where none is named.
    """
    iris = runner.iris
    if wanted.strip() == ALL:
        editions = loaded()
        whole = [iris.document(document.id) for edition in editions for document in edition.documents]
        return unmerged(iris, [edition.id for edition in editions], whole, united=True)
    asked = [name.strip() for name in wanted.split(",") if name.strip()]
    if not asked:
        raise UsageError("no edition is named", way_out='name one, several ("A,B"), or "all"')
    documents: list[str] = []
    joined: set[str] = set()
    for place, name in enumerate(asked):
        own, rules = _members(runner, name)
        if not own:
            # The day of an edition is a name of it where no other is of that day.
            of_day = [edition.id for edition in loaded() if str(edition.issued) == name]
            if len(of_day) != 1:
                raise unknown_edition(name, loaded())
            asked[place] = of_day[0]
            own, rules = _members(runner, of_day[0])
        documents += own
        joined.update(rules)
    if set(asked) == set(current.editions):
        return current
    return unmerged(iris, asked, documents, united=len(set(asked) - joined) > 1)


def _members(runner: Runner, name: str) -> tuple[list[str], list[str]]:
    """Return the IRIs of the edition's documents, and the ids of the rules that it is joined to.

    There are none of either for a name that no edition has.
    """
    if not _ID.fullmatch(name):
        return [], []
    given = {"edition": [runner.iris.edition(name)], "derived": [runner.iris.derived(name)]}
    rows = runner.run("session", "members", None, given)
    documents = dict.fromkeys(str(row[0]) for row in rows)
    rules = dict.fromkeys(local_id(runner.iris, row[1]) for row in rows if row[1])
    return list(documents), list(rules)
