"""The command line: names, flags, formats and exit codes, as programs and people rely on them."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from commands import MINI, PAGE, Run
from folders import everything
from rulesgraph.app.cli import command_parser
from rulesgraph.app.commands import COMMANDS

QUESTION = "Which terms rely on state-based effects?"
DIRECT = (
    "Effect, Ending the Turn, Equipment, Leaves Play, Legendary, Lethal Damage, Life, Lose the Game, "
    "Loyalty, Poison Counter, Priority, Protection"
)


pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


# -- help and usage -------------------------------------------------------------------------------


def test_help_names_every_command(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for name, summary in COMMANDS.items():
        assert f"  {name}" in out
        assert summary in out
    assert "exit codes:" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(run: Run, name: str) -> None:
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: rulesgraph {name}")
    assert "--store" in out
    for action in command_parser(name)._actions:
        assert action.help, f"{name}: {action.dest} has no help"
    examples = out[out.index("examples:") :]
    assert f"  rulesgraph {name}" in examples
    assert all(len(line) <= 110 for line in examples.splitlines())


def test_no_command_is_wrong_usage(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "usage: rulesgraph" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["aks", "x"], "Did you mean ask?"),
        (["version"], "Did you mean --version, "),
        (["interaction", "Moth", "Dusk Checks"], "rulesgraph ask interaction Moth 'Dusk Checks'"),
        (["rule-text", "310"], "Did you mean: rulesgraph ask rule_text 310"),
        (["ask"], "--list"),
        (["ask", "redirects", "--format", "xml"], "--format cannot be 'xml'; choose from"),
        (["ask", "redirects", "--colour"], "unknown option: --colour"),
        (["ask", "terms_relying_on", "420", "--steps", "few"], "--steps takes a number or all, not 'few'"),
        (["export"], "--as is missing"),
        (["search", "moth", "--limt", "2"], "unknown option: --limt"),
        (["search", "moth", "--limt", "2"], "Did you mean --limit?"),
        (["check", "--memory", "much"], "--memory takes a positive whole number, not 'much'"),
        (["serve", "--port", "http"], "--port takes a whole number, not 'http'"),
        (["ask", "x", "--all=yes"], "--all takes no value"),
        (["export", "--as", "excel"], "--as cannot be 'excel'; choose from"),
        (["--edition", "starter", "build"], "build has no option --edition"),
        (["--format", "csv", "export", "--as", "csv"], "export has no option --format"),
        (["why", "Protection"], "B is missing"),
        (["why", "Lethal", "Damage", "Life"], "If a name has several words, put it in quotes."),
        (["--store"], "--store needs a value"),
        (["--store", "x"], "no command was given"),
        (["viz", "--around", "Life", "--answer", "redirects", "-o", "x"], "not allowed with"),
        (
            ["viz", "--around", "Life", "--editions", "all", "-o", "x"],
            "--editions is not allowed with --around",
        ),
        (["viz", "--limit", "9", "--map", "-o", "x"], "--map is not allowed with --limit"),
        (["viz", "-o", "map.PNG"], "viz writes a web page, not an image"),
    ],
)
def test_wrong_usage_is_explained(run: Run, arguments: list[str], said: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_the_version(run: Run) -> None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        installed = version("rulesgraph")
    except PackageNotFoundError:
        pytest.skip("rulesgraph runs from its sources here, it is not installed")
    assert run("--version") == run("-V") == (0, f"rulesgraph {installed}\n", "")


def test_help_is_a_command_too(run: Run) -> None:
    assert run("help", "show") == run("show", "--help")
    assert run("help") == run("--help")
    assert "130 stopped by Ctrl-C" in run("help")[1]


# -- build, editions, drop ------------------------------------------------------------------------


def test_build_without_sources_loads_the_starter_rules(run: Run, tmp_path: Path) -> None:
    code, out, err = run("build")
    assert code == 0
    assert "starter-g16" in out
    assert "rulesgraph-store now has" in err
    assert (tmp_path / "rulesgraph-store").is_dir()


def test_build_says_how_to_read_the_problems_that_it_counts(run: Run, tmp_path: Path) -> None:
    said = "`rulesgraph check` lists the problems.\n"
    assert said not in run("build", PAGE)[2]
    page = tmp_path / "page.txt"
    page.write_bytes(PAGE.read_bytes() + b"\nG7.99 - Out of Its Row.\n")
    _, out, err = run("build", page)
    assert err.endswith(said), out


def test_build_tells_which_of_two_copies_it_kept(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(PAGE.read_bytes())
    said = f"came from 2 files: {copy}, {PAGE}. The store keeps the last one."
    assert said in run("build", copy, PAGE)[2]
    assert "The store keeps the last" not in run("build", PAGE)[2]


def test_build_prints_its_account_as_json(run: Run) -> None:
    code, out, _ = run("build", PAGE, "--json", "--store", "s")
    assert code == 0
    report = json.loads(out)
    assert set(report) == {"documents", "refused", "quads", "seconds", "changed"}
    [document] = report["documents"]
    keys = (
        "source kind document edition entries paragraphs notes rulings sections chapters rules subrules "
        "examples references lines furniture unaccounted problems"
    )
    assert set(keys.split()) <= set(document)
    assert document["source"] == str(PAGE)
    assert (document["kind"], document["entries"], document["unaccounted"]) == ("rulings page", 31, 0)
    assert report["refused"] == []
    assert report["quads"] > 1000


def test_building_again_changes_nothing(run: Run, starter_copy: Path) -> None:
    before = everything(starter_copy)
    code, _, err = run("build", "--store", starter_copy)
    assert code == 0
    assert "already had all of this and is unchanged: " in err
    assert everything(starter_copy) == before
    editions = sorted(MINI.glob("lanterns-*.txt"))
    built = [run("build", *them, "--json", "--store", "s")[1] for them in (editions, editions[:1])]
    assert [json.loads(it)["changed"] for it in built] == [True, False]


def test_a_base_of_ones_own_is_kept(run: Run) -> None:
    assert run("build", PAGE, "--base", "https://example.org/mtg/", "--store", "s")[0] == 0
    _, out, _ = run("sparql", "SELECT ?t { ?t a rg:Term } LIMIT 1", "--format", "csv", "--store", "s")
    assert out.splitlines()[1].startswith("https://example.org/mtg/term/")
    code, _, err = run("build", PAGE, "--base", "https://example.org/other/", "--store", "s")
    assert code == 2
    assert "https://example.org/mtg/" in err


def test_an_edition_is_named_by_its_day_too(run: Run, mini_store: Path) -> None:
    named = run("show", "Flutter", "--edition", "cr-2031-02-01", "--store", mini_store)
    assert named[0] == 0
    assert run("show", "Flutter", "--edition", "2031-02-01", "--store", mini_store) == named
    code, _, err = run("show", "Flutter", "--edition", "2031-02-02", "--store", mini_store)
    assert code == 2
    assert "no loaded edition is called '2031-02-02'" in err


def test_editions_and_drop(run: Run, starter_copy: Path) -> None:
    code, out, _ = run("editions", "--format", "json", "--store", starter_copy)
    assert code == 0
    [edition] = json.loads(out)
    assert (edition["edition"], edition["current"], edition["kind"]) == ("starter", True, "rulings page")
    code, out, err = run("drop", "startr", "--store", starter_copy)
    assert (code, out) == (2, "")
    assert "starter" in err
    assert run("drop", "starter", "--store", starter_copy)[0] == 0
    code, out, err = run("editions", "--store", starter_copy)
    assert (code, out) == (1, "")
    assert "nothing found" in err


# -- answers --------------------------------------------------------------------------------------


def test_the_question_of_the_card_in_words_and_by_name(run: Run, starter_store: Path) -> None:
    code, out, err = run("ask", QUESTION, "--format", "json", "--store", starter_store)
    assert code == 0
    rows = json.loads(out)
    assert list(rows[0]) == ["term", "steps", "link", "quote", "document", "line", "through"]
    assert {row["term"] for row in rows} == set(DIRECT.split(", "))
    assert {row["steps"] for row in rows} == {1}
    assert "1 more at two steps: --steps 2" in err
    assert "starter" in err
    again = run(
        "ask", "terms_relying_on", "State-Based Effects", "--format", "json", "--store", starter_store
    )
    assert json.loads(again[1]) == rows


@pytest.mark.parametrize(
    "command",
    [
        ["ask", "which terms rely on state-based effects?"],
        ["show", "lethal damage"],
        ["trace", "waning checks", "--from", "cr-2031-02-01"],
        ["trace", "waning checks"],
        ["viz", "--around", "lethal damage", "-o", "-"],
    ],
)
def test_words_without_quotes_are_one_name_or_question(
    run: Run, starter_store: Path, mini_store: Path, command: list[str]
) -> None:
    store = mini_store if command[0] == "trace" else starter_store
    apart = [word for it in command for word in it.split()]
    assert run(*apart, "--store", store) == run(*command, "--store", store)
    assert run(*command, "--store", store)[0] == 0


def test_every_quote_stands_where_the_answer_says(run: Run, starter_store: Path) -> None:
    _, out, _ = run("ask", QUESTION, "--format", "json", "--store", starter_store)
    for row in json.loads(out):
        page = PAGE.parent / f"{row['document'].removeprefix('starter-')}.txt"
        if page.exists():
            lines = page.read_text(encoding="utf-8").splitlines()
            around = " ".join(" ".join(lines[row["line"] - 1 : row["line"] + 6]).split())
            assert row["quote"].split()[0] in around


@pytest.mark.parametrize("form", ["json", "csv", "tsv"])
def test_formats_hold_the_same_rows(run: Run, starter_store: Path, form: str) -> None:
    code, out, _ = run("ask", "redirects", "--format", form, "--store", starter_store)
    assert code == 0
    if form == "json":
        names = [row["term"] for row in json.loads(out)]
    else:
        names = [
            row["term"]
            for row in csv.DictReader(io.StringIO(out), dialect="excel-tab" if form == "tsv" else "excel")
        ]
    assert names == ["Plainscycling", "Plainswalk"]


def test_shared_options_stand_before_or_after_the_command(run: Run, starter_store: Path) -> None:
    after = run("ask", "redirects", "--format", "csv", "--edition", "starter", "--store", starter_store)
    before = run("--store", starter_store, "--edition", "starter", "--format", "csv", "ask", "redirects")
    between = run("ask", "--store", starter_store, "--format", "csv", "redirects", "--edition", "starter")
    assert after == before == between
    assert after[0] == 0
    last_wins = run("--format", "json", "ask", "redirects", "--format", "csv", "--store", starter_store)
    assert last_wins[1] == after[1]


def test_the_store_may_come_from_the_environment(
    run: Run, starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESGRAPH_STORE", str(starter_store))
    assert run("editions")[0] == 0
    assert run("editions", "--store", "elsewhere")[0] == 4


@pytest.mark.parametrize(
    ("arguments", "suggestion"),
    [
        (["ask", "terms_relyng_on", "420"], "terms_relying_on"),
        (["ask", "terms_relying_on", "Protecton"], "Protection"),
        (["show", "Equipmnt"], "Equipment?\n"),
        (["why", "Protection", "State-Bsed Effects"], "State-Based Effects"),
        (["viz", "--around", "Protecton", "-o", "x.html"], "Protection"),
        (["ask", "redirects", "--edition", "startr"], "starter"),
    ],
)
def test_misspelt_names_get_suggestions(
    run: Run, starter_store: Path, arguments: list[str], suggestion: str
) -> None:
    code, out, err = run(*arguments, "--store", starter_store)
    assert (code, out) == (2, "")
    assert f"Did you mean {suggestion}" in err


def test_questions_are_listed(run: Run) -> None:
    code, out, _ = run("ask", "--list", "--format", "json")
    assert code == 0
    names = {row["name"]: row["question"] for row in json.loads(out)}
    wanted = (
        "terms_relying_on relied_on_by_term citing obsolete_terms redirects dangling_references "
        "undefined_entries statistics"
    )
    assert set(wanted.split()) <= set(names)
    assert all(question.endswith("?") for question in names.values())


def test_nothing_found_is_exit_code_1(run: Run, starter_store: Path) -> None:
    query = "SELECT ?x WHERE { ?x a rg:Nothing }"
    assert run("sparql", query, "--store", starter_store) == (
        1,
        "",
        "The vocabulary has no rg:Nothing.\nnothing found, from starter\n",
    )
    code, out, _ = run("sparql", query, "--format", "records", "--store", starter_store)
    assert (code, out) == (1, "[]\n")
    code, out, err = run("sparql", query, "--format", "json", "--store", starter_store)
    assert (code, json.loads(out)) == (1, {"head": {"vars": ["x"]}, "results": {"bindings": []}})
    assert err == "The vocabulary has no rg:Nothing.\nnothing found\n"


def test_people_read_short_names_which_a_query_takes_back(run: Run, starter_store: Path) -> None:
    """Programs get whole IRIs."""
    query = "SELECT ?p ?o { <edition/starter/rule/420.5> ?p ?o } ORDER BY ?p ?o"
    table = run("sparql", query, "--store", starter_store)[1]
    assert {line.split()[0] for line in table.splitlines()[2:] if line} >= {"rdf:type", "rg:level"}
    assert "<edition/starter/rule/420>" in table
    assert "https:" not in table
    whole = run("sparql", query, "--store", starter_store, "--format", "csv")[1]
    assert "https://w3id.org/rulesgraph/ns#level,rule\n" in whole


def test_why_shows_a_chain(run: Run, starter_store: Path) -> None:
    code, out, _ = run(
        "why", "Protection", "State-Based Effects", "--format", "json", "--store", starter_store
    )
    assert code == 0
    [step] = json.loads(out)
    assert list(step) == ["step", "from", "link", "to", "quote", "document", "line"]
    assert (step["from"], step["link"]) == ("Protection", "citation")


def test_show_says_what_is_known(run: Run, starter_store: Path) -> None:
    code, out, _ = run("show", "protection", "--store", starter_store)
    assert code == 0
    assert out.startswith("Protection\n══════════\n")
    assert "G16.27" in out
    code, out, _ = run("show", "Protection", "--format", "json", "--store", starter_store)
    [sheet] = json.loads(out)
    assert (sheet["kind"], sheet["name"]) == ("term", "Protection")
    code, out, _ = run("show", "Protection", "--format", "csv", "--store", starter_store)
    assert out.startswith("part,")


def test_a_query_without_braces_is_no_name_of_a_file(run: Run, starter_store: Path) -> None:
    for query in ("SELECT nonsense", "SELEC x"):
        code, out, err = run("sparql", query, "--store", starter_store)
        assert (code, out) == (2, "")
        assert err.startswith("rulesgraph: the query does not parse")
    assert "the query cannot be read" in run("sparql", "my question.rq", "--store", starter_store)[2]


def test_sparql_in_all_its_forms(
    run: Run, starter_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = "SELECT ?name WHERE { term:protection skos:prefLabel ?name }"
    expected = "name\nProtection\n"
    typed = run("sparql", query, "--format", "csv", "--store", starter_store)
    assert (typed[0], typed[1]) == (0, expected)
    (tmp_path / "a query.rq").write_text(query, encoding="utf-8")
    assert run("sparql", "a query.rq", "--format", "csv", "--store", starter_store)[1] == expected
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(query.encode())))
    assert run("sparql", "-", "--format", "csv", "--store", starter_store)[1] == expected
    code, out, _ = run(
        "sparql", "ASK { term:protection a rg:Term }", "--format", "records", "--store", starter_store
    )
    assert (code, json.loads(out)) == (0, [{"answer": True}])
    ask = run("sparql", "ASK { term:protection a rg:Term }", "--format", "json", "--store", starter_store)
    assert (ask[0], json.loads(ask[1])) == (0, {"head": {}, "boolean": True})
    code, out, _ = run("sparql", query, "--format", "json", "--store", starter_store)
    name = {"type": "literal", "value": "Protection", "xml:lang": "en"}
    assert (code, json.loads(out)) == (
        0,
        {"head": {"vars": ["name"]}, "results": {"bindings": [{"name": name}]}},
    )
    code, out, _ = run(
        "sparql",
        "CONSTRUCT { ?t a rg:Term } WHERE { ?t skos:prefLabel 'Protection'@en }",
        "--store",
        starter_store,
    )
    assert code == 0
    assert out.endswith("\nterm:protection a rg:Term .\n")
    code, out, _ = run("sparql", "DESCRIBE term:protection", "--format", "csv", "--store", starter_store)
    assert out.startswith("subject,predicate,object\n")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT ?x WHERE { ?x a ", "does not parse"),
        ("SELECT ?x WHERE { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }", "SERVICE"),
        ("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "only read"),
        ("missing.rq", "missing.rq"),
    ],
)
def test_queries_that_are_refused(run: Run, starter_store: Path, query: str, said: str) -> None:
    code, out, err = run("sparql", query, "--store", starter_store)
    assert (code, out) == (2, "")
    assert said in err


def test_viz_writes_one_page(run: Run, starter_store: Path, tmp_path: Path) -> None:
    for arguments in (
        ["--around", "Protection", "--depth", "2"],
        ["--answer", "terms_relying_on", "420"],
        ["--answer", QUESTION],
        [],
    ):
        code, out, err = run("viz", *arguments, "-o", "page.html", "--store", starter_store)
        assert (code, out) == (0, "")
        assert "page.html" in err
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert text.lower().startswith("<!doctype html>")
        assert "Protection" in text
        (tmp_path / "page.html").unlink()


def test_check_reports_the_defects_of_the_sources(run: Run, starter_store: Path) -> None:
    code, out, err = run("check", "--format", "json", "--store", starter_store)
    findings = json.loads(out)
    grave = [finding for finding in findings if finding["severity"] in {"error", "warning"}]
    assert code == (1 if grave else 0)
    assert f"{len(findings)} finding" in err


def test_the_starter_rules_have_no_defects(run: Run, starter_store: Path) -> None:
    for words in (
        ["check", "--files", "--store", starter_store],
        ["--store", starter_store, "check", "--store"],
    ):
        code, out, err = run(*words)
        assert (code, out) == (0, "")
        assert "files are intact.\n8 graphs have the right number of statements" in err
    code, out, _ = run("check", "--store", starter_store, "--format", "csv")
    assert (code, out.splitlines()[1:]) == (0, [])


@pytest.fixture
def folding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people see three rows of a table."""
    monkeypatch.setattr("rulesgraph.app.commands.answers.SHOWN_OF_TABLE", 3)


@pytest.mark.usefixtures("folding")
@pytest.mark.parametrize(("form", "parted"), [("csv", ","), ("tsv", "\t")])
def test_programs_get_every_row_of_a_sheet(run: Run, starter_store: Path, form: str, parted: str) -> None:
    asked = run("ask", "mentions_of", "State-Based Effects", "--format", "json", "--store", starter_store)[1]
    wanted = [(row["document"], str(row["line"])) for row in json.loads(asked)]
    assert len(wanted) == 11

    _, out, err = run("show", "State-Based Effects", "--format", form, "--store", starter_store)
    rows = csv.DictReader(out.splitlines(), delimiter=parted)
    assert [(row["document"], row["line"]) for row in rows if row["part"] == "mentioned by"] == wanted
    assert "more under" not in err


@pytest.mark.usefixtures("folding")
def test_json_of_a_sheet_is_whole_and_the_table_is_folded(run: Run, starter_store: Path) -> None:
    asked = run("ask", "mentions_of", "State-Based Effects", "--format", "json", "--store", starter_store)[1]
    _, out, err = run("show", "State-Based Effects", "--format", "json", "--store", starter_store)
    [sheet] = json.loads(out)
    assert sheet["mentioned_by"] == json.loads(asked)
    assert "more under" not in err + str(sheet["notes"])

    _, cut, err = run("show", "State-Based Effects", "--store", starter_store)
    assert '8 more under "mentioned by": --all shows them' in err
    _, whole, err = run("show", "State-Based Effects", "--all", "--store", starter_store)
    assert "more under" not in err
    assert len(whole.splitlines()) > len(cut.splitlines())


def test_a_misspelt_name_of_a_question_is_told(run: Run, starter_store: Path) -> None:
    code, out, err = run("ask", "definitoin", "Old Haste", "--store", starter_store)
    assert (code, out) == (1, "")
    assert f"Did you mean: rulesgraph ask --store {starter_store} definition 'Old Haste'" in err
    assert "Did you mean" not in run("ask", "landwalk", "and", "life", "--store", starter_store)[2]


@pytest.mark.parametrize(("command", "takes_several"), [("ask", True), ("check", True), ("verify", False)])
def test_the_help_promises_several_editions_where_they_are_taken(
    run: Run, command: str, takes_several: bool
) -> None:
    assert ("several separated by commas" in " ".join(run(command, "--help")[1].split())) == takes_several
