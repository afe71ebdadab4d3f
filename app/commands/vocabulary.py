"""The vocabulary as its reference page, or as the files that programs read."""

from __future__ import annotations

import argparse

from ..output import talk

TAKES = ()
EXAMPLES = """\
  rulesgraph vocabulary -o vocabulary.html
  rulesgraph vocabulary --as turtle -o vocabulary.ttl
  rulesgraph vocabulary --as questions -o questions.ttl

turtle holds classes, properties and controlled values; shapes (Turtle) says in SHACL what data must be
like; context is that of JSON-LD; questions (Turtle) is the catalogue as executables of the SHACL Advanced
Features, each with its query, its words and its parameters."""

FORMS = ("html", "turtle", "shapes", "context", "questions")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `vocabulary`."""
    parser.add_argument(
        "--as", dest="form", choices=FORMS, default="html", help="what to write (default: html)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (default: stdout)")


def run(options: argparse.Namespace) -> int:
    """Write the file and say where it is."""
    from ..files import output_file

    content = _page() if options.form == "html" else _file(options.form)
    with output_file(options.output) as out:
        out.write(content)
    if options.output not in {None, "-"}:
        talk(f"Wrote {options.output}.")
    return 0


def _page() -> bytes:
    from ...viz.vocabulary.reference import render_vocabulary

    return render_vocabulary().encode()


def _file(form: str) -> bytes:
    from ...viz.vocabulary.offered import OFFERED

    return OFFERED[form].content()
