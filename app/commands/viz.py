"""A part of the graph into one interactive HTML page."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..output import talk
from ..sessions import open_session

if TYPE_CHECKING:
    from ...queries.runner import Session
    from ...queries.scope import Scope
    from ...viz.selection import Selection

TAKES = ("edition",)
EXAMPLES = """\
  rulesgraph viz -o graph.html                                   the most connected things
  rulesgraph viz --around Protection --depth 2 -o protection.html
  rulesgraph viz --answer terms_relying_on "State-Based Effects" -o answer.html
  rulesgraph viz --answer "What does Equipment rely on?" -o answer.html"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `viz`."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--around", metavar="TERM", help="show what is linked to this term or rule")
    what.add_argument(
        "--answer", metavar="NAME", nargs="+", help="show the rows of an answer: a question and its arguments"
    )
    parser.add_argument(
        "--depth", metavar="N", type=int, default=1, help="with --around: up to N links away (default: 1)"
    )
    parser.add_argument("-o", "--output", metavar="FILE.html", required=True, help="where to write the page")


def run(options: argparse.Namespace) -> int:
    """Write the page and say where it is."""
    from ...viz.page import render_page
    from ..files import output_file

    selection = _select(open_session(options.store), options)
    with output_file(options.output) as out:
        out.write(render_page(selection).encode())
    if options.output != "-":
        shown = {node.iri for node in selection.nodes if not node.reserve}
        links = sum({link.source, link.target} <= shown for link in selection.links)
        talk(f"Wrote {options.output}: {len(shown)} things, {links} links. Open it in a browser.")
    return 0


def _select(session: Session, options: argparse.Namespace) -> Selection:
    """Choose what the page shows; `session` sees the edition that the things asked about stand in."""
    from ...queries.ask import ask
    from ...queries.lookup import resolve
    from ...queries.words import match
    from ...viz import select

    base = session.iris.base
    if options.answer:
        name, *values = options.answer
        if not values and " " in name:
            question, asked = match(session, name)
            name, values = question.name, list(asked)
        answer = ask(session, name, values, edition=options.edition)
        about = resolve(session, values[:1], options.edition) if values else None
        scope = about.scope if about else session.scope(options.edition)
        iris = about.things[0].iris if about else ()
        title = " ".join([name.replace("_", " ").capitalize(), *values])
        return select.of_answer(_rows(session, scope), answer, title=title, iris=iris, base=base)
    if options.around:
        found = resolve(session, [options.around], options.edition)
        rows = _rows(session, found.scope)
        return select.around(rows, found.things[0].iris, depth=max(1, options.depth), base=base)
    return select.overview(_rows(session, session.scope(options.edition)), base=base)


def _rows(session: Session, scope: Scope) -> Callable[[str], list[tuple[Any, ...]]]:
    """Return what runs the queries of a picture over the graphs of a scope."""
    return lambda query: list(session.select(query, scope.default_graphs, scope.named_graphs))
