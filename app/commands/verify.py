"""Any text into what is wrong with its citations of rules."""

from __future__ import annotations

import argparse

from ...loaders.given import read_whole
from ...loaders.reading.encodings import decode_bytes
from ...loaders.reading.source import LARGEST
from ...ontology.errors import SourceError, UsageError
from ...queries.session import Answer
from ..output import talk, write_rows
from ..python.rules import open

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph verify article.md
  rulesgraph verify article.md --asof 2008-06-01            against the rules in force on that day
  rulesgraph verify engine.py --format json
  echo 'See rule 502.15.' | rulesgraph verify - --every      citations that stand, too

Numbers count as citations behind "rule", "CR" or "§", with the letter of a subrule, in brackets or at the
head of a line, when a rule has or had that number; prices, versions and dates do not. Words in quotes beside
a citation have to stand there, but for what "…" or [brackets] leave out. IRIs of the store's own
rules, provisions, sections, entries and terms count, too: a rule's is followed from the edition that it
names. Exit code 1 tells of findings."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `verify`."""
    parser.add_argument("file", metavar="FILE|-", help="the text, or `-` for stdin")
    parser.add_argument("--asof", metavar="DATE", help="hold it against the rules in force on that day")
    parser.add_argument("--every", action="store_true", help="list the citations that stand, too")


def run(options: argparse.Namespace) -> int:
    """Print the findings; return 1 when there are any."""
    text = _text(options.file)
    found = open(options.store).verify(text, edition=options.edition, asof=options.asof, every=options.every)
    shown = _readable(found) if options.format == "table" else found
    if found.rows or options.format != "table":
        write_rows(shown.columns, shown.rows, options.format)
    for note in found.notes:
        talk(f"{note}, held against {found.edition}")
    return 1 if any(row["finding"] != "stands" for row in found) else 0


def _readable(found: Answer) -> Answer:
    """Return the findings for people: where, what, and what is to be said of it."""
    rows = tuple(
        (f"{it['line']}:{it['column']}", it["citation"], it["finding"], it["now"], it["message"], it["quote"])
        for it in found
    )
    return found._replace(columns=("where", "citation", "finding", "now", "message", "quote"), rows=rows)


def _text(name: str) -> str:
    try:
        data = read_whole(name, LARGEST)
        return decode_bytes(data, name)[0] if data else ""
    except OSError as error:
        raise UsageError(
            f"it cannot be read: {error.strerror}",
            where=name,
            way_out="Name a file with the text to check, or - for stdin.",
        ) from error
    except SourceError as error:
        raise UsageError(error.what, where=name, way_out="Give a text, as UTF-8.") from error
