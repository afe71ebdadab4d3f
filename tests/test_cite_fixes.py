"""Which numbers `cite --fix` writes, which it keeps, and what it says of those."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from commands import Run
from rulesgraph import Rules
from rulesgraph.queries.citing.cite import SourceTree, cite, judged
from rulesgraph.queries.citing.fixing import fixes
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.citing.scan import read
from rulesgraph.queries.citing.settings import Lock
from rulesgraph.queries.verifying.rulebook import Book
from test_cite import tree


@pytest.fixture(scope="module")
def material(newest_rules: Rules) -> Book:
    return material_of(newest_rules.session)


def test_who_fixes_is_told_of_what_stands_in_strings(tmp_path: Path, run: Run, newest_store: Path) -> None:
    tree(tmp_path, {"a.py": '"""CR 701.18: Scry."""\n'})
    options = (tmp_path, "--fix", "--allow-dirty", "--store", newest_store)
    assert "not written: it is in a string, a docstring or a name: --fix-strings" in run("cite", *options)[1]
    assert "--fix-strings" not in "".join(run("cite", *options, "--fix-strings")[1:])
    assert "701.22" in (tmp_path / "a.py").read_text()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("// Do not cite CR 701.18 for scry!\n", "older or other numbers"),
        ("// Copyright 2019. CR 701.18: Scry\n", ""),
        ('let a = "CR 701.18: Scry";\n', "in a string"),
        ('let a = [("scry", "701.18"), ("trample", "702.19b")];\n', "next to it do not name 701.22"),
        ("// CR 701.18 scry, CR 701.22 fateseal\n", ""),
        ("// CR 701.18: Scry until end of turn, if it was not on top\n", ""),
    ],
)
def test_numbers_in_words_about_older_rules_are_kept(
    tmp_path: Path, material: Book, text: str, reason: str
) -> None:
    tree(tmp_path, {"a.rs": text})
    found, kept = fixes(cite(material, SourceTree([str(tmp_path)])).flags)
    assert ([it.number for it, _ in kept], len(found)) == ((["701.18"], 0) if reason else ([], 1))
    assert all(reason in why for _, why in kept)


@pytest.mark.parametrize(
    ("text", "now", "fix"),
    [
        ("// Morph (CR 502.26)", ("702.37",), True),
        ("// CR 420.5e: the legend rule", ("704.5j",), True),
        ("// CR 502.9", ("702.19",), False),
        (
            "// CR 409.1c: choose targets",
            ("700.2c", "601.2c"),
            False,
        ),  # the last rule, and that of most editions
    ],
)
def test_a_number_that_is_gone_is_corrected_if_the_words_name_its_rule(
    material: Book, text: str, now: tuple[str, ...], fix: bool
) -> None:
    [flag] = judged(material, read("a.rs", text)[0], "")[0]
    assert (flag.finding.kind, flag.finding.now, flag.finding.fix) == ("gone", now, fix)


@pytest.mark.parametrize("written", ["", "cr-2008-02-01"])
@pytest.mark.parametrize(
    ("name", "was", "then", "now"),
    [
        ("Flying", "502.9", "502.4", "702.9"),
        ("Lifelink", "502.63a", "502.68", "702.15"),
        ("Lifelink", "502.28b", "502.68", "702.15"),
        ("legend rule", "420.5f", "420.5e", "704.5j"),
    ],
)
def test_a_number_that_is_gone_beside_the_name_of_another_rule_is_kept(
    tmp_path: Path, material: Book, written: str, name: str, was: str, then: str, now: str
) -> None:
    tree(tmp_path, {"a.md": f"# {name} (rule {was})\n"})
    [flag] = cite(material, SourceTree([str(tmp_path)]), written=written).flags
    assert (flag.finding.kind, flag.finding.now) == ("topic", (now,))
    assert flag.finding.message.endswith(f"; the words around it name “{name}”, then {then}, now {now}")
    assert not fixes([flag])[0]
    tree(tmp_path, {"a.md": f"# {name} (rule {then})\n"})
    [fix] = fixes(cite(material, SourceTree([str(tmp_path)]), written=written).flags)[0]
    assert fix.after.decode() == f"# {name} (rule {now})\n"


def test_a_number_of_an_edition_beside_words_of_another_rule_is_kept(tmp_path: Path, material: Book) -> None:
    tree(tmp_path, {"a.md": "Regeneration shields: CR 701.13a\n"})
    [flag] = cite(material, SourceTree([str(tmp_path)]), written="cr-2013-11-01").flags
    assert (flag.finding.kind, flag.finding.now) == ("topic", ("701.19",))
    assert flag.finding.message.endswith("; the words around it name “Regenerate”, then 701.12, now 701.19")
    assert not fixes([flag])[0]


def test_a_name_of_those_rules_is_no_other(material: Book) -> None:
    sites = read("a.rs", "// Play (CR 410), Leaves Play (CR 502.15)\n\n// Protection (CR 420)")[0]
    assert {it.finding.kind for it in judged(material, sites, "cr-2008-02-01")[0]} == {"moved"}


def test_of_two_meanings_that_fit_alike_the_latest_counts(material: Book) -> None:
    [flag] = judged(material, read("a.rs", "// CR 121.3: counters cancel")[0], "")[0]
    assert (flag.finding.kind, flag.finding.now) == ("stale", ("122.3",))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.scala", "object Untap // CR 502.3\n"),
        ("a.scala", "object Draw // CR 504.1\n"),
        ("a.py", "def declare_blockers():  # CR 509.1\n    pass\n"),
    ],
)
def test_a_name_in_the_program_keeps_a_number_of_today(material: Book, name: str, text: str) -> None:
    [flag] = judged(material, read(name, text)[0], "cr-2008-02-01")[0]
    assert (flag.finding.kind, flag.finding.fix) == ("moved", False)
    assert flag.finding.message.endswith(", which the words beside it fit")


def test_a_range_has_one_finding(material: Book) -> None:
    [flag] = judged(material, read("a.rs", "// CR 500-514: turn structure")[0], "cr-2008-02-01")[0]
    assert flag.finding.message.endswith("; also moved: 11 more of this range")
    said = "the numbers of this range no longer follow one another: correct it by hand"
    assert fixes([flag]) == ([], [(flag, said)])


def test_a_range_of_2008_is_written_if_it_is_a_run(tmp_path: Path, material: Book) -> None:
    """420.5a to f are 704.5a, f, g, m, j and d now."""
    before = "// CR 409.1a-c\n\n// CR 502.30-32\n\n// CR 420.5a-f\n"
    path = tree(tmp_path, {"a.rs": before}) / "a.rs"
    [fix], kept = fixes(cite(material, SourceTree([str(path)]), written="cr-2008-02-01").flags)
    assert fix.after.decode() == "// CR 601.2a-c\n\n// CR 702.40-42\n\n// CR 420.5a-f\n"
    assert [it.number for it, _ in kept] == ["420.5a"]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("CR 728.2d-f", "CR 729.2d-f"),
        ("CR 728.2d–728.2f", "CR 729.2d–729.2f"),
        ("rules 728.2d through 728.2f", "rules 729.2d through 729.2f"),
        ("CR 728.2d through f", "CR 729.2d through f"),
        ("CR 728.1-2", "CR 729.1-2"),
        ("CR 728-730", "CR 729-731"),
        ("CR 728.2d-f and CR 728.3", "CR 729.2d-f and CR 729.3"),
        ("CR 728.2d-f, was 728.2a-c", "CR 728.2d-f, was 728.2a-c"),
        ("CR 728.2ff", "CR 729.2ff"),  # and what follows it
        ("CR 728.2ff.", "CR 729.2ff."),
    ],
)
def test_a_range_is_written_if_it_is_a_run_of_the_same_rules(
    tmp_path: Path, material: Book, text: str, after: str
) -> None:
    path = tree(tmp_path, {"a.rs": f"// {text}\n"}) / "a.rs"
    flags = cite(material, SourceTree([str(path)]), written="cr-2025-06-06").flags
    found, kept = fixes(flags)
    assert ((found[0].after if found else path.read_bytes()).decode(), bool(kept)) == (
        f"// {after}\n",
        after == text,
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("CR 704.5k, m, n and p", "CR 704.5j, k, m and n"),
        ("CR 704.5k or m", "CR 704.5j or k"),
        ("CR 704.5k and 704.5n and p", "CR 704.5j and 704.5m and n"),
        ("CRs 704.5k, m/n", "CRs 704.5j, k/m"),
        ("CR 613.3a–c, e", "CR 613.4a–c, d"),
        ("CR 704.5a-m, p", "CR 704.5a-m, p"),  # one of the range is gone
        ("CR 704.5k, e.g. one", "CR 704.5j, e.g. one"),
    ],
)
def test_a_list_of_letters_is_written_whole_or_not_at_all(
    tmp_path: Path, material: Book, text: str, after: str
) -> None:
    path = tree(tmp_path, {"a.rs": f"// {text}: it is put away\n"}) / "a.rs"
    found, kept = fixes(cite(material, SourceTree([str(path)]), written="cr-2016-11-11").flags)
    assert (bool(kept), found == []) == (after == text, after == text)
    assert not found or found[0].after.decode() == f"// {after}: it is put away\n"


@pytest.mark.parametrize(
    "said", ["As of 2016-11-11, CR", "By the rules of November 2016, CR", "CR 2016-11-11"]
)
def test_a_number_that_is_said_to_be_of_a_date_is_a_note(material: Book, said: str) -> None:
    for text in (f"// {said} 701.16 is scry", "// CR 701.16 (2016-11-11 rules): scry"):
        [flag] = judged(material, read("a.rs", text)[0], "")[0]
        assert (flag.finding.kind, flag.finding.severity, flag.finding.now) == ("stale", "note", ("701.22",))


@pytest.mark.parametrize(
    "stamp", ["2016-11-11 ada:", "TODO(2016-11-11):", "ada, Nov 11, 2016:", "[2016-11-11]"]
)
def test_the_stamp_of_an_author_is_no_date_of_the_rules(material: Book, stamp: str) -> None:
    [flag] = judged(material, read("a.rs", f"// {stamp} CR 701.16 scry")[0], "")[0]
    assert (flag.finding.kind, flag.finding.severity, flag.finding.now) == ("stale", "error", ("701.22",))


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("a.c", "#define RULE_704_5K 1\n", "#define RULE_704_5J 1\n"),
        ("a.rs", "CR704_5K + CR_704_5K;\n", "CR704_5J + CR_704_5J;\n"),
        ("a.py", "RULE_704_5K = 1\n", "RULE_704_5J = 1\n"),
        ("a.ts", "class Rule704_5k {}\n", "class Rule704_5j {}\n"),
        ("a.java", "/** @rule{704.5k} */\n", "/** @rule{704.5j} */\n"),
        ("a.md", "<rule 704.5k>\n", "<rule 704.5j>\n"),
        ("a.xml", '<rule number="704.5k"/>\n', '<rule number="704.5j"/>\n'),
        ("a.c", "/* a lantern\n   704.5k: out\n */\n", "/* a lantern\n   704.5j: out\n */\n"),
        ("a.c", 'a = "/*";\n 104.5, 704.5k\n', 'a = "/*";\n 104.5, 704.5k\n'),
    ],
)
def test_names_tags_and_comments_without_stars_are_read_and_written(
    tmp_path: Path, material: Book, name: str, text: str, after: str
) -> None:
    path = tree(tmp_path, {name: text}) / name
    found, _ = fixes(cite(material, SourceTree([str(path)]), written="cr-2016-11-11").flags, strings=True)
    assert (found[0].after.decode() if found else text) == after


@pytest.mark.parametrize(
    ("text", "written", "now"),
    [
        ("// Retrace is CR 702.80\n// CR 702.82 Exalted\n", "", ["702.81", "702.83"]),
        (
            "// CRs 701.16, 701.17a & 701.18b\n// (scry)\n",
            "cr-2016-11-11",
            ["701.22", "701.23a", "701.24b"],
        ),
    ],
)
def test_each_number_keeps_what_is_said_of_it_alone(
    material: Book, text: str, written: str, now: list[str]
) -> None:
    found = judged(material, read("a.rs", text)[0], written)[0]
    assert [(*it.finding.now, it.finding.fix) for it in found] == [(it, True) for it in now]


def test_a_version_is_no_citation(material: Book) -> None:
    for text in ('let version = "702.19";\n', 'APP_VERSION: "702.19b"\n'):
        [site] = read("a.rs", text)[0]
        assert site.citation.is_bare
        assert [it.finding.kind for it in judged(material, [site], "")[0]] == ["unread"]


def test_who_moves_the_edition_past_old_numbers_is_told_by_the_exit_code(
    tmp_path: Path, run: Run, newest_store: Path
) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.14a-c\n", "b.rs": "// CR 701.16\n"})
    options = ("--fix", "--allow-dirty", "--written", "2016-11-11", "--store", newest_store)
    code, _, told = run("cite", tmp_path, *options)
    assert (code, "Check the 1 moved number listed above" in told) == (1, True)


def test_numbers_that_exist_are_kept_in_sources_of_mixed_age(
    tmp_path: Path, run: Run, newest_store: Path
) -> None:
    path = tree(tmp_path, {"a.rs": "// CR 502.9b\n\n// CR 502.4\n"}) / "a.rs"
    options = ("cite", tmp_path, "--fix", "--allow-dirty", "--written", "2008-02-01", "--store", newest_store)
    out = run(*options, "--fix-gone")[1]
    assert path.read_text() == "// CR 702.19b\n\n// CR 502.4\n"
    assert "not written: the edition has this number, and --fix-gone keeps those" in out
    assert (
        "--fix-gone writes nothing by itself"
        in run("cite", tmp_path, "--fix-gone", "--store", newest_store)[2]
    )


@pytest.mark.parametrize(
    "text",
    [
        "// the old rule 701.18 (Scry), now 701.22\n",
        "// In the 2024 rules, scry is CR 701.18.\n",
        "// Scry (formerly CR 701.18)\n",
        "// Scry: CR 701.18 until June\n",
    ],
)
def test_numbers_that_were_right_at_the_time_that_is_named_are_right(
    tmp_path: Path, material: Book, text: str
) -> None:
    tree(tmp_path, {"a.rs": text})
    assert cite(material, SourceTree([str(tmp_path)])).flags == []


def test_words_that_disagree_with_the_edition_are_reported_and_kept(tmp_path: Path, material: Book) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.10 destroy\n"})
    [flag] = cite(material, SourceTree([str(tmp_path)]), written="cr-2024-11-08").flags
    told = flag.finding
    assert (flag.number, told.kind, told.now, told.fix) == ("701.10", "topic", ("701.8",), False)
    assert told.message.startswith("701.10 of cr-2024-11-08 is 701.12 in cr-2026-01-16; ")
    assert told.message.endswith("the words around it name “destroy”, then 701.7, now 701.8")


def test_a_diff_is_a_patch_for_files_of_any_bytes(
    tmp_path: Path, run: Run, newest_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run(["git", "init", "-q"], check=True)
    before = {
        "latin.rs": b"// caf\xe9\n// CR 701.18: Scry\n",
        "lines.rs": b"// one\r\n// CR 701.18: Scry\r\n",
        "end.rs": b"// CR 701.18: Scry",
    }
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    _, out, err = run("cite", ".", "--diff", "-o", "a.patch", "--store", newest_store)
    assert (out, "3 numbers would be written in 3 files; 0 more findings left." in err) == ("", True)
    subprocess.run(["git", "apply", "a.patch"], check=True)
    for name, content in before.items():
        assert (tmp_path / name).read_bytes() == content.replace(b"701.18", b"701.22")


def test_who_fixes_is_told_of_each_number_that_is_kept(tmp_path: Path, run: Run, newest_store: Path) -> None:
    tree(tmp_path, {"a.rs": "// Do not cite CR 701.18 for scry!\n"})
    why = "not written: the words beside it are about older or other numbers"
    assert f"a.rs:1:16: 701.18 → 701.22 {why}" in run("cite", tmp_path, "--diff", "--store", newest_store)[2]
    options = ("--fix", "--allow-dirty", "--store", newest_store)
    assert f"in cr-2026-01-16; {why}" in run("cite", tmp_path, *options)[1]
    code, out, err = run("cite", tmp_path, "--fix-strings", "--store", newest_store)
    assert (code, out) == (2, "")
    assert "Give --fix or --diff with it." in err


@pytest.mark.parametrize(
    ("frame", "is_written"),
    [
        ("// CR {n}\n", True),
        ("// then {new} it\n// CR {n}: {old}\n", True),
        ("// handle {new}\n// CR {n} the {old} part\n", False),
        ("// CR {n} {old} after {new}\n", True),
        ("// CR {n}\nvoid {joined}Step() {{}}\n", False),  # words of the new owner only: nobody guesses
        ("// {new}\n// CR {n}\n", False),
    ],
)
def test_a_number_of_a_known_edition_that_moved_is_never_passed_over(
    material: Book, frame: str, is_written: bool
) -> None:
    """All actions of 701 whose number belongs to another now, next to the names of both or of one."""
    titles, before = material.titles, "cr-2025-04-04"
    then = {it: material.meanings.at(it, before) for it in titles if it[:4] == "701." and it[-1].isdigit()}
    now = {it: held.now for it, held in then.items() if held and held.now and it not in held.now}
    assert len(now) == 59
    told: dict[str, tuple[str, tuple[str, ...], bool]] = {}
    for number, rules in now.items():
        new, old = titles[number].lower(), titles[rules[0]].lower()
        text = frame.format(n=number, new=new, old=old, joined=titles[number].replace(" ", ""))
        report = cite(material, SourceTree([], text=text), written=before)
        told |= {it.number: (it.finding.kind, it.finding.now, it.finding.fix) for it in report.flags}
    assert told == {number: ("moved", rules, is_written) for number, rules in now.items()}


def test_a_number_that_came_after_the_text_is_noted(material: Book) -> None:
    source = SourceTree([], text="CR 701.64a, CR 903.11a, CR 702.19b")
    report = cite(material, source, written="cr-2025-04-04", notes=True)
    newer = {it.number: it.finding.message for it in report.flags if it.finding.kind == "newer"}
    assert newer == {
        "701.64a": "701.64a came with cr-2025-09-19, and the text was written against cr-2025-04-04",
        "903.11a": "903.11a came with cr-2025-07-25, and the text was written against cr-2025-04-04",
    }


def test_a_lock_is_not_moved_on_in_silence(
    tmp_path: Path, run: Run, newest_store: Path, material: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    then = material.meanings.at("701.16", "cr-2025-04-04")
    assert then
    lock = Lock("cr-2025-04-04", {"701.16": (then.provision, "-")}).text
    command = ("cite", "--notes", "--fix", "--allow-dirty", "--store", newest_store)
    monkeypatch.chdir(tmp_path)
    tree(tmp_path, {"A.java": "// then investigate it\n// CR 701.16: reveal\n", "rulesgraph.lock": lock})
    code, out, _ = run(*command)
    assert (code, out) == (0, "")
    assert (tmp_path / "A.java").read_text() == "// then investigate it\n// CR 701.20: reveal\n"
    assert f"701.20 {then.provision} " in (tmp_path / "rulesgraph.lock").read_text()
    tree(tmp_path, {"A.java": "// investigate\n// CR 701.16\n", "rulesgraph.lock": lock})
    code, out, err = run(*command)
    assert (code, "701.16 → 701.20 [moved]" in out) == (1, True)
    assert "Check the 1 moved number listed above" in err


def test_a_number_behind_its_date_is_not_written(tmp_path: Path, material: Book) -> None:
    """The new number would be read as one of that day, and written again at the next --fix."""
    folder = tree(tmp_path, {"a.rs": "// 20250207 - 701.18\n"})
    report = cite(material, SourceTree([str(folder)]))
    assert [(it.number, it.finding.now) for it in report.flags] == [("701.18", ("701.22",))]
    written, [(_, reason)] = fixes(report.flags)
    assert (written, "a date stands before it" in reason) == ([], True)
