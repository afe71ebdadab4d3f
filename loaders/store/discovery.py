"""The address of a server becomes that of its SPARQL endpoint, where it is one of the usual places."""

from __future__ import annotations

import urllib.parse

from ...ontology.errors import StoreError
from ..http.shown import without_password
from .client import Client, RefusedError

_ENDPOINTS = ("/query", "/sparql")
"""Where Oxigraph's server, rulesgraph's own and Virtuoso answer, and Fuseki behind the name of a data set."""

_NOT_HERE = {404, 405, 410, 415, 501}
"""What a server says of an address that is none of an endpoint."""

_SECONDS = 20.0
_QUERY = urllib.parse.urlencode({"query": "ASK { }"}).encode()
_HEADERS = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Accept": "application/sparql-results+json, application/sparql-results+xml;q=0.8",
}


def endpoint_address(address: str) -> str:
    """Return the address for queries: of a server, or of one of its data sets, the one that it answers at.

    One that ends as those of endpoints do, or whose server is busy or in trouble, stays as it is.

    Raises `UsageError` for what is no address, `StoreError` when nobody answers there, when somebody asks
    for a password that is not given, or has no endpoint there.
    """
    Client(address)  # refuses what is none
    parts = urllib.parse.urlsplit(address)
    path = parts.path.rstrip("/")
    if path.endswith(_ENDPOINTS):
        return address
    below = [path + it for it in _ENDPOINTS]
    elsewhere = True
    for it in [parts.path, *below] if path else [*below, "/"]:  # some answer at their root
        place = parts._replace(path=it).geturl()
        client = Client(place)
        try:
            answer = client.post(client.location, _QUERY, _HEADERS, _SECONDS, retry=False)
        except RefusedError as error:
            if error.status in {401, 403}:
                raise
            elsewhere = elsewhere and error.status in _NOT_HERE
            continue
        if "sparql-results" in answer.media_type:
            return place
    if elsewhere:
        raise _nowhere(without_password(parts._replace(path=path, fragment="").geturl()), path)
    return address


def _nowhere(address: str, path: str) -> StoreError:
    """Return what is wrong with an address where a server answers, and no endpoint."""
    below = " or ".join(path + it for it in _ENDPOINTS)
    way_out = "Is the name of the data set right? Else name the endpoint itself."
    if not path:
        names = f"{address}/NAME (Fuseki), {address}/repositories/NAME (GraphDB)"
        way_out = f"Name the data set that is meant: {names};\n  or the endpoint itself."
    return StoreError(
        f"the server has no SPARQL endpoint there, nor at {below}", where=address, way_out=way_out
    )
