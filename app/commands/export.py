"""The graph into a file of linked data, or a graph for other programs."""

from __future__ import annotations

import argparse

from ..output import talk
from ..python.rules import open

TAKES = ("edition",)
EXAMPLES = """\
  rulesgraph export --as turtle -o rules.ttl
  rulesgraph export --as jsonld --edition starter | less
  rulesgraph export --as nquads -o everything.nq
  rulesgraph export --as graphml -o rules.graphml     (Gephi, yEd, Cytoscape, networkx)
  rulesgraph export --as csv -o links.csv
  rulesgraph export --as skos -o terms.ttl            (Skosmos and other browsers of vocabularies)
  rulesgraph export --as jsonl --chunk rule -o passages.jsonl     (passages for retrieval programs)
  rulesgraph export --as jsonld --framed -o rules.jsonld          (one tree of nodes for each rule)
  rulesgraph export --as trig --without-text -o free.trig         (jsonld --framed does without, too)

nquads and trig hold every named graph of the store; the others hold the graph that plain questions see.
All but graphml, csv, jsonl and skos tell in VoID and DCAT what is in them; skos holds the terms alone, with
broader, narrower and related terms, definitions and sources. Texts of documents that you loaded stay their
owners': see LICENSE before you publish an export. Without text it holds no sentence of theirs."""

NOTATIONS = ("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv", "skos", "jsonl")


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
    parser.add_argument(
        "--chunk",
        choices=("subrule", "rule", "entry"),
        help="with jsonl: how much is one passage (default: subrule, every number by itself)",
    )
    parser.add_argument(
        "--framed", action="store_true", help="with jsonld: one tree of nodes for each rule and entry"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say where it is."""
    open(options.store).export(
        options.notation,
        options.output or "-",
        edition=options.edition,
        words=not options.without_text,
        chunk=options.chunk,
        framed=options.framed,
    )
    if options.output not in {None, "-"}:
        talk(f"Wrote {options.output}.")
    return 0
