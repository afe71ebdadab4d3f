"""A process of its own that reads N-Triples, runs a reasoner of owlready2 and writes its findings.

``python -m rulesgraph.ontology.reasoner hermit /path/to/java MEGABYTES`` reads standard input and
writes one JSON object: ``{"consistent", "inferred", "explanation"}`` or ``{"failure"}``, where
`inferred` is N-Triples. It runs apart so that a reasoner without end can be killed with its Java.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys


def run(triples: bytes, reasoner: str, java: str, memory: int) -> dict[str, str | bool]:
    """Reason over `triples`; `memory` is the most that Java may take, in megabytes."""
    import owlready2  # type: ignore[import-untyped, unused-ignore]

    owlready2.JAVA_EXE = java
    owlready2.reasoning.JAVA_MEMORY = memory
    world = owlready2.World()
    world.get_ontology("urn:rulesgraph:told").load(fileobj=io.BytesIO(triples), format="ntriples")
    inferred = world.get_ontology("urn:rulesgraph:inferred")
    try:
        with inferred:
            if reasoner == "pellet":
                # Level 2 is what makes Pellet explain a contradiction.
                owlready2.sync_reasoner_pellet(world, infer_property_values=True, debug=2)
            else:
                owlready2.sync_reasoner_hermit(world, infer_property_values=True, debug=0)
    except owlready2.OwlReadyInconsistentOntologyError as error:
        return {"consistent": False, "inferred": "", "explanation": _by_the_reasoner(str(error))}
    except owlready2.OwlReadyJavaError as error:
        return {"failure": str(error)}
    out = io.BytesIO()
    inferred.save(out, format="ntriples")
    return {"consistent": True, "inferred": out.getvalue().decode("utf-8"), "explanation": ""}


def _by_the_reasoner(said: str) -> str:
    """Leave out what Java itself says among it: which options it was given by its environment."""
    return "\n".join(line for line in said.splitlines() if not line.startswith("Picked up "))


def main(arguments: list[str]) -> None:
    """Run the process: what the libraries print goes to standard error, the findings to output."""
    reasoner, java, memory = arguments
    with contextlib.redirect_stdout(sys.stderr):
        findings = run(sys.stdin.buffer.read(), reasoner, java, int(memory))
    json.dump(findings, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
