"""Progress on stderr: a bar on a terminal, a few lines elsewhere, nothing for short work."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from rulesgraph.app import terminal
from rulesgraph.app.terminal import progress
from rulesgraph.loaders.build import build


class Terminal(io.StringIO):
    """A stderr that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_short_work_needs_no_talk(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as tell:
        tell("reading", 0, 3)
        tell("reading", 3, 3)
    assert capsys.readouterr() == ("", "")


def test_long_work_tells_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "QUIET_SECONDS", -1.0)
    with progress() as tell:
        for done in range(4):
            tell("reading", done, 3)
    assert capsys.readouterr() == ("", "reading: 0 of 3 …\n")
    with progress() as tell:
        tell("linking cards", 0, 1)
    assert capsys.readouterr() == ("", "linking cards …\n")


def test_a_terminal_gets_a_bar_for_each_piece_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Terminal()
    monkeypatch.setattr(sys, "stderr", written)
    with progress() as tell:
        tell("reading", 1, 2)
        tell("writing", 0, 5)
    assert "reading" in written.getvalue()
    assert "writing" in written.getvalue()


def test_a_build_counts_documents_and_graphs(tmp_path: Path) -> None:
    """Of two editions: a document, what is derived and inferred, and a history, beside five for all.

    What plain queries see and the catalog are loaded when all others are there.
    """
    told: list[tuple[str, int, int]] = []
    mini = sorted((Path(__file__).parent / "mini").glob("lanterns-*"))
    build(mini, str(tmp_path / "store"), progress=lambda *work: told.append(work))
    loading = [it for it in told if it[0] == "loading graphs"]
    first = [("loading graphs", done, 12) for done in range(13)]
    assert loading == [*first, *(("loading graphs", done, 2) for done in range(3))]
    assert {total for label, _, total in told if label == "reading"} == {2}
