"""The policy as frozen records, with the defaults that hold where `ledgergate.toml` says nothing.

Named tuples, since every hook builds them at start-up: a dozen data classes would cost it ten milliseconds.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

POLICY_PATH = "ledgergate.toml"
ACKS_FOLDER = ".ledgergate/acks/"
REMOTE_REVIEW = "remote_review"


class Identity(NamedTuple):
    """`[identity]`: signals of agents beside the built-in ones, and whose work an `Assisted-by` trailer marks."""

    agents: tuple[str, ...] = ()
    assisted: Literal["agent", "human"] = "agent"


class Vouch(NamedTuple):
    """`[vouch]`: how a human vouches for a contract change."""

    mode: Literal["ack", "signals"] = "ack"
    signers: str = ".ledgergate/allowed_signers"
    humans: tuple[str, ...] = ()
    four_eyes: bool = False
    require_presence: bool = False
    tests: bool = False


class Merge(NamedTuple):
    """`[merge]`: what the merge decision does in its grey rows."""

    unscored: Literal["block", "hold"] = "block"
    optional_fail: Literal["block", "hold"] = "block"
    optional_unscored: Literal["hold", "allow"] = "hold"


class FreezeLimits(NamedTuple):
    """`[freeze]`: how many days ahead a change may let a freeze expire."""

    max_days: int = 30


class QuarantineLimits(NamedTuple):
    """`[quarantine]`: the age in days from which a quarantine row is stale; 0 is no limit."""

    max_age_days: int = 0


class Run(NamedTuple):
    """`[run]`: the pytest plugins that may be loaded when lanes run."""

    plugins: tuple[str, ...] = ()


class Push(NamedTuple):
    """`[push]`: where a push takes its evidence from."""

    evidence: Literal["require", "run", "ci", "off"] = "require"


class Review(NamedTuple):
    """`[review]`: what a remote review may see and whom it asks. Empty texts: not set."""

    never_send: tuple[str, ...] = ()
    adapter: str = ""
    endpoint: str = ""
    model: str = ""
    key_env: str = ""
    timeout_s: int = 120
    max_bytes: int = 65536


class Lane(NamedTuple):
    """`[lanes.NAME]`: how one lane runs. `junit` are globs of JUnit reports, for a command that writes no other."""

    name: str
    command: str
    timeout_s: int = 900
    remote: bool = False
    junit: tuple[str, ...] = ()


class Policy(NamedTuple):
    """The whole of `ledgergate.toml`. Globs are gitignore-style; `drafts` ends in a slash.

    `production` is None where the file does not set it: then every path that fits no other list is production.
    """

    name: str = ""
    ledger: tuple[str, ...] = ("tests/ledger.yaml",)
    freeze_ledger: str = "tests/freeze_ledger.json"
    tests: tuple[str, ...] = ("tests/**",)
    goldens: tuple[str, ...] = ("tests/goldens/**",)
    drafts: str = "tests/agent_drafts/"
    production: tuple[str, ...] | None = None
    not_production: tuple[str, ...] = ("/docs/**", "/*.md", "/LICENSE*")
    agent_write_paths: tuple[str, ...] = ()
    agent_new_tests: bool = False
    protected: tuple[str, ...] = ()
    protected_refs: tuple[str, ...] = ("refs/heads/main", "refs/heads/master", "refs/heads/release/**")
    identity: Identity = Identity()
    vouch: Vouch = Vouch()
    merge: Merge = Merge()
    freeze: FreezeLimits = FreezeLimits()
    quarantine: QuarantineLimits = QuarantineLimits()
    run: Run = Run()
    push: Push = Push()
    review: Review = Review()
    lanes: tuple[Lane, ...] = ()

    @property
    def remote_lanes(self) -> frozenset[str]:
        """The lanes that must never be required: the remote review, and those that say `remote = true`."""
        return frozenset({REMOTE_REVIEW}).union(lane.name for lane in self.lanes if lane.remote)
