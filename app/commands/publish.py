"""The store as a static site in a folder, for any web server."""

from __future__ import annotations

import argparse
import shlex

from ..output import talk
from ..progress import Progress
from ..python.publishing import publish

TAKES = ()
EXAMPLES = """\
  rulesgraph publish site                  the whole graph, ready to be copied to a web server
  rulesgraph publish site --without-text   without the words of the documents
  rulesgraph publish site --address https://rules.example.org/

Files that say the same as before are not written again, and what is gone is taken away.
Needs the extra `web`: pip install "rulesgraph[web]"."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `publish`."""
    parser.add_argument("folder", metavar="DIR", help="a new folder, or one that this made before")
    parser.add_argument("--without-text", action="store_true", help="leave out the words of the documents")
    parser.add_argument(
        "--address", metavar="URL", default="", help="where it will be, for the redirects (default: the base)"
    )


def run(options: argparse.Namespace) -> int:
    """Write the site; return 1 where a link in it leads nowhere."""
    with Progress() as tell:
        made = publish(
            options.store,
            options.folder,
            words=not options.without_text,
            address=options.address,
            progress=tell,
        )
    talk(
        f"{options.folder} holds {made.files:,} files, {made.pages:,} of them pages; "
        f"{made.written:,} were written, {made.removed:,} taken away."
    )
    talk(f"To look at it: python -m http.server --directory {shlex.quote(options.folder)}")
    for link, page in made.broken:
        talk(f"{page} links to {link}, which is not there.")
    return int(bool(made.broken))
