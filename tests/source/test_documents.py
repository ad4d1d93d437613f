"""TOML and YAML that somebody wrote to be slow, deep or no document at all, and what looks alike."""

from __future__ import annotations

import time

import pytest

from ledgergate.source.documents import read_toml, read_yaml, yaml_node

LONG = "a" + ".b" * 50_000
NO_TOML = {
    "an endless key": f"{LONG} = 1\n",
    "one with blanks": f"a{' . b' * 50_000} = 1\n",
    "one with quotes": f"a{'.' + chr(34) + 'b' + chr(34)}" + '."b"' * 50_000 + " = 1\n",
    "the name of a table": f"[{LONG}]\n",
    "in an inline table": f"a = {{{LONG} = 1}}\n",
    "open brackets": "a = " + "[" * 100_000,
    "open braces": "a = " + "{b = " * 50_000,
    "no document": "a = \n",
}
TOML = {
    "a text of dots": 'a = "' + "." * 5_000 + '"\n',
    "a path": "a = '" + "../" * 500 + "'\n",
    "many texts with dots": "a = [" + ", ".join(['"1.0.tar.gz"'] * 500) + "]\n",
    "many numbers": "a = [" + ", ".join(["1.5"] * 500) + "]\n",
    "many keys": "".join(f"a.b.k{number} = 1\n" for number in range(500)),
}
NO_YAML = {
    "open brackets": "[" * 100_000,
    "open braces": "{a: " * 20_000,
    "dashes": "- " * 50_000,
    "indents": "".join(" " * depth + "- \n" for depth in range(3_000)),
    "no document": "a: [\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "no boolean": "a: !!bool x\n",
    "no time": "a: !!timestamp x\n",
    "no number": "a: !!int x\n",
    "an object of Python": "!!python/name:os.system\n",
}


@pytest.mark.parametrize("text", NO_TOML.values(), ids=NO_TOML)
def test_no_toml(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        read_toml(text)
    # Half a minute without the bound: nothing that a slow machine explains.
    assert time.process_time() - started < 5


@pytest.mark.parametrize("text", TOML.values(), ids=TOML)
def test_toml_with_many_dots(text: str) -> None:
    assert "a" in read_toml(text)


@pytest.mark.parametrize("text", NO_YAML.values(), ids=NO_YAML)
def test_no_yaml(text: str) -> None:
    started = time.process_time()
    with pytest.raises(ValueError, match=r"."):
        read_yaml(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("text", [text for text in NO_YAML.values() if "!!" not in text])
def test_no_yaml_nodes(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        yaml_node(text)


def test_an_alias_is_read_where_one_may_be() -> None:
    text = "a: &x 1\nb: *x\n"
    assert read_yaml(text) == {"a": 1, "b": 1}
    with pytest.raises(ValueError, match="alias"):
        read_yaml(text, aliases=False)


def test_nodes_know_their_lines() -> None:
    node = yaml_node("a: 1\nb: 2\n")
    assert [key.start_mark.line for key, _ in node.value] == [0, 1]  # type: ignore[union-attr]
    assert yaml_node("") is None
