"""Write the steps of the one SPARQL update that makes all changes of graphs take effect at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def changes(
    graph: str, before: Collection[str], after: Collection[str], most: int, *, deletes: bool
) -> tuple[list[str], int] | None:
    """Return the steps that turn the triples of a graph, as lines of N-Triples, into others.

    Also return how many triples these name; None if they are more than `most`, or some must be deleted and
    the engine cannot delete single triples: not every engine recognises a triple that it was given before.
    No graph has blank nodes: what the vocabulary leaves unnamed gets an IRI when it is loaded.
    """
    gone, new = set(before).difference(after), set(after).difference(before)
    if len(gone) + len(new) > most or (gone and not deletes):
        return None
    steps = [f"DELETE DATA {{ {_block(graph, sorted(gone))} }}"] if gone else []
    steps += [insertion(graph, sorted(new))] if new else []
    return steps, len(gone) + len(new)


def dropping(graph: str) -> str:
    """Return the update that removes a graph, if it is there."""
    return f"DROP SILENT GRAPH <{graph}>"


def copying(graph: str, target: str) -> list[str]:
    """Return the steps by which a graph replaces another, for an engine that cannot move graphs."""
    copied, found = (f"GRAPH <{it}> {{ ?s ?p ?o }}" for it in (target, graph))
    return [dropping(target), f"INSERT {{ {copied} }} WHERE {{ {found} }}", dropping(graph)]


def insertion(graph: str, lines: Iterable[str]) -> str:
    """Return the update that adds triples."""
    return f"INSERT DATA {{ {_block(graph, lines)} }}"


def moving(graph: str, target: str) -> str:
    """Return the update by which a graph replaces another."""
    return f"MOVE GRAPH <{graph}> TO GRAPH <{target}>"


def _block(graph: str, lines: Iterable[str]) -> str:
    return "\n".join((f"GRAPH <{graph}> {{", *lines, "}"))
