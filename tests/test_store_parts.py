"""N-Quads are loaded in parts, and it is known which graphs they are about."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesgraph.loaders.store import MEMORY, open_store
from rulesgraph.loaders.store.local import graphs_of
from test_store import OURS, quads


@pytest.mark.parametrize("size", [1, 7, 95])
def test_blocks_and_files_are_loaded_in_parts(
    size: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("rulesgraph.loaders.store.local.PART", 10)
    monkeypatch.setattr("rulesgraph.loaders.store.local._BLOCK", 100 * size)
    data = quads(*(f'g:n{i}|g:label|"{i} ü"|g:graph/many' for i in range(95)))
    lines = data.splitlines(keepends=True)
    (tmp_path / "more.nq").write_bytes(data.replace(b"graph/many", b"graph/more"))
    store = open_store(MEMORY)
    with store.rewrite() as rewrite:
        assert rewrite.load(b"".join(lines[at : at + size]) for at in range(0, len(lines), size)) == 95
        assert rewrite.load([]) == 0
        assert rewrite.load(tmp_path / "more.nq") == 95
    assert store.size() == 190


@pytest.mark.parametrize(
    ("lines", "graphs"),
    [
        (["g:a|g:b|g:c|g:x", "g:a|g:b|g:d|g:x"], {"x"}),
        (["g:a|g:b|g:c|g:x", "g:a|g:b|g:c|g:y", "g:a|g:b|g:c|g:x"], {"x", "y"}),
        (['g:a|g:b|"> <g:c> ."|g:x', 'g:a|g:b|"d"|g:y'], {"x", "y"}),
    ],
)
def test_the_graphs_of_a_block(lines: list[str], graphs: set[str]) -> None:
    assert graphs_of(quads(*lines), len(lines)) == {OURS + name for name in graphs}
    spaced = quads(*lines).replace(b"> .", b">\t.  ")
    assert graphs_of(spaced, len(lines)) == {OURS + name for name in graphs}


SAID = ['g:a|g:label|"\\\\ \\" \x07 \\n"', "g:a|g:b|g:c", "g:a|g:b|g:d"]


@pytest.mark.parametrize("in_memory", [True, False], ids=["memory", "folder"])
@pytest.mark.parametrize("before", [SAID, []], ids=["something", "nothing"])
@pytest.mark.parametrize(
    "now",
    [SAID, [*SAID[:2], "g:a|g:b|g:e", "g:f|g:b|g:e"], ["g:f|g:b|g:c"], []],
    ids=["the same", "a little else", "all else", "nothing"],
)
def test_a_graph_becomes_what_a_file_says(
    before: list[str], now: list[str], in_memory: bool, tmp_path: Path
) -> None:
    """Whether it was written already or still waits; the graph beside it stays, an empty one goes."""
    changed, beside = f"{OURS}graph/changed", f"{OURS}graph/beside"
    old, new = (quads(*(f"{line}|g:graph/changed" for line in lines)) for lines in (before, now))
    file = tmp_path / "now.nq"
    file.write_bytes(new)
    store = open_store(MEMORY if in_memory else tmp_path / "store", write=True)
    with store.rewrite() as rewrite:
        rewrite.load([old, quads("g:a|g:b|g:d|g:graph/beside")])
        assert rewrite.size() == len(before) + 1
        rewrite.replace(changed, file)
        rewrite.load([quads("g:a|g:b|g:z|g:graph/changed")])
        rewrite.replace(changed, file)
    found = store.graph_lines(changed)
    expected = new.decode().replace(f" <{changed}>", "").replace("\x07", "\\u0007").split("\n")[:-1]
    assert sorted(found) == sorted(expected)
    assert store.graphs() == [beside, *([changed] if now else [])]
    assert store.size() == len(now) + 1
