"""The server's configuration: read strictly, and refused with every reason."""

from __future__ import annotations

import json
import os
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ledgergate.errors import LedgergateError
from ledgergate.hosts.server_config import ServerConfig, read_server_config
from support.acks import KIM, signers

SCHEMA: dict[str, Any] = json.loads(files("ledgergate.hosts").joinpath("server.schema.json").read_text("utf-8"))


def config(folder: Path, text: str) -> ServerConfig:
    (folder / "c.toml").write_text(text)
    return read_server_config(folder / "c.toml")


def test_the_least_configuration(tmp_path: Path) -> None:
    assert config(tmp_path, "version = 1\n") == ServerConfig(None, require=True, deadline_s=4.5, deletable_refs=())


def test_every_key(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text(signers(KIM))
    text = 'signers = "mine"\nrequire = ["refs/heads/*"]\ndeadline_s = 2\ndeletable_refs = ["refs/heads/old/**"]\n'
    found = config(tmp_path, f"version = 1\n{text}")
    assert found == ServerConfig(signers(KIM).encode(), ("refs/heads/*",), 2.0, ("refs/heads/old/**",))
    assert (found.requires("refs/heads/any"), found.requires("refs/tags/v1")) == (True, False)
    assert (found.may_delete("refs/heads/old/1"), found.may_delete("refs/heads/main")) == (True, False)


def test_patterns_match_as_those_of_the_policy_do() -> None:
    found = ServerConfig(require=("refs/heads/Main",))
    assert found.requires("refs/heads/main")
    assert not found.requires("refs/heads/x/refs/heads/main")
    assert not ServerConfig(require=True).requires("refs/heads/main")
    assert not ServerConfig(require=False).requires("refs/heads/main")


def is_valid(text: str) -> bool:
    document = tomllib.loads(text)
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(document))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "version: must be there"),
        ("version = 2\n", "version: must be there, and 1"),
        ("version = true\n", "version: must be there"),
        ("version = 1\nrequires = true\n", 'requires: unknown key; did you mean "require"?'),
        ("version = 1\nrequire = 1\n", "require: must be a list of texts, not a whole number"),
        ("version = 1\nrequire = ['refs/heads/[']\n", "cannot be read as a glob"),
        ("version = 1\ndeletable_refs = ['refs/heads/[z-a]']\n", "cannot be read as a glob"),
        ("version = 1\nrequire = ['main']\n", 'entry 1 ("main") must begin with refs/'),
        ("version = 1\ndeadline_s = 0\n", "deadline_s: must be more than 0"),
        ("version = 1\ndeadline_s = true\n", "deadline_s: must be a number"),
        ("version = 1\ndeadline_s = nan\n", "deadline_s: must be more than 0"),
        ("version = 1\ndeadline_s = inf\n", "deadline_s: must be more than 0"),
        ("version = 1\ndeletable_refs = 'x'\n", "deletable_refs: must be a list of texts"),
        ("version = 1\nsigners = ''\n", "signers: is empty"),
        ("version = 1\nsigners = 'nowhere'\n", "No such file"),
        ("version = 1\nsigners = 'c.toml'\n", "signers: "),
        ("version = \n", "is not valid TOML"),
        ("\ufeffversion = 1\n", "byte order mark"),
    ],
)
def test_what_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LedgergateError) as caught:
        config(tmp_path, text)
    assert caught.value.rule == "policy-unreadable"
    assert said in caught.value.message
    assert caught.value.path == str(tmp_path / "c.toml")
    # What no schema sees: the file that is named, what is no glob, no TOML, or no number of JSON.
    if not any(word in text for word in ("nowhere", "c.toml", "heads/[", "version = \n", "\ufeff", "nan")):
        assert not is_valid(text)


@pytest.mark.parametrize(
    "text",
    [
        "version = 1\n",
        "version = 1\nrequire = false\n",
        "version = 1\nrequire = ['refs/heads/**', 'refs/tags/v*']\ndeletable_refs = []\ndeadline_s = 3600\n",
        "version = 1\nrequire = ['refs/heads/ä']\ndeadline_s = 0.5\n",
    ],
)
def test_reader_and_schema_take_the_same(tmp_path: Path, text: str) -> None:
    config(tmp_path, text)
    assert is_valid(text)


def test_the_schema_names_the_defaults() -> None:
    found = {name: entry["default"] for name, entry in SCHEMA["properties"].items() if "default" in entry}
    usual = ServerConfig()._replace(deletable_refs=[])._asdict()  # type: ignore[arg-type]
    assert found == {name: value for name, value in usual.items() if name != "signers"}


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero")):
        with pytest.raises(LedgergateError, match="no regular file"):
            read_server_config(path)
        with pytest.raises(LedgergateError, match=r"signers: .*no regular file"):
            config(tmp_path, f"version = 1\nsigners = '{path}'\n")
    # Its twin: a link to a file is one.
    (tmp_path / "mine").write_text(signers(KIM))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(tmp_path / "mine")
    assert config(tmp_path, "version = 1\nsigners = 'link'\n").signers == signers(KIM).encode()


def test_every_problem_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgergateError) as caught:
        config(tmp_path, "require = 1\ndeadline = 2\n")
    assert all(f" {key}: " in caught.value.message for key in ("version", "require", "deadline"))
    # The hook's last word is one line: a break in it would be shown as what it is.
    assert "\n" not in caught.value.message


def test_a_configuration_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(LedgergateError, match="nothing is accepted"):
            read_server_config(path)
