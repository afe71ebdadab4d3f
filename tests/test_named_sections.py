"""Sections of tournament rules and of other rules are found by the names that people use for them."""

from __future__ import annotations

import json
from pathlib import Path

from commands import MINI, Run

GUIDE = """\
# HARBOUR INFRACTION PROCEDURE GUIDE

Effective March 4, 2032

## 1. GENERAL

Penalties are for captains.

## 2. MOORING ERRORS

### 2.1. Mooring Error — Loose Rope Warning

A rope is tied so that the boat drifts.

Examples

- A. A boat drifts against the pier.

## APPENDIX A — ROPES

Ropes are of hemp.
"""


def test_a_section_is_called_as_judges_call_it(run: Run, tmp_path: Path) -> None:
    store, texts = tmp_path / "store", tmp_path / "texts"
    texts.mkdir()
    for name, text in (("new", GUIDE), ("old", GUIDE.replace("2032", "2030").replace("hemp", "wool"))):
        (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    assert run("build", texts, MINI / "lanterns-2031-02-01.txt", "--store", store)[0] == 0

    def lines(*words: str) -> list[tuple[object, object, str]]:
        code, out, _ = run(*words, "--store", store, "--format", "json")
        assert code == 0
        return [(it["number"], it["edition"], it["text"].split()[0]) for it in json.loads(out)]

    expected = [("2.1", "ipg-2032-03-04", word) for word in ("Warning", "A", "Examples")]
    assert lines("search", "IPG 2.1") == expected
    assert lines("ask", "ipg 2.1") == lines("ask", "what does section 2.1 of the IPG say") == expected
    assert {it[1] for it in lines("search", "IPG 2.1", "--edition", "ipg-2030-03-04")} == {"ipg-2030-03-04"}
    _, out, _ = run("show", "IPG 2.1", "--store", store)
    assert "Mooring Error — Loose Rope" in out
    assert "ipg-2032-03-04" in out
    code, _, err = run("show", "IPG 2.9", "--store", store)
    assert (code, "no term or number of ipg-2032-03-04 is called '2.9'" in err) == (2, True)
    assert run("show", "MTR 2.1", "--store", store)[0] == 2  # those are not loaded


RULES = """\
# HARBOUR TOURNAMENT RULES

Effective March 4, 2031

## 1. BOATS

### 1.1. Oars

Oars are of wood. What becomes of a thief is in section 2.1 of the Infraction Procedure Guide.

### 1.2. Sails

Sails are of linen.

### 2.1. Flags

Flags are of silk, see section 1.2.
"""


def test_tournament_rules_cite_each_other(run: Run, tmp_path: Path) -> None:
    store, texts = tmp_path / "store", tmp_path / "texts"
    texts.mkdir()
    guide = GUIDE.replace("boat drifts.", "boat drifts. Oars are as in MTR 1.1, sails as in MTR 1.9.")
    for name, text in (("guide", guide), ("rules", RULES)):
        (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    assert run("build", texts, "--store", store)[0] == 0

    def sheet(name: str) -> dict[str, list[dict[str, object]]]:
        _, out, _ = run("show", name, "--store", store, "--format", "json")
        [found] = json.loads(out)
        assert found["editions"] == [found["edition"]]  # the other document has a section 2.1 as well
        return found  # type: ignore[no-any-return]

    cited = [(it["cites"], it["title"], it["loaded"]) for it in sheet("IPG 2.1")["cites"]]
    assert cited == [("MTR 1.1", "Oars", True), ("MTR 1.9", None, False)]
    [citing] = sheet("MTR 1.1")["cited_by"]
    assert (citing["source"], citing["cites"]) == ("Mooring Error — Loose Rope", "MTR 1.1")
    assert citing["document"] == "ipg-2032-03-04"
    assert [(it["source"], it["cites"]) for it in sheet("IPG 2.1")["cited_by"]] == [("Oars", "IPG 2.1")]
    assert [it["text"] for it in sheet("IPG appendix a")["text"]] == ["Ropes are of hemp."]


def test_of_several_documents_that_have_the_words_the_one_that_says_most_answers(
    run: Run, tmp_path: Path
) -> None:
    """A name behind a dash is one too: *Mooring Error — Loose Rope*."""
    store, texts = tmp_path / "store", tmp_path / "texts"
    texts.mkdir()
    (texts / "guide.txt").write_text(GUIDE, encoding="utf-8")
    (texts / "rules.txt").write_text(RULES, encoding="utf-8")
    assert run("build", texts, MINI / "lanterns-2031-02-01.txt", "--store", store)[0] == 0
    for words, edition in (
        ("loose rope", "ipg-2032-03-04"),
        ("which penalties are there for captains of boats", "ipg-2032-03-04"),
        ("do captains have flags of silk", "mtr-2031-03-04"),
    ):
        code, out, _ = run("ask", words, "--store", store, "--format", "object")
        assert (code, json.loads(out)["edition"].partition(",")[0]) == (0, edition)


DEEP = """\
THE RULES OF THE TIDES

1-1. The Sea
1-1-1. Anybody may sail.
1-1-1-1. Gulls may not.
1-1-1-2. Nor may cats, see 1-1-1.
"""


def test_deep_numbers_of_other_rules_are_shown_and_searched(run: Run, tmp_path: Path) -> None:
    form = {
        "name": "tides",
        "title": "rules of the tides",
        "number": r"\d(?:-\d)*(?=\.)",
        "cites": r"see (\S+)\b",
    }
    lines = [f"{key} = '{value}'" for key, value in form.items()]
    (tmp_path / "tides.toml").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "tides.txt").write_text(DEEP, encoding="utf-8")
    store = tmp_path / "store"
    given = (tmp_path / "tides.txt", "--form", tmp_path / "tides.toml")
    assert run("build", *given, "--store", store)[0] == 0
    code, out, _ = run("show", "tides 1-1-1-2", "--store", store)
    assert (code, "Nor may cats" in out) == (0, True)
    code, out, _ = run("search", "tides 1-1-1", "--store", store, "--format", "json")
    assert [it["number"] for it in json.loads(out)] == ["1-1-1", "1-1-1-1", "1-1-1-2"]
    assert run("search", "in:1-1-1-9", "--store", store)[0] == 2
