"""Say what to install for a missing extra, or a missing package, of this one."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from importlib.metadata import distributions, requires
from importlib.util import find_spec
from pathlib import Path


def remedy(extra: str = "") -> str:
    """Return the command that installs an extra's packages into the environment of this program.

    Without an extra, these are the packages that a plain installation lacks; ``""`` if it has all of them.

    It names the packages themselves, like the installed package. `rulesgraph[web]` would name whatever
    distribution has that name in a package index.

    >>> '"pyshacl>=0.30"' in remedy("shapes")
    True
    """
    known = requires("rulesgraph") or ()
    if extra:
        wanted = [it for it in known if re.search(rf"extra == ['\"]{extra}['\"]", it)]
    else:
        wanted = [it for it in known if "extra ==" not in it and not _is_installed(it)]
    return " ".join((installer(), *(f'"{it.partition(";")[0].strip()}"' for it in wanted))) if wanted else ""


def _is_installed(requirement: str) -> bool:
    name = re.match(r"[\w.-]+", requirement)
    return name is None or any(distributions(name=name[0]))


def installer() -> str:
    """Return the installer of this environment: the `pip` on the path may belong to another one."""
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return "pip install"
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
