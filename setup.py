"""Add to `pyproject.toml` what it cannot express.

The README has absolute links, as a package index shows it. In a checkout its links lead to the files beside
it. A package index has no such files, so there each link to a document leads to its page on the documentation
site (`project.urls.Documentation`).

With SOURCE_DATE_EPOCH an sdist depends on its files alone, as a wheel does already. A wheel without the
editor of the SPARQL page says so.
"""

import gzip
import os
import re
import sys
import tarfile
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.sdist import sdist

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


class ReproducibleSdist(sdist):
    """An sdist with the time of SOURCE_DATE_EPOCH, if that is set, and without its maker's name and umask."""

    def make_archive(self, *arguments, **options):
        """Make the archive, and write it again with the same members."""
        made = super().make_archive(*arguments, **options)
        if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
            with tarfile.open(made) as archive:
                members = [(it, archive.extractfile(it) if it.isfile() else None) for it in archive]
                draft = Path(f"{made}.new")
                with (
                    draft.open("wb") as file,
                    gzip.GzipFile("", "wb", mtime=int(epoch), fileobj=file) as packed,
                    tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as out,
                ):
                    for member, content in sorted(members, key=lambda it: it[0].name):
                        member.uid = member.gid = 0
                        member.uname = member.gname = ""
                        member.mtime, member.pax_headers = int(epoch), {}
                        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                        out.addfile(member, content)
            draft.replace(made)
        return made


if "bdist_wheel" in sys.argv and not (ROOT / "app/web/pages/static/editor.js").exists():
    print("rulesgraph: this wheel has no editor for the SPARQL page; `make editor` makes it", file=sys.stderr)

setup(
    cmdclass={"sdist": ReproducibleSdist},
    long_description=re.sub(
        r"\]\((?!https?://)(?P<file>[^)]+)\)", on_the_site, (ROOT / "README.md").read_text(encoding="utf-8")
    ),
    long_description_content_type="text/markdown",
)
