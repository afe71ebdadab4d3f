"""Citations in source trees: what is read, what is reported, and how programs get it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest
from commands import Run
from rulesgraph import Rules
from rulesgraph.ontology.errors import NothingFoundError, UsageError
from rulesgraph.queries.citing.cite import SourceTree, cite, self_check
from rulesgraph.queries.citing.material import material_of, read_material
from rulesgraph.queries.citing.regions import regions_of
from rulesgraph.queries.citing.reports import sarif
from rulesgraph.queries.citing.scan import scan
from rulesgraph.queries.citing.settings import COLUMNS
from rulesgraph.queries.verifying.rulebook import Book


@pytest.fixture(scope="module")
def material(newest_rules: Rules) -> Book:
    return material_of(newest_rules.session)


TEXT = {"type": "string", "minLength": 1}


def an_object(required: str, **properties: object) -> dict[str, object]:
    """Return the schema of an object with only these properties."""
    told = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**told, "required": required.split()}


def a_list(of: object, **limits: int) -> dict[str, object]:
    return {"type": "array", "items": of, **limits}


MESSAGE = an_object("text", text=TEXT)
LINE = {"type": "integer", "minimum": 1}
RULE = an_object("id", id=TEXT, shortDescription=MESSAGE, helpUri={"type": "string", "format": "uri"})
DRIVER = an_object("name", name=TEXT, informationUri=TEXT, rules=a_list(RULE, uniqueItems=True))
URI = {"type": "string", "pattern": r"^(file://)?([\w/.~!$&'()*+,;=:@-]|%[0-9A-F]{2})+$"}
PLACE = an_object(
    "artifactLocation",
    artifactLocation=an_object("uri", uri=URI),
    region=an_object("startLine", startLine=LINE, startColumn=LINE, endColumn=LINE),
)
RESULT = an_object(
    "message",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=a_list(an_object("physicalLocation", physicalLocation=PLACE), maxItems=100),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
RUN = an_object(
    "tool",
    tool=an_object("driver", driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    properties={"type": "object"},
    results=a_list(RESULT, maxItems=5_000),
)
SARIF = an_object(
    "version runs", **{"$schema": TEXT}, version={"const": "2.1.0"}, runs=a_list(RUN, minItems=1)
)
"""The published schema of SARIF 2.1.0 for the parts that are written, and the limits of GitHub."""


def tree(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write some files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def git(folder: Path, *command: str) -> None:
    settings = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", "-C", str(folder), *settings, *command], check=True, capture_output=True)


# -- what is read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.rs", "let x = 250.5;\n// CR 704.5f: dies\nfn die() {}\n", [("comment", "704.5f")]),
        ("a.rs", "fn a() {} // CR 704.5f\n", [("comment", "704.5f")]),
        ("a.rs", 'log("see (CR 704.5f)");\n', [("string", "704.5f")]),
        ("a.rs", "/* one\n * 704.5f is it\n */\nlet y = b\n  * 704.5;\n", [("comment", "704.5f")]),
        ("a.rs", "Val::Px(120.5); let t = 104.25;\n", []),
        ("a.py", '"""Dies by (704.5f)."""\nx = 120.5\n', [("string", "704.5f")]),
        ("a.py", 'x = 1  # CR 704.5f\ny = "#"  # (704.5g)\n', [("comment", "704.5f"), ("comment", "704.5g")]),
        ("a.py", "def test_cr_704_5f_dies(): ...\n", [("name", "704.5f")]),
        ("a.py", '@mark.cr("704.5f")\n@rule("704.5g")\n', [("string", "704.5f"), ("string", "704.5g")]),
        ("a.md", "# Dying\n\nA creature dies (704.5f).\n", [("text", "704.5f")]),
        ("a.json", '{"why": "CR 704.5f", "height": 104.25}\n', [("data", "704.5f")]),
        (
            "a.json",
            '{"sizes": [704.5, 704.6], "rules": ["704.5", "704.5f"]}',
            [("data", "704.5"), ("data", "704.5f")],
        ),
        ("a.svg", '<path d="m 188.5 704.5h-12 104.3q8"/>\n', []),
        ("a.yml", "dies: x  # CR 704.5f\n", [("comment", "704.5f")]),
        ("a.tsx", "<b>\n{/* badge (CR 704.5f) */} 704.5g\n", [("comment", "704.5f")]),
        ("a.ts", "x = `Dies, ${name} (CR 704.5f).`;\n", [("string", "704.5f")]),
        ("a.rs", 'panic!(\n  "CR 704.5f: it dies \\\n  at once");\n', [("string", "704.5f")]),
        ("a.rs", "fn it_dies_cr_704_5f() {}\n", [("name", "704.5f")]),
        ("a.sql", "select 1 -- CR 704.5f\n", [("comment", "704.5f")]),
        ("Rules", "As CR 704.5f says\n", [("text", "704.5f")]),
        ("a.js", f"x={'y' * 9000};/*CR 704.5f*/\n", []),
    ],
)
def test_comments_strings_and_texts_are_told_apart(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, str]]
) -> None:
    found = scan([tree(tmp_path, {name: text}) / name])
    assert [(it.kind, it.citation.numbers[0]) for it in found.sites] == expected
    for it in found.sites:
        assert it.citation.numbers[0].split(".")[0] in text[it.start : it.end]
        assert text.splitlines()[it.line - 1] == it.line_text


NAMED = """# scry 701.18
x = {"trample": "702.19", "height": 120.5}
y = "menace 702.112"  # cr:702.999
# Nothing else, just 120.5
"""
"""Numbers without a word for *rule*."""


def test_a_number_by_a_name_is_checked_and_all_others_are_counted(
    tmp_path: Path, run: Run, newest_store: Path
) -> None:
    command = ("cite", tree(tmp_path, {"a.py": NAMED}), "--store", newest_store, "--format", "json")
    code, out, err = run(*command)
    told = [(row["line"], row["citation"], row["finding"], row["now"]) for row in json.loads(out)]
    assert (code, told) == (
        1,
        [
            (1, "701.18", "stale", "701.22"),
            (3, "702.112", "topic", "702.111"),
            (3, "cr:702.999", "unknown", None),
        ],
    )
    assert "4 citations of 4 numbers" in err
    assert "2 errors, 1 warning; 1 number not checked: --every lists them" in err
    _, out, err = run(*command, "--every")
    more = [row for row in json.loads(out) if row["finding"] == "unread"]
    assert [(row["line"], row["column"], row["number"], row["severity"]) for row in more] == [
        (4, 22, "120.5", "note")
    ]
    assert "not checked" not in err


def test_an_own_pattern_may_find_what_is_found_anyway(tmp_path: Path, material: Book) -> None:
    text = "// id 701.18 scry\nlet x = 1; // CR 701.18 (scry)\n// id 701.17 = sacrifice\nby(701.17)\n"
    patterns = [re.compile(it) for it in (r"id (\S+)", r"CR (\S+)", r"(?:d|by\() ?([\d.]+)")]
    found = scan([tree(tmp_path, {"a.rs": text}) / "a.rs"], patterns).sites
    assert [(it.line, it.column, it.kind, it.citation.numbers) for it in found] == [
        (1, 7, "comment", ("701.18",)),
        (2, 15, "comment", ("701.18",)),
        (3, 7, "comment", ("701.17",)),
        (4, 4, "name", ("701.17",)),
    ]


def test_the_place_is_that_of_the_number(tmp_path: Path, material: Book) -> None:
    text = "// see the legend rule\n// 701.999 for it, not Rule\t701.998\n"
    flags = cite(material, SourceTree([str(tree(tmp_path, {"a.rs": text}))])).flags
    told = [it.row[1:5] for it in flags]
    assert told == [(2, 4, "701.999", "701.999"), (2, 24, "Rule 701.998", "701.998")]


def test_a_long_line_of_words_is_read_and_one_of_a_program_is_not() -> None:
    words = "a paragraph of many words that nobody wrapped " * 200 + "(CR 704.5f)"
    assert regions_of("a.md", words)[0]
    assert regions_of("a.js", f"x={'y' * 9000}; // CR 704.5f")[1] == 1
    made = f"{'704.5f,' * 900}\n"
    [region], skipped = regions_of("a.html", f"{made}See CR 704.5f\nand CR 704.5g\n{made}")
    assert (region.text, skipped) == ("See CR 704.5f\nand CR 704.5g\n", 2)


def test_what_it_wrote_itself_is_left_out_and_counted(tmp_path: Path, run: Run, newest_store: Path) -> None:
    tree(tmp_path, {**WRONG, "guide.md": "It prints:\n\na.rs:1:4: error: 701.18 [stale] until …\n"})
    command = ("cite", tmp_path, "--store", newest_store)
    before = run(*command)[2]
    for form in ("text", "json", "sarif", "github"):
        run(*command, "--format", form, "-o", tmp_path / f"told.{form}")
    run("cite", "lock", *command[1:], "--lock", tmp_path / "rulesgraph.lock")
    run("cite", "baseline", *command[1:], "--baseline", tmp_path / "known.tsv")
    run("export", "--as", "citations", "-o", tmp_path / "citations.json", "--store", newest_store)
    counts, after = (
        it.partition(" files, ")[2].partition("; ")[0].strip() for it in (before, run(*command)[2])
    )
    assert after == f"{counts} (7 written by rulesgraph left out)"


def test_what_git_ignores_is_left_out_and_counted(tmp_path: Path, material: Book) -> None:
    copy = "".join(f"{100 + n // 20}.{n % 20 + 1}. Nothing happens here.\n" for n in range(500))
    files: dict[str, str | bytes] = {
        **{".gitignore": "build/\n*.log\n", "src/a.rs": "// CR 704.5f\n", "build/b.rs": "// CR 704.5g\n"},
        **{
            "x.log": "CR 704.5h\n",
            "b.bin": b"\0CR 704.5f",
            "rules.txt": copy,
            "w.md": "CR 704.5g".encode("utf-16"),
        },
    }
    tree(tmp_path, files)
    (tmp_path / "loop").symlink_to(tmp_path)
    for in_git in (False, True):
        if in_git:
            git(tmp_path, "init")
        report = cite(material, SourceTree([str(tmp_path)]))
        assert sorted(report.cited) == ["704.5f", "704.5g"]
        assert (report.scan.files, report.scan.left_out["binary"]) == (5, 1)
        assert (
            "5 files, 2 citations of 2 numbers checked against cr-2026-01-16: no findings" in report.summary
        )
        assert "(1 binary, 1 copies of the rules left out)" in report.summary
    assert cite(material, SourceTree([str(tmp_path / "x.log")])).cited == {
        "704.5h": 1
    }  # named, so it is meant


def test_only_what_has_changed_is_read(tmp_path: Path, material: Book) -> None:
    tree(tmp_path, {"a.rs": "// CR 704.5f\n", "b.rs": "// CR 704.5g\n"})
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    assert (
        cite(material, SourceTree([str(tmp_path)], "HEAD")).code == 0
    )  # a change without citations is normal
    tree(tmp_path, {"b.rs": "// CR 704.5h\n", "c.rs": "// CR 704.5i\n"})
    assert sorted(cite(material, SourceTree([str(tmp_path)], "HEAD")).cited) == ["704.5h", "704.5i"]
    with pytest.raises(UsageError, match="git cannot list"):
        cite(material, SourceTree([str(tmp_path)], "no-such-revision"))


def test_many_files_are_read_by_several_processes(tmp_path: Path) -> None:
    tree(tmp_path, {f"{n}.rs": f"// CR 704.{n}\n" for n in range(1, 450)})
    found = scan(sorted(tmp_path.iterdir()))
    assert (found.files, len(found.sites)) == (449, 449)


# -- what is reported -------------------------------------------------------------------------------

WRONG = {
    "a.rs": "// CR 701.18: Scry\nfn scry() {}\n\n// CR 702.19b: Trample\n\n// CR 702.999: nothing\n",
    "b.md": "Sacrifice (CR 701.17a).\n",
}


def test_findings_of_a_tree(tmp_path: Path, material: Book) -> None:
    report = cite(material, SourceTree([str(tree(tmp_path, {**WRONG}))]))
    rows = [dict(zip(COLUMNS, it.row, strict=True)) for it in report.flags]
    assert [
        (Path(str(it["path"])).name, it["line"], it["number"], it["finding"], it["now"]) for it in rows
    ] == [
        ("a.rs", 1, "701.18", "stale", "701.22"),
        ("a.rs", 6, "702.999", "unknown", None),
        ("b.md", 1, "701.17a", "stale", "701.21a"),
    ]
    assert report.code == 1
    assert "701.18 was “Scry”" in str(rows[0]["why"])


SILENT = """/// Whoever is told to plays with the cards of somebody else (CR {0}).
fn {1}(card: Card) {{}}
"""
"""About controlling another player, in words that no rule of another mechanic has to itself."""


@pytest.mark.parametrize(
    ("number", "name", "told"),
    [
        ("702.163", "hijack", "topic"),  # "For Mirrodin!", of which nothing is said
        ("718", "hijack", "topic"),  # a chapter about one thing
        ("702.62", "suspended", None),  # named in the code below
        ("702.62", "hijacksuspending", None),  # within a longer name
        ("601.2", "hijack", None),  # how a game goes may be cited anywhere
        ("702.163 / 702.164 / 702.165", "hijack", None),  # each may be about a part of it
    ],
)
def test_a_mechanic_of_which_nothing_around_speaks(
    tmp_path: Path, material: Book, number: str, name: str, told: str | None
) -> None:
    report = cite(material, SourceTree([str(tree(tmp_path, {"a.rs": SILENT.format(number, name)}))]))
    assert report.cited
    assert [it.finding.kind for it in report.flags] == [told] * bool(told)
    assert all(it.finding.severity == "warning" and not it.finding.now for it in report.flags)


def test_a_mechanic_may_be_named_farther_away(tmp_path: Path, material: Book) -> None:
    text = f"// For Mirrodin!\n{'let x = 1;' * 10}\n{SILENT.format('702.163', 'hijack')}"
    assert not cite(material, SourceTree([str(tree(tmp_path, {"a.rs": text}))])).flags
    called = {"a.rs": "", "for_mirrodin.rs": SILENT.format("702.163", "hijack")}
    assert not cite(material, SourceTree([str(tree(tmp_path / "named", called))])).flags


def test_a_mechanic_in_the_code_below_is_named(tmp_path: Path, material: Book) -> None:
    files = {
        "a.rs": "// CR 702.6a: the color decides which mana it makes\nConvoke,\n",
        "b.py": "class Scry:  # CR 701.35a\n    pass\n",
    }
    flags = cite(material, SourceTree([str(tree(tmp_path, files))])).flags
    assert [(it.finding.kind, it.finding.now) for it in flags] == [
        ("topic", ("702.51",)),
        ("topic", ("701.22",)),
    ]


def test_nothing_read_is_no_success(tmp_path: Path, material: Book) -> None:
    tree(tmp_path, {"a.rs": "fn a() {}\n"})
    assert cite(material, SourceTree([str(tmp_path)])).code == 2
    assert cite(material, SourceTree([str(tmp_path / "a.rs")])).code == 0
    with pytest.raises(UsageError, match="no such file or folder"):
        cite(material, SourceTree([str(tmp_path / "none")]))


def test_the_self_check_notices_a_judge_that_sees_nothing(tmp_path: Path, material: Book) -> None:
    assert self_check(material, tmp_path) == "self-check: 40 right and 20 wrong citations judged correctly"
    titles = {**material.titles, **{f"{number}.999": "" for number in material.titles}}
    blind = Book(material.name, True, titles, material.meanings, material.topics, {})
    with pytest.raises(UsageError, match="the self-check failed"):
        self_check(blind, tmp_path)


def test_comments_ignore_findings_and_are_findings_where_they_ignore_none(
    tmp_path: Path, material: Book
) -> None:
    lines = [
        "// CR 701.18: Scry  cite: ignore[stale] an old card",
        "",
        "// cite: ignore[unknown, gone] kept for the test",
        "// CR 702.999",
        "",
        "// CR 702.998  cite: ignore[topic] of another kind",
        "",
        "// CR 702.997  cite: ignore",
    ]
    report = cite(material, SourceTree([str(tree(tmp_path, {"a.rs": "\n".join(lines)}))]))
    told = [(it.site.line, it.number, it.finding.kind, it.finding.message) for it in report.flags]
    assert "3 ignored" in report.summary
    assert told == [
        (6, "", "ignore", "this comment ignores nothing"),
        (6, "702.998", "unknown", "no edition has rule 702.998; 702 ends at 702.189"),
        (8, "", "ignore", "this comment does not say why"),
    ]


def test_severities_and_notes(tmp_path: Path, material: Book) -> None:
    where = SourceTree([str(tree(tmp_path, {**WRONG}))])
    assert cite(material, where, severities={"stale": "warning", "unknown": "off"}).code == 0
    with pytest.raises(UsageError, match="is not a severity"):
        cite(material, where, severities={"stale": "deadly"})


def test_json_sarif_and_annotations(tmp_path: Path, run: Run, newest_store: Path) -> None:
    tree(tmp_path, {**WRONG})
    found = {
        form: run("cite", tmp_path, "--format", form, "--store", newest_store)
        for form in ("text", "json", "sarif", "github")
    }
    assert {code for code, _, _ in found.values()} == {1}
    rows = json.loads(found["json"][1])
    assert [list(row) for row in rows] == [list(COLUMNS)] * 3
    text = found["text"][1].splitlines()
    assert text[0].endswith("701.18 is “Play” in cr-2026-01-16")
    assert text[1:3] == ["    // CR 701.18: Scry", "       ^^^^^^^^^"]
    assert "3 errors" in found["text"][2]
    notes = found["github"][1].splitlines()
    assert notes[0].startswith(f"::error file={tmp_path}/a.rs,line=1,col=4,title=701.18 stale::until cr-2025")
    log = json.loads(found["sarif"][1])
    [only] = log["runs"]
    assert (log["version"], len(only["results"])) == ("2.1.0", 3)
    place = only["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 1, "startColumn": 4, "endColumn": 13}
    assert all(it["helpUri"].startswith("https://") for it in only["tool"]["driver"]["rules"])
    assert only["results"][0]["partialFingerprints"]["rulesgraphCitation/v1"]
    jsonschema.validate(log, SARIF)


def test_names_of_files_are_addresses_in_sarif(tmp_path: Path, material: Book) -> None:
    where = tree(tmp_path, {"a b#1%é?.rs": WRONG["a.rs"]})
    with contextlib.chdir(where):
        log = sarif(cite(material, SourceTree(["a b#1%é?.rs"])))
    jsonschema.validate(log, SARIF)
    assert '"uri": "a%20b%231%25%C3%A9%3F.rs"' in json.dumps(log)


# -- without a store --------------------------------------------------------------------------------


def test_a_file_without_words_tells_the_same(
    tmp_path: Path, run: Run, newest_rules: Rules, material: Book
) -> None:
    data = tmp_path / "citations.json"
    newest_rules.export("citations", data)
    assert data.stat().st_size < 4_000_000
    where = tree(tmp_path / "tree", {**WRONG})
    alone, beside = (cite(book, SourceTree([str(where)])).flags for book in (read_material(data), material))
    assert [(it.row, it.finding) for it in alone] == [(it.row, it.finding) for it in beside]
    assert read_material(data).relied == material.relied
    for rule in ("the top N cards of your library", "assigned lethal damage"):
        assert rule not in data.read_text(encoding="utf-8")
    code, out, _ = run("cite", where, "--data", data, "--format", "json", "--store", tmp_path / "none")
    assert (code, len(json.loads(out))) == (1, 3)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a file of citations"),
        (b"[]\n{}", "is not a file of citations"),
        (b'{"rulesgraph citations": 2, "sha256": ""}\n{}', "is of version 2"),
        (b'{"rulesgraph citations": 1, "sha256": "00"}\n{}', "is damaged"),
        (
            b'{"rulesgraph citations": 1, "sha256": '
            b'"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"}\n{}',
            "is not a complete file",
        ),
    ],
)
def test_files_that_hold_no_citations(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "data"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_material(path)


def test_cut_files_are_damaged(tmp_path: Path, newest_rules: Rules) -> None:
    out = io.BytesIO()
    newest_rules.export("citations", out)
    path = tmp_path / "data"
    path.write_bytes(out.getvalue()[:-5])
    with pytest.raises(UsageError, match="is damaged"):
        read_material(path)


def test_stdin_settings_and_coverage(
    tmp_path: Path, run: Run, newest_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(
        tmp_path,
        {**WRONG, ".rulesgraph.toml": '[cite]\npaths = ["b.md"]\n[cite.severities]\nstale = "warning"\n'},
    )
    monkeypatch.chdir(tmp_path)
    code, out, err = run("cite", "--store", newest_store, "--self-check")
    assert (code, out.startswith("b.md:1:12: warning: 701.17a → 701.21a [stale]")) == (0, True)
    assert "self-check: 40 right" in err
    code, out, _ = run("cite", "coverage", "a.rs", "--store", newest_store, "--format", "json")
    rows = {row["chapter"]: row for row in json.loads(out)}
    assert (code, rows["702"]["cited"], rows["704"]["cited"]) == (0, 1, 0)
    assert "704.5" in rows["704"]["missing"]
    for wrong in ("colour = 1", 'patterns = ["no group"]', 'patterns = ["(open"]'):
        tree(tmp_path, {".rulesgraph.toml": f"[cite]\n{wrong}\n"})
        assert run("cite", "--store", newest_store)[0] == 2
    tree(tmp_path, {".rulesgraph.toml": "[cite]\npatterns = ['by\\((\\w+)\\)']\n"})
    tree(tmp_path, {"c.rs": "by(702_999); by(it); by(704_5f); // CR 702.998\n"})
    code, out, err = run("cite", "c.rs", "--store", newest_store, "--format", "json")
    told = [(row["column"], row["number"], row["finding"]) for row in json.loads(out)]
    assert (code, told) == (1, [(4, "702.999", "unknown"), (37, "702.998", "unknown")])
    assert err.startswith("1 file, 3 citations of 3 numbers")
    os.remove(".rulesgraph.toml")
    text = io.TextIOWrapper(io.BytesIO(b"Scry (CR 701.18)"))
    monkeypatch.setattr("sys.stdin", text)
    code, out, err = run("cite", "-", "--store", newest_store)
    assert (code, out.splitlines()[0].startswith("-:1:7: error: 701.18")) == (1, True)
    assert err.startswith("1 file, 1 citation of 1 number checked against cr-2026-01-16: 1 error")
    assert run("cite", "a.rs", "--store", newest_store)[0] == 1
    tree(
        tmp_path,
        {"lower/d.rs": "// CR 702.997\n", ".rulesgraph.toml": "[cite]\nseverities.unknown = 'off'\n"},
    )
    monkeypatch.chdir(tmp_path / "lower")
    assert run("cite", "--store", newest_store)[0] == 0


def test_the_map_shows_which_rules_a_tree_cites(tmp_path: Path, mini_rules: Rules) -> None:
    where = tree(tmp_path, {"a.rs": "// CR 310.2a and CR 310.2a, not CR 999.9\n", "b.md": "See CR 201.\n"})
    found = mini_rules.picture(cited=str(where))
    assert found.title == f"Rules cited in {where}"
    assert found.html.count("2 citations") == 1
    assert "999.9" not in found.html
    (where / "a.rs").write_text("// CR 999.9\n")
    with pytest.raises(NothingFoundError, match="no rule of cr-2031-07-01 is cited in"):
        mini_rules.picture(cited=[str(where / "a.rs")])
