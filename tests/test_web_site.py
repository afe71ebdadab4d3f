"""The static site: complete, reproducible, with no dead link, and never in another project's folder."""

from __future__ import annotations

import gzip
import io
import json
import posixpath
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
import rulesgraph.app.web.site.publish as site
from commands import Run
from real import AROUND, rules
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.page_table import NAMES, PAGES, THINGS, page_at, things_of
from rulesgraph.app.web.service import application
from rulesgraph.app.web.site.folder import DRAFT, MANIFEST, file_of, site_folder
from rulesgraph.app.web.site.publish import (
    MadePart,
    Publication,
    links_of,
    publish,
    redirects,
    sitemaps,
)
from rulesgraph.loaders.workers import Workers
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.iris import BASE
from starlette.testclient import TestClient
from test_web_addresses import documents_of

NEW = "edition/cr-2031-07-01"


@pytest.fixture(scope="module")
def made(mini_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Publication]:
    """The site of the mini game, and its report; for tests that only read."""
    place = tmp_path_factory.mktemp("site") / "site"
    return place, publish(rulesgraph.open(mini_store), place)


@pytest.fixture(scope="module")
def wordless(mini_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the mini game without the words of its documents."""
    place = tmp_path_factory.mktemp("wordless") / "site"
    assert publish(rulesgraph.open(mini_store), place, words=False).broken == ()
    return place


def files(place: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {
        it.relative_to(place).as_posix(): it.read_bytes() for it in sorted(place.rglob("*")) if it.is_file()
    }


def test_every_link_leads_to_a_file_of_the_site(made: tuple[Path, Publication]) -> None:
    place, said = made
    assert (said.broken, said.removed) == ((), 0)
    found = files(place)
    assert said.files == said.written == len(found) - 1
    pages = [name for name in found if name.endswith(".html") and name != "404.html"]
    assert said.pages == len(pages) - _leading(found)


def test_every_anchor_leads_to_a_place_on_its_page(made: tuple[Path, Publication]) -> None:
    found = {name: content.decode() for name, content in files(made[0]).items() if name.endswith(".html")}
    # 404.html is shown at any address, and the map's script reads the part of the address after its own.
    dead = set()
    for name in found.keys() - {"404.html"}:
        for link in map(unescape, re.findall(r'href="([^":]*#[^"]+)"', found[name])):
            path, _, anchor = link.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if file in found.keys() - {"map.html"} and f'id="{anchor}"' not in found[file]:
                dead.add((name, link))
    assert dead == set()


def test_pages_have_a_description_and_no_id_twice(made: tuple[Path, Publication]) -> None:
    pages = {name: content.decode() for name, content in files(made[0]).items() if name.endswith(".html")}
    for name, page in pages.items():
        ids = re.findall(r'<[^>]*\sid="([^"]+)"', page)
        assert len(ids) == len(set(ids)), name
        assert '<meta name="description" content="' in page or 'http-equiv="refresh"' in page, name
    # A subrule's place on the page of its rule is called by its letter.
    frame = re.findall(r'\sid="([^"]+)"', pages["terms.html"].partition("<main")[0])
    assert frame
    assert min(map(len, frame)) > 1


def _leading(found: dict[str, bytes]) -> int:
    """Return how many pages link to another one."""
    return sum(b'http-equiv="refresh"' in content for content in found.values())


@pytest.mark.long(small="test_of_the_same_state_nothing_is_made_again_unless_a_file_is_missing")
def test_a_second_run_writes_nothing(made: tuple[Path, Publication], mini_store: Path) -> None:
    place, said = made

    def stamps() -> dict[Path, int]:
        found = (it for it in place.rglob("*") if it.is_file() and it.name != MANIFEST)
        return {it: it.stat().st_mtime_ns for it in found}

    before = stamps()
    manifest = json.loads((place / MANIFEST).read_bytes())
    (place / MANIFEST).write_text(json.dumps({**manifest, "state": "another"}))
    again = publish(rulesgraph.open(mini_store), place)
    assert again == replace(said, written=0)
    assert stamps() == before
    assert json.loads((place / MANIFEST).read_bytes()) == manifest


def test_of_the_same_state_nothing_is_made_again_unless_a_file_is_missing(
    made: tuple[Path, Publication], mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, said = made
    monkeypatch.setattr(site, "make", _unwanted)
    monkeypatch.setattr(site, "Workers", lambda _: Workers(1))
    assert publish(rulesgraph.open(mini_store), place) == replace(said, written=0)
    for other in ({"words": False}, {"address": "https://rules.example.org/"}):
        with pytest.raises(AssertionError, match="made again"):
            publish(rulesgraph.open(mini_store), place, **other)
    missing = place / "term" / "flutter.html"
    content = missing.read_bytes()
    missing.unlink()
    with pytest.raises(AssertionError, match="made again"):
        publish(rulesgraph.open(mini_store), place)
    missing.write_bytes(content)


def test_the_command_says_what_there_is_and_how_to_look_at_it(
    made: tuple[Path, Publication], mini_store: Path, run: Run
) -> None:
    place, said = made
    assert run("publish", place, "--store", mini_store) == (
        0,
        "",
        f"{place} now has {said.files:,} files, {said.pages:,} of them pages; 0 were written and 0 removed.\n"
        f"To look at it: python -m http.server --directory {place}\n",
    )


def _unwanted(part: object) -> MadePart:
    raise AssertionError("made again")


SAME = ["index.html", "terms.html", "term/flutter.html", f"{NEW}/rule/101.1.html", f"{NEW}.html"]


@pytest.mark.parametrize("address", SAME)
def test_the_server_gives_the_same_page_but_for_what_it_answers(
    made: tuple[Path, Publication], mini_store: Path, address: str
) -> None:
    context = PageContext(rulesgraph.open(mini_store), live=False)
    assert (made[0] / address).read_text(encoding="utf-8") == page_at(context, address).html


def test_a_site_of_another_state_takes_away_what_is_gone(
    made: tuple[Path, Publication], starter_store: Path, tmp_path: Path
) -> None:
    rules = rulesgraph.open(starter_store)
    place = tmp_path / "site"
    with site_folder(place) as folder:
        names = ("term/gone.html", "deep/er/file.txt", "index.html")
        assert folder.finish(dict(folder.draft(name, b"before") for name in names)) == (3, 0)
    with site_folder(place) as folder:
        kept = [folder.draft("index.html", b"after"), folder.draft("deep", b"a file where a folder was")]
        assert folder.finish(dict(kept)) == (2, 2)
    assert sorted(files(place)) == [MANIFEST, "deep", "index.html"]
    assert rules.editions


def written(place: Path, content: bytes, *names: str) -> tuple[int, int]:
    """Make a site of these files; return how many of them are new, and how many others are gone."""
    with site_folder(place) as folder:
        return folder.finish(dict(folder.draft(name, content) for name in names))


def stopped(place: Path, content: bytes, name: str) -> None:
    """Begin a site, and be stopped."""
    with site_folder(place) as folder:
        folder.draft(name, content)
        assert (place / DRAFT / name).is_file()
        raise KeyboardInterrupt


def test_what_is_stopped_in_the_middle_leaves_the_site_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "new" / "site"
    with pytest.raises(KeyboardInterrupt):
        stopped(place, b"none", "deep/index.html")
    assert list(tmp_path.iterdir()) == []
    written(place, b"one", "index.html")
    with pytest.raises(KeyboardInterrupt):
        stopped(place, b"two", "index.html")
    assert (place / "index.html").read_bytes() == b"one"
    assert sorted(it.name for it in place.iterdir()) == [MANIFEST, "index.html"]


def test_what_was_killed_goes_with_the_next_run(tmp_path: Path) -> None:
    written(tmp_path, b"one", "index.html")
    (tmp_path / DRAFT / "deep").mkdir(parents=True)
    (tmp_path / DRAFT / "deep" / "left.html").touch()
    assert written(tmp_path, b"one", "index.html") == (0, 0)
    assert sorted(it.name for it in tmp_path.iterdir()) == [MANIFEST, "index.html"]


def test_one_process_at_a_time_writes_a_site(tmp_path: Path) -> None:
    with site_folder(tmp_path) as folder:
        kept = folder.draft("index.html", b"one")
        with (
            pytest.raises(UsageError, match="another process is writing a site there"),
            site_folder(tmp_path),
        ):
            pass
        assert folder.finish(dict([kept])) == (1, 0)
    assert sorted(files(tmp_path)) == [MANIFEST, "index.html"]


def stopped_at(name: str, monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> None:
    """Make a site, and be stopped when a file with this name would be put in its place."""
    replace = Path.replace

    def stop(self: Path, target: Path) -> Path:
        if self.name == name:
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            written(*arguments)


@pytest.mark.parametrize("wanted", [b"one", b"two"])
def test_what_is_stopped_while_files_are_replaced_is_mended_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: bytes
) -> None:
    """Whichever words it brings, for those that were replaced and for those that were not."""
    names = ("a.html", "b.html", "c.html")
    written(tmp_path, b"one", *names)
    stopped_at("b.html", monkeypatch, tmp_path, b"two", *names)
    assert [(tmp_path / name).read_bytes() for name in names] == [b"two", b"one", b"one"]
    written(tmp_path, wanted, *names)
    assert [(tmp_path / name).read_bytes() for name in names] == [wanted] * 3


OLD = ("deep/er/file.txt", "deep/other/file.txt", "index.html")


@pytest.mark.parametrize("wanted", [OLD, ("index.html",), ("deep", "index.html")])
@pytest.mark.parametrize("new", [("index.html",), ("deep", "index.html")])
def test_what_is_stopped_after_folders_went_is_mended_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    """Whether it wants them again, or not, or a file where a folder was."""
    written(tmp_path, b"old", *OLD)
    stopped_at("index.html", monkeypatch, tmp_path, b"new", *new)
    assert not (tmp_path / "deep").is_dir()
    written(tmp_path, b"last", *wanted)
    found = files(tmp_path)
    assert found.pop(MANIFEST)
    assert found == dict.fromkeys(wanted, b"last")


@pytest.mark.parametrize("content", ["", "{}", '{"version": 1}', '{"version": 1, "files": []}'])
def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    if content:
        (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(UsageError, match="not from `rulesgraph publish`"), site_folder(tmp_path):
        pass
    assert (tmp_path / "thesis.tex").read_text() == "mine"


@pytest.mark.parametrize("address", ["../up.html", "a/../b", "a//b", "%2e%2e/x", "a%00b", MANIFEST])
def test_no_file_is_written_outside_of_the_site(address: str) -> None:
    with pytest.raises(UsageError):
        file_of(address)


@pytest.mark.long(small="test_only_literals_go")
def test_without_text_no_sentence_of_the_documents_is_told(
    wordless: Path, made: tuple[Path, Publication], mini_store: Path
) -> None:
    texts = rulesgraph.open(mini_store).sparql("SELECT ?t { ?u rg:text ?t }")
    assert isinstance(texts, rulesgraph.Answer)
    sentences = {
        sentence.strip()
        for row in texts
        for sentence in str(row["t"]).split(". ")
        if len(sentence.split()) > 7
    }
    assert len(sentences) > 30
    found = files(wordless)
    packed = gzip.decompress(found.pop("download/rulesgraph.nq.gz")).decode()
    told = packed + "\n".join(
        content.decode() for name, content in found.items() if not name.startswith("static/")
    )
    assert [it for it in sentences if it in told] == []
    whole = "\n".join(content.decode(errors="replace") for content in files(made[0]).values())
    assert sum(it in whole for it in sentences) > 20


def test_the_map_of_the_site_has_every_page(made: tuple[Path, Publication]) -> None:
    place, said = made
    text = (place / "sitemap.xml").read_text(encoding="utf-8")
    assert text.count("<url>") == said.pages
    assert "<url><loc>https://w3id.org/rulesgraph/</loc><lastmod>2031-07-01</lastmod></url>" in text


def test_a_site_elsewhere_names_its_own_address(mini_store: Path, tmp_path: Path) -> None:
    publish(
        rulesgraph.open(mini_store), tmp_path / "site", words=False, address="https://rules.example.org/a"
    )
    found = files(tmp_path / "site")
    home = "https://rules.example.org/a/"
    assert f"<loc>{home}terms.html</loc>" in found["sitemap.xml"].decode()
    assert found["robots.txt"].decode().endswith(f"Sitemap: {home}sitemap.xml\n")
    assert f'<link rel="canonical" href="{home}terms.html">' in found["terms.html"].decode()
    missing = found["404.html"].decode()
    assert 'href="/a/terms.html"' in missing  # it is shown at whatever depth
    assert 'href="../' not in missing
    told = (tmp_path / "site" / "dataset.ttl").read_text(encoding="utf-8")
    assert "<https://rules.example.org/a/download/rulesgraph.nq.gz>" in told


def test_many_pages_are_mapped_in_parts() -> None:
    found = sitemaps("https://example.org/", {f"{k:06}.html": "" for k in range(50_001)})
    assert sorted(found) == ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]
    assert found["sitemap-2.xml"].count("<url>") == 1


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("term/first-strike", "term/first-strike"),
        ("edition/cr-2008-02-01", "edition/cr-2008-02-01"),
        ("edition/cr-2008-02-01/derived", "edition/cr-2008-02-01/derived"),
        ("edition/cr-2008-02-01/rule/420.5a/example/1/ref/1", "edition/cr-2008-02-01/rule/420.5a"),
        ("edition/cr-2008-02-01/sense/turn/1", "edition/cr-2008-02-01/sense/turn/1"),
        ("edition/cr-2008-02-01/list/turn/1/step/2", "edition/cr-2008-02-01/list/turn/1"),
        ("document/g7/attribution/ada", "document/g7/attribution/ada"),
        ("provision/P00001/tenure/cr-1999-04-23", "provision/P00001"),
        ("provision/cr-1999-04-23/214.8c/tenure/cr-1999-04-23", "provision/cr-1999-04-23/214.8c"),
        ("wording/0ab3/ref/1", "wording/0a"),
        ("dataset/edition/starter", "dataset/edition/starter"),
        ("ns/0.2.0", "ns/0.2.0"),
        ("terms", ""),
    ],
)
def test_redirects_lead_to_the_form_that_is_wanted(address: str, file: str) -> None:
    assert led(address, "text/turtle") == (file and f"{HERE}{file}.ttl")
    assert led(address, "text/html, */*") == (file and f"{HERE}{file}.html")


@pytest.mark.long(small="test_every_link_leads_to_a_file_of_the_site")
def test_what_a_fact_leads_to_has_a_page_though_no_term_stands_for_it(
    store_of: Callable[..., Path], shared: Path
) -> None:
    store = rulesgraph.open(store_of(*(rules(shared, day) for day in AROUND)))
    context = PageContext(store, live=False)
    newest = context.newest.id
    turn = context.iris.sense(newest, "turn", 1)
    assert context.snapshot(newest).nameless == [turn]
    pages = {f"{it[len(context.iris.base) :]}.html" for it in things_of(context, newest)}
    address = f"edition/{newest}/sense/turn/1.html"
    assert address in links_of(
        page_at(context, "term/beginning-phase.html").html, "term/beginning-phase.html"
    )
    assert address in pages
    assert page_at(context, address).address == address


@pytest.mark.long(small="test_every_link_leads_to_a_file_of_the_site")
def test_what_a_rule_cites_is_none_of_its_own_parts(store_of: Callable[..., Path], shared: Path) -> None:
    context = PageContext(rulesgraph.open(store_of(*(rules(shared, day) for day in AROUND))), live=False)
    address = f"edition/{context.newest.id}/rule/601.2.html"
    cites = page_at(context, address).html.partition('id="cites"')[2].partition("</section>")[0]
    assert re.findall(r"<a [^>]*>([\d.a-z]+)", cites) == ["601.3", "732"]


ENDINGS = {
    "html": "text/html",
    "ttl": "text/turtle",
    "jsonld": "application/ld+json",
    "rdf": "application/rdf+xml",
    "nt": "application/n-triples",
}
HERE = "https://rules.example.org/"
BESIDES = ("static/", "search/", "w3id/", "sitemap", "robots.txt", "404.html", ".")
"""The files of a site besides its pages and the data of things."""


@pytest.fixture(scope="module")
def addresses(made: tuple[Path, Publication]) -> list[str]:
    """The addresses of the pages and the data of the mini game's site."""
    return [it for it in files(made[0]) if not it.startswith(BESIDES)]


def led(address: str, wanted: str, taken: set[str] | None = None) -> str:
    """Return where the rules for Apache lead from an address below the base; ``""`` for nowhere.

    The rule that leads there is added to `taken`.
    """
    accepted = True
    for line in redirects(HERE).splitlines():
        if line.startswith("RewriteCond"):
            accepted = bool(re.search(line.split(" ", 2)[2], wanted))
        elif line.startswith("RewriteRule"):
            _, pattern, target, _ = line.split(" ")
            if accepted and (found := re.search(pattern, address)):
                if taken is not None:
                    taken.add(line)
                return target.replace("$1", found[1] if found.groups() else "")
            accepted = True
    return ""


HELD = pytest.mark.long(small="test_every_address_of_the_site_is_one_of_the_server")


@pytest.mark.parametrize("data", [False, pytest.param(True, marks=HELD)])
def test_every_address_of_the_site_is_one_of_the_server(
    mini_store: Path, addresses: list[str], data: bool
) -> None:
    """It shows the page there, or leads to the page about the same thing."""
    wanted = [it for it in addresses if it.endswith(".html") is not data]
    assert len(wanted) > 100
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as client:
        assert {it: status for it in wanted if (status := client.get(f"/{it}").status_code) != 200} == {}


def test_the_redirects_lead_from_each_thing_to_what_the_site_has_of_it(addresses: list[str]) -> None:
    stems = {it.rpartition(".")[0] for it in addresses}
    things = {it for it in stems if it.partition("/")[0] in (*THINGS, *NAMES)}
    things -= {it for it in things if it.startswith("question/")}  # pages that are no things
    assert len(things) > 150
    for thing in sorted(things):
        for ending, media in ENDINGS.items():
            # The vocabulary of questions has a page, but no data.
            if thing != "question" or ending == "html":
                assert f"{thing}.{ending}" in addresses
            assert led(thing, media) == f"{HERE}{thing}.{ending}"
    for file in addresses:
        assert led(file, "text/html") == f"{HERE}{file}"


def test_every_address_in_the_data_leads_to_a_file_that_tells_of_it(
    made: tuple[Path, Publication], mini_store: Path
) -> None:
    about = {
        iri.partition("#")[0] for iri in re.findall(r"^<([^>]+)>", _exported(mini_store), flags=re.MULTILINE)
    }
    taken = set[str]()
    for it in (".well-known/void", "", "terms.html"):
        assert (made[0] / file_of(led(it, "text/html", taken).removeprefix(HERE))).is_file()
    for iri in documents_of(mini_store):
        told = {}
        for ending, media in ENDINGS.items():
            file = led(iri.removeprefix(BASE), media, taken).removeprefix(HERE)
            told[ending] = (made[0] / file).read_text(encoding="utf-8")
            assert file.endswith(f".{ending}"), (iri, file)
        assert iri not in about or re.search(rf"^<{re.escape(iri)}[#>]", told["nt"], flags=re.MULTILINE), iri
    assert taken == {it for it in redirects(HERE).splitlines() if it.startswith("RewriteRule")}


def _exported(store: Path) -> str:
    out = io.BytesIO()
    rulesgraph.open(store).export("nquads", out)
    return out.getvalue().decode()


def test_the_site_has_what_the_table_says_and_nothing_else(addresses: list[str]) -> None:
    patterns = {re.sub(r"\\{\w+\\}", "[^/]+", re.escape(it.pattern)) for it in PAGES}
    folders = "|".join(folder for folder, published in THINGS.items() if published)
    things = rf"(?:(?:{folders})/.+|{'|'.join(NAMES)})\.(?:{'|'.join(ENDINGS)})"
    files = r"names\.json|map/words\.json|download/rulesgraph\.nq\.gz"
    assert [it for it in addresses if not re.fullmatch("|".join([*patterns, things, files]), it)] == []
    unused = {it for it in patterns if not any(re.fullmatch(it, name) for name in addresses)}
    assert unused == {r"query\.html", r"cards\.html"}  # a site of files runs no queries, and has no cards


def test_many_changes_are_folded_by_chapter(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = PageContext(rulesgraph.open(mini_store))
    address = "changes/cr-2031-02-01/cr-2031-07-01.html"
    assert '<details class="chapter">' not in page_at(context, address).html
    monkeypatch.setattr("rulesgraph.app.web.pages.overview._FOLDED", 3)
    page = page_at(context, address).html
    assert page.count('<details class="chapter"><summary><h2') == page.count('aria-labelledby="c-') > 0
