from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.adopt.hook_config import INSTALL_TYPES, add_hooks, hooks_block, install_flags

LOCAL = hooks_block(None, None)
OURS = yaml.safe_load(LOCAL)
ALL_FLAGS = "".join(f" -t {name}" for name in INSTALL_TYPES)

EDITED = {
    "usual": """\
# See https://pre-commit.com
repos:
-   repo: https://example.org/hooks
    rev: v1   # pinned
    hooks:
    -   id: one
""",
    "indented, with settings after it": """\
repos:
  - repo: https://example.org/hooks
    rev: 'v1'
    hooks: [{id: one}]

ci:
  autofix: false
""",
    "comments below the last hook": """\
repos:
- repo: local
  hooks:
  - id: one
    entry: x
    # - id: two
  # - id: three
# the end
""",
    "document start and types of its own": """\
---
default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg, pre-push]
repos:
-   repo: meta
    hooks:
    -   id: identity
""",
    "no line end at the end": "repos:\n- repo: meta\n  hooks:\n  - id: identity",
    "block text at the end": """\
repos:
- repo: local
  hooks:
  - id: x
    exclude: |
      (?x)
      a


# end
""",
    "nothing yet": "fail_fast: true\nrepos: []  # none\nexclude: x\n",
    "line ends of Windows": "repos:\r\n-   repo: meta\r\n    hooks:\r\n    -   id: identity\r\n",
    "odd values": """\
repos:
- repo: local
  hooks:
  - id: é
    name: 'it''s "x"'
    args: [--a, "b"]
minimum_pre_commit_version: '3'
""",
}


@pytest.mark.parametrize("text", EDITED.values(), ids=EDITED.keys())
def test_hooks_are_added_and_no_line_is_touched(text: str) -> None:
    data = add_hooks(text.encode(), LOCAL).data
    assert data is not None
    edited = data.decode()
    old, new = yaml.safe_load(text), yaml.safe_load(edited)
    assert new["repos"] == [*old["repos"], *OURS]
    assert {**new, "repos": old["repos"]} == {"default_install_hook_types": list(INSTALL_TYPES), **old}
    kept = iter(edited.splitlines(keepends=True))
    before = (text if text.endswith("\n") else f"{text}\n").replace("repos: []", "repos:")
    assert [line for line in before.splitlines(keepends=True) if line not in kept] == []
    assert ("\r\n" in text) == ("\r\n" in edited) == (edited.count("\n") == edited.count("\r\n"))


LAID_OUT = {
    "usual": (EDITED["usual"], "-   repo: local\n    hooks:\n    -   id: ledgergate\n        name: ledgergate\n"),
    "no indents": (EDITED["odd values"], "- repo: local\n  hooks:\n  - id: ledgergate\n    name: ledgergate\n"),
    "indented lists": (
        "repos:\n  - repo: local\n    hooks:\n      - id: x\n        name: x\n",
        "  - repo: local\n    hooks:\n      - id: ledgergate\n        name: ledgergate\n",
    ),
    "nothing to follow": (EDITED["nothing yet"], LOCAL),
}


@pytest.mark.parametrize(("text", "block"), LAID_OUT.values(), ids=LAID_OUT)
def test_hooks_are_laid_out_as_the_last_ones_are(text: str, block: str) -> None:
    data = add_hooks(text.encode(), LOCAL).data
    assert data is not None
    assert f"\n{block}" in data.decode()


def test_a_new_file_installs_every_type() -> None:
    data = add_hooks(None, LOCAL).data
    assert data is not None
    assert yaml.safe_load(data) == {"default_install_hook_types": list(INSTALL_TYPES), "repos": OURS}


UNSAFE = {
    "on one line": ("repos: [{repo: meta, hooks: [{id: identity}]}]\n", "in brackets"),
    "no list": ("repos:\n  a: b\n", "no list"),
    "no repos": ("fail_fast: true\n", "no list"),
    "empty": ("", "no list"),
    "broken": ("repos: [\n", "cannot be read"),
    "flow": ("{repos: []}\n", "not laid out"),
    "twice": ("repos: []\nrepos: []\n", "not laid out"),
    "one of the hooks": ("repos:\n- repo: local\n  hooks:\n  - id: ledgergate\n", "has the hook ledgergate already"),
    "not UTF-8": ("repos: [] # \udcff\n", "cannot be read"),
}


@pytest.mark.parametrize(("text", "reason"), UNSAFE.values(), ids=UNSAFE.keys())
def test_what_cannot_be_edited_safely_is_left_alone(text: str, reason: str) -> None:
    config = add_hooks(text.encode("utf-8", "surrogateescape"), LOCAL)
    assert (config.data, config.paste) == (None, LOCAL)
    assert reason in (config.note or "")


def test_hooks_that_are_there_already_stay() -> None:
    data = add_hooks(None, LOCAL).data
    config = add_hooks(data, LOCAL)
    assert (config.data, config.paste) == (None, None)
    assert "already" in (config.note or "")


def test_hook_types_of_the_file_stay_and_lacking_ones_are_named() -> None:
    text = b"default_install_hook_types: [pre-commit]\nrepos:\n- repo: meta\n  hooks:\n  - id: identity\n"
    config = add_hooks(text, LOCAL)
    assert config.data is not None
    assert yaml.safe_load(config.data)["default_install_hook_types"] == ["pre-commit"]
    assert "lacks pre-merge-commit, commit-msg" in (config.note or "")


@pytest.mark.parametrize(
    ("config", "flags"),
    [
        ("default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg]", ""),
        ("default_install_hook_types: [pre-push, commit-msg, pre-merge-commit, pre-commit]", ""),
        ("default_install_hook_types: [pre-push]", " -t pre-push -t pre-commit -t pre-merge-commit -t commit-msg"),
        ("default_install_hook_types: [pre-commit]", " -t pre-commit -t pre-merge-commit -t commit-msg"),
        ("# default_install_hook_types: [pre-commit, pre-merge-commit, commit-msg]", ALL_FLAGS),
        ("default_install_hook_types:", ALL_FLAGS),
        ("default_install_hook_types: 3", ALL_FLAGS),
        ("- a", ALL_FLAGS),
        ("{", ALL_FLAGS),
        ("", ALL_FLAGS),
    ],
)
def test_flags_name_what_a_plain_install_would_leave_out(config: str, flags: str) -> None:
    assert install_flags(config.encode()) == flags


@pytest.mark.parametrize("revision", ["v1.0", "1.0", "0123456", "1e3", "it's", "no"])
def test_a_remote_entry_keeps_its_revision_a_text(revision: str) -> None:
    (entry,) = yaml.safe_load(hooks_block("https://example.org/ledgergate", revision))
    assert entry == {
        "repo": "https://example.org/ledgergate",
        "rev": revision,
        "hooks": [{"id": "ledgergate"}, {"id": "ledgergate-commit-msg"}],
    }


@given(st.text(st.sampled_from("repos: -#[]{}\n '\"ab|>&*!%"), max_size=60))
def test_whatever_stands_in_the_file_the_edit_is_right_or_none(tail: str) -> None:
    text = "repos:\n- repo: meta\n  hooks:\n  - id: identity\n" + tail
    config = add_hooks(text.encode(), LOCAL)
    if config.data is None:
        assert config.paste == LOCAL
    else:
        assert yaml.safe_load(config.data)["repos"] == [*yaml.safe_load(text)["repos"], *OURS]
