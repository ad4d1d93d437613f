"""The subcommands, each imported when it is called."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import click

from ledgergate import __version__
from ledgergate.errors import ExitCode, UsageError

_COMMANDS = {
    "ack": "vouch for contract changes that others made, with a signed file",
    "agent-rules": "print what an agent may do in this repository, to stand in AGENTS.md",
    "check": "judge a change: what is staged, or what a branch would bring",
    "collect": "say which tests have no row and which rows no test, and propose rows",
    "demo": "make a throw-away repository and show an agent refused and a human accepted",
    "doctor": "say what is installed, enforced, stale or missing, and how to mend it",
    "draft": "append a row for a new test that waits for a human",
    "explain": "say what a rule means, why it is there, and how to go on",
    "freeze": "let a flaky check be skipped for some days, by somebody's name",
    "gate": "judge test reports against the ledger: which passes are evidence",
    "init": "find what the tests can be held to, write policy and ledgers, add the hooks",
    "install": "install scripts that git calls, beside a hook manager",
    "lock": "print what a run of the lanes takes as given, by its digests",
    "pre-receive": "judge a push on the server: git's own hook",
    "promote": "make evidence of drafts: hold them to seeds or to a golden",
    "quarantine": "put a flaky test into quarantine",
    "release": "take a test out of quarantine",
    "relock": "write new digests for goldens that a human changed on purpose",
    "report": "sum up in a note for reviewers what was judged",
    "run": "run the lanes on a commit, and say what that is worth",
    "schema": "print a JSON Schema: of the ledgers and the policy for an editor, of the reports for a program",
    "score": "say what a run of the tests is worth: PASS, FAIL, SKIP or UNSCORED",
    "status": "show the board: rows by class, goldens, quarantine by age, freezes by expiry",
    "thaw": "take a freeze out again",
    "update": "judge a push to one ref on the server: git's own hook",
    "verify": "recompute every digest, seed folder, test id and freeze signature of a commit",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"ledgergate.cli.{cmd_name.replace('-', '_')}").command
        assert isinstance(command, click.Command)  # noqa: S101 - a broken registration is a bug
        return _with_values(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="ledgergate %(version)s")
def _group() -> None:
    """Keep coding agents from turning a test suite green by tampering with it."""


def _with_values(command: click.Command) -> click.Command:
    """The command, none of whose options takes another one's name for its value: that says where one was left out."""
    names = {name for param in command.params if isinstance(param, click.Option) for name in param.opts}

    def checked(_: click.Context, param: click.Parameter, value: Any) -> Any:
        for one in value if isinstance(value, tuple) else (value,):
            if one in names:
                raise click.UsageError(f"{param.opts[0]} needs a value, and `{one}` follows it.")
        return value

    for param in command.params:
        if isinstance(param, click.Option) and not param.is_flag and param.callback is None:
            param.callback = checked
    return command


def run_command(arguments: Sequence[str]) -> int:
    """Parse the arguments and run the command that they name; `UsageError` where they are wrong."""
    try:
        # click's own way in takes a reader that went away for its own exit, which would be a bug here.
        with _group.make_context("ledgergate", list(arguments), obj=tuple(arguments)) as context:
            status: int = _group.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return ExitCode.USAGE
    except click.ClickException as error:
        raise UsageError(error.format_message()) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error
    return status
