"""The site of docs/, built by `make docs`: Markdown by MyST, every internal link held."""

import os

from rulesgraph.app.cli import COMMANDS, command_parser
from sphinx.application import Sphinx

project = "rulesgraph"
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["*.ipynb"]
html_theme = "furo"
html_title = "rulesgraph"
html_show_sphinx = False
html_copy_source = False
# Headings are addresses, as on the pages of a repository.
myst_heading_anchors = 3


def add_commands(app: Sphinx, page: str, source: list[str]) -> None:
    """Put the help of each command below the page of commands, as a terminal of 100 columns shows it."""
    if page == "commands":
        os.environ["COLUMNS"] = "100"
        for name in COMMANDS:
            source[0] += f"\n## {name}\n\n```text\n{command_parser(name).format_help().strip()}\n```\n"


def setup(app: Sphinx) -> None:
    """Have the page of commands written when it is read."""
    app.connect("source-read", add_commands)
