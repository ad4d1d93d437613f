"""The documents: links lead somewhere, names exist, and the page of the policy has every key with its default."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from ledgergate.policy import Policy, model, read_policy, reader
from support.documents import DOCUMENTS, README, ROOT, anchors, blocks, prose, section, table

SOURCE = ROOT / "hooks" / "ledgergate"
POLICY_PAGE = ROOT / "docs" / "policy.md"
GUIDE = ROOT / "CONTRIBUTING.md"
# (heading, the keys that are read, a record with their defaults)
SECTIONS = [
    ("Top of the file", list(reader._TOP), Policy()),
    *((f"`[{name}]`", list(kinds), record()) for name, (record, kinds) in reader._SECTIONS.items()),
    ("`[lanes.NAME]`", list(reader._LANE), model.Lane("x", "required")),
]

documents = pytest.mark.parametrize("document", DOCUMENTS, ids=[path.name for path in DOCUMENTS])


@pytest.mark.parametrize(("heading", "kinds", "defaults"), SECTIONS, ids=[heading for heading, _, _ in SECTIONS])
def test_every_key_of_the_policy_is_on_its_page_with_its_default(
    heading: str, kinds: list[str], defaults: object
) -> None:
    rows = {row[0].strip("`"): row[1] for row in table(section(POLICY_PAGE, heading))}
    assert list(rows) == kinds
    for key, said in rows.items():
        default = getattr(defaults, key)
        if said in ("not set", "required"):
            assert default in (None, "required")
            continue
        value = tomllib.loads(f"x = {said.strip('`')}")["x"]
        assert (tuple(value) if isinstance(value, list) else value) == default


def test_the_policy_on_the_page_is_read() -> None:
    policy = read_policy(blocks(section(POLICY_PAGE, "A policy with every kind of setting"), "toml")[0].encode())
    assert policy.identity.agents
    assert policy.name == "acme/app"


def test_the_refusal_in_the_readme_is_a_real_one() -> None:
    golden = (ROOT / "tests/goldens/refusals/digest-mismatch.txt").read_text(encoding="utf-8")
    assert blocks(section(README, "A refusal"), "text")[0].rstrip("\n") in golden


@documents
def test_every_link_inside_the_project_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", prose(document.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


def test_every_function_that_the_guide_names_exists() -> None:
    named = re.findall(r"`([\w/]+\.py): (\w+)`", GUIDE.read_text(encoding="utf-8"))
    assert len(named) > 10
    for path, name in named:
        tree = ast.parse((SOURCE / path).read_text(encoding="utf-8"))
        assert name in {getattr(node, "name", None) for node in tree.body}, f"{path}: {name}"


def test_every_file_that_the_guide_names_exists() -> None:
    for name in re.findall(r"`((?:\w+/)+\w+\.\w+)`", GUIDE.read_text(encoding="utf-8")):
        assert name.endswith("golden_size.py") or any((top / name).exists() for top in (SOURCE, ROOT)), name
