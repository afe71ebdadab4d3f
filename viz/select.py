"""Choose what a picture shows: the most connected things, those around a thing, or those in an answer.

The rows of an answer are matched with things in the graph; a long answer is highlighted on the map.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ..ontology.errors import NothingFoundError, UnknownNameError
from ..queries.catalogue.questions import is_name, question
from ..queries.finding.things import resolve
from ..queries.session import Answer, Scope, Session
from ..queries.session.statements import Statements
from .graph import Graph, candidates, degrees, neighbourhood, next_to, onward, read_graph
from .passages import read_history, read_passages
from .selection import STRENGTH, Edge, Highlights, LinkKind, Selection

LIMIT = 300
"""The maximum number of things in a picture in which a reader can still tell them apart."""

RESERVE = 150
"""The maximum number of further things in the page, hidden until a neighbour is expanded."""


def choose(
    session: Session,
    *,
    around: str | None = None,
    depth: int = 1,
    asked: AnsweredQuestion | None = None,
    edition: str | None = None,
    limit: int | None = None,
) -> Selection:
    """Choose what a page shows, in the edition that has the requested things.

    `around` is a term or number, shown with everything up to `depth` links away; `asked` is an answer whose
    rows are shown. Without either, the most connected things are shown. `limit` is the maximum number of
    things shown.

    Raises the errors of `of_answer` and `queries.finding.things.resolve`.
    """
    most = limit or LIMIT
    found = None
    if around and not asked:
        found = resolve(session, [around], edition)
    scope = asked.scope if asked else found.scope if found else session.scope(edition)
    stated = Statements(session, scope)
    if asked:
        iris = asked.about[0] if asked.about else ()
        chosen = of_answer(stated, asked.answer, title=asked.title, iris=iris, limit=most)
    elif found:
        chosen = around_thing(stated, found.things[0].iris, depth=depth, limit=most)
    else:
        chosen = overview(stated, limit=most)
    history = read_history(stated, {node.iri: node.kind for node in chosen.nodes})
    return replace(chosen, history=history)


def overview(stated: Statements, *, limit: int = LIMIT) -> Selection:
    """Choose the most connected terms, and the rules, sections and entries that terms are linked to.

    `limit` is the number of things shown at once. Raises `NothingFoundError` without any term.
    """
    graph = read_graph(stated)
    worth = candidates(graph)
    if not worth:
        raise NothingFoundError("there is no term to show", way_out="Load a document: rulesgraph build FILE")
    degree = degrees(graph, worth)
    ranked = sorted(worth, key=lambda iri: (-degree[iri], iri))
    shown = ranked[:limit]
    reserve = [iri for iri in next_to(graph, shown) if iri in worth][:RESERVE]
    titles = stated.titles
    what = "All terms, and the rules and sections that they are linked to"
    if len(shown) < len(ranked):
        what = f"The {len(shown)} most connected of {len(ranked):,} terms and linked rules"
    note = f"{what}: {' and '.join(titles)}."
    return _selected(stated, graph, shown, reserve, title=titles[0], note=note, total=len(ranked))


def around_thing(stated: Statements, iris: Sequence[str], *, depth: int = 1, limit: int = LIMIT) -> Selection:
    """Choose what is within `depth` links of a thing, in either direction; `iris` are its nodes.

    The parts of a rule, and the rule that defines a term, belong to the thing itself. In the first step links
    of any kind count, after that all but mentions; at depth 0 the thing is alone. Raises `UnknownNameError`
    for a thing outside of the scope.
    """
    graph = read_graph(stated)
    focus = _known(graph, iris)
    steps = neighbourhood(graph, focus, depth) if depth else {focus: 0}
    degree = degrees(graph, steps)
    ranked = sorted(steps, key=lambda iri: (steps[iri], -degree[iri], iri))
    shown, reserve = ranked[:limit], ranked[limit : limit + RESERVE]
    reserve += next_to(graph, shown, steps)[: RESERVE - len(reserve)]
    name = graph.things[focus].label
    editions = " and ".join(stated.titles)
    links = {0: "no link", 1: "one link"}.get(depth, f"{depth} links")
    reach = f"within {links} of {name}: {editions}."
    note = f"Everything {reach}"
    if len(shown) < len(ranked):
        note = f"The nearest {len(shown)} of {len(ranked):,} things {reach}"
    total = len(ranked)
    return _selected(stated, graph, shown, reserve, steps, title=name, note=note, total=total, focus=focus)


def of_answer(
    stated: Statements, answer: Answer, *, title: str, iris: Sequence[str] = (), limit: int = LIMIT
) -> Selection:
    """Choose the things that the rows of an answer name, and the chains from them to its subject.

    A cell counts when it is the IRI, the name or the number of a thing; `iris` are the nodes that the
    question named, or nothing. A column `steps` says how far a row's thing is from them. Raises
    `NothingFoundError` if no row names a thing.
    """
    graph = read_graph(stated)
    focus = _known(graph, iris) if iris else ""
    found = _named_in(graph, answer)
    if not found:
        raise NothingFoundError("the answer names nothing that could be drawn")
    shown, rest = _with_paths(graph, list(found), focus, limit)
    steps = {iri: step for iri, step in {**found, focus: 0}.items() if step is not None}
    named = len(found.keys() & set(shown))
    things = "The one thing" if named == 1 else f"The {named} things"
    what = things if named == len(found) else f"The first {named} of the {len(found)} things"
    note = f"{what} that the answer names, in {' and '.join(stated.titles)}."
    total = len({*found, *shown})
    chosen = _selected(stated, graph, shown, rest, steps, title=title, note=note, total=total, focus=focus)
    ids = {node.iri: k for k, node in enumerate(chosen.nodes)}
    return replace(chosen, answer=highlights_of(graph, answer, title, (iris,), ids))


def _with_paths(graph: Graph, named: Sequence[str], focus: str, limit: int) -> tuple[list[str], list[str]]:
    """Return the things of an answer to show, each with its path to the focus, and those in reserve."""
    after = onward(graph, focus) if focus else {}
    chosen: dict[str, None] = {focus: None} if focus else {}
    full = False
    shown: list[str] = []
    for start in named:
        way = [start]
        while way[-1] in after:
            way.append(after[way[-1]])
        if not full and len(chosen.keys() | set(way)) > limit:
            full, shown = True, list(chosen)
        if len(chosen.keys() | set(way)) > limit + RESERVE:
            break
        chosen |= dict.fromkeys(way)
    held = list(chosen)
    return (shown, held[len(shown) :]) if full else (held, [])


def _known(graph: Graph, iris: Sequence[str]) -> str:
    """Return the first of the nodes that is in the graph."""
    for iri in iris:
        if graph.same.get(iri, iri) in graph.things:
            return graph.same.get(iri, iri)
    raise UnknownNameError("term, rule or section of this edition", iris[0] if iris else "")


def _named_in(graph: Graph, answer: Answer) -> dict[str, int | None]:
    """Return the things that cells name, in order, with the number of steps of their row."""
    by_name = graph.by_name()
    found: dict[str, int | None] = {}
    for row in answer.records():
        steps = row.get("steps")
        for iri in _things_in(row, by_name):
            found.setdefault(iri, steps if isinstance(steps, int) else None)
    return found


def _selected(
    stated: Statements,
    graph: Graph,
    shown: Sequence[str],
    reserve: Sequence[str],
    steps: Mapping[str, int] = MappingProxyType({}),
    **head: Any,
) -> Selection:
    """Return a selection of things; `steps` are their distances from its focus, `head` is the rest of it."""
    held = [*shown, *reserve]
    passages = read_passages(stated, graph, held)
    inside, hidden = set(held), set(reserve)
    nodes = tuple(
        replace(
            graph.things[iri],
            passages=passages.get(iri, ()),
            steps=steps.get(iri),
            reserve=iri in hidden,
            beyond=sum(other not in inside for other, _ in graph.near(iri)),
        )
        for iri in held
    )
    links = tuple(joined(graph, set(shown), held))
    return Selection(nodes=nodes, links=links, base=stated.session.iris.base, **head)


def joined(graph: Graph, shown: Collection[str], held: Collection[str]) -> Iterable[Edge]:
    """Yield the links between things in the page.

    A part is linked to its nearest whole; if that is in reserve, also to the nearest one shown.
    """
    inside = set(held)
    for source in held:
        kinds = {
            target: set(found) for target, found in graph.links.get(source, {}).items() if target in inside
        }
        wholes = [whole for whole in graph.wholes(source) if whole in inside]
        seen = [whole for whole in wholes if whole in shown] if source in shown else []
        for whole in {*wholes[:1], *seen[:1]}:
            kinds.setdefault(whole, set()).add(LinkKind.PART)
        for target in sorted(kinds):
            yield Edge(source, target, tuple(sorted(kinds[target], key=STRENGTH.__getitem__)))


PROSE = frozenset({"quote", "other_quote", "document", "message", "text", "link"})
"""The columns whose cells are words, not names of things."""

LIST = "list"

_FORMS = {"why": "chain", "history": "changes", "trace": "changes"}
"""The forms of answers that are not from the catalogue, by name."""

SAID = ("quote", "other_quote", "text", "message")
"""Columns whose cells give the evidence for a row."""

HOW = ("link", "change", "kind", "state")
"""Columns whose cells say how a row's things are meant; the first that exists is used."""

FEW = 70
"""The maximum number of rows in an answer drawn as a graph; a longer one is highlighted on the map."""


class AnsweredQuestion(NamedTuple):
    """An answer with its title, the scope of its names, and the nodes of the question's subjects."""

    title: str
    answer: Answer
    scope: Scope
    about: tuple[tuple[str, ...], ...]


def form_of(answer: Answer) -> str:
    """Return how an answer is shown: ``"chain"``, ``"meeting"`` (common ground), ``"changes"`` or ``"list"``.

    A question of the catalogue says so in its header (`#+ picture: chain`).
    """
    asked = question(answer.name).picture if is_name(answer.name) else _FORMS.get(answer.name, "")
    return asked or LIST


def is_small(answer: Answer) -> bool:
    """Return whether an answer is a short list of things; chains, common ground and changes go on the map."""
    return 0 < len(answer.rows) <= FEW and form_of(answer) == LIST


# -- things of the graph that the rows name ----------------------------------------------------------


def highlights_of(
    graph: Graph, answer: Answer, title: str, about: Sequence[Sequence[str]], ids: Mapping[str, int]
) -> Highlights:
    """Return what a page highlights for an answer: a chain, common ground, changes, or a list of things.

    `about` are the nodes of each thing that the question is about; `ids` has the id of each thing in the
    page. Rows that name nothing in the page keep their sentences. A row of a chain names the source of the
    link first, then its target.
    """
    by_name = graph.by_name()
    meant = (next((it for i in nodes if (it := graph.same.get(i, i)) in graph.things), "") for nodes in about)
    return {
        "title": title,
        "form": form_of(answer),
        "about": [ids[iri] for iri in meant if iri in ids],
        "notes": [*answer.notes],
        "rows": [_highlight(row, by_name, ids) for row in answer.records()],
    }


def _things_in(row: Mapping[str, object], by_name: Mapping[str, str]) -> list[str]:
    """Return the things that the cells of a row name, each once."""
    cells = (cell for column, cell in row.items() if column not in PROSE)
    return list(dict.fromkeys(by_name[it] for it in cells if isinstance(it, str) and it in by_name))


def _highlight(
    row: Mapping[str, object], by_name: Mapping[str, str], ids: Mapping[str, int]
) -> dict[str, Any]:
    line = row.get("line")
    return {
        "things": [ids[iri] for iri in _things_in(row, by_name) if iri in ids],
        "how": next((str(row[column]) for column in HOW if row.get(column)), ""),
        "said": [str(row[column]) for column in SAID if row.get(column)],
        "where": [str(row.get("document") or ""), line if isinstance(line, int) else 0],
    }
