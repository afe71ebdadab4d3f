"""The index for browsers: they rank as Python does, and suggest names, numbers, slang and corrections."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rulesgraph import Rules
from rulesgraph.queries import scripts
from rulesgraph.queries.finding.recognition import recognise
from rulesgraph.queries.searching.closest import closest
from rulesgraph.queries.searching.static_index import static_index
from rulesgraph.queries.session import Session
from searches import typed

_ASKED = """
const { names, ranking, texts, searched, typed, limit } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const index = SearchIndex.of(names, ranking, texts);
const things = suggestibles(names);
console.log(JSON.stringify({
  found: searched.map((it) => index.search(it, limit).found.map((place) => index.passages[place].key)),
  suggested: typed.map((it) => suggested(things, it).map(({ thing }) => [thing.label, thing.address])),
}));
"""

AskingNode = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> AskingNode:
    """Return what asks an index in the language of browsers."""
    if shutil.which("node") is None:
        pytest.skip("no Node on this machine (apt-get install nodejs)")
    file = tmp_path_factory.mktemp("scripts") / "asked.js"
    file.write_bytes(b"\n".join([*scripts().values(), _ASKED.encode()]))

    def call(
        index: dict[str, Any], searched: Sequence[str] = (), typed: Sequence[str] = (), limit: int = 10
    ) -> dict[str, Any]:
        told = json.dumps({**index, "searched": searched, "typed": typed, "limit": limit})
        run = subprocess.run(["node", file], input=told, capture_output=True, text=True, check=True)
        found: dict[str, Any] = json.loads(run.stdout)
        return found

    return call


def found_by(rules: Rules, words: str, limit: int = 10) -> list[str]:
    """Return the passages that a search finds, below the base."""
    return [str(row["iri"]).removeprefix(rules.session.iris.base) for row in rules.search(words, limit=limit)]


ALL = 100
WORDS = """
moth
flutter moth
What does a lantern do?
320.4
rule 310.2
310
when does a moth flutter
unlit lantern
a lantern with 2 oil
fluter
lanterns and moths going dark
Which rule speaks of glimmer and dusk?
zeppelin
""".strip().splitlines()


def test_a_browser_finds_what_python_finds(asked: AskingNode, mini_rules: Rules) -> None:
    """Ranked passages come in the same order; others with all of the words come after them."""
    index = static_index(mini_rules.session, "cr-2031-07-01")
    found = asked(index, WORDS, limit=ALL)["found"]
    for words, keys in zip(WORDS, found, strict=True):
        wanted = found_by(mini_rules, words, ALL)
        nearest = closest(mini_rules.session, recognise(mini_rules.session, words), limit=ALL, least=0.0)
        ranked = len(nearest.rows)
        assert (words, keys[:ranked], sorted(keys)) == (words, wanted[:ranked], sorted(wanted))
    assert len({*map(tuple, found)}) > len(WORDS) // 2


def test_names_numbers_and_slips_are_suggested(asked: AskingNode, mini: Session) -> None:
    index = static_index(mini, "cr-2031-07-01", words=False)
    first = {
        "flut": ["Flutter", "term/flutter.html"],
        "fluter": ["Flutter", "term/flutter.html"],
        "320.4": ["320.4 Flutter", "edition/cr-2031-07-01/rule/320.4.html"],
        "rule 320.4": ["320.4 Flutter", "edition/cr-2031-07-01/rule/320.4.html"],
    }
    suggested = asked(index, typed=[*first, "zeppelin", " "])["suggested"]
    assert [it[0] for it in suggested[:-2]] == list(first.values())
    assert suggested[-2:] == [[], []]


def test_without_words_the_index_tells_none(asked: AskingNode, mini: Session, mini_rules: Rules) -> None:
    whole, bare = (static_index(mini, "cr-2031-07-01", words=words) for words in (True, False))
    told = json.dumps(bare)
    said = [text for text in whole["texts"] if text.count(" ") > 5]
    assert len(said) > 20
    assert not any(text in told for text in said)
    assert bare["ranking"]["words"] == []
    assert asked(bare, ["flutter"])["found"][0][0] == found_by(mini_rules, "flutter")[0]


def test_searches_of_the_newest_edition_find_the_same(asked: AskingNode, newest_rules: Rules) -> None:
    index = static_index(newest_rules.session, "cr-2026-01-16")
    words = [it.words for half in ("tuned", "unseen") for it in typed(half)]
    words += ["Does an ability resolve if I kill its source?", "mill and destroy"]  # in players' words
    slang = {"704.5k": "704.5k", "sba": "State-Based Actions", "fizzle": "608.2b", "deathtuch": "Deathtouch"}
    told = asked(index, words, [*slang])
    assert told["found"] == [found_by(newest_rules, it) for it in words]
    assert [it[0][0] for it in told["suggested"]] == list(slang.values())
    assert len(gzip.compress(json.dumps(index).encode(), 6)) < 1_500_000


def test_the_scripts_are_those_of_the_package() -> None:
    folder = Path(__file__).parent.parent / "queries" / "searching"
    assert sorted(scripts()) == sorted(it.name for it in folder.glob("*.js"))
