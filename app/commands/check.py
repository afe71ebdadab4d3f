"""The defects of what is loaded, of the sources and of the graph, as a list."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...loaders.http.shown import without_password
from ...ontology.errors import UsageError
from ..output import talk, write_findings
from ..sessions import open_session

if TYPE_CHECKING:
    from ...queries.reasoned import Conclusions
    from ...queries.runner import Session

TAKES = ("edition", "format")
_OURS = ""
EXAMPLES = """\
  rulesgraph check
  rulesgraph check --edition cr-2008-02-01 --format csv
  rulesgraph check --shapes                       the SHACL shapes too; --shapes FILE.ttl for your own
  rulesgraph check --reason                       what contradicts; what follows is kept in the store
  rulesgraph check --reason --edition A,B         what became something else from one edition to the other
  rulesgraph check --reason --with FILE.ttl       do my own statements agree with the rules?"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `check` alone."""
    parser.add_argument(
        "--shapes",
        metavar="FILE",
        nargs="?",
        const=_OURS,
        help="hold the graph against our SHACL shapes as well, or those of a Turtle file (needs pySHACL)",
    )
    parser.add_argument(
        "--reason",
        action="store_true",
        help="reason over the facts as well; what follows from them goes into the store (needs Java)",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="with --reason: have Pellet, slower than HermiT, explain each contradiction",
    )
    parser.add_argument(
        "--with",
        dest="own",
        metavar="FILE",
        help="with --reason: a Turtle file of your own to reason over as well; nothing is written then",
    )
    parser.add_argument(
        "--time", metavar="SECONDS", type=float, default=120, help="with --reason: what the reasoner may take"
    )
    parser.add_argument(
        "--memory", metavar="MB", type=int, default=2000, help="with --reason: what the reasoner may take"
    )


def run(options: argparse.Namespace) -> int:
    """Print the findings; return 1 when one of them is a warning or worse."""
    from dataclasses import replace

    from ...queries.defects import defects, is_grave

    if not options.reason and (options.explain or options.own):
        raise UsageError("--explain and --with are for reasoning", way_out="Add --reason.")
    if options.time <= 0 or options.memory <= 0:
        raise UsageError("the reasoner needs some time and some memory", way_out="Give more than 0.")
    session = open_session(options.store)
    found = defects(session, edition=options.edition)
    if options.shapes is not None:
        from ...queries.shapes import violations

        found = replace(found, rows=(*violations(session, options.edition, options.shapes), *found.rows))
    if options.reason:
        reasoned = _reason(session, options)
        rows = (*reasoned.findings.rows, *found.rows)
        found = replace(found, rows=rows, notes=(*found.notes, *reasoned.findings.notes))
    if found.rows or options.format != "table":
        write_findings(found.columns, found.rows, options.format)
    for note in found.notes:
        talk(note)
    count = len(found.rows)
    talk(f"{count} finding{'' if count == 1 else 's'}, in {found.edition}")
    return 1 if is_grave(found) else 0


def _reason(session: Session, options: argparse.Namespace) -> Conclusions:
    """Reason, and keep what follows, unless statements from elsewhere had a part in it."""
    from ...queries.reasoned import Limits, Own, conclude

    own = None
    if options.own:
        from ...queries.own_files import read_turtle

        own = Own(options.own, read_turtle(options.own))
    limits = Limits(options.time, options.memory)
    reasoned = conclude(session, options.edition, own=own, explain=options.explain, limits=limits)
    if own:
        talk(f"Nothing was written: what follows rests on {own.name} too.")
    elif not reasoned.findings.notes:
        from ...loaders.infer import write_inferred

        count = write_inferred(options.store, reasoned.inferred)
        talk(f"{count:,} statements follow; they are in {without_password(options.store)} as inferred.")
    return reasoned
