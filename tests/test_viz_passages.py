"""The words behind a picture: names on the page are links to it, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import session_on
from rulesgraph.viz.select import choose
from rulesgraph.viz.selection import Selection


@pytest.fixture(scope="module")
def around_glimmer(mini_store: Path) -> Selection:
    return choose(session_on(mini_store), around="Glimmer", depth=1)


def test_words_lead_to_things_on_the_page_alone(around_glimmer: Selection) -> None:
    """Its passages name terms that this picture leaves out: these stay plain words."""
    shown = {node.iri for node in around_glimmer.nodes}
    for node in around_glimmer.nodes:
        targets = {it for said in node.passages for piece in said.pieces for it in piece.targets}
        assert targets <= shown - {node.iri}
        assert all(piece.text for said in node.passages for piece in said.pieces)


def test_a_reference_leads_to_the_rule_that_it_names(around_glimmer: Selection) -> None:
    [glimmer] = [node for node in around_glimmer.nodes if node.label == "Glimmer"]
    labels = {node.iri: node.label for node in around_glimmer.nodes}
    linked = [
        (piece.text, [labels[it] for it in piece.targets])
        for said in glimmer.passages
        for piece in said.pieces
        if piece.targets
    ]
    assert linked == [('rule 320.2, "Glimmer."', ["320.2 Glimmer"])]
