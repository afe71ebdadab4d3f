"""What `cite` keeps and writes: locks, baselines, and files in which numbers are put right."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph import Rules
from rulesgraph.app.commands.citing import write
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.citing.cite import SourceTree, cite
from rulesgraph.queries.citing.fixing import fixes, refuse_dirty
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.citing.settings import Flag, Lock, baseline_of, lock_of, read_baseline, read_lock
from rulesgraph.queries.verifying.rulebook import Book
from sweep import first
from test_cite import git, tree

HEAD = "# rulesgraph lock 1: number, provision, checksum of its words"
BEFORE = "cr-2025-04-04"


@pytest.fixture(scope="module")
def material(newest_rules: Rules) -> Book:
    return material_of(newest_rules.session)


def numbers(flags: Iterable[Flag]) -> list[str]:
    return [it.number for it in flags]


# -- fixes ------------------------------------------------------------------------------------------


def fixed(material: Book, folder: Path, text: str, *, written: str = "", strings: bool = False) -> str:
    """Return a file of a tree after `--fix`, and after a second one."""
    path = tree(folder, {"a.rs": text}) / "a.rs"
    for _ in range(2):
        write(fixes(cite(material, SourceTree([str(folder)]), written=written).flags, strings=strings)[0])
        written = ""
    return path.read_bytes().decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("// CR 701.18: Scry\n", "// CR 701.22: Scry\n"),
        ("// (CR-701.18a) scry 2\r\n//\tand on", "// (CR-701.22a) scry 2\r\n//\tand on"),
        ("// Scry (701.18a/d).\n", "// Scry (701.22a/d).\n"),
        ("// [CR:701.17a] sacrifice it\n", "// [CR:701.21a] sacrifice it\n"),
        ("// The monarch, CR 716.1\n", "// The monarch, CR 724.1\n"),  # a chapter about one thing
        # 701.22 is Scry, and was Fateseal: at once, so that nothing is replaced twice.
        ("// CR 701.18: Scry\n\n// CR 701.22: Clash\n", "// CR 701.22: Scry\n\n// CR 701.30: Clash\n"),
        # Not certain, a string, or right.
        ("// CR 702.999: nothing\n", "// CR 702.999: nothing\n"),
        ('log("CR 701.18: Scry");\n', 'log("CR 701.18: Scry");\n'),
        ("// CR 701.22: Scry\n", "// CR 701.22: Scry\n"),
    ],
)
def test_numbers_are_put_right_and_keep_their_form(
    tmp_path: Path, material: Book, before: str, after: str
) -> None:
    assert fixed(material, tmp_path, before) == after


def test_strings_are_written_when_asked_for(tmp_path: Path, material: Book) -> None:
    assert fixed(material, tmp_path, 'log("CR 701.18: Scry");', strings=True) == 'log("CR 701.22: Scry");'


def test_bytes_that_are_no_text_stay(tmp_path: Path, material: Book) -> None:
    path = tree(tmp_path, {"a.rs": b"// CR 701.18: Scry \xe9\xff\n"}) / "a.rs"
    path.chmod(0o755)
    write(fixes(cite(material, SourceTree([str(tmp_path)])).flags)[0])
    assert path.read_bytes() == b"// CR 701.22: Scry \xe9\xff\n"
    assert path.stat().st_mode & 0o777 == 0o755
    assert sorted(it.name for it in tmp_path.iterdir()) == ["a.rs"]


@pytest.mark.parametrize(
    "before",
    first(
        1,
        dict.fromkeys((BEFORE, *[it for it in bundled_lives().editions if it < "cr-2026"][::6])),
        pytest.mark.long(small="test_what_was_written_to_older_rules_comes_back"),
    ),
)
def test_what_was_written_to_older_rules_comes_back(tmp_path: Path, material: Book, before: str) -> None:
    """Correct citations, rewritten by the graph to an older edition's numbers, are corrected again."""
    held = {number: material.meanings.at(number, material.name) for number in material.titles}
    then = {}
    for number, now in held.items():
        stood = now and material.meanings.lives.at(now.provision, before)
        at_that_time = stood and material.meanings.at(stood.number, before)
        if now and material.meanings.lives.is_doubted(now.provision, before, material.name):
            continue  # it is not written without review
        # The second of two rules with one number cannot be cited.
        if stood and "~" not in stood.number and at_that_time and at_that_time.now == (number,):
            then[number] = stood.number
    assert sum(number != old for number, old in then.items()) > 150
    template = "// CR {}: what is said of it\nfn one() {{}}\n\n"
    right = "".join(template.format(number) for number in then)
    old = "".join(template.format(number) for number in then.values())
    assert fixed(material, tmp_path, old, written=before) == right


WRITTEN = {
    "a.py": "class Exile:  # see 701.11\n    pass\n\n\n# CR 701.17\n\n# CR 701.18a\n",
    "b.py": "# CR 701.18\n",
}
"""Right in 2025-04-04; nothing beside most of the numbers says what they are about."""

NOW = {
    "a.py": "class Exile:  # see 701.13\n    pass\n\n\n# CR 701.21\n\n# CR 701.22a\n",
    "b.py": "# CR 701.22\n",
}


def both(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in WRITTEN}


def old_lock(material: Book) -> str:
    """Return the lock that `WRITTEN` makes."""
    then = {
        number: material.meanings.at(number, BEFORE) for number in ("701.11", "701.17", "701.18a", "701.18")
    }
    rows = {number: (it.provision, "-") for number, it in then.items() if it}
    return Lock(BEFORE, rows).text


@pytest.mark.parametrize(
    ("files", "options", "record"),
    [
        ({".rulesgraph.toml": '[cite]\nwritten = "2025-04-04"  # then\n'}, (), ".rulesgraph.toml"),
        ({"pyproject.toml": f"[tool.rulesgraph.cite]\nwritten = '{BEFORE}'\n"}, (), "pyproject.toml"),
        ({"rulesgraph.lock": ""}, ("--notes",), "rulesgraph.lock"),
    ],
)
def test_a_second_fix_changes_nothing(
    tmp_path: Path,
    run: Run,
    newest_store: Path,
    material: Book,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    options: tuple[str, ...],
    record: str,
) -> None:
    """The recorded edition is updated with the numbers, so correct ones are not taken for old ones."""
    tree(tmp_path, {**WRITTEN, **{name: text or old_lock(material) for name, text in files.items()}})
    monkeypatch.chdir(tmp_path)
    command = ("cite", "--fix", "--allow-dirty", "--store", newest_store, *options)
    # Not one file of several: nobody could tell later which numbers are old.
    code, _, err = run("cite", "a.py", *command[1:])
    assert (code, both(tmp_path), "b.py has numbers from cr-2025-04-04, too" in err) == (2, WRITTEN, True)
    code, out, err = run(*command)
    assert (code, out, both(tmp_path)) == (0, "", NOW)
    assert "4 numbers written in 2 files; 0 more findings left." in err
    assert f"The edition in {record} is now cr-2026-01-16." in err
    said = (tmp_path / record).read_text()
    assert "cr-2026-01-16" in said
    assert BEFORE not in said
    code, _, err = run(*command)
    assert (code, both(tmp_path), (tmp_path / record).read_text()) == (0, NOW, said)
    assert "0 numbers written in 0 files" in err
    code, _, err = run(*command, "--written", BEFORE)
    assert (code, both(tmp_path)) == (2, NOW)
    assert f"{record} says that these numbers are from cr-2026-01-16, not from {BEFORE}" in err


def test_who_fixes_with_a_date_is_told_not_to_use_it_again(
    tmp_path: Path, run: Run, newest_store: Path
) -> None:
    tree(
        tmp_path,
        {"a.py": f"{WRITTEN['a.py'].partition('#')[0]}# 701.11 (exile)\n\n\nclass Scry:  # CR 701.18a\n"},
    )
    command = ("cite", tmp_path, "--fix", "--allow-dirty", "--store", newest_store, "--written", "2025-04-04")
    code, _, err = run(*command)
    right = "class Exile:  # 701.13 (exile)\n\n\nclass Scry:  # CR 701.22a\n"
    assert (code, (tmp_path / "a.py").read_text()) == (0, right)
    assert (
        "All numbers in these files now count as those of cr-2026-01-16. Never fix them with --written" in err
    )
    # What stands beside a number, in the code before it as well, may show that it is right already.
    code, out, _ = run(*command)
    assert (code, out.count("which the words beside it fit; not written:")) == (1, 2)
    assert (tmp_path / "a.py").read_text() == right


def test_old_numbers_are_not_left_in_strings_in_silence(tmp_path: Path, run: Run, newest_store: Path) -> None:
    old = {"a.py": '# CR 701.17\nx = "CR 701.18"\n', "b.py": "# CR 701.18\n"}
    tree(tmp_path, old)
    command = ("cite", tmp_path, "--fix", "--allow-dirty", "--store", newest_store, "--written", "2025-04-04")
    code, out, err = run(*command)
    told = [it for it in out.splitlines() if "not written:" in it]
    assert (code, len(told), "a string, a docstring or a name: --fix-strings corrects these" in told[0]) == (
        1,
        1,
        True,
    )
    assert [(tmp_path / it).read_text() for it in old] == ['# CR 701.21\nx = "CR 701.18"\n', "# CR 701.22\n"]
    assert (
        "1 moved number listed above, and correct the old ones by hand (or undo all this with git, and add"
        in err
    )
    tree(tmp_path, old)
    assert run(*command, "--fix-strings")[0] == 0
    assert [(tmp_path / it).read_text() for it in old] == ['# CR 701.21\nx = "CR 701.22"\n', "# CR 701.22\n"]


def test_what_has_changed_since_the_lock_is_counted(
    tmp_path: Path, run: Run, newest_store: Path, material: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {**WRITTEN, "rulesgraph.lock": old_lock(material), "c.py": "# CR 701.15\n"})
    monkeypatch.chdir(tmp_path)
    for option in ((), ("--fix",)):
        code, out, err = run("cite", *option, "--store", newest_store)
        assert (code, out) == (0, "")
        assert "4 notes on changes since cr-2025-04-04: --notes lists them, --fix --notes" in err
        # A number that the lock does not have is not one of its edition.
        assert "1 number not in the lock, read as those of cr-2026-01-16" in err


def test_what_git_could_not_bring_back_is_not_written(tmp_path: Path, run: Run, newest_store: Path) -> None:
    path = tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n"}) / "a.rs"
    options = ("--store", newest_store)
    code, _, err = run("cite", tmp_path, "--fix", *options)
    assert (code, path.read_text()) == (2, "// CR 701.18: Scry\n")
    assert "is not in git" in err
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    path.write_text("// CR 701.18: Scry 2\n")
    with pytest.raises(UsageError, match=r"a\.rs has uncommitted changes"):
        refuse_dirty([path])
    git(tmp_path, "commit", "-am", "second")
    code, out, _ = run("cite", tmp_path, "--diff", *options)
    assert (code, path.read_text()) == (1, "// CR 701.18: Scry 2\n")
    assert "-// CR 701.18: Scry 2\n+// CR 701.22: Scry 2\n" in out
    code, _, err = run("cite", tmp_path, "--fix", *options)
    assert (code, path.read_text()) == (0, "// CR 701.22: Scry 2\n")
    assert "1 number written in 1 file; 0 more findings left." in err


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, material: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n"}) / "a.rs"
    found, _ = fixes(cite(material, SourceTree([str(tmp_path)])).flags)

    def full(_: Path, __: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write(found)
    monkeypatch.undo()
    assert path.read_text() == "// CR 701.18: Scry\n"
    assert [it.name for it in tmp_path.iterdir()] == ["a.rs"]
    path.write_text("// CR 701.18: Scry 3\n")
    with pytest.raises(UsageError, match="changed while it was being read"):
        write(found)


@given(
    st.lists(st.sampled_from(["701.18", "701.22", "701.16a", "702.19b"]), max_size=4), st.text(max_size=30)
)
def test_any_file_keeps_all_but_its_numbers(
    tmp_path_factory: pytest.TempPathFactory, material: Book, cited: list[str], noise: str
) -> None:
    text = f"// {noise}\n" + "".join(f"// CR {number}: Scry {noise}\n\n" for number in cited)
    folder = tmp_path_factory.mktemp("any")
    data = text.encode("utf-8", "surrogatepass")
    (folder / "a.rs").write_bytes(data)
    write(fixes(cite(material, SourceTree([str(folder)])).flags)[0])
    digits = bytes(range(48, 58))
    assert (folder / "a.rs").read_bytes().translate(None, digits) == data.translate(None, digits)


WRITE = """
import sys
from pathlib import Path
from rulesgraph.app.commands.citing import write
from rulesgraph.queries.citing.fixing import Fix
files = sorted(Path(sys.argv[1]).glob("*.rs"))
print("ready", flush=True)
write([Fix(it, it.read_bytes(), b"new" * 20000) for it in files])
"""


@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05])
def test_a_kill_leaves_each_file_whole(tmp_path: Path, moment: float) -> None:
    old = b"old" * 20000
    tree(tmp_path, {f"{n}.rs": old for n in range(300)})
    with subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path)], stdout=subprocess.PIPE) as work:
        assert work.stdout
        assert work.stdout.readline() == b"ready\n"
        time.sleep(moment)
        work.kill()
    found = {it.read_bytes() for it in tmp_path.glob("[0-9]*.rs")}
    assert found <= {old, b"new" * 20000}


# -- locks and baselines ----------------------------------------------------------------------------


def test_a_lock_keeps_a_newer_edition_from_making_findings(
    tmp_path: Path, shared: Path, material: Book
) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n\n// CR 702.19b: Trample\n\n// CR 702.999\n"})
    report = cite(material, SourceTree([str(tmp_path)]))
    lock = lock_of(material, report.cited)
    assert lock.text.splitlines()[1:3] == ["edition cr-2026-01-16", lock.text.splitlines()[2]]
    assert sorted(lock.rows) == ["701.18", "702.19b"]  # what does not exist is left out
    path = tmp_path / "rulesgraph.lock"
    path.write_text(lock.text)
    assert read_lock(path) == lock
    # As if the lock had been written in an older edition, in which 701.18 was Scry.
    scry = material.meanings.at("701.18", BEFORE)
    assert scry
    old = lock._replace(edition=BEFORE, rows={**lock.rows, "701.18": (scry.provision, "old")})
    assert numbers(cite(material, SourceTree([str(tmp_path)]), lock=old).flags) == ["702.999"]
    told = cite(material, SourceTree([str(tmp_path)]), lock=old, notes=True).flags
    assert [(it.number, it.finding.kind, it.finding.severity, it.finding.now) for it in told] == [
        ("701.18", "moved", "note", ("701.22",)),
        ("702.999", "unknown", "error", ()),
    ]
    words = lock._replace(rows={**lock.rows, "702.19b": (lock.rows["702.19b"][0], "other")})
    told = cite(material, SourceTree([str(tmp_path)]), lock=words, notes=True).flags
    assert [it.finding.kind for it in told] == ["stale", "reworded", "unknown"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a lock that this version can read"),
        ("# rulesgraph lock 2\n", "is not a lock that this version can read"),
        (
            "# rulesgraph lock 1: number, provision, checksum of its words\n702.1 P1\n",
            ":2 is not a line of a lock",
        ),
        ("# rulesgraph lock 1: number, provision, checksum of its words\n", "names no edition"),
    ],
)
def test_files_that_are_no_lock(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "rulesgraph.lock"
    path.write_text(text)
    with pytest.raises(UsageError, match=said):
        read_lock(path)


def test_a_baseline_knows_findings_wherever_their_lines_are(
    tmp_path: Path, run: Run, newest_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n"})
    monkeypatch.chdir(tmp_path)
    options = ("--baseline", "known.tsv", "--store", newest_store)
    assert run("cite", "baseline", *options)[0] == 0
    tree(tmp_path, {"a.rs": "fn a() {}\n\n//   CR 701.18:  Scry\n\n// CR 702.999: new\n"})
    code, out, err = run("cite", *options)
    assert (code, out.count("error:"), "1 of the baseline" in err) == (1, 1, True)
    assert run("cite", "lock", "--store", newest_store)[0] == 0
    assert Path("rulesgraph.lock").read_text().count("\n") == 3
    with pytest.raises(UsageError, match="is not a baseline"):
        read_baseline(Path("rulesgraph.lock"))
    assert baseline_of([]).count("\n") == 1
    os.remove("known.tsv")
    assert run("cite", *options)[0] == 2


def test_a_lock_is_of_the_edition_checked_against(
    tmp_path: Path, run: Run, newest_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n"})
    monkeypatch.chdir(tmp_path)
    code, out, err = run("cite", "lock", "--written", "2025-02-07", "--store", newest_store)
    assert (code, out, Path("rulesgraph.lock").exists()) == (2, "", False)
    assert f"`rulesgraph cite --store {newest_store} --fix --written EDITION`, and lock without" in err
    code, _, err = run("cite", "lock", "--store", newest_store)
    assert code == 0
    assert "The lock keeps 1 finding unchanged" in err
    tree(tmp_path, {"a.rs": "// CR 702.19b: Trample\n"})
    assert "The lock keeps" not in run("cite", "lock", "--store", newest_store)[2]


def test_two_words_say_too_little_to_miss_a_mechanic(tmp_path: Path, material: Book) -> None:
    for words, count in (("Whoever is told", 0), ("Whoever is told dances under lamps", 1)):
        report = cite(material, SourceTree([str(tree(tmp_path, {"a.rs": f"// {words} (CR 702.163)\n"}))]))
        assert len(report.flags) == count


@pytest.mark.parametrize(
    ("comment", "now"),
    [
        ("704.5n: Aura attached to nothing goes to the graveyard", ["704.5m"]),
        ("CR 704.5a: draw from an empty library", ["704.5b"]),
        ("CR 704.5m: Aura attached to nothing goes to the graveyard", []),
        ("CR 704.5b: draw from an empty library", []),
    ],
)
def test_a_rule_beside_it_with_more_of_the_words_is_only_noted(
    tmp_path: Path, material: Book, comment: str, now: list[str]
) -> None:
    """Hardly more than half of such findings in programs are mistakes."""
    tree(tmp_path, {"a.rs": f"// {comment}\n"})
    shown = cite(material, SourceTree([str(tmp_path)]))
    noted = cite(material, SourceTree([str(tmp_path)]), every=True)
    assert (shown.flags, "1 number beside words of another rule: --every" in shown.summary) == ([], bool(now))
    assert [(*it.finding.now, it.finding.kind, it.finding.severity) for it in noted.flags] == [
        (it, "sibling", "note") for it in now
    ]


def test_the_number_of_a_chapter_is_one_in_data_by_a_pattern(tmp_path: Path, material: Book) -> None:
    """Without a dot, as `docs/guides/engine.md` says, it is a number like any other."""
    folder = tree(tmp_path, {"a.json": '{"monarch": "723", "initiative": "725"}\n'})
    for patterns, told in (((), []), ((re.compile(r'": "([1-9]\d\d)"'),), [("723", ("724",), "stale")])):
        report = cite(material, SourceTree([str(folder)], patterns=patterns))
        assert [(it.number, it.finding.now, it.finding.kind) for it in report.flags] == told


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("CR 704.5c: nine or more poison counters lose", "704.5c has “ten” where these words have “nine”"),
        ("Layer 4 (CR 613.1e): colors change", "613.1e has “5” where these words have “4”"),
        ("CR 704.5c: ten or more poison counters lose", ""),
        ("Layer 5 (CR 613.1e): colors change", ""),
        ("CR 704.5c: step 9 of poison", ""),
    ],
)
def test_a_figure_beside_a_number_is_that_of_the_rule(
    tmp_path: Path, material: Book, comment: str, message: str
) -> None:
    folder = tree(tmp_path, {"a.rs": f"// {comment}\n"})
    report = cite(material, SourceTree([str(folder)]))
    assert [it.finding.message for it in report.flags] == [message] * bool(message)


def test_a_file_that_names_its_edition_is_told(tmp_path: Path, material: Book) -> None:
    """Its numbers are today's until somebody says otherwise, since --fix would leave its head as it is."""
    head = "//! Written against the Comprehensive Rules of 2020-04-17.\n"
    folder = tree(tmp_path, {"a.rs": f"{head}// CR 701.17: cards are shuffled\n"})
    hint = "a.rs is about the rules of 2020-04-17: --written 2020-04-17 follows its numbers from there"
    for written, is_told in (("", True), ("cr-2020-04-17", False)):
        report = cite(material, SourceTree([str(folder)]), written=written)
        assert (hint in report.summary) == is_told
