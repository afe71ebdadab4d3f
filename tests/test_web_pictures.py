"""Pictures from the service: maps and views, made in a separate process, with their words beside them."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import rulesgraph
from rulesgraph.app.python.picture import PictureRequest
from rulesgraph.app.web.headers import compressed
from rulesgraph.app.web.limits import FairTurns
from rulesgraph.app.web.pages.edition_snapshot import EditionSnapshot
from rulesgraph.app.web.pages.pictures import Drawn, PictureDrawer, drawn
from rulesgraph.app.web.pages.routing import wanted_picture
from rulesgraph.app.web.service import application
from rulesgraph.ontology.errors import StoreExhaustedError
from rulesgraph.queries.session import Edition, Session
from starlette.requests import Request
from starlette.testclient import TestClient


@pytest.fixture(scope="module")
def web(mini_store: Path) -> Iterator[TestClient]:
    """A client of the service over the mini game."""
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as client:
        yield client


class _Waiting(PictureDrawer):
    """Makes a picture only when told to, and notes when one was requested."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go = Event(), Event()
        self.made = 0

    async def _run(self, location: str, wanted: PictureRequest, memory: int) -> Drawn:
        self.begun.set()
        assert await asyncio.to_thread(self.go.wait, 60)
        self.made += 1
        return await asyncio.to_thread(lambda: drawn(rulesgraph.open(location), wanted))


def test_pages_are_answered_while_the_map_is_made_once(mini_store: Path) -> None:
    service, drawer = application(mini_store), _Waiting()
    service.state.renderer._drawer = drawer
    with TestClient(service) as client, ThreadPoolExecutor(2) as visitors:
        first, second = (visitors.submit(client.get, "/map") for _ in range(2))
        assert drawer.begun.wait(60)
        assert client.get("/term/flutter.html", headers={"Accept": "text/html"}).status_code == 200
        assert not first.done()
        assert not second.done()
        drawer.go.set()
        assert first.result().text == second.result().text
        assert (first.result().status_code, drawer.made) == (200, 1)
        assert client.get("/map").text == first.result().text
        assert drawer.made == 1
        unknown = "/map?answer=definition&with=nothing of the kind"
        refused = client.get(unknown, headers={"Accept": "text/plain"})
        said = "no term or number is called 'nothing of the kind'"
        assert (refused.status_code, refused.text.splitlines()[0]) == (404, said)


def test_two_services_in_one_process_do_not_disturb_each_other(
    mini_store: Path, starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads its edition once however they alternate, and continues when the other one ends."""
    read: list[str] = []

    class Counted(EditionSnapshot):
        def __init__(self, session: Session, edition: Edition, *, words: bool = True) -> None:
            read.append(edition.id)
            super().__init__(session, edition, words=words)

    monkeypatch.setattr("rulesgraph.app.web.pages.layout.EditionSnapshot", Counted)
    ending, staying = application(mini_store), application(starter_store)
    drawing = staying.state.renderer._drawer = _Waiting()
    with TestClient(staying) as second, ThreadPoolExecutor(1) as visitor:
        with TestClient(ending) as first:
            for address in ("/terms.html", "/index.html", "/search?q=moth", "/about.html", "/defects.html"):
                assert [it.get(address).status_code for it in (first, second)] == [200, 200]
            picture = visitor.submit(second.get, "/map")
            assert drawing.begun.wait(60)
        drawing.go.set()
        assert picture.result().status_code == 200
        assert second.get("/questions.html").status_code == 200
        assert drawing.made == 1
    assert sorted(read) == ["cr-2031-07-01", "starter"]


def test_a_page_is_compressed_once_for_all_who_take_it_so(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[bytes] = []

    def pack(body: bytes) -> bytes:
        packed.append(body)
        return compressed(body)

    monkeypatch.setattr("rulesgraph.app.web.pages.renderer.compressed", pack)
    with TestClient(application(mini_store)) as client:
        plain, *both = (
            client.get("/map", headers={"Accept-Encoding": taken}) for taken in ("identity", "gzip", "gzip")
        )
        told = [(it.headers.get("content-encoding"), it.headers["vary"]) for it in (plain, *both)]
        vary = "Accept, Accept-Encoding, Origin"
        assert told == [(None, vary), ("gzip", vary), ("gzip", vary)]
        assert plain.text == both[0].text == both[1].text
        assert packed == [plain.content]
        assert int(both[0].headers["content-length"]) == len(compressed(plain.content))
        tags = plain.headers["etag"], both[0].headers["etag"]
        assert tags[0] != tags[1]
        for taken, has in (("identity", 304), ("gzip", 200)):
            asked = {"Accept-Encoding": taken, "If-None-Match": tags[0]}
            assert client.get("/map", headers=asked).status_code == has
        again = client.get("/map", headers={"Accept-Encoding": "gzip", "If-None-Match": tags[1]})
        assert (again.status_code, again.content) == (304, b"")
        assert len(packed) == 1


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (b"depth=2&with=Moth", PictureRequest()),
        (b"around=Moth&depth=99", PictureRequest("Moth", 3)),
        (b"around=Moth&depth=two&edition=", PictureRequest("Moth")),
        (
            b"answer=definition&with=Moth&editions=all",
            PictureRequest(answer=("definition", "Moth"), editions="all"),
        ),
    ],
)
def test_addresses_that_mean_the_same_are_one_picture(said: bytes, meant: PictureRequest) -> None:
    assert wanted_picture(Request({"type": "http", "query_string": said})) == meant


def test_the_map_has_its_words_beside_it_and_a_picture_in_a_file_holds_them(
    web: TestClient, mini_store: Path
) -> None:
    whole = data_of(rulesgraph.open(mini_store).picture().html)
    for asked in ("", "?edition=cr-2031-07-01", "?answer=statistics"):
        apart = data_of(web.get(f"/map{asked}").text)
        words = web.get(f"/map/words.json{asked}")
        assert words.headers["content-type"] == "application/json"
        told = words.json()
        assert told["of"] == apart["words"]["of"]
        assert [node.get("passages", []) for node in whole["nodes"]] == told["words"]
        bare = [{key: it[key] for key in it if key != "passages"} for it in whole["nodes"]]
        assert [apart["nodes"], apart["links"]] == [bare, whole["links"]]
    assert "words" not in whole
    again = web.get("/map/words.json", headers={"If-None-Match": web.get("/map/words.json").headers["etag"]})
    assert again.status_code == 304
    policy = web.get("/map").headers["content-security-policy"]
    assert "connect-src 'self'" in policy
    assert "connect-src" not in rulesgraph.open(mini_store).picture().html
    refused = web.get("/map/words.json?around=Moth", headers={"Accept": "text/plain"})
    assert (refused.status_code, refused.text) == (404, "This page already contains its text.\n")


def data_of(html: str) -> dict[str, Any]:
    """Return what the script of a map reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_map_through_time_has_its_words_beside_it(web: TestClient, mini_store: Path) -> None:
    whole = data_of(rulesgraph.open(mini_store).picture(editions="all").html)
    apart = data_of(web.get("/map?editions=all").text)
    told = web.get("/map/words.json?editions=all").json()
    assert (told["of"], told["words"]) == (apart.pop("words")["of"], whole.pop("texts"))
    assert apart == whole


def test_who_asks_for_too_many_pictures_is_sent_away(mini_store: Path) -> None:
    service, drawer = application(mini_store), _Waiting()
    drawer._turns = FairTurns(0, 0, 0)
    service.state.renderer._drawer = drawer
    with TestClient(service) as client:
        answer = client.get("/map")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")


def test_a_picture_comes_out_of_its_process_as_it_is_made_here(mini_store: Path) -> None:
    wanted = PictureRequest(answer=("definition", "Flutter"))

    async def run(location: Path, memory: int) -> Drawn:
        return await PictureDrawer().draw(str(location), wanted, memory)

    assert asyncio.run(run(mini_store, 1 << 28)) == drawn(rulesgraph.open(mini_store), wanted)
    for location, memory in ((mini_store / "nowhere", 1 << 30), (mini_store, 1 << 20)):
        with pytest.raises(StoreExhaustedError, match="failed"):
            asyncio.run(run(location, memory))


def test_a_picture_that_is_stopped_leaves_no_process(mini_store: Path) -> None:
    """Whether it waits, starts or runs; a process left behind would be reported as a warning."""

    async def work() -> None:
        drawer = PictureDrawer()
        for seconds in (0.0, 0.05, 0.3):
            tasks = [
                asyncio.ensure_future(drawer.draw(str(mini_store), PictureRequest(), 1 << 30))
                for _ in range(2)
            ]
            await asyncio.sleep(seconds)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert [*map(type, ended)] == [asyncio.CancelledError] * 2

    asyncio.run(work())
    gc.collect()


def test_no_thread_of_a_service_is_left_when_it_ends(mini_store: Path) -> None:
    before = {*threading.enumerate()}
    with TestClient(application(mini_store)) as client:
        assert client.get("/map").status_code == 200
        own = {it for it in threading.enumerate() if it.name.startswith("pages")} - before
        assert len(own) == 1
    for thread in own:
        thread.join(20)
        assert not thread.is_alive()
