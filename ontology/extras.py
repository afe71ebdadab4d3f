"""Say what to install for a missing extra, or a missing package, of this one."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import sysconfig
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
    return installing(*(f'"{it.partition(";")[0].strip()}"' for it in wanted)) if wanted else ""


def _is_installed(requirement: str) -> bool:
    name = re.match(r"[\w.-]+", requirement)
    return name is None or any(distributions(name=name[0]))


def installing(*packages: str) -> str:
    """Return the command that installs packages for this Python; the `pip` on the path may be another's.

    Where the system manages it (PEP 668), no installer may; the command then makes an environment on top.
    """
    named, folder = " ".join(packages), Path(sys.executable).parent
    python = shlex.quote(str(folder.resolve() / Path(sys.executable).name))
    if _is_managed():
        made = f"rulesgraph-env/bin/{Path(sys.executable).name}"
        return (
            f"{python} -m venv --system-site-packages rulesgraph-env && {made} -m pip install {named}"
            f" # then use {made} (-m rulesgraph): the system manages this Python"
        )
    found = shutil.which("pip")
    if found and Path(found).parent == folder:
        return f"pip install {named}"
    return (
        f"{python} -m pip install {named}"
        if find_spec("pip")
        else f"uv pip install --python {python} {named}"
    )


def _is_managed() -> bool:
    """Return whether the system manages the packages of this Python, which is in no virtual environment."""
    library = sysconfig.get_path("stdlib", sysconfig.get_default_scheme())
    return sys.prefix == sys.base_prefix and Path(library, "EXTERNALLY-MANAGED").exists()
