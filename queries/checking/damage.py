"""Compare what a store holds with what was written: the files by checksum, the statements by number."""

from __future__ import annotations

from ...loaders.describing.inventory import stored_counts
from ...loaders.store.folder import FolderStore
from ...ontology.errors import damaged_store
from ..files import QUERIES
from ..session import Answer, Session
from .defects import COLUMNS


def verify_files(session: Session) -> int:
    """Return how many files there are of which a checksum is known; raise `StoreError` if one differs."""
    return session.store.verify_files() if isinstance(session.store, FolderStore) else 0


def verify_store(session: Session) -> Answer:
    """Return an answer without rows; raise `StoreError` if a file or a number of statements differs."""
    files = verify_files(session)
    known = stored_counts(session.store, session.iris).counts
    found = {str(graph): number for graph, number in session.select(QUERIES.read("checking", "sizes"))}
    for graph, counts in sorted(known.items()):
        if found.get(graph, 0) != counts.triples:
            reason = f"{graph} has {found.get(graph, 0)} statements instead of {counts.triples}"
            raise damaged_store(reason, session.store.location)
    notes = [f"{files} files are as they were written." if files else "No checksums of files are known."]
    notes.append(f"{len(known)} graphs have as many statements as were written.")
    return Answer("check", COLUMNS, (), notes=tuple(notes))
