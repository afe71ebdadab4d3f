"""Places on the map of an edition: each thing once, near what it belongs to, and always the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import real
import rulesgraph
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.ontology.errors import NothingFoundError
from rulesgraph.queries.session.statements import Statements
from rulesgraph.viz.graph import Graph
from rulesgraph.viz.map.layout import ROOM, MapLayout, layout_of_map, minimum_scales
from rulesgraph.viz.map.lines import bundle, closeness, flows_between
from rulesgraph.viz.map.page import render_map
from rulesgraph.viz.map.placement import grid_of, partition
from rulesgraph.viz.map.regions import regions_of
from rulesgraph.viz.selection import LinkKind, Node, NodeKind
from test_viz_select import stated_by


def drawn(store: Path, edition: str | None = None) -> MapLayout:
    session = rulesgraph.open(store).session
    return layout_of_map(Statements(session, session.scope(edition)))


def little() -> Graph:
    """Section 1 with chapter 10, its rules 10.1, 10.1a, 10.2, 10.10; terms that belong to them or nowhere."""
    graph = Graph()
    for name, kind in {
        "1": NodeKind.SECTION,
        "10": NodeKind.CHAPTER,
        "10.1": NodeKind.RULE,
        "10.1a": NodeKind.RULE,
        "10.2": NodeKind.RULE,
        "10.10": NodeKind.RULE,
    }.items():
        graph.things[name] = Node(name, name, kind, name)
    for part, whole in {"10": "1", "10.1": "10", "10.1a": "10.1", "10.2": "10", "10.10": "10"}.items():
        graph.whole[part] = whole
        graph.parts[whole].append(part)
    for name in ("Oar", "Mast", "Raft", "Skiff", "Tide", "Zephyr"):
        graph.things[name] = Node(name, name, NodeKind.TERM)
    graph.link("Oar", LinkKind.DEFINITION, "10.1a")
    graph.link("Oar", LinkKind.CITATION, "10.2")
    graph.link("Mast", LinkKind.CITATION, "10")
    graph.link("Raft", LinkKind.REDIRECT, "Oar")
    graph.link("10.10", LinkKind.MENTION, "Skiff")
    return graph


# -- who lives where ----------------------------------------------------------------------------------


def test_a_term_lives_at_the_rule_that_defines_it() -> None:
    (land, beside) = regions_of(little(), {})
    assert (land.name, land.mark, [chapter.mark for chapter in land.chapters]) == ("1", "1", ["10"])
    assert land.chapters[0].blocks == [
        ["Mast"],  # it cites the chapter
        ["Skiff"],  # rule 10.10, part of chapter 10, names it
        ["10.1", "10.1a", "Oar", "Raft"],  # defined there, and what only points to it
        ["10.2"],
        ["10.10"],
    ]
    assert (beside.name, beside.mark) == ("Names without a rule", "")
    assert beside.chapters[0].blocks == [["Tide"], ["Zephyr"]]


def test_without_sections_the_initials_are_sections() -> None:
    graph = Graph()
    for name in ("Élan", "Eel", "Boat", "9 Lives", "boots"):
        graph.things[name] = Node(name, name, NodeKind.TERM)
    sections = regions_of(graph, {})
    assert {land.name: land.chapters[0].blocks for land in sections} == {
        "#": [["9 Lives"]],
        "B": [["Boat"], ["boots"]],
        "E": [["Eel"], ["Élan"]],
    }


def test_a_large_chapter_has_groups_by_kind() -> None:
    graph = Graph()
    graph.things["1"] = Node("1", "1", NodeKind.SECTION, "1")
    graph.things["10"] = Node("10", "10", NodeKind.CHAPTER, "10")
    graph.whole["10"], graph.parts["1"] = "1", ["10"]
    kinds = {}
    for n in range(70):
        rule, term = f"10.{n}", f"term {n}"
        graph.things[rule] = Node(rule, rule, NodeKind.RULE, rule)
        graph.things[term] = Node(term, term, NodeKind.TERM)
        graph.whole[rule] = "10"
        graph.parts["10"].append(rule)
        graph.link(term, LinkKind.DEFINITION, rule)
        kinds[term] = ["word", "slow" if n < 40 else "fast" if n < 68 else "rare"]
    (land,) = regions_of(graph, kinds)
    assert Counter(land.chapters[0].groups) == {"slow": 40, "fast": 28, "": 2}  # two are too few


# -- shares of the ground -----------------------------------------------------------------------------


@given(st.lists(st.integers(1, 30), min_size=1, max_size=9), st.integers(0, 5))
def test_each_site_gets_just_its_size(sizes: list[int], seed: int) -> None:
    points = grid_of(sum(sizes), 1.0)
    assert len({tuple(point) for point in points.round(3)}) == sum(sizes)
    sites = np.random.default_rng(seed).uniform(-5, 5, (len(sizes), 2))
    owners = partition(points, sites, sizes)
    assert np.bincount(owners, minlength=len(sizes)).tolist() == sizes


def test_shares_lie_where_their_sites_are() -> None:
    points = grid_of(60, 1.0)
    owners = partition(points, np.array([(-9.0, 0.0), (9.0, 0.0)]), [30, 30])
    assert points[owners == 0, 0].max() <= points[owners == 1, 0].min() + 1


@pytest.mark.parametrize("sizes", [[2, 2, 2], [1, 5, 0]])
def test_points_in_one_place_are_handed_on_from_site_to_site(sizes: list[int]) -> None:
    """All prices are equal."""
    sites = np.array([(0.0, 0.0), (3.0, 0.0), (6.0, 0.0)])
    owners = partition(np.zeros((6, 2)), sites, sizes)
    assert np.bincount(owners, minlength=3).tolist() == sizes


# -- levels -------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 900)), min_size=1, max_size=40, unique=True))
def test_at_every_scale_marks_keep_apart(places: list[tuple[int, int]]) -> None:
    points = np.array(places, dtype=float)
    least = minimum_scales(points, list(range(len(points))), [0.0] * len(points), [1.0] * len(points))
    for scale in sorted(set(least)):
        shown = points[[k for k, from_ in enumerate(least) if from_ <= scale]] / ROOM * scale
        far = np.sqrt(((shown[:, None] - shown[None, :]) ** 2).sum(axis=2)) + 9 * np.eye(len(shown))
        assert far.min() > 0.999
    assert least[0] == min(least)  # the weightiest is seen from farthest


def test_a_floor_keeps_a_mark_away_until_one_is_near() -> None:
    assert minimum_scales(np.array([(0.0, 0.0), (9000.0, 0.0)]), [0, 1], [0.0, 0.5], [1.0, 1.0]) == [
        0.02,
        0.5,
    ]


# -- traffic and bundles --------------------------------------------------------------------------------


def test_traffic_is_what_relies_on_what_between_chapters() -> None:
    graph = little()
    flows = flows_between(
        graph, {"Oar": 0, "Mast": 0, "10.1a": 1, "10.2": 1, "10": 1, "Skiff": 1, "10.10": 2}
    )
    assert flows == {(0, 1): 3.0, (2, 1): 0.1}
    assert closeness(flows) == {
        (0, 1): pytest.approx(3 / (3 * 3.1) ** 0.5),
        (1, 2): pytest.approx(0.1 / 0.31**0.5),
    }


def test_what_leads_the_same_way_takes_the_same_road() -> None:
    spots = [(0.0, 0.0), (10.0, 0.0), (20.0, 0.0), (10.0, 9.0)]
    found = bundle(spots, [(0, 1), (1, 2), (0, 3), (2, 3)], {(0, 2): 4.0, (2, 0): 1.0, (0, 1): 2.0})
    assert found == [(0, 1, 7.0), (1, 2, 5.0)]


def test_where_no_road_leads_there_is_none() -> None:
    assert bundle([(0.0, 0.0), (9.0, 0.0)], [], {(0, 1): 3.0}) == []


# -- the whole of an edition --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mini_map(mini_store: Path) -> MapLayout:
    return drawn(mini_store)


def test_everything_has_a_place_of_its_own(mini_map: MapLayout) -> None:
    assert mini_map.places.keys() == mini_map.graph.things.keys()
    assert len(set(mini_map.places.values())) == len(mini_map.places)
    assert mini_map.min_scale.keys() == mini_map.places.keys()


def test_every_region_has_land_and_a_point_in_it_for_its_name(mini_map: MapLayout) -> None:
    for region in (*mini_map.sections, *mini_map.chapters):
        assert region.area["outlines"], region.name
        assert region.area["reach"] > 10
        xs, ys = region.area["outlines"][0][::2], region.area["outlines"][0][1::2]
        assert min(xs) < region.area["x"] < max(xs)
        assert min(ys) < region.area["y"] < max(ys)


def test_the_same_store_gives_the_same_map(mini_store: Path, mini_map: MapLayout) -> None:
    again = drawn(mini_store)
    assert (again.places, again.min_scale, again.bundles, again.chapters) == (
        mini_map.places,
        mini_map.min_scale,
        mini_map.bundles,
        mini_map.chapters,
    )


def test_nothing_to_show() -> None:
    with pytest.raises(NothingFoundError, match="nothing to show"):
        layout_of_map(stated_by(""))


def test_a_page_says_how_much_it_holds(starter_store: Path) -> None:
    session = rulesgraph.open(starter_store).session
    _, things, _, html, _ = render_map(Statements(session, session.scope(None)))
    assert f"All {sum(1 for _ in session.select(TERMS, session.scope(None).default_graphs))} terms" in html
    assert rulesgraph.open(starter_store).picture().things == things


WINDOW = np.array([1048, 760])
TERMS = "SELECT ?term WHERE { ?term a <https://w3id.org/rulesgraph/ns#Term> }"


@pytest.fixture(scope="module")
def newest_map(store_of: Callable[..., Path], shared: Path) -> MapLayout:
    return drawn(store_of(real.rules(shared, "2026-01-16")))


@pytest.mark.long(small="test_everything_has_a_place_of_its_own")
def test_the_whole_of_the_newest_rules(newest_map: MapLayout) -> None:
    kinds = Counter(newest_map.graph.things[iri].kind for iri in newest_map.places)
    assert kinds == {
        NodeKind.TERM: kinds[NodeKind.TERM],
        NodeKind.SECTION: 9,
        NodeKind.CHAPTER: 146,
        NodeKind.RULE: kinds[NodeKind.RULE],
    }
    assert kinds[NodeKind.TERM] >= 725
    assert kinds[NodeKind.CHAPTER] + kinds[NodeKind.RULE] >= 3260
    assert len(set(newest_map.places.values())) == len(newest_map.places)
    assert [section.name for section in newest_map.sections if section.mark][3] == "4 Zones"


@pytest.mark.long(small="test_at_every_scale_marks_keep_apart")
def test_at_no_scale_a_window_has_more_marks_than_can_be_told_apart(newest_map: MapLayout) -> None:
    points = np.array([newest_map.places[iri] for iri in newest_map.places], dtype=float)
    least = np.array(list(newest_map.min_scale.values()))
    for scale in np.geomspace(0.1, 1.2, 12):
        shown = points[least <= scale] * scale
        for corner in shown[:: max(1, len(shown) // 40)]:
            inside = ((shown >= corner) & (shown <= corner + WINDOW)).all(axis=1)
            assert inside.sum() <= 330


@pytest.mark.long(small="test_a_term_lives_at_the_rule_that_defines_it")
def test_what_relies_on_each_other_lies_near(newest_map: MapLayout) -> None:
    """Linked chapters are nearer to each other than any two chapters are, by a good deal."""
    spots = np.array([newest_map.places[chapter.mark] for chapter in newest_map.chapters if chapter.mark])
    marks = {chapter.mark: k for k, chapter in enumerate(newest_map.chapters) if chapter.mark}
    flows = flows_between(
        newest_map.graph, {iri: t for iri, t in newest_map.chapter_of.items() if t < len(marks)}
    )
    close = sorted(closeness(flows).items(), key=lambda it: -it[1])[:200]
    far = np.sqrt(((spots[:, None] - spots[None, :]) ** 2).sum(axis=2))
    assert np.mean([far[a, b] for (a, b), _ in close]) < 0.7 * far.mean()


@pytest.mark.long(small="test_a_term_lives_at_the_rule_that_defines_it")
def test_a_term_is_beside_the_rule_that_defines_it(newest_map: MapLayout) -> None:
    """Nineteen in twenty are at most two places from their rule; the others are closer to what uses them."""
    places = {newest_map.graph.things[iri].label: place for iri, place in newest_map.places.items()}
    keywords = [
        (rule, name) for rule in places if rule[:4] in ("701.", "702.") and (name := rule.partition(" ")[2])
    ]
    apart = [np.abs(np.subtract(places[name], places[rule])) for rule, name in keywords if name in places]
    assert len(apart) > 200
    assert sum(across <= 2 * 104 and down <= 2 * 50 for across, down in apart) >= 0.95 * len(apart)


@pytest.mark.long(small="test_everything_has_a_place_of_its_own")
def test_keyword_abilities_form_groups_by_kind(newest_map: MapLayout) -> None:
    names = {region.name for region in newest_map.groups}
    assert {"static ability", "triggered ability", "activated ability", "evasion ability"} <= names
    assert {newest_map.chapters[region.within].name for region in newest_map.groups} == {
        "702 Keyword Abilities"
    }


@pytest.mark.long(small="test_what_stays_keeps_its_place")
def test_neighbouring_editions_look_alike(
    newest_map: MapLayout, store_of: Callable[..., Path], shared: Path
) -> None:
    before = drawn(store_of(*(real.rules(shared, day) for day in real.AROUND)), "cr-2025-04-04")

    def spots(some: MapLayout) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        points = np.array([some.places[it.mark] for it in some.chapters if it.mark], dtype=float)
        points = (points - points.mean(axis=0)) / points.std(axis=0)
        return {it.name: p for it, p in zip((t for t in some.chapters if t.mark), points, strict=True)}

    now, then = spots(newest_map), spots(before)
    both = sorted(now.keys() & then.keys())
    moved = [float(np.hypot(*(now[name] - then[name]))) for name in both]
    assert len(both) > 130
    assert np.median(moved) < 0.25  # of the spread of the map


def test_a_few_cited_sections_do_not_make_a_map_of_all_that_is_no_part_of_them() -> None:
    graph = little()
    for name in ("Anchor", "Buoy", "Cable", "Deck", "Keel", "Rope", "Stern", "Tiller", "Wake"):
        graph.things[name] = Node(name, name, NodeKind.TERM)
    names = [land.name for land in regions_of(graph, {})]
    assert names == ["1", "A", "B", "C", "D", "K", "R", "S", "T", "W", "Z"]
