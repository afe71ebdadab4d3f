"""Facts together with the vocabulary become what follows from them, or the facts that contradict.

The reasoners of owlready2 run in a process of their own under a limit of time and memory. They see
classes, object properties and named individuals: literals are left out (a reasoner cannot read
dates), and so are links to classes, from which nothing would follow.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .clashes import Clash, find_clashes
from .errors import ReasonerError, UsageError
from .hierarchy import Hierarchy
from .java import find_java
from .resources import ontology_turtle
from .statements import TYPE, PlainTriple, in_words
from .terms import PREFIXES, RG

LEAST_JAVA = {"hermit": 8, "pellet": 25}
"""The reasoners, and the Java that the jars of each were made for."""

_OWL, _RDFS, _RDF = PREFIXES["owl"], PREFIXES["rdfs"], PREFIXES["rdf"]
_NAMED = _OWL + "NamedIndividual"
_LOGICAL = (_OWL, _RDFS, _RDF)
_NOT_LOGICAL = {
    *(_OWL + name for name in ("imports", "versionIRI", "versionInfo", "priorVersion", "deprecated")),
    *(_RDFS + name for name in ("label", "comment", "seeAlso", "isDefinedBy")),
}
_CARDINALITY = PREFIXES["xsd"] + "nonNegativeInteger"
_UNWRITTEN = {RG.reliesOn}
"""Properties whose closure is left to queries: with them a reasoner would join everything to everything."""

_SHOWN = 10
"""How many clashes an explanation spells out."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What a reasoner found.

    `inferred` are the statements that follow and were not told, as sorted N-Triples (empty when the
    facts contradict); `explanation` says in words what contradicts, or which classes can have no
    members; `clashes` are the contradicting facts, where they were found.
    """

    consistent: bool
    inferred: bytes
    explanation: str
    clashes: tuple[Clash, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """What goes to the reasoner: axioms, facts, the labels of classes and properties, and the bytes."""

    axioms: tuple[PlainTriple, ...]
    facts: frozenset[PlainTriple]
    labels: dict[str, str]
    triples: bytes


def reason(nt: bytes, *, reasoner: str = "hermit", timeout: float = 60, memory: int = 2000) -> Reasoned:
    """Reason over facts (and axioms of one's own, if any) together with the vocabulary.

    `nt` is N-Triples; `timeout` is in seconds, `memory` the most that Java may take, in megabytes.
    HermiT is the faster reasoner, Pellet (``"pellet"``) explains every contradiction.

    Raises `UsageError` for what is not N-Triples or an unknown reasoner, `ReasonerError` when there
    is no Java to run it or it runs out of time or memory.
    """
    if reasoner not in LEAST_JAVA:
        raise UsageError(f"no reasoner is called {reasoner!r}", way_out=f"Use {' or '.join(LEAST_JAVA)}.")
    told = _prepare(nt)
    java = find_java(LEAST_JAVA[reasoner])
    findings = _run(told.triples, reasoner, java, timeout, memory)
    hierarchy = Hierarchy.of(told.axioms)
    if not findings["consistent"]:
        clashes = find_clashes(told.facts, hierarchy, told.labels)
        words = str(findings["explanation"])
        return Reasoned(False, b"", _explain(clashes, told.labels, words), tuple(clashes))
    found = list(_statements(str(findings["inferred"]).encode()))
    impossible = sorted(s for s, p, o in found if o == _OWL + "Nothing" and not s.startswith(_OWL))
    explanation = "".join(f"Nothing can be {told.labels.get(name, name)}.\n" for name in impossible)
    return Reasoned(True, _serialize(_following(told, found)), explanation.rstrip())


# -- what the reasoner is told ------------------------------------------------------------------------


def _statements(data: bytes) -> Iterator[PlainTriple]:
    """Yield the statements of N-Triples without literals, as plain strings."""
    from pyoxigraph import Literal, RdfFormat, parse

    for quad in parse(input=data, format=RdfFormat.N_TRIPLES):
        if not isinstance(quad.object, Literal):
            yield _plain(quad.subject), quad.predicate.value, _plain(quad.object)


def _plain(node: Any) -> str:
    text = str(node)
    return text if text.startswith("_:") else text[1:-1]


def _serialize(statements: Iterable[PlainTriple]) -> bytes:
    def term(it: str) -> str:
        return it if it.startswith("_:") else f"<{it}>"

    return "".join(sorted(f"{term(s)} <{p}> {term(o)} .\n" for s, p, o in statements)).encode()


def _prepare(nt: bytes) -> _Told:
    from pyoxigraph import Literal, RdfFormat, parse

    quads = [q for turtle in ontology_turtle() for q in parse(input=turtle, format=RdfFormat.TURTLE)]
    try:
        quads += parse(input=nt, format=RdfFormat.N_TRIPLES)
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"the facts are not N-Triples: {error}") from error
    labels: dict[str, str] = {}
    cardinalities = []
    statements: list[PlainTriple] = []
    for quad in quads:
        subject, predicate, it = quad.subject, quad.predicate.value, quad.object
        if not isinstance(it, Literal):
            statements.append((_plain(subject), predicate, _plain(it)))
        elif predicate == _RDFS + "label":
            labels.setdefault(_plain(subject), it.value)
        elif it.datatype.value == _CARDINALITY and predicate.startswith(_OWL):
            cardinalities.append(f"{subject} {quad.predicate} {it} .\n")
    axioms, facts = _divide(statements)
    individuals = {(node, TYPE, _NAMED) for s, p, o in facts for node in ((s,) if p == TYPE else (s, o))}
    triples = _serialize({*axioms, *facts, *individuals}) + "".join(cardinalities).encode()
    return _Told(tuple(axioms), frozenset(facts), labels, triples)


def _divide(statements: Iterable[PlainTriple]) -> tuple[list[PlainTriple], set[PlainTriple]]:
    """Part axioms from facts; what is neither (annotations, undeclared properties) is left out."""
    known = list(statements)
    of_kind: dict[str, set[str]] = defaultdict(set)
    for s, p, o in known:
        if p == TYPE:
            of_kind[o.removeprefix(_OWL)].add(s)
    classes, links = of_kind["Class"], of_kind["ObjectProperty"]
    silent = of_kind["AnnotationProperty"] | of_kind["Ontology"] | _UNWRITTEN
    words = classes | links | of_kind["DatatypeProperty"] | silent
    axioms, facts = [], set()
    for s, p, o in known:
        if s in silent or o in _UNWRITTEN:
            continue
        if p == TYPE and not o.startswith(_LOGICAL):
            told = o in classes and s not in words
        elif p.startswith(_LOGICAL):
            axioms += [(s, p, o)] if p not in _NOT_LOGICAL else []
            continue
        else:
            told = p in links and not {s, o} & words
        if told and not s.startswith("_:") and not o.startswith("_:"):
            facts.add((s, p, o))
    return axioms, facts


# -- the process --------------------------------------------------------------------------------------


def _run(triples: bytes, reasoner: str, java: str, timeout: float, memory: int) -> dict[str, str | bool]:
    command = [sys.executable, "-P", "-m", "rulesgraph.ontology.reasoner", reasoner, java, str(memory)]
    with tempfile.TemporaryDirectory(prefix="rulesgraph-") as folder:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "TMPDIR": folder},
            start_new_session=True,
        )
        try:
            out, talk = process.communicate(triples, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise ReasonerError(
                f"{reasoner} did not come to an end within {timeout:g} seconds",
                way_out="Allow it more time, or reason over fewer editions at once.",
            ) from None
        finally:
            _end(process)
    findings: dict[str, str | bool] = {"failure": talk.decode()}
    if process.returncode == 0:
        findings = json.loads(out)
    if "failure" in findings:
        raise _failure(reasoner, str(findings["failure"]), memory)
    return findings


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process together with its Java, which would outlive it."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    if process.stdin:
        with contextlib.suppress(BrokenPipeError):  # it may still hold facts that were never read
            process.stdin.close()


def _failure(reasoner: str, talk: str, memory: int) -> ReasonerError:
    if "OutOfMemoryError" in talk:
        return ReasonerError(
            f"{reasoner} needs more than {memory} MB of memory",
            way_out="Allow it more memory, or reason over fewer editions at once.",
        )
    last = [line for line in talk.splitlines() if line.strip()]
    return ReasonerError(f"{reasoner} failed: {last[-1] if last else 'without a word'}")


# -- what it found ------------------------------------------------------------------------------------


def _following(told: _Told, found: Iterable[PlainTriple]) -> set[PlainTriple]:
    """Return what follows about named things: the reasoner's findings with all that is above them.

    A reasoner names the narrowest class and property only; what the facts say already is left out.
    """
    found = list(found)
    hierarchy = Hierarchy.of((*told.axioms, *found))
    named = {it for s, p, o in told.facts for it in ((s,) if p == TYPE else (s, o))}
    following: set[PlainTriple] = set()
    for s, p, o in (*told.facts, *found):
        if s not in named:
            continue
        if p == TYPE:
            following |= {(s, TYPE, name) for name in hierarchy.above_class(o)}
        elif o in named:
            following |= {(s, wider, o) for wider in hierarchy.above_property(p)}
    ours = {s for s in following if not s[2].startswith((_OWL, "_:")) and s[1] not in _UNWRITTEN}
    return ours - told.facts


def _explain(clashes: list[Clash], labels: dict[str, str], words: str) -> str:
    lines = []
    for clash in clashes[:_SHOWN]:
        lines.append(f"{clash.reason}, but:")
        lines += [f"  {in_words(statement, labels)}" for statement in clash.statements]
    if len(clashes) > _SHOWN:
        lines.append(f"… and {len(clashes) - _SHOWN} more")
    _, _, reasons = words.partition("Explanation(s):")
    return "\n".join([*lines, *([reasons.strip()] if reasons else [])])
