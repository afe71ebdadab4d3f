"""Every command and program in the README and the guides is accepted, and does what they say."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from commands import PROGRAM, ROOT
from real import AROUND, rules
from rulesgraph.app.cli import _parsed, command_parser
from rulesgraph.ontology.errors import UsageError
from rulesgraph.viz.vocabulary.reference import FILES
from test_cite import git, tree

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
BLOCK = re.compile(r"^```(?P<language>sh|python)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ENDLESS = {"serve", "mcp", "get"}
"""Commands that serve until they are stopped, or need the network; other tests run them."""

SMALL = {"build", "check", "publish"}
"""Commands that change a store or go over all of it: each runs on a new copy of the starter rules."""

FOUND = {"verify", "cite", "check", "trace"}
"""Commands whose exit code 1 says that there are findings."""


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a page as written, and its arguments without the output path."""
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        for line in match["text"].splitlines() if match["language"] == "sh" else ():
            words = shlex.split(line, comments=True)
            words = words[words.index("|") + 1 :] if "|" in words else words
            if words and Path(words[0]).name == "rulesgraph":
                yield line, words[1 : words.index(">")] if ">" in words else words[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_is_taken(page: Path) -> None:
    found = [*commands(page)]
    assert found or page.stem == "README"
    for line, words in found:
        try:
            _parsed(command_parser(words[0]), words[1:], argparse.Namespace())
        except UsageError as error:
            raise AssertionError(line) from error


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, shared: Path, store_of: Callable[..., Path]) -> Path:
    """A folder with what the guides name: rules texts, sources, articles, and a store of real editions."""
    folder = tmp_path_factory.mktemp("desk")
    tree(
        folder,
        {
            **dict.fromkeys(("src/a.rs", "docs/a.md"), "// CR 702.19b: Trample\n"),
            **dict.fromkeys(("article.txt", "ruling.txt"), "Trample is rule 702.19.\n"),
            "mine.ttl": "",
            "ns.ttl": FILES["turtle"].content().decode(),
            "answers.jsonl": "",
            "my-cases.tsv": "question\trules\tas_of\nMay I look there?\t401.2\tcr-2026-01-16\n",
        },
    )
    git(folder, "init")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    texts = {"MagicCompRules": "2026-01-16", "MagicCompRules-new": "2026-01-16", "rules-2008": "2008-02-01"}
    for name, day in {**texts, "rules-2019": "2020-04-17"}.items():
        (folder / f"{name}.txt").symlink_to(rules(shared, day))
    shutil.copytree(store_of(*(rules(shared, day) for day in AROUND)), folder / "rulesgraph-store")
    return folder


@pytest.fixture(scope="module")
def ran() -> set[tuple[str, ...]]:
    """The commands that have run; those that several guides contain run once."""
    return set()


@pytest.mark.long(small="test_every_command_is_taken")
@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.stem)
def test_every_command_runs(page: Path, desk: Path, starter_store: Path, ran: set[tuple[str, ...]]) -> None:
    program = desk / "bin" / "rulesgraph"
    tree(desk, {"bin/rulesgraph": f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n'})
    program.chmod(0o755)
    small = desk / "small"
    kept = {name: value for name, value in os.environ.items() if name != "RULESGRAPH_STORE"}
    for line, words in commands(page):
        whole = tuple(shlex.split(line, comments=True))
        if words[0] in ENDLESS or whole in ran:
            continue
        ran.add(whole)
        own = {}
        if words[0] in SMALL:
            shutil.rmtree(small, ignore_errors=True)
            own = {"RULESGRAPH_STORE": str(shutil.copytree(starter_store, small))}
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=desk,
            env={**kept, **own, "PATH": f"{program.parent}{os.pathsep}{kept['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        allowed = {0, 1} if words[0] in FOUND else {0}
        assert done.returncode in allowed, f"{line}: {done.stderr}"


@pytest.mark.long(small="test_every_command_is_taken")
@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.stem)
def test_every_program_runs(page: Path, desk: Path) -> None:
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match["language"] == "python":
            program = "answer_of_the_model = 'rule 702.19b'\n" + match["text"]
            subprocess.run([sys.executable, "-c", program], cwd=desk, check=True)
