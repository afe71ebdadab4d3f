"""The graph into a file of linked data, or a graph for other programs."""

from __future__ import annotations

import argparse

from ..output import talk

TAKES = ("edition",)
EXAMPLES = """\
  rulesgraph export --as turtle -o rules.ttl
  rulesgraph export --as jsonld --edition starter | less
  rulesgraph export --as nquads -o everything.nq
  rulesgraph export --as graphml -o rules.graphml     (Gephi, yEd, Cytoscape, networkx)
  rulesgraph export --as csv -o links.csv

nquads and trig hold every named graph of the store; the others hold the graph that plain questions see.
Texts of documents that you loaded stay their owners': see LICENSE before you publish an export."""

NOTATIONS = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `export`."""
    parser.add_argument(
        "--as", dest="notation", choices=NOTATIONS, required=True, help="the notation to write"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say where it is."""
    from ...loaders.store import open_store
    from ...queries.runner import Session
    from ..export import QUADS, export
    from ..files import output_file

    store = open_store(options.store)
    session = Session(store)
    if options.notation not in QUADS:
        graphs = session.scope(options.edition).default_graphs
    elif options.edition is None:
        graphs = tuple(store.graphs())
    else:
        graphs = session.scope(options.edition).named_graphs
    with output_file(options.output) as out:
        export(store, graphs, options.notation, out)
    if options.output not in {None, "-"}:
        talk(f"Wrote {options.output}.")
    return 0
