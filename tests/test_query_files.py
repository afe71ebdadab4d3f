"""Queries are in files, and no values are formatted into them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pyoxigraph
import pytest
import rulesgraph.app.web.linked.data
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.resources import ANY, QueryFiles, bind, literal
from rulesgraph.queries.session.empty import remarks_on
from rulesgraph.viz.vocabulary.reference import example_queries

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.rq"))
FOLDER = ROOT / "app" / "web" / "linked" / "queries"
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

_SPARQL = re.compile(
    r"\b(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b[^{]*\{|\b(?:INSERT|DELETE)\b(?: DATA)? *\{|\bWHERE *\{"
)
_WORDS = re.compile("SELECT|ASK|CONSTRUCT|DESCRIBE|INSERT|DELETE|WHERE")
"""Text that a module without SPARQL seldom has."""

ALLOWED = {
    "loaders/store/upload.py": "an update carries data, which no VALUES block can hold",
    "app/web/sparql/executor.py": "a query of nothing, by which a process is made ready",
    "loaders/store/graph_update.py": "an update carries data, which no VALUES block can hold",
    "loaders/store/client.py": "a query of nothing, by which an address shows that it is an endpoint",
    "loaders/store/local.py": "a query shown to a user who named no graph",
    "viz/vocabulary/reference.py": "examples on the page, to be read and typed",
    "app/web/pages/query.py": "an example in the field where queries are typed",
    "queries/checking/conclusions.py": "targets of shapes that are put in the queries of constraints",
}
"""Modules with SPARQL in a string, and why."""


def texts_of(path: Path) -> list[str]:
    """Return the strings of a module that are no docstrings, the fixed parts of formatted ones joined."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            fixed = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
            found.append("…".join(fixed))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += [node.value] if not {id(node)} & (bare | parts) else []
    return found


def is_sparql(text: str) -> bool:
    return bool(_SPARQL.search(text))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_query_stands_in_a_python_string(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    is_likely = _WORDS.search(path.read_text(encoding="utf-8"))
    found = [text for text in texts_of(path) if is_sparql(text)] if is_likely else []
    assert bool(found) == (name in ALLOWED), found


def test_what_looks_like_a_query_is_known() -> None:
    assert is_sparql("SELECT ?s WHERE { ?s ?p ?o }")
    assert is_sparql("…ASK { GRAPH …")
    assert is_sparql("INSERT DATA { }")
    assert not is_sparql("Give a query: SELECT gives a table.")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_is_a_query_with_its_prefixes_and_its_meaning(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("#")
    pyoxigraph.Store().query(text)


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.parent.name == "queries"],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_every_query_of_a_room_is_asked_there(path: Path) -> None:
    beside = [*path.parents[1].rglob("*.py")]
    assert any(f'"{path.stem}"' in module.read_text(encoding="utf-8") for module in beside)


def test_a_package_reads_its_own_files() -> None:
    files = QueryFiles.beside(rulesgraph.app.web.linked.data.__name__)
    assert files == QueryFiles("rulesgraph.app.web.linked")
    assert files.read("queries", "parts") == (FOLDER / "parts.rq").read_text(encoding="utf-8")
    assert files.names("queries") == tuple(sorted(p.stem for p in FOLDER.iterdir()))
    assert (files.has("queries", "parts"), files.has("queries", "none")) == (True, False)
    assert not files.has("queries", "../queries/parts")
    with pytest.raises(OSError, match="none"):
        files.read("queries", "none")


def test_values_of_several_variables_stand_in_rows() -> None:
    text = "SELECT ?a WHERE { VALUES (?a ?b) { (UNDEF UNDEF) } GRAPH ?a { ?b ?c ?d } }"
    assert bind(text, {"a b": [("urn:a", literal("b")), ("urn:c", literal('"'))]}) == (
        'SELECT ?a WHERE { VALUES (?a ?b) { (<urn:a> "b") (<urn:c> "\\"") } GRAPH ?a { ?b ?c ?d } }'
    )
    assert bind(text, {"a b": [(ANY, "urn:b")]}).startswith(
        "SELECT ?a WHERE { VALUES (?a ?b) { (UNDEF <urn:b>) }"
    )
    with pytest.raises(UsageError):
        bind(text, {"b a": [("urn:a", "urn:b")]})


def test_no_query_of_ours_has_an_unknown_name() -> None:
    queries = [path.read_text(encoding="utf-8") for path in FILES] + list(example_queries().values())
    told = [it for query in queries for it in remarks_on(query, is_empty=False)]
    assert len(queries) > 150
    assert [it for it in told if it.startswith(("The vocabulary has no", "No data has"))] == []
