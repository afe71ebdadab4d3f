"""Build wheel and sdist and try each in a fresh environment, for `make release-check`.

Each is installed into an empty environment of every available Python from 3.11 on, away from this folder,
where it does what `make demo` does. Any failure ends the program with the command and its output.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = (sys.executable, "-m", "uv")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
DEMO = (
    ("rulesgraph", "--version"),
    ("rulesgraph", "build"),
    ("rulesgraph", "ask", "Which terms rely on state-based effects?"),
    ("rulesgraph", "viz", "--around", "State-Based Effects", "--depth", "2", "-o", "graph.html"),
    ("rulesgraph", "viz", "-o", "map.html"),
    ("rulesgraph", "export", "--as", "turtle", "-o", "starter.ttl"),
    ("rulesgraph", "check"),
    ("python", "-c", "import rulesgraph; print(rulesgraph.open('rulesgraph-store').rule('G12.9').title)"),
)


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Run a command in a folder and return its output; on failure, end the program with that."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def pythons() -> Iterator[str]:
    """Yield the available interpreters, one of each version."""
    for version in VERSIONS:
        command = (*UV, "python", "find", "--no-python-downloads", "--system", version)
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.returncode == 0:
            yield found.stdout.strip()


def built() -> list[Path]:
    """Return wheel and sdist, newly built into `dist`, the wheel with the editor of the SPARQL page."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    run((*UV, "build", "--no-build-isolation", "--python", sys.executable, "--out-dir", "dist"), ROOT)
    packages = sorted((ROOT / "dist").glob("rulesgraph-*.*"))
    with zipfile.ZipFile(next(it for it in packages if it.suffix == ".whl")) as wheel:
        for name in ("editor.js", "editor.js.licences.txt"):
            wheel.getinfo(f"rulesgraph/app/web/pages/static/{name}")
    return packages


def tried(package: Path, python: str) -> str:
    """Install a package into an empty environment and run the demo there; return its version."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run((*UV, "venv", "--python", python, "env"), folder)
        run((*UV, "pip", "install", "--python", "env/bin/python", package), folder)
        said = [run((folder / "env/bin" / command[0], *command[1:]), folder) for command in DEMO]
        assert said[-1] == "Legendary\n", said[-1]
        return said[0].strip()


if __name__ == "__main__":
    for package in built():
        for python in pythons():
            print(f"{package.name} with {python}: {tried(package, python)}, the demo runs", flush=True)
