"""Who is taken for an agent, and above all who is not."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.actors import recognise_client, recognise_commit
from ledgergate.actors.signals import built_in
from ledgergate.errors import LedgergateError
from ledgergate.values import Actor, Identity

KIM = Identity("Kim Example", "kim@example.org")
BOT_ADDRESS = "users.noreply.github.com"


def client(
    env: dict[str, str] | None = None,
    message: str | None = None,
    *,
    author: Identity | None = KIM,
    committer: Identity | None = KIM,
    policy: tuple[str, ...] = (),
    assisted: Literal["agent", "human"] = "agent",
    files: tuple[str, ...] = (),
) -> Actor:
    return recognise_client(env or {}, author, committer, message, policy, assisted, exists=files.__contains__)


@pytest.mark.parametrize("name", [name for name, value in built_in().env.items() if value is None])
def test_a_variable_that_an_agent_sets_is_a_signal(name: str) -> None:
    assert client({name: "1"}) == Actor("agent", (f"env:{name}",))


@pytest.mark.parametrize("name", list(built_in().env))
def test_an_empty_variable_is_none(name: str) -> None:
    assert client({name: ""}) == Actor("human")


@pytest.mark.parametrize(
    ("env", "signals"),
    [
        ({"CLAUDECODE": "0"}, ["env:CLAUDECODE"]),
        ({"CURSOR_EXTENSION_HOST_ROLE": "agent-exec"}, ["env:CURSOR_EXTENSION_HOST_ROLE"]),
        ({"AGENT": "goose"}, ["env:AGENT"]),
        ({"AGENT": "Amp@2.1"}, ["env:AGENT"]),
        ({"AI_AGENT": "made-here"}, ["env:AI_AGENT"]),
        ({"HOME": "/home/jules", "USER": "swebot"}, ["env:HOME", "env:USER"]),
        ({"GEMINI_CLI": "1", "CODEX_CI": "1"}, ["env:CODEX_CI", "env:GEMINI_CLI"]),
    ],
)
def test_other_signals_of_the_environment(env: dict[str, str], signals: list[str]) -> None:
    assert client(env) == Actor("agent", tuple(signals))


@pytest.mark.parametrize(
    "env",
    [
        {"CURSOR_TRACE_ID": "abc"},
        {"CURSOR_EXTENSION_HOST_ROLE": "user"},
        {"AGENT": "smith"},
        {"AGENT": "ssh-agent"},
        {"AGENT": ""},
        {"COPILOT_MODEL": "x", "COPILOT_ALLOW_ALL": "1", "COPILOT_GITHUB_TOKEN": "x"},
        {"REPL_ID": "x"},
        {"HOME": "/home/jules"},
        {"USER": "swebot"},
        {"claudecode": "1"},
        {"ANTHROPIC_API_KEY": "x", "OPENAI_API_KEY": "x"},
        {"SSH_AUTH_SOCK": "/tmp/agent", "SSH_AGENT_PID": "7"},
    ],
)
def test_variables_that_people_have_are_none(env: dict[str, str]) -> None:
    assert client(env) == Actor("human")


def test_a_file_that_an_agent_brings_is_a_signal() -> None:
    assert client(files=("/opt/.devin",)) == Actor("agent", ("file:/opt/.devin",))


@pytest.mark.parametrize(
    "identity",
    [
        Identity("Claude", "noreply@anthropic.com"),
        Identity("Claude", "NoReply@Anthropic.com"),
        Identity("Cursor Agent", "cursoragent@cursor.com"),
        Identity("claude[bot]", f"209825114+claude[bot]@{BOT_ADDRESS}"),
        Identity("Somebody", f"209825114+renamed@{BOT_ADDRESS}"),
        Identity("Copilot", f"198982749+Copilot@{BOT_ADDRESS}"),
        Identity("cursor", f"cursor[bot]@{BOT_ADDRESS}"),
    ],
)
def test_an_agents_address_is_a_signal_of_author_and_committer(identity: Identity) -> None:
    assert client(author=identity) == Actor("agent", (f"author:{identity.email}",))
    assert client(committer=identity) == Actor("agent", (f"committer:{identity.email}",))
    assert recognise_commit(identity, KIM, None, (), "agent") == (f"author:{identity.email}",)


@pytest.mark.parametrize("name", ["renovate[bot]", "Somebody[BOT]", "Kim Example (aider)"])
def test_an_agents_name_is_a_signal(name: str) -> None:
    assert client(author=Identity(name, "x@example.org")) == Actor("agent", (f"author:{name}",))


@pytest.mark.parametrize(
    "identity",
    [
        Identity("claude", "claude@example.org"),
        Identity("Claude Monet", "claude.monet@anthropic.com"),
        Identity("GitHub", "noreply@github.com"),
        Identity("Kim", f"1234567+kim@{BOT_ADDRESS}"),
        Identity("Kim", f"209825114@{BOT_ADDRESS}"),
        Identity("Kim", "209825114+claude@example.org"),
        Identity("bot", "bot@example.org"),
        Identity("", ""),
    ],
)
def test_people_are_none_whatever_their_name(identity: Identity) -> None:
    assert client(author=identity, committer=identity) == Actor("human")


TRAILERS = [
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "co-authored-by: Claude Opus <noreply@anthropic.com>",
    "Co-authored-by:Cursor <cursoragent@cursor.com>",
    "Co-authored-by: aider (some/model) <noreply@aider.chat>",
    "Co-authored-by: Codex <noreply@openai.com>",
    f"Co-authored-by: Copilot <223556219+Copilot@{BOT_ADDRESS}>",
    "Co-authored-by: Kim <kim@example.org>, Claude <noreply@anthropic.com>",
    "Co-authored-by: noreply@anthropic.com",
    "Co-authored-by: some-helper[bot] <x@example.org>",
    "Co-authored-by: Claude",
    "Co-Authored-By: Claude <>",
    "Co-Authored-By: Claude Opus 4.5 (1M context)",
    "Co-authored-by: @copilot",
    "Co-authored-by: aider (some/model) < >",
    "Co-authored-by: Kim <kim@example.org>, Claude Code",
    "Claude-Session: https://example.org/s/1",
    "Agent-Logs-Url: https://example.org/l/1",
    "Replit-Commit-Author: Agent",
    "Replit-Commit-Author: Assistant",
    "Entire-Checkpoint: 12ab",
]
PLAIN = ["Assisted-by: Claude:claude-3-opus coccinelle", "Generated-by: a tool", "ASSISTED-BY: x:y"]


@pytest.mark.parametrize("trailer", [*TRAILERS, *PLAIN])
@pytest.mark.parametrize(
    "form",
    [
        "Fix it\n\n{}\n",
        "Fix it\r\n\r\n{}\r\n",
        "Fix it\n\nBecause.\n\nSigned-off-by: Kim <kim@example.org>\n{}",
        "Fix it\n\n{}\nSigned-off-by: Kim <kim@example.org>\n",
        "Squashed\n\n* one\n\n{}\n\n* two\n\nMore prose.\n",
        "Fix it\n\nSome prose in the last paragraph\n{}\n",
    ],
)
def test_a_trailer_is_a_signal_where_git_or_a_squash_puts_it(trailer: str, form: str) -> None:
    key, _, value = trailer.partition(":")
    assert client(message=form.format(trailer)) == Actor("agent", (f"trailer:{key}: {value.strip()}",))


@pytest.mark.parametrize("trailer", TRAILERS)
def test_a_telling_trailer_counts_between_lines_of_prose_too(trailer: str) -> None:
    assert client(message=f"Fix\n\nProse.\n{trailer}\nProse.\n\nThe end.").is_agent


@pytest.mark.parametrize(
    "unseen", ["\u200b", "\u200d", "\ufeff", "\xad", "\u2060", "\u202e", "\u3164", "\U000e0041", "\x1b"]
)
@pytest.mark.parametrize("trailer", [TRAILERS[0], "Claude-Session: x", "Co-authored-by: Claude"])
def test_a_character_that_nobody_sees_hides_no_signal(trailer: str, unseen: str) -> None:
    for at in range(len(trailer) + 1):
        assert client(message=f"Fix\n\n{trailer[:at]}{unseen}{trailer[at:]}\n").is_agent
    assert client(author=Identity("x", f"noreply{unseen}@anthropic.com")).is_agent
    assert not client(author=Identity(f"Kim{unseen}", "kim@example.org"), message=f"Fix{unseen}\n\n{unseen}\n").is_agent


@pytest.mark.parametrize(
    ("message", "signal"),
    [
        ("aider: rename the thing\n", "message:aider:"),
        ("Aider: rename the thing\n", "message:aider:"),
        ("Fix\n\n🤖 Generated with [Claude Code](https://example.org)\n", "message:Generated with [Claude Code]"),
        ("Fix\n\nGenerated with Claude Code\n", "message:Generated with Claude Code"),
        ("Fix\n\n💘 Generated with Crush\n", "message:Generated with Crush"),
    ],
)
def test_lines_that_agents_write_are_signals(message: str, signal: str) -> None:
    assert client(message=message) == Actor("agent", (signal,))


@pytest.mark.parametrize(
    "message",
    [
        "",
        "\n\n",
        "Explain how Claude and Copilot are recognised\n\nClaude Code sets CLAUDECODE, Copilot sets nothing.\n",
        "Recognise `Co-Authored-By: Claude <noreply@anthropic.com>`\n\nAlso written to noreply@anthropic.com.\n",
        "Quote a trailer\n\nAgents write:\n\n    Co-Authored-By: Claude <noreply@anthropic.com>\n\nand so on.\n",
        "Quote a trailer\n\n> Claude-Session: x\n> Assisted-by: x\n",
        "Say what it was\n\nThis file was generated with Claude Code last year; now it is written by hand.\n",
        "Replace aider: it is not used any more\n",
        "Tidy\n\naider: nothing\n\nThe end.\n",
        "Tidy\n\nGenerated-by: in prose this is a sentence,\nwith more of it here.\n\nSigned-off-by: Kim <k@x.org>\n",
        "Assisted-by: nobody\n",
        "Tidy\n\nCo-authored-by: Claude Monet <claude@example.org>\n",
        "Tidy\n\nCo-authored-by: Kim <kim@example.org>\nReviewed-by: Claude <noreply@anthropic.com>\n",
        "Tidy\n\nCo-authored-by: Claude Monet\nCo-authored-by: Kim\n",
        "Tidy\n\nCo-authored-by: Claude <claude@example.org>\n",
        "Tidy\n\nCo-authored-by: kim@example.org\nCo-authored-by: Kim <kim@example.org> from Claude\n",
        "Tidy\n\nReplit-Commit-Author: Kim\n",
        "Tidy\n\nEntirely: another word\nClaude: a name\n",
    ],
)
def test_people_may_write_about_agents(message: str) -> None:
    assert client(message=message) == Actor("human")


def test_the_policy_may_take_assisted_work_as_a_humans() -> None:
    message = "Fix\n\nAssisted-by: Claude:opus\n"
    assert client(message=message).is_agent
    assert client(message=message, assisted="human") == Actor("human")
    assert client({"CLAUDECODE": "1"}, message, assisted="human") == Actor("agent", ("env:CLAUDECODE",))
    assert client(message=message + "Generated-by: x\n", assisted="human").is_agent


@pytest.mark.parametrize(
    ("entry", "actor"),
    [
        ("env:OUR_BOT", client({"OUR_BOT": "yes"}, policy=("env:OUR_BOT",))),
        ("env:OUR_BOT=yes", client({"OUR_BOT": "yes"}, policy=("env:OUR_BOT=yes",))),
        (
            "email:*@bots.example.org",
            client(author=Identity("x", "A@Bots.example.org"), policy=("email:*@bots.example.org",)),
        ),
        ("name:*-helper", client(committer=Identity("Our-Helper", "x@y"), policy=("name:*-helper",))),
        ("trailer:Our-Run", client(message="x\n\nour-run: 7", policy=("trailer:Our-Run",))),
        ("name:robo*", client(message="x\n\nCo-authored-by: Robot <a@b>", policy=("name:robo*",))),
    ],
)
def test_a_policys_own_signals_count(entry: str, actor: Actor) -> None:
    assert actor.is_agent, entry


@pytest.mark.parametrize(
    "actor",
    [
        client({"OUR_BOT": ""}, policy=("env:OUR_BOT",)),
        client({"OUR_BOT": "no"}, policy=("env:OUR_BOT=yes",)),
        client(author=Identity("x", "a@bots.example.org.evil"), policy=("email:*@bots.example.org",)),
        client(author=Identity("Bob", "x@y"), policy=("name:*[bot]",)),
        client(message="x\n\nOur-Runs: 7", policy=("trailer:Our-Run",)),
    ],
)
def test_what_does_not_match_a_policys_signal_is_none(actor: Actor) -> None:
    assert actor == Actor("human")


def test_the_value_of_a_variable_is_never_shown() -> None:
    actor = client({"OUR_BOT": "secret", "AI_AGENT": "secret"}, policy=("env:OUR_BOT=secret",))
    assert actor.signals == ("env:AI_AGENT", "env:OUR_BOT")


def test_an_unknown_form_in_the_policy_is_its_error() -> None:
    with pytest.raises(LedgergateError, match=r"\[identity\] agents: 'bot' is no signal") as caught:
        recognise_commit(KIM, KIM, None, ("bot",), "agent")
    assert caught.value.rule == "policy-unreadable"
    with pytest.raises(LedgergateError):
        client(policy=("env:",))


def test_nothing_known_is_a_human_who_has_proved_nothing() -> None:
    assert client(author=None, committer=None) == Actor("human")


texts = st.text(st.characters(exclude_categories=()), max_size=40)


@given(st.dictionaries(texts, texts, max_size=5), texts, texts, texts)
def test_no_input_takes_a_signal_away(env: dict[str, str], name: str, email: str, message: str) -> None:
    env["CLAUDECODE"] = "1"
    actor = client(env, f"{message}\n\nClaude-Session: x\n", author=Identity(name, email))
    assert {"env:CLAUDECODE", "trailer:Claude-Session: x"} <= set(actor.signals)
    assert list(actor.signals) == sorted(set(actor.signals))


def test_hostile_messages_are_read_in_linear_time() -> None:
    for piece in (" ", "<", "a:", "\t", "🤖", "Co-authored-by: <", "a\n", "\n\n "):
        assert client(message=f"x\n\nCo-authored-by: {piece * 200_000}") is not None
