"""Say what to install for an extra of this package that is missing."""

from __future__ import annotations

import re
from importlib.metadata import requires


def remedy(extra: str) -> str:
    """Return the command that installs what an extra needs.

    It names the packages themselves, as the installed package does. `rulesgraph[web]` would name whatever
    distribution a package index has under that name.

    >>> remedy("shapes")
    'pip install "pyshacl>=0.30"'
    """
    wanted = [it for it in requires("rulesgraph") or () if re.search(rf"extra == ['\"]{extra}['\"]", it)]
    return "pip install " + " ".join(f'"{it.partition(";")[0].strip()}"' for it in wanted)
