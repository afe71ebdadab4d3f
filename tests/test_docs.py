"""The documents tell the truth: examples give the output shown, names and links exist."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import quality
import reference
from rulesgraph.queries.catalogue.questions import questions

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
QUALITY = ROOT / "app" / "web" / "pages" / "quality.tsv"
QUALITY_PAGE = ROOT / "docs" / "quality.md"
QUESTIONS_PAGE = ROOT / "docs" / "questions.md"
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *GUIDES, QUALITY_PAGE, QUESTIONS_PAGE, ROOT / "docs" / "performance.md"]
)
BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def blocks(language: str, document: Path = README) -> list[str]:
    found = BLOCK.finditer(document.read_text(encoding="utf-8"))
    return [match["text"] for match in found if match["language"] == language]


@pytest.fixture(scope="module")
def reader(starter_copy_for_docs: Path) -> dict[str, str]:
    """A reader's environment: a folder with the starter store, and `rulesgraph` on the path."""
    programs = starter_copy_for_docs / "bin"
    programs.mkdir()
    program = programs / "rulesgraph"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulesgraph.app.cli "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("RULESGRAPH_", "COLUMNS"))
    }
    return {**kept, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(starter_copy_for_docs)}


@pytest.fixture(scope="module")
def starter_copy_for_docs(starter_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `rulesgraph build` and `make demo` were run."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "demo").mkdir()
    for name in ("rulesgraph-store", "demo/store"):
        (folder / name).symlink_to(starter_store)
    return folder


def shown(block: str) -> list[tuple[str, str]]:
    """Split a console block into commands and their output."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("document", [README, *GUIDES], ids=lambda path: path.stem)
def test_every_example_gives_the_output_shown(
    document: Path, reader: dict[str, str], starter_copy_for_docs: Path, update_golden: bool
) -> None:
    examples = [example for block in blocks("console", document) for example in shown(block)]
    assert examples
    for command, expected in examples:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=starter_copy_for_docs,
            env=reader,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if update_golden:
            text = document.read_text(encoding="utf-8")
            document.write_text(
                text.replace(f"$ {command}\n{expected}", f"$ {command}\n{done.stdout}"), encoding="utf-8"
            )
        else:  # a busy machine shows progress
            assert re.sub(r"^.+ \d+ of \d+ …\n", "", done.stdout, flags=re.MULTILINE) == expected, command


def test_the_python_examples_run(starter_copy_for_docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(starter_copy_for_docs)
    [text] = blocks("python")
    test = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0
    assert runner.tries > 3


def test_the_page_of_commands_is_made_from_their_operations(update_golden: bool) -> None:
    path = ROOT / "docs" / "commands.md"
    if update_golden:
        path.write_text(reference.commands_page(), encoding="utf-8")
    else:
        assert path.read_text(encoding="utf-8") == reference.commands_page()


def test_every_question_is_documented(update_golden: bool) -> None:
    rows = "".join(
        f"| `{question.name}` | {question.title} | {', '.join(it.usage for it in question.parameters)} |\n"
        for question in questions()
    )
    hold_table(QUESTIONS_PAGE, "| name | question | takes |\n|---|---|---|\n" + rows, update_golden)


def hold_table(page: Path, table: str, update: bool, *, is_part: bool = False) -> None:
    """Assert that a page has a table, or its rows; with `update`, write it in place of that one."""
    text = page.read_text(encoding="utf-8")
    start = text.index(table.partition("\n")[0])
    end = text.index("\n\n", start) + 1
    if update:
        page.write_text(text[:start] + table + text[end:], encoding="utf-8")
    else:
        held, wanted = text[start:end].splitlines(), table.splitlines()
        assert [it for it in held if it in wanted or not is_part] == wanted


def test_the_pages_show_the_figures_of_the_docs() -> None:
    text = QUALITY_PAGE.read_text(encoding="utf-8")
    start = text.index("| what is said | where |")
    assert QUALITY.read_text(encoding="utf-8") == quality.tabbed(text[start : text.index("\n\n", start)])


def test_the_readme_quotes_figures_of_the_docs() -> None:
    """Each figure of the README's table is in the docs too, so that neither is changed alone."""
    text = README.read_text(encoding="utf-8")
    figures = re.findall(r"\d[\d.]*", text[text.index("## Figures") : text.index("## Licences")])
    pages = "".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("quality.md", "performance.md")
    )
    assert len(figures) > 5
    for figure in figures:
        assert re.search(rf"(?<![\d.]){re.escape(figure.rstrip('.'))}(?!\d)", pages), figure


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        assert (document.parent / target).exists(), f"{document.name} links to {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for block in re.findall(r"`(make [a-z -]+)`", document.read_text(encoding="utf-8")):
        assert set(block.split()[1:]) <= targets, block


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(Unreleased|\d+\.\d+\.\d+)\]", text, re.MULTILINE)
    assert "### Vocabulary" in text
    headings = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert headings <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Vocabulary"}


def test_the_readme_fits_a_reader() -> None:
    """A newcomer can read it in one go; anything longer belongs into docs."""
    assert len(README.read_text(encoding="utf-8").split()) <= 1500


def test_decisions_are_numbered_and_short() -> None:
    """A decision is a bold number and title, then two or three sentences; a number is never used twice."""
    text = (ROOT / "DECISIONS.md").read_text(encoding="utf-8")
    decisions = re.findall(r"^\*\*([\d, ]+)\. ", text, re.MULTILINE)
    numbers = [number for decision in decisions for number in decision.split(", ")]
    assert len(decisions) > 50
    assert len(numbers) == len(set(numbers))
    assert len(text.split()) <= 9000
    for paragraph in re.findall(r"^\*\*\d.*?(?=\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        assert len(paragraph.split()) <= 150, paragraph.partition(".** ")[0]
