"""User, password and token in the environment are for every store, so for no network that can read them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesgraph.loaders.store.client import Client
from rulesgraph.ontology.errors import UsageError

VARIABLES = ("RULESGRAPH_TOKEN", "RULESGRAPH_USER")


@pytest.mark.parametrize("name", VARIABLES)
def test_the_environment_goes_to_no_other_machine_in_the_clear(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(name, "s3cret")
    with pytest.raises(UsageError) as caught:
        Client("http://rules.example/sparql")
    assert str(caught.value) == (
        f"http://rules.example/sparql: ${name} is not sent over plain http to another machine\n"
        f"  Name an https:// address. User and password in the address, or in ~/.netrc when ${name} "
        "is not set, are sent."
    )
    assert caught.value.exit_code == 2
    given = ("https://rules.example/q", "http://localhost/q", "http://[::1]/q", "http://a:b@rules.example/q")
    assert [Client(it).location for it in given] == [*given[:3], "http://rules.example/q"]
