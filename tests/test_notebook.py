"""The notebook of the documentation runs from the first cell to the last, and shows what it promises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "rulesgraph.ipynb"

RUN = """
import sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What each cell of code shows, by kind of output. The kernel listens on loopback alone."""
    done = tmp_path_factory.mktemp("notebook") / "done.ipynb"
    command = [sys.executable, "-c", RUN, str(NOTEBOOK), str(done)]
    ran = subprocess.run(command, cwd=done.parent, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    cells = json.loads(done.read_text(encoding="utf-8"))["cells"]
    return [merged(cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]


def merged(outputs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the outputs of a cell as kind → text; streams go by their names."""
    found: dict[str, Any] = {}
    for output in outputs:
        if output["output_type"] == "stream":
            found[output["name"]] = "".join(output["text"])
        else:
            found.update({kind: "".join(text) for kind, text in output["data"].items()})
    return found


def test_the_notebook_is_kept_without_outputs() -> None:
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None


@pytest.mark.long(small="test_the_notebook_is_kept_without_outputs")
def test_no_cell_complains(shown: list[dict[str, Any]]) -> None:
    assert [cell for cell in shown if "stderr" in cell] == []


@pytest.mark.long(small="test_the_notebook_is_kept_without_outputs")
def test_answers_show_themselves_as_tables(shown: list[dict[str, Any]]) -> None:
    by_note = shown[2]["text/html"]
    head = "".join(
        f"<th>{name}</th>" for name in ("term", "steps", "link", "quote", "document", "line", "through")
    )
    row = (
        "Poison Counter",
        1,
        "note",
        "Also see Rule 420, &quot;State-Based Effects.&quot;",
        "starter-g16",
        83,
        "",
    )
    cells = "".join(f"<td>{cell}</td>" for cell in row)
    assert by_note == (
        f"<table><thead><tr>{head}</tr></thead><tbody><tr>{cells}</tr></tbody></table>"
        "<p>1 row, from starter</p>"
    )


@pytest.mark.long(small="test_the_notebook_is_kept_without_outputs")
def test_the_picture_shows_itself_in_a_frame_of_its_own(shown: list[dict[str, Any]]) -> None:
    frame = next(cell["text/html"] for cell in shown if "<iframe" in cell.get("text/html", ""))
    assert frame.startswith('<iframe title="Protection" ')
    assert frame.count("<") == 2  # the page inside is escaped
