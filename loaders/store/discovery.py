"""The address of a server becomes that of its SPARQL endpoint, where it is one of the usual places."""

from __future__ import annotations

import urllib.parse

from .client import Client, RefusedError

_ENDPOINTS = ("/query", "/sparql")
"""Where Oxigraph's server, rulesgraph's own and Virtuoso answer, and Fuseki behind the name of a data set."""

_SECONDS = 20.0
_QUERY = urllib.parse.urlencode({"query": "ASK { }"}).encode()
_HEADERS = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Accept": "application/sparql-results+json, application/sparql-results+xml;q=0.8",
}


def endpoint_address(address: str) -> str:
    """Return the address for queries: of a server, or of one of its data sets, the one that it answers at.

    One that ends as those of endpoints do, or whose server answers nowhere, stays as it is.

    Raises `UsageError` for what is no address, `StoreError` when nobody answers there, or asks for a
    password that is not given.
    """
    Client(address)  # refuses what is none
    parts = urllib.parse.urlsplit(address)
    path = parts.path.rstrip("/")
    if path.endswith(_ENDPOINTS):
        return address
    below = [path + it for it in _ENDPOINTS]
    for it in [parts.path, *below] if path else [*below, "/"]:  # some answer at their root
        place = parts._replace(path=it).geturl()
        client = Client(place)
        try:
            answer = client.post(client.location, _QUERY, _HEADERS, _SECONDS, retry=False)
        except RefusedError as error:
            if error.status in {401, 403}:
                raise
            continue
        if "sparql-results" in answer.media_type:
            return place
    return address
