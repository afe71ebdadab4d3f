"""Who is named in brackets becomes a node, and the graphs in which it says something."""

from __future__ import annotations

from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..session import Scope, Session


def find_authority(session: Session, given: str, scope: Scope, edition: str | None) -> tuple[str, Scope]:
    """Return the IRI of an authority and the graphs in which it says something.

    That is `scope` where it is named there, else the newest edition that names it, unless `edition` was
    asked for. Raises `UnknownNameError` with those that there are.
    """
    iri = session.iris.authority(slug(given))
    if any(row[0] == iri for row in session.run("finding", "authorities", scope)):
        return iri, scope
    elsewhere = session.run("finding", "authorities_anywhere")
    naming = {session.iris.parse(str(row[2])).edition for row in elsewhere if row[0] == iri}
    if edition is None:
        for it in session.editions():
            if it.id in naming:
                return iri, session.scope(it.with_rules)
    where = f"It is named in {', '.join(sorted(filter(None, naming)))}." if any(naming) else ""
    names = sorted({str(row[1]) for row in elsewhere} - {given})
    raise UnknownNameError("authority", given, () if where else names[:5], where)
