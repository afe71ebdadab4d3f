"""The commands that write files: pictures, linked data, sites, the vocabulary, permanent ids."""

from __future__ import annotations

import argparse
import os
import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...loaders.workers import without_collector
from ...ontology import UsageError, counted
from ..files import output_file
from ..operations import call
from ..python.rules import Rules, open
from ..python.web import publish as publish_site
from ..terminal import progress, talk
from . import OUTPUT, command, whole_number

if TYPE_CHECKING:
    from ...loaders.history.authority import Authority, Coverage

NOTATIONS = (
    *("turtle", "ntriples", "nquads", "trig", "jsonld", "rdfxml", "graphml", "csv", "skos", "jsonl"),
    "citations",
)
_IMAGES = frozenset((".gif", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".webp"))
FORMS = ("html", "turtle", "shapes", "constraints", "context", "questions")


@command(
    Rules.picture,
    apart=(
        ("--around", "--answer"),
        *((it, "--cited") for it in ("--around", "--answer", "--editions", "--limit")),
        ("--editions", "--edition"),
        ("--editions", "--around"),
        ("--editions", "--limit"),
        ("--map", "--around"),
        ("--map", "--limit"),
    ),
    around={"metavar": "TERM", "nargs": "+"},
    answer={"metavar": "NAME", "nargs": "+", "default": ()},
    cited={"metavar": "PATH", "nargs": "+", "default": ()},
    editions={"metavar": "A,B,…|all"},
    whole={"flags": ["--map"]},
    depth={"metavar": "N", "type": whole_number},
    path={"flags": ["-o", "--output"], "metavar": "FILE.html", "required": True, "help": "the page to write"},
)
def viz(options: argparse.Namespace) -> int:
    """Write the page and say where it is.

    rulesgraph viz -o graph.html                                   # the whole edition as a map
    rulesgraph viz --editions all -o time.html                     # the map through time
    rulesgraph viz --around Protection --depth 2 -o protection.html
    rulesgraph viz --answer terms_relying_on "State-Based Effects" -o answer.html
    rulesgraph viz --answer why Trample Deathtouch -o chain.html      # step by step on the map
    rulesgraph viz --answer rules_of_card "Quickglass Blade" --map -o card.html
    rulesgraph viz --cited src docs -o cited.html                  # a map of the rules that your sources cite
    """
    if PurePath(options.path).suffix.lower() in _IMAGES:
        way_out = "Name it .html. A browser can print the page or take a picture of it."
        raise UsageError("viz writes a web page, not an image", where=options.path, way_out=way_out)
    # The matrices of a picture are small: starting threads for them would take as long as the layout.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    around = " ".join(options.around) if options.around else None
    # The parts of a picture live until it is written, so the garbage collector would find nothing.
    with without_collector(), progress() as report_progress:
        picture = call(open(options.store).picture, options, around=around, progress=report_progress)
    if options.path != "-":
        size = f"{counted(picture.things, 'thing')}, {counted(picture.links, 'link')}"
        talk(f"Wrote {options.path}: {size}. Open it in a browser.")
    return 0


@command(
    Rules.export,
    notation={
        "flags": ["--as"],
        "choices": NOTATIONS,
        "required": True,
        "help": "the notation",
    },
    words={
        "flags": ["--without-text"],
        "action": "store_false",
        "help": "leave out the text of the documents; keep numbers, names, links, lines and checksums",
    },
    chunk={"choices": ("subrule", "rule", "entry")},
    path={**OUTPUT, "default": "-"},
)
def export(options: argparse.Namespace) -> int:
    """Write the file and say where it is.

      rulesgraph export --as turtle -o rules.ttl
      rulesgraph export --as jsonld --edition starter | less
      rulesgraph export --as nquads -o everything.nq
      rulesgraph export --as graphml -o rules.graphml     # Gephi, yEd, Cytoscape, networkx
      rulesgraph export --as csv -o links.csv
      rulesgraph export --as skos -o terms.ttl            # Skosmos and other vocabulary browsers
      rulesgraph export --as jsonl --chunk rule -o passages.jsonl     # passages for retrieval
      rulesgraph export --as jsonld --framed -o rules.jsonld          # one tree of nodes for each rule
      rulesgraph export --as citations -o citations.json              # for `rulesgraph cite --data`
      rulesgraph export --as trig --without-text -o free.trig         # also with jsonld --framed

    nquads and trig contain every named graph of the store; the others contain graph/current: the newest
    edition, without rg:wording, since graph/wordings is not in them, and without the tenures of its
    rules, which `authority --as turtle` writes. All except graphml, csv, jsonl and skos also describe
    their contents in VoID and DCAT. skos contains only the terms, with broader, narrower and related
    terms, definitions and sources. The texts of documents that you loaded belong to their owners: see
    LICENSE before you publish an export. With --without-text, an export contains none of their
    sentences.
    """
    call(open(options.store).export, options)
    return _written(options.path)


@command(
    publish_site,
    folder={"metavar": "DIR", "help": "a new or empty folder, or one with a site made by this command"},
    words={
        "flags": ["--without-text"],
        "action": "store_false",
        "help": "leave out the text of the documents",
    },
    address={
        "metavar": "URL",
        "help": "the future address of the site, for its links, sitemap and redirects (default: the base)",
    },
)
def publish(options: argparse.Namespace) -> int:
    """Write the site; return 1 if one of its links leads nowhere.

      rulesgraph publish site                  # the whole graph, ready to copy to a web server
      rulesgraph publish site --without-text   # without the text of the documents
      rulesgraph publish site --address https://rules.example.org/

    Only changed files are written again, and files that are no longer needed are removed. Needs the extra
    `web`; if it is missing, a message says what to install.
    """
    with progress() as report_progress:
        made = call(publish_site, options, progress=report_progress)
    talk(
        f"{options.folder} now has {made.files:,} files, {made.pages:,} of them pages; "
        f"{made.written:,} were written and {made.removed:,} removed."
    )
    talk(f"To look at it: python -m http.server --directory {shlex.quote(options.folder)}")
    for link, page in made.broken:
        talk(f"{page} links to {link}, which does not exist.")
    return int(bool(made.broken))


def write_vocabulary(form: str = "html", path: str | None = None) -> None:
    """Write the vocabulary as a reference page, or in one of the formats for programs.

    Args:
        form: what to write.
        path: the file to write, or stdout.
    """
    from ...viz.vocabulary.reference import FILES, render_vocabulary

    content = render_vocabulary().encode() if form == "html" else FILES[form].content()
    with output_file(path) as out:
        out.write(content)


@command(write_vocabulary, form={"flags": ["--as"], "choices": FORMS}, path=OUTPUT)
def vocabulary(options: argparse.Namespace) -> int:
    """Write the file and say where it is.

      rulesgraph vocabulary -o vocabulary.html
      rulesgraph vocabulary --as turtle -o vocabulary.ttl
      rulesgraph vocabulary --as questions -o questions.ttl

    turtle has classes, properties and controlled values. shapes (Turtle) validates the data with SHACL Core,
    and constraints (Turtle) adds what SHACL Core cannot express, in SHACL-SPARQL. context is the JSON-LD
    context. questions (Turtle) is the catalogue as executables of the SHACL Advanced Features, each with its
    query, its wordings and its parameters.
    """
    call(write_vocabulary, options)
    return _written(options.path)


@command(
    Rules.authority,
    apart=(("--merge", "--extend"),),
    extend={"metavar": "FILE"},
    path={**OUTPUT, "default": "-"},
    merge={
        "nargs": 2,
        "metavar": ("A", "B"),
        "help": "merge two files that extend the same file; needs no store",
    },
    notation={"flags": ["--as"], "choices": ("tsv", "turtle", "csv")},
)
def authority(options: argparse.Namespace) -> int:
    """Write the file and say what it covers.

    rulesgraph authority -o provisions.tsv                      # ids for all loaded editions, from scratch
    rulesgraph authority --extend provisions.tsv -o more.tsv    # the same ids, and the editions it lacks
    rulesgraph authority --merge mine.tsv yours.tsv -o all.tsv  # two files that extend the same file
    rulesgraph authority --as turtle -o provisions.ttl          # the bundled file as linked data, no store
    rulesgraph authority --as csv -o provisions.csv             # the same as a table, one row per tenure
    """
    from ...loaders.history.authority import bundled
    from ...loaders.history.extending import merged, read_authority

    is_lives, joined = options.notation != "tsv", []
    if options.merge:
        known = [read_authority(it) for it in options.merge]
        whole = merged(*known)
        joined = [it for it in whole.replaced if all(it not in own.replaced for own in known)]
        coverage = _write_authority(whole, options)
    elif is_lives and not options.extend:
        coverage = _write_authority(bundled(), options)
    else:
        coverage = call(open(options.store).authority, options)
    talk(f"{coverage.provisions} provisions in {coverage.rows} wordings over {coverage.editions} editions.")
    if joined:
        one, other = options.merge
        talk(
            f"{counted(len(joined), 'id')} of {other} replaced by the ids that {one} has for the same rules."
        )
    if options.extend and not is_lives:
        talk(
            "Editions that are already loaded keep their old ids. To use the file, put it in place of "
            "loaders/history/provisions.tsv and build the editions again."
        )
    return 0


def _write_authority(found: Authority, options: argparse.Namespace) -> Coverage:
    from ...queries.export.export import lives_as

    told = found.text() if options.notation == "tsv" else lives_as(options.notation, found)
    with output_file(options.path) as out:
        out.write(told.encode())
    return found.coverage


def _written(path: str | None) -> int:
    if path not in {None, "-"}:
        talk(f"Wrote {path}.")
    return 0
