"""Write the steps of the one SPARQL update that makes all changes of graphs take effect at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable


def changes(
    graph: str, before: Collection[str], after: Collection[str], most: int, *, deletes: bool
) -> tuple[list[str], int] | None:
    """Return the steps that turn the triples of a graph, as lines of N-Triples, into others.

    Also return how many triples these name; None if they are more than `most`, or some must be deleted and
    the engine cannot delete single triples: not every engine recognises a triple that it was given before. A
    graph with blank nodes is replaced, since their names mean nothing outside.
    """
    gone, new = set(before).difference(after), set(after).difference(before)
    replaced = bool(before) and any(map(has_blank, gone | new))
    if replaced:
        gone, new = set(), set(after)
    if len(gone) + len(new) > most or (gone and not deletes):
        return None
    steps = [dropping(graph)] if replaced else []
    if gone:
        steps.append(f"DELETE DATA {{ {_block(graph, sorted(gone))} }}")
    blank = sorted(filter(has_blank, new))
    steps += [insertion(graph, lines) for lines in (sorted(new.difference(blank)), blank) if lines]
    return steps, len(gone) + len(new)


def dropping(graph: str) -> str:
    """Return the update that removes a graph, if it is there."""
    return f"DROP SILENT GRAPH <{graph}>"


def copying(graph: str, target: str) -> list[str]:
    """Return the steps by which a graph replaces another, for an engine that cannot move graphs."""
    copied, found = (f"GRAPH <{it}> {{ ?s ?p ?o }}" for it in (target, graph))
    return [dropping(target), f"INSERT {{ {copied} }} WHERE {{ {found} }}", dropping(graph)]


def insertion(graph: str, lines: Iterable[str]) -> str:
    """Return the update that adds triples, with blank nodes in all lines or in none."""
    lines = list(lines)
    block = _block(graph, lines)
    # Virtuoso accepts no blank nodes as data.
    return f"INSERT {{ {block} }} WHERE {{ }}" if has_blank(lines[0]) else f"INSERT DATA {{ {block} }}"


def emptying(graph: str) -> str:
    """Return the update that removes every triple of a graph, but not the graph itself."""
    return f"DELETE WHERE {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}"


def moving(graph: str, target: str) -> str:
    """Return the update by which a graph replaces another."""
    return f"MOVE GRAPH <{graph}> TO GRAPH <{target}>"


def has_blank(line: str) -> bool:
    """Return whether a line of N-Triples names a blank node."""
    return line.startswith("_:") or re.search(r"\s_:\S+ \.$", line) is not None


def _block(graph: str, lines: Iterable[str]) -> str:
    return "\n".join((f"GRAPH <{graph}> {{", *lines, "}"))
