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
  rulesgraph export --as trig --without-text -o free.trig

nquads and trig hold every named graph of the store; the others hold the graph that plain questions see.
All but graphml and csv tell in VoID and DCAT what is in them. Texts of documents that you loaded stay their
owners': see LICENSE before you publish an export. Without text it holds no sentence of theirs."""

NOTATIONS = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `export`."""
    parser.add_argument(
        "--as", dest="notation", choices=NOTATIONS, required=True, help="the notation to write"
    )
    parser.add_argument(
        "--without-text",
        action="store_true",
        help="leave the words of documents out: numbers, names, links, lines and checksums stay",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say where it is."""
    from ...loaders.store import open_store
    from ...queries.runner import Session
    from ..export import LINKS, QUADS, export
    from ..extract import Extract
    from ..files import output_file

    store = open_store(options.store)
    session = Session(store)
    extract = Extract(store, words=not options.without_text)
    catalog = extract.iris.graph("catalog")
    everything = options.notation in QUADS and options.edition is None
    if everything:
        graphs = tuple(store.graphs())
        if options.without_text:
            loaded = [edition.id for edition in session.editions()]
            extract.describe(loaded, session.current.editions, apart=True)
    else:
        scope = session.scope(options.edition)
        apart = options.notation in QUADS
        graphs = scope.named_graphs if apart else scope.default_graphs
        if options.notation not in LINKS:
            extract.describe(scope.editions, (), apart=apart)
            graphs = (*graphs, catalog)
    with output_file(options.output) as out:
        export(extract, graphs, options.notation, out)
    if options.output not in {None, "-"}:
        talk(f"Wrote {options.output}.")
    return 0
