"""N-Quads are loaded in parts: whole lines, whatever the chunks, and the graphs that they are about."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.store import MEMORY, open_store
from rulesgraph.loaders.store.local import graphs_of
from test_store import OURS, quads


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_parts_are_cut_at_lines_wherever_the_chunks_are(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesgraph.loaders.store.local.PART", 10)
    data = quads(*(f'g:n{i}|g:label|"{i} ü"|g:graph/many' for i in range(95)))
    store = open_store(MEMORY)
    with store.rewrite() as rewrite:
        assert rewrite.load(data[start : start + size] for start in range(0, len(data), size)) == 95
        assert rewrite.load([]) == 0
    assert store.size() == 95


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
