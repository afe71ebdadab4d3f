"""Facts together with the vocabulary become what follows from them, or the facts that contradict.

The reasoners of owlready2 run in a process of their own under a limit of time and memory. What they
are not told is named (`briefing`).
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .briefing import UNWRITTEN, Briefing, Objection, prepare, read_statements, serialize
from .clashes import Clash, find_clashes
from .errors import ReasonerError, UsageError
from .hierarchy import Hierarchy
from .java import find_java
from .literals import is_literal
from .statements import TYPE, PlainTriple, in_words
from .terms import PREFIXES

LEAST_JAVA = {"hermit": 8, "pellet": 25}
"""The reasoners, and the Java that the jars of each were made for."""

_OWL = PREFIXES["owl"]
_SHOWN = 10
"""How many clashes an explanation spells out."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What a reasoner found.

    `inferred` are the statements that follow and were not told, as sorted N-Triples (empty when the
    facts contradict); `explanation` says in words what contradicts, or which classes can have no
    members; `reasons` are the axioms by which Pellet explains a contradiction, in its own notation;
    `clashes` are the contradicting facts, where they were found, `objections` the statements that the
    reasoner was not told, or not as they stand.
    """

    consistent: bool
    inferred: bytes
    explanation: str
    clashes: tuple[Clash, ...] = ()
    objections: tuple[Objection, ...] = ()
    reasons: str = ""


def reason(
    nt: bytes,
    *,
    reasoner: str = "hermit",
    timeout: float = 60,
    memory: int = 2000,
    aside: Collection[PlainTriple] = (),
) -> Reasoned:
    """Reason over facts (and axioms of one's own, if any) together with the vocabulary.

    `nt` is N-Triples, of which the facts `aside` are left out; `timeout` is in seconds, `memory` the
    most that Java may take, in megabytes. HermiT is the faster reasoner, Pellet (``"pellet"``) explains
    every contradiction.

    Raises `UsageError` for what is not N-Triples or an unknown reasoner, `ReasonerError` when there
    is no Java to run it or it runs out of time or memory.
    """
    if reasoner not in LEAST_JAVA:
        raise UsageError(f"no reasoner is called {reasoner!r}", way_out=f"Use {' or '.join(LEAST_JAVA)}.")
    told = prepare(nt, aside)
    java = find_java(LEAST_JAVA[reasoner])
    findings = _run(told.triples, reasoner, java, timeout, memory)
    if not findings["consistent"]:
        clashes = find_clashes(told.facts, Hierarchy.of(told.axioms), told.labels)
        _, _, reasons = str(findings["explanation"]).partition("Explanation(s):")
        words = _explain(clashes, told.labels, reasons)
        return Reasoned(False, b"", words, tuple(clashes), told.objections, reasons)
    found = read_statements(str(findings["inferred"]).encode())
    impossible = sorted(s for s, p, o in found if o == _OWL + "Nothing" and not s.startswith(_OWL))
    explanation = "".join(f"Nothing can be {told.labels.get(name, name)}.\n" for name in impossible)
    following = serialize(_following(told, found))
    return Reasoned(True, following, explanation.rstrip(), objections=told.objections)


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
                way_out="Beside other work it waits for the processor. Allow it more time (--time), or "
                "reason over fewer editions at once.",
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


def _following(told: Briefing, found: Iterable[PlainTriple]) -> set[PlainTriple]:
    """Return what follows about named things: the reasoner's findings with all that is above them.

    A reasoner names the narrowest class and property only; what the facts say already is left out.
    """
    links = [it for it in found if not is_literal(it[2])]
    hierarchy = Hierarchy.of((*told.axioms, *links))
    facts = [it for it in told.facts if not is_literal(it[2])]
    named = {it for s, p, o in told.facts for it in ((s,) if p == TYPE else (s, o))}
    following: set[PlainTriple] = set()
    for s, p, o in (*facts, *links):
        if s not in named:
            continue
        if p == TYPE:
            following |= {(s, TYPE, name) for name in hierarchy.above_class(o)}
        elif o in named:
            following |= {(s, wider, o) for wider in hierarchy.above_property(p)}
    ours = {s for s in following if not s[2].startswith((_OWL, "_:")) and s[1] not in UNWRITTEN}
    return ours - told.facts


def _explain(clashes: list[Clash], labels: dict[str, str], reasons: str) -> str:
    lines = []
    for clash in clashes[:_SHOWN]:
        lines.append(f"{clash.reason}, but:")
        lines += [f"  {in_words(statement, labels)}" for statement in clash.statements]
    if len(clashes) > _SHOWN:
        lines.append(f"… and {len(clashes) - _SHOWN} more")
    return "\n".join([*lines, *([reasons.strip()] if reasons else [])])
