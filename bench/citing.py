"""Citations in source trees: finding them, compared with a search with the same pattern, and judging them."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random

from rulesgraph.queries.citing.cite import SourceTree, judged
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.session import Session

FILES, LINES, CITING, CITED = 2_000, 500, 10, 10
"""The number of files, and of lines in each; every tenth file has so many citations."""

PATTERN = r"(CR|[Rr]ules?)[ :#(_-]{0,3}[1-9][0-9][0-9]|[1-9][0-9][0-9][._][1-9][0-9]{0,2}[a-z]?"

CitingFigure = tuple[str, float, str, float, str]
"""The measurement, seconds of CPU, the comparison, its seconds, and the aim."""


def citing(session: Session, folder: Path) -> list[CitingFigure]:
    """Measure a tree of a million lines with 2,000 citations: seconds of CPU."""
    material = material_of(session)
    _write_tree(folder, [it for it in material.titles if "." in it])
    program = ["rg", "-o", "--no-ignore"] if shutil.which("rg") else ["grep", "-rEo"]

    def searching() -> None:
        found = subprocess.run([*program, PATTERN, str(folder)], capture_output=True, check=True)
        assert found.stdout.count(b"\n") >= FILES

    tree = SourceTree([str(folder)])
    sites = tree.read().sites
    numbers = {number for it in sites for number in it.citation.numbers}
    finding, plain = _spent(tree.read), _spent(searching)
    judging = _spent(lambda: judged(material, sites, ""))
    called = " ".join(program[:2])
    return [
        (f"citations of {FILES * LINES:,} lines, found, CPU", finding, called, plain, "10"),
        (f"{len(sites):,} of {len(numbers):,} numbers, judged, CPU", judging, "finding them", finding, "1"),
    ]


def _spent(work: Callable[[], object]) -> float:
    """Return the least seconds of CPU of three runs, including the processes that they start."""

    def now() -> float:
        both = (resource.getrusage(it) for it in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(it.ru_utime + it.ru_stime for it in both)

    took = []
    for _ in range(3):
        before = now()
        work()
        took.append(now() - before)
    return min(took)


def _write_tree(folder: Path, numbers: list[str]) -> None:
    random = Random(1)
    code = [f"    let held_{n} = lantern.oil({n}){'' if n % 10 else f' + {n}.5'};\n" for n in range(LINES)]
    for n in range(FILES):
        lines = [*code]
        for place in random.sample(range(LINES), CITED) if n % CITING == 0 else ():
            lines[place] = f"    // CR {random.choice(numbers)}: the keeper does it here\n"
        path = folder / f"{n % 40}" / f"lantern_{n}.rs"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8")
