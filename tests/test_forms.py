"""Numbered rules of other kinds are read by a form: tournament rules by bundled ones, others by a file."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from commands import MINI, Run
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.numbered.form import Form, bundled_forms, form_of, read_form
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document, Entry
from rulesgraph.ontology.errors import SourceError, UsageError
from rulesgraph.ontology.terms import DocumentKind

GUIDE = """\
# HARBOUR INFRACTION PROCEDURE GUIDE

Effective March 4, 2032

CONTENTS

1. General
1.1. Penalties
2. Mooring Errors
2.1. Mooring Error — Loose Rope
2.2. Mooring Error — Wrong Pier
Appendix A. Ropes

## 1. GENERAL

Penalties are for captains.

### 1.1. PENALTIES

A captain is told what went wrong. See section 2.1 for ropes, and Appendix A.

To moor, a captain does three things:

1. The captain throws the rope.
2. The captain ties it.
3. The captain waits (see rule 100.2).

## 2. MOORING ERRORS

### 2.1. Mooring Error — Loose Rope Warning

A rope is tied so that the boat drifts.

Examples

- A. A boat drifts against the pier.
- B. A rope is thrown into the water.

### 2.2. Mooring Error — Wrong Pier Game Loss

A boat lies at another boat's pier. This is as in section 3.1 of the Magic Tournament Rules.

## APPENDIX A — ROPES

Ropes are of hemp.
"""

TIDES = """\
# How the rules of the Tides are printed.
name = "tides"
title = "rules of the tides"
number = '[A-Z]\\d*(?:\\.\\d+)*(?=[.:] )'
date = "as of"
cites = 'paragraph ([A-Z]\\d+(?:\\.\\d+)*)'
example = "for instance: "
furniture = "- \\\\d+ -"
"""

REGULAR = """\
Judging at Regular Rules Enforcement Level (REL)
Updated March 4, 2020

A harbour is for everybody.

Common Issues
A captain ties a rope twice
The captain unties it, as rule 100.2 says.

General Unwanted Behaviors
• Rowing too slowly.
• Singing at night.

Serious Problems
Whoever sinks a boat goes home.
"""

GAME = """\
THE RULES OF THE TIDES
as of 4 March 2032

A: The Sea
A1: Any number of players may sail. See paragraph B1.2.
- 1 -
A2: The sea turns twice
a day, whether anybody sails or not.
For instance: It turns at noon.
B: The Land
B1: Land is dry.
B1.1: Land that is wet is sea (paragraph A2).
B1.2: Sand is land.
B4: Nobody sails on land.
"""


@pytest.fixture
def tides(tmp_path: Path) -> Path:
    path = tmp_path / "tides.toml"
    path.write_text(TIDES, encoding="utf-8")
    return path


def load(text: str, form: Form | None = None) -> Document:
    document = load_document(decode(text.encode(), "x"), form)
    lines = {line for it in document.entries for line in range(it.first_line, it.last_line + 1)}
    written = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert written <= lines | {*document.furniture}
    return document


def told(entry: Entry) -> list[str]:
    return [paragraph.text for paragraph in entry.paragraphs]


def test_a_guide_of_infractions_is_known_by_its_title() -> None:
    document = load(GUIDE)
    assert (document.kind, document.issued) == (DocumentKind.NUMBERED, date(2032, 3, 4))
    assert (document.edition, document.problems) == ("ipg-2032-03-04", ())
    assert [(it.number, it.heading) for it in document.entries] == [
        ("1", "GENERAL"),
        ("1.1", "PENALTIES"),
        ("2", "MOORING ERRORS"),
        ("2.1", "Mooring Error — Loose Rope"),
        ("2.2", "Mooring Error — Wrong Pier"),
        ("Appendix A", "ROPES"),
    ]


def test_a_penalty_behind_a_heading_is_no_part_of_its_name() -> None:
    rope, pier = load(GUIDE).entries[3:5]
    assert told(rope)[:2] == ["Warning", "A rope is tied so that the boat drifts."]
    assert told(pier)[0] == "Game Loss"
    assert [it.text for it in rope.paragraphs[-1].examples] == [
        "A boat drifts against the pier.",
        "A rope is thrown into the water.",
    ]


def test_a_list_in_a_section_is_no_section() -> None:
    penalties = load(GUIDE).entries[1]
    assert told(penalties)[-3:] == [
        "1. The captain throws the rope.",
        "2. The captain ties it.",
        "3. The captain waits (see rule 100.2).",
    ]


def test_citations_within_the_guide_and_of_other_documents() -> None:
    document = load(GUIDE)
    keys = [
        (it.surface, it.targets[0].kind.value, it.targets[0].key)
        for u in document.units
        for it in u.references
    ]
    assert keys == [
        ("section 2.1", "entry", "2.1"),
        ("Appendix A", "entry", "Appendix A"),
        ("rule 100.2", "rule", "100.2"),
        ("section 3.1 of the Magic Tournament Rules", "entry", "MTR 3.1"),
    ]


FLOOR_RULES = """\
HARBOUR DCI FLOOR RULES
Effective March 4, 2008

100. General Rules for Harbours\t1
101. Piers\t1
102. Ropes\t2
110. Boats\t2
111. Oars\t3

100. General Rules for Harbours
101. Piers
Piers are of stone. See sections 102, 110–111 for what lies there.

To moor, do two things:
1. Throw the rope.
2. Tie it.
102. Ropes
Ropes are of hemp.
110. Boats
111. Oars
Oars are of wood.
"""


def test_old_floor_rules_have_sections_of_three_figures() -> None:
    """Contents name pages without dots between; parts begin at tens; citations are lists and ranges."""
    document = load(FLOOR_RULES)
    assert [(it.number, it.heading) for it in document.entries] == [
        ("100", "General Rules for Harbours"),
        ("101", "Piers"),
        ("102", "Ropes"),
        ("110", "Boats"),
        ("111", "Oars"),
    ]
    assert document.edition == "mtr-2008-03-04"
    assert document.problems == ()
    cited = [ref for unit in document.units for ref in unit.references]
    assert [(it.surface, [target.key for target in it.targets]) for it in cited] == [
        ("sections 102, 110–111", ["102", "110", "111"])
    ]


def test_rules_without_numbers_have_headings() -> None:
    document = load(REGULAR)
    assert (document.edition, document.problems) == ("jar-2020-03-04", ())
    assert [(it.key, len(it.paragraphs)) for it in document.entries] == [
        ("judging-at-regular-rules-enforcement-level-rel", 2),
        ("common-issues", 2),
        ("general-unwanted-behaviors", 2),
        ("serious-problems", 1),
    ]


SAME = "PREFIX rg: <https://w3id.org/rulesgraph/ns#> SELECT ?cited ?rule { ?cited rg:sameRule ?rule }"


CITING = [
    ("as told (MTR section 4.3), or in MTR 5.2.", ["MTR 4.3", "MTR 5.2"]),
    ("section 2 of the Magic Tournament Rules; section 2", ["MTR 2", "2"]),
    ("Appendix A of the Tournament Rules, Appendix A", ["MTR Appendix A", "Appendix A"]),
    ("section 9 of the harbour, sections 7-8", []),
    ("section 7 of the Magic Comprehensive Rules, rule 100.2", ["7", "100.2"]),
    ("The Tournament Rules 2 captains read; they see “who moors” here.", []),
]


@pytest.mark.parametrize(("text", "cited"), CITING)
def test_a_section_of_another_document_is_no_own_one(text: str, cited: list[str]) -> None:
    document = load(GUIDE.replace("A captain is told what went wrong.", text))
    [told] = [it for it in document.units if it.text.startswith(text[:9])]
    own = [target.key for it in told.references for target in it.targets]
    assert own[: len(cited)] == cited
    assert own[len(cited) :] == ["2.1", "Appendix A"]  # what follows in the guide


def test_tournament_rules_cite_the_rules_of_their_day(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name, text in (("guide", GUIDE), ("regular", REGULAR)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
        assert run("build", tmp_path / f"{name}.txt", "--store", store)[0] == 0
    assert run("build", MINI / "lanterns-2031-02-01.txt", "--store", store)[0] == 0
    _, out, _ = run("sparql", SAME, "--edition", "all", "--store", store, "--format", "csv")
    # The edition of 2031 was not in force in 2020.
    assert [line.split("edition/")[1:] for line in out.split()[1:]] == [
        ["ipg-2032-03-04/rule/100.2,https://w3id.org/rulesgraph/", "cr-2031-02-01/rule/100.2"]
    ]


def test_the_rules_of_another_game_are_read_by_a_file(tides: Path) -> None:
    document = load(GAME, read_form(tides))
    assert document.edition == "tides-2032-03-04"
    assert [(it.number, it.heading) for it in document.entries] == [
        ("A", "The Sea"),
        ("A1", ""),
        ("A2", ""),
        ("B", "The Land"),
        ("B1", ""),
        ("B1.1", ""),
        ("B1.2", ""),
        ("B4", ""),
    ]
    assert told(document.entries[2]) == ["The sea turns twice a day, whether anybody sails or not."]
    assert document.entries[2].paragraphs[0].examples[0].text == "It turns at noon."
    assert [it.targets[0].key for u in document.units for it in u.references] == ["B1.2", "A2"]
    assert [(it.code, it.subject) for it in document.problems] == [("missing-number", "B4")]


def test_build_takes_a_form(run: Run, tides: Path, tmp_path: Path) -> None:
    text, store = tmp_path / "tides.txt", tmp_path / "store"
    text.write_text(GAME, encoding="utf-8")
    code, out, _ = run("build", text, "--form", tides, "--store", store)
    assert (code, "numbered rules" in out) == (0, True)
    code, out, _ = run("show", "B1.1", "--store", store)
    assert (code, "Land that is wet is sea" in out) == (0, True)


def test_numbered_rules_are_not_current_beside_the_rules(run: Run, tides: Path, tmp_path: Path) -> None:
    text, store = tmp_path / "tides.txt", tmp_path / "store"
    text.write_text(GAME, encoding="utf-8")
    run("build", "--store", store)
    run("build", text, "--form", tides, "--store", store)
    _, out, _ = run("editions", "--store", store, "--format", "csv")
    current = [line.split(",")[0] for line in out.splitlines() if ",true," in line]
    assert current == ["starter"]


def test_a_question_in_words_of_the_guide_is_answered_from_it(run: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    (tmp_path / "guide.txt").write_text(GUIDE, encoding="utf-8")
    run("build", tmp_path / "guide.txt", MINI / "lanterns-2031-07-01.txt", "--store", store)
    asked = ("ask", "which mooring error is a loose rope", "--store", store, "--format", "json")
    code, out, err = run(*asked)
    assert (code, {row["edition"] for row in json.loads(out)}) == (0, {"ipg-2032-03-04"})
    assert "--edition cr-2031-07-01 searches cr-2031-07-01" in err
    assert run(*asked, "--edition", "cr-2031-07-01")[0] == 1
    _, out, err = run("ask", "may a lantern burn in the shade", "--store", store, "--format", "json")
    assert {row["edition"] for row in json.loads(out)} == {"cr-2031-07-01"}
    assert "searches" not in err


BAD = [
    ('title = "x"\nnumber = "x"', "'name' must be a string"),
    ('name = "x"\ntitle = "x"', "'number' must be a string"),
    ('name = "x"\ntitle = "x"\nnumber = "("', "'number' is not a pattern"),
    ('name = "x"\ntitle = "x"\nnumber = "x"\ncolour = "x"', "'colour' is not a key of a form"),
    ('name = "X y"\ntitle = "x"\nnumber = "x"', "cannot start an id"),
    ('name = "x"\ntitle = "x"\nnumber = "x"\ncites = "x"', "'cites' has no group"),
    ('name = "x"\ntitle = "x"\nnumber = "[0-9]*"', "'number' also matches nothing at all"),
    ('name = "x"\ntitle = "x"\nnumber = "x"\ncalled = "(?i)oars"', "'called' is not a pattern"),
    ("name =", "the form cannot be read"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_form_that_is_none_is_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "form.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message.replace("(", r"\(")):
        read_form(path)


def test_a_form_that_fits_nothing_refuses_the_text(tides: Path) -> None:
    with pytest.raises(SourceError, match="0 lines begin with a number of the form 'tides'"):
        load_document(decode(b"Milk, bread.\nAnd a lamp.\n", "x"), read_form(tides))


def test_numbered_rules_without_a_form_are_called_so() -> None:
    text = "\n".join(f"{n}.{m} A boat of {n} oars has {m} sails." for n in range(1, 6) for m in range(1, 6))
    with pytest.raises(
        SourceError, match="25 lines begin with numbers of another document's rules"
    ) as refusal:
        load_document(decode(text.encode(), "x"))
    assert "--form" in str(refusal.value)


def test_a_form_needs_no_more_than_three_values() -> None:
    form = form_of({"name": "oars", "title": "oars", "number": r"\d+\.\d+"}, "x")
    document = load("Oars\n1.1 An oar is wet.\n1.2 It floats.\n2.1 Two are a pair.\n", form)
    assert [told(it) for it in document.entries] == [["An oar is wet."], ["It floats."], ["Two are a pair."]]
    assert document.issued is None
    assert document.edition.startswith("oars-fragment-")


def test_the_digital_guide_and_rules_are_documents_of_their_own() -> None:
    assert load(GUIDE).edition == "ipg-2032-03-04"
    document = load(GUIDE.replace("HARBOUR", "MAGIC DIGITAL"))
    assert document.edition == "dipg-2032-03-04"
    assert [it.number for it in document.entries] == [it.number for it in load(GUIDE).entries]
    rules = "MAGIC DIGITAL TOURNAMENT RULES\nEffective March 4, 2032\n1. Lamps\n1.1 Oil\n1.2 Wicks\n"
    assert load(rules).edition == "dmtr-2032-03-04"


def test_a_glossary_with_an_entry_of_that_name_is_none_of_the_tournament_rules() -> None:
    lines = ["Tournament Rules", "Rules for tournaments stand in another text.", "1. A list has an item."]
    forms = {form.name: form for form in bundled_forms()}
    assert not forms["mtr"].fits(lines)
    assert forms["mtr"].fits(["Lantern Tournament Rules", "1. Lamps", "1.1 Oil", "1.2 Wicks"])


NUMBERS_APART = """\
THE RULES OF THE TIDES

100.
101.
200.
201.

1

The Sea ........ 1
The Land ....... 2

100.

The Sea

101. Sailors
101.1. Anybody may sail, see 201.1.

900.

The Land

901. Walkers
901.1. Nobody walks on water, see 101.1.

200.

Boats

201. Oars
201.1. An oar is of wood.
"""


def test_parts_may_have_their_titles_on_another_line() -> None:
    """Contents may be a column of numbers; a number that the following ones do not continue is a slip."""
    form = form_of(
        {
            "name": "tides",
            "title": "rules of the tides",
            "number": r"\d{3}(?:\.\d)?(?=\.)",
            "cites": r"see (\d{3}\.\d)",
            "furniture": r".*\.{5,}.*|\d",
        },
        "tides.toml",
    )
    whole = NUMBERS_APART.replace("900.", "200.").partition("\n200.\n\nBoats")[0]
    document = load_document(decode(whole.replace("90", "20").encode(), "tides.txt"), form)
    assert [it.number for it in document.entries] == ["100", "101", "101.1", "200", "201", "201.1"]
    cited = [target.key for unit in document.units for ref in unit.references for target in ref.targets]
    assert cited == ["201.1", "101.1"]
    slipped = NUMBERS_APART.replace("901", "201").partition("\n200.\n\nBoats")[0]
    document = load_document(decode(slipped.encode(), "tides.txt"), form)
    assert [it.number for it in document.entries][:3] == ["100", "101", "101.1"]
    assert "900" not in {it.number for it in document.entries}


def test_what_the_contents_name_and_the_text_lacks_is_told() -> None:
    """A page's number before that of a section hides it."""
    listed = "2.1. Mooring Error — Loose Rope ........... 3\n2.2. Mooring Error — Wrong Pier ........... 4\n"
    text = GUIDE.replace("CONTENTS\n", f"CONTENTS\n\n{listed}")
    assert load(text).problems == ()
    problem, *_ = load(text.replace("### 2.2. Mooring", "4 2.2. Mooring")).problems
    assert (problem.code, problem.subject) == ("contents-mismatch", "2.2")
    assert problem.message == "1 of 2 numbers in the contents are missing in the text: 2.2"
