"""Add to `pyproject.toml` what it cannot express: the README for a package index, with absolute links.

In a checkout the links of the README lead to the files beside it. A package index has no such files, so there
each link to a document leads to its page on the documentation site (`project.urls.Documentation`).
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
SITE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"][
    "Documentation"
]


def on_the_site(link: re.Match[str]) -> str:
    """Return a link of the README for the site: Markdown becomes HTML, pictures have a folder."""
    page = link["file"].removeprefix("docs/")
    if page.endswith(".png"):
        page = f"_images/{page}"
    return f"]({SITE}{page.replace('.md', '.html')})"


setup(
    long_description=re.sub(
        r"\]\((?!https?://)(?P<file>[^)]+)\)", on_the_site, (ROOT / "README.md").read_text(encoding="utf-8")
    ),
    long_description_content_type="text/markdown",
)
