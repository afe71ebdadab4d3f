"""Say what to install for a missing extra of this package."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path


def remedy(extra: str) -> str:
    """Return the command that installs an extra's packages into the environment of this program.

    It names the packages themselves, like the installed package. `rulesgraph[web]` would name whatever
    distribution has that name in a package index.

    >>> remedy("shapes").endswith('pip install "pyshacl>=0.30"')
    True
    """
    wanted = [it for it in requires("rulesgraph") or () if re.search(rf"extra == ['\"]{extra}['\"]", it)]
    return f"{installer()} " + " ".join(f'"{it.partition(";")[0].strip()}"' for it in wanted)


def installer() -> str:
    """Return the installer of this environment: the `pip` on the path may belong to another one."""
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return "pip install"
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install" if find_spec("pip") else f"uv pip install --python {python}"
