"""Write the SPARQL update that makes all changes of graphs take effect at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable


def changes(
    graph: str, before: Collection[str], after: Collection[str], most: int, *, deletes: bool
) -> tuple[list[str], int] | None:
    """Return the steps that replace the triples of a graph, given as lines of N-Triples, with others.

    Also return how many triples they name. Return None if these are more than `most`, or if some must be
    deleted and the engine cannot delete single triples: not every engine recognises a triple that it was
    given before. No graph has blank nodes: those of the vocabulary get IRIs when it is loaded.
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
    """Return the steps that replace a graph with another, for an engine that cannot move graphs."""
    copied, found = (f"GRAPH <{it}> {{ ?s ?p ?o }}" for it in (target, graph))
    return [dropping(target), f"INSERT {{ {copied} }} WHERE {{ {found} }}", dropping(graph)]


def insertion(graph: str, lines: Iterable[str]) -> str:
    """Return the update that adds triples."""
    return f"INSERT DATA {{ {_block(graph, lines)} }}"


def moving(graph: str, target: str) -> str:
    """Return the update that replaces `target` with a graph."""
    return f"MOVE GRAPH <{graph}> TO GRAPH <{target}>"


def _block(graph: str, lines: Iterable[str]) -> str:
    return "\n".join((f"GRAPH <{graph}> {{", *lines, "}"))
