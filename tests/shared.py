"""Where the real documents are: in `$RULESGRAPH_SHARED`, else in `shared` beside the checkout."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PLACE = Path(os.environ.get("RULESGRAPH_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def documents(place: Path | str = PLACE) -> Path:
    """Return the folder of real documents that a script measures; without them it ends with a sentence."""
    folder = Path(place)
    if not (folder / "corpora").is_dir():
        sys.exit(f"the real documents are not at {folder} (set RULESGRAPH_SHARED)")
    return folder
