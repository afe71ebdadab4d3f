"""Every operation and tool answers for several editions, or refuses with a sentence."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
from rulesgraph.app.mcp.toolbox import tools
from rulesgraph.app.operations import parameters
from rulesgraph.ontology.errors import RulesgraphError

OLD, NEW = "cr-2031-02-01", "cr-2031-07-01"
SEVERAL = pytest.mark.parametrize("edition", ["all", f"{OLD},{NEW}"])

GIVEN: dict[str, Any] = {
    **{"question": "What is Flutter?", "words": "lantern", "text": "A moth flies (rule 320.4)."},
    **{"query": "SELECT ?s { ?s a rg:Rule }", "notation": "csv"},
    **{"first": "Flutter", "second": "320.4", "paths": [], "start": OLD},
}
"""What is given for a parameter without a default, by its name; names and numbers are tried in turn."""

NAMED = ("name", "number", "card")
OPERATIONS = [
    it
    for it in dir(rulesgraph.Rules)
    if not it.startswith("_")
    and callable(getattr(rulesgraph.Rules, it))
    and "edition" in parameters(getattr(rulesgraph.Rules, it))
    and it != "drop"
]


@pytest.fixture(scope="module", params=[False, True], ids=["together", "one by one"])
def rules(mini_store: Path, request: pytest.FixtureRequest) -> rulesgraph.Rules:
    """The mini game, also as if its editions were too many to be seen at once with all their links."""
    opened = rulesgraph.open(mini_store)
    if request.param:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("rulesgraph.queries.session.session.MOST_IN_VIEW", 1)
            for name in ("all", f"{OLD},{NEW}"):
                assert opened.session.scope(name).too_many  # it is kept
    return opened


def tried(work: Callable[..., object], needed: list[str], edition: str) -> None:
    """Ask an operation about a rule of each edition, a term and an unknown name; it may refuse in words."""
    refused = []
    for name in ("320.4", "301.3", "Flutter", "Dusk Check", "Nobody"):
        given = {it: name if it in NAMED else GIVEN.get(it, io.BytesIO()) for it in needed}
        try:
            work(**given, edition=edition)
        except RulesgraphError as error:
            refused.append((name, str(error)))
    assert all(said.strip() for _, said in refused)


@SEVERAL
@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_answers_or_refuses(rules: rulesgraph.Rules, name: str, edition: str) -> None:
    work = getattr(rules, name)
    tried(work, [it.name for it in parameters(work).values() if it.default is ...], edition)


@SEVERAL
def test_a_tool_answers_or_refuses(rules: rulesgraph.Rules, edition: str) -> None:
    for work in tools(rules).values():
        known = signature(work).parameters
        if "edition" in known:
            tried(work, [it.name for it in known.values() if it.default is Parameter.empty], edition)


def test_a_search_of_many_editions_makes_their_indexes_at_once(
    real_rules: rulesgraph.Rules, tmp_path: Path
) -> None:
    store = Path(real_rules.session.store.location)
    shutil.copytree(store, tmp_path / "store", ignore=shutil.ignore_patterns("index", "views"))
    found, told = rulesgraph.open(tmp_path / "store"), list[tuple[str, int, int]]()
    found.session.progress = lambda *step: told.append(step)
    words = '"damage on the stack" edition:all'
    assert found.search(words).rows == real_rules.search(words).rows
    count = len(real_rules.editions)
    assert told[0] == ("indexing", 0, count)
    assert len(list((tmp_path / "store" / "index").iterdir())) == count
    told.clear()
    assert found.search(words).rows
    assert not told
