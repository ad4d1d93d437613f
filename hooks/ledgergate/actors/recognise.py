"""Agent or human? One signal of an agent is enough, and nothing makes a human of one who shows it.

Signals are declared by the agents themselves and can be stripped: they decide how strictly a change is judged, and
never stand for proof.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from ledgergate.actors.signals import PolicySignal, Trailer, built_in, parse_signal
from ledgergate.errors import LedgergateError
from ledgergate.values import Actor, Identity

if TYPE_CHECKING:
    from ledgergate.actors.message import Message

Assisted = Literal["agent", "human"]

_CO_AUTHOR = "co-authored-by"
_FORGE = "users.noreply.github.com"
_SHOWN = 120
_BETWEEN = " \t,;&"
# What agents put behind a name: the model in brackets, a version.
_VERSION = re.compile(r"\([^()]*\)|(?<!\S)v?\d[\w.]*(?!\S)")


def recognise_client(
    env: Mapping[str, str],
    author: Identity | None,
    committer: Identity | None,
    message: str | None,
    policy_signals: Sequence[str],
    assisted: Assisted,
    *,
    exists: Callable[[str], bool] = os.path.exists,
) -> Actor:
    """Who is making a commit on this machine, by its environment, identities and message (None where not known yet).

    `message` is the message as git would store it, without comments. `policy_signals` are the entries of the policy's
    `[identity] agents`, `assisted` says whose an `Assisted-by` trailer is. Raises `LedgergateError`
    (policy-unreadable) for an entry that is no signal.
    """
    own = _policy(policy_signals)
    signals = {
        *_from_environment(env, exists),
        *(f"env:{signal.name}" for signal in own if signal.kind == "env" and _has(env, signal)),
        *_from_commit(author, committer, message, own, assisted),
    }
    return Actor("agent" if signals else "human", tuple(sorted(signals)))


def recognise_commit(
    author: Identity | None,
    committer: Identity | None,
    message: str | None,
    policy_signals: Sequence[str],
    assisted: Assisted,
) -> tuple[str, ...]:
    """The signals that one commit carries, sorted; none is no proof of a human. Raises as `recognise_client` does."""
    return tuple(sorted({*_from_commit(author, committer, message, _policy(policy_signals), assisted)}))


def co_authors(message: str) -> tuple[Identity, ...]:
    """Whom a commit's message names as co-authors."""
    if _CO_AUTHOR not in message.casefold():
        return ()
    from ledgergate.actors.message import read_message

    lines = (line for line in read_message(message).trailers if line.key.casefold() == _CO_AUTHOR)
    return tuple(person for line in lines for person in _people(line.value))


def is_agent_account(account: str) -> bool:
    """Whether an account, a text like `github:1234`, is one of the bot accounts that agents work under."""
    forge, _, number = account.partition(":")
    return forge == "github" and number.lstrip("0") in built_in().accounts


def _policy(entries: Sequence[str]) -> list[PolicySignal]:
    try:
        return [parse_signal(entry) for entry in entries]
    except ValueError as error:
        raise LedgergateError("policy-unreadable", f"[identity] agents: {error}") from error


def _from_environment(env: Mapping[str, str], exists: Callable[[str], bool]) -> Iterator[str]:
    # Any text but the empty one counts, "0" too: so the agents' own detectors read these variables.
    known = built_in()
    for name, value in known.env.items():
        if env.get(name) and value in (None, env[name]):
            yield f"env:{name}"
    for together in known.env_together:
        if all(env.get(name) == value for name, value in together.items()):
            yield from (f"env:{name}" for name in together)
    for name, agents in known.env_naming_an_agent.items():
        if env.get(name, "").partition("@")[0].casefold() in agents:
            yield f"env:{name}"
    yield from (f"file:{path}" for path in known.files if exists(path))


def _has(env: Mapping[str, str], signal: PolicySignal) -> bool:
    value = env.get(signal.name, "")
    return bool(value) and (signal.pattern is None or bool(signal.pattern.fullmatch(value)))


def _from_commit(
    author: Identity | None,
    committer: Identity | None,
    message: str | None,
    policy: Sequence[PolicySignal],
    assisted: Assisted,
) -> Iterator[str]:
    for role, identity in (("author", author), ("committer", committer)):
        if identity and (shown := _shows_agent(identity, policy)):
            yield f"{role}:{shown}"
    if message:
        from ledgergate.actors.message import read_message

        read = read_message(message)
        yield from _from_trailers(read, policy, assisted)
        yield from _from_lines(read)


def _shows_agent(identity: Identity, policy: Sequence[PolicySignal]) -> str | None:
    """What of the identity shows an agent: its address, else its name."""
    known = built_in()
    identity = Identity(*(_seen(text) for text in identity))
    name, email = identity.name.strip().casefold(), identity.email.strip().casefold()
    account, _, host = email.rpartition("@")
    number, plus, login = account.partition("+")
    is_forge_bot = host == _FORGE and ((plus and number in known.accounts) or (login or number).endswith("[bot]"))
    if email in known.emails or is_forge_bot:
        return identity.email.strip()
    if name.endswith(known.name_endings):
        return identity.name.strip()
    for signal in policy:
        if signal.pattern and signal.kind == "email" and signal.pattern.fullmatch(email):
            return identity.email.strip()
        if signal.pattern and signal.kind == "name" and signal.pattern.fullmatch(name):
            return identity.name.strip()
    return None


def _seen(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    from ledgergate.actors.message import seen

    return seen(text)


def _from_trailers(message: Message, policy: Sequence[PolicySignal], assisted: Assisted) -> Iterator[str]:
    known = built_in()
    plain = {trailer.key for trailer in known.plain_trailers if not (trailer.assisted and assisted == "human")}
    own = {signal.name for signal in policy if signal.kind == "trailer"}
    for line in message.trailers:
        key = line.key.casefold()
        if key == _CO_AUTHOR:
            shows = any(_shows_agent(person, policy) or _is_named(person) for person in _people(line.value))
        else:
            shows = any(_is(trailer, key, line.value) for trailer in known.trailers)
        if shows or key in own or (line.proper and key in plain):
            yield f"trailer:{line.key}: {line.value}"[:_SHOWN].rstrip(": ")


def _people(value: str) -> Iterator[Identity]:
    """`Name <address>`, as often as it stands there; a text without brackets may be either."""
    before, *rest = value.split("<")
    for part in rest:
        email, _, after = part.partition(">")
        yield Identity(before.strip(_BETWEEN), email)
        before = after
    if last := before.strip(_BETWEEN):
        yield Identity(last, last)


def _is_named(person: Identity) -> bool:
    """Whether a co-author is an agent by the name alone: a person would be there with an address."""
    if person.email.strip() not in ("", person.name):
        return False
    return " ".join(_VERSION.sub(" ", person.name.casefold()).split()).lstrip("@") in built_in().names_alone


def _is(trailer: Trailer, key: str, value: str) -> bool:
    named = key.startswith(trailer.key[:-1]) if trailer.key.endswith("*") else key == trailer.key
    return named and (not trailer.values or value.strip().casefold() in trailer.values)


def _from_lines(message: Message) -> Iterator[str]:
    known = built_in()
    for text in known.subject_beginnings:
        if message.subject.casefold().startswith(text.casefold()):
            yield f"message:{text}"
    for text in known.line_beginnings:
        if any(line.casefold().startswith(text.casefold()) for line in message.lines):
            yield f"message:{text}"
