"""Hooks of a configuration that bear our names: which of them judge every commit, and what the others lack."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ledgergate.adopt.hook_config import add_hooks, hooks_block
from ledgergate.adopt.hook_faults import hook_faults

LOCAL: dict[str, Any] = yaml.safe_load(hooks_block(None, None))[0]
REMOTE: dict[str, Any] = yaml.safe_load(hooks_block("https://example.org/ledgergate", "v1"))[0]


def document(repo: dict[str, Any], hook: int = 0, **changed: Any) -> dict[str, Any]:
    """A configuration in which one of the two hooks has other fields; None takes one out."""
    hooks = [dict(each) for each in repo["hooks"]]
    hooks[hook] = {key: value for key, value in {**hooks[hook], **changed}.items() if value is not None}
    return {"repos": [{**repo, "hooks": hooks}]}


JUDGE = {
    "as init writes it": document(LOCAL),
    "of a repository": document(REMOTE),
    "by its path": document(LOCAL, entry=".venv/bin/ledgergate check --staged"),
    "on Windows": document(LOCAL, entry=".venv/Scripts/ledgergate.exe check --staged"),
    "in an environment": document(LOCAL, entry="uv run --frozen --project tools ledgergate check --staged"),
    "with a variable": document(LOCAL, entry="env NO_COLOR=1 ledgergate check --staged"),
    "as a module": document(LOCAL, entry="poetry run python3.12 -m ledgergate check --staged"),
    "arguments apart": document(LOCAL, entry="ledgergate", args=["check", "--staged"]),
    "shown otherwise": document(LOCAL, args=["--all", "--format", "github"]),
    "the message's hook by its path": document(LOCAL, 1, entry=".venv/bin/ledgergate-commit-msg"),
    "at more stages": document(LOCAL, stages=["pre-commit", "pre-merge-commit", "manual"]),
    "by stages' earlier names": document(LOCAL, stages=["commit", "merge-commit"]),
    "at every stage": document(LOCAL, stages=None),
    "no stage of its own": {**document(REMOTE, stages=[]), "default_stages": ["pre-commit", "pre-merge-commit"]},
    "stages that are not its own": {**document(REMOTE), "default_stages": ["pre-push"]},
    "what no longer plays a part": document(LOCAL, exclude=".*", files="^$"),
    "in Python": document(LOCAL, language="python", additional_dependencies=["ledgergate"]),
    "twice, and once as it should": {"repos": [*document(LOCAL, entry="true")["repos"], LOCAL]},
}


@pytest.mark.parametrize("judges", JUDGE.values(), ids=JUDGE.keys())
def test_hooks_that_judge(judges: dict[str, Any]) -> None:
    assert list(hook_faults(judges)) == []


ENTRY, STAGES, ALWAYS = "entry: ledgergate check --staged", "stages: [pre-commit, pre-merge-commit]", "always_run: true"
FAULTY = {
    "another program": (document(LOCAL, entry="true"), ENTRY),
    "none": (document(LOCAL, entry=None), ENTRY),
    "no text": (document(LOCAL, entry=True), ENTRY),
    "a name in what another program is given": (document(LOCAL, entry="echo ledgergate check --staged"), ENTRY),
    "another program in an environment": (document(LOCAL, entry="uv run true ledgergate check --staged"), ENTRY),
    "a shell that forgets how it ended": (document(LOCAL, entry="sh -c 'ledgergate check --staged || true'"), ENTRY),
    "the same without quotes": (document(LOCAL, entry="ledgergate check --staged || true"), ENTRY),
    "an open quote": (document(LOCAL, entry="ledgergate check --staged '"), ENTRY),
    "another command": (document(LOCAL, entry="ledgergate doctor"), ENTRY),
    "nothing staged": (document(LOCAL, entry="ledgergate check"), ENTRY),
    "its help": (document(LOCAL, args=["--help"]), ENTRY),
    "one check": (document(LOCAL, args=["--only", "ledger-schema"]), ENTRY),
    "a repository's hook with another entry": (document(REMOTE, entry="true"), ENTRY),
    "a repository's hook with its help": (document(REMOTE, args=["--help"]), ENTRY),
    "a pattern in files": (document(LOCAL, language="pygrep"), "language: system"),
    "no language": (document(LOCAL, language=None), "language: system"),
    "at other times": (document(LOCAL, stages=["manual"]), STAGES),
    "not on merges": (document(LOCAL, stages=["pre-commit"]), STAGES),
    "stages that are no list": (document(LOCAL, stages="pre-commit"), STAGES),
    "a repository's at other times": (document(REMOTE, stages=["pre-push"]), STAGES),
    "by default": ({**document(LOCAL, stages=None), "default_stages": ["pre-push"]}, STAGES),
    "only where files match": (document(LOCAL, always_run=None, exclude=".*"), ALWAYS),
    "a repository's where files match": (document(REMOTE, always_run=False), ALWAYS),
    "the message's": (document(LOCAL, 1, entry=":"), "entry: ledgergate-commit-msg"),
    "the message's at other times": (document(LOCAL, 1, stages=["pre-commit"]), "stages: [commit-msg]"),
}


@pytest.mark.parametrize(("faulty", "mend"), FAULTY.values(), ids=FAULTY.keys())
def test_hooks_that_do_not(faulty: dict[str, Any], mend: str) -> None:
    (fault,) = hook_faults(faulty)
    assert fault.mends == (mend,)
    assert fault.hook in fault.message
    assert mend in fault.mend


def test_all_that_is_wrong_with_both_is_told() -> None:
    hooks = [{"id": hook["id"], "name": "x", "entry": "true", "language": "pygrep"} for hook in LOCAL["hooks"]]
    found = list(hook_faults({"repos": [{"repo": "local", "hooks": hooks}]}))
    assert [len(fault.mends) for fault in found] == [3, 3]


def test_the_configuration_is_left_alone_and_the_fault_is_named() -> None:
    text = yaml.safe_dump(document(LOCAL, entry="true")).encode()
    config = add_hooks(text, hooks_block(None, None))
    assert config.data is None
    assert config.note is not None
    assert "`true`" in config.note
    assert ENTRY in config.note
