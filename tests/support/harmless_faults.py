"""Faults that may end otherwise than in a refusal, each with the reason: few, and none that hides a judgement."""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Harmless(NamedTuple):
    """Faults that may end so: where (a pattern over the place), what is raised, how it ends, and why that is right."""

    place: str
    errors: str
    ends: str
    reason: str


_ABSENT = "FileNotFoundError"
_NO_BOUNDARY = "an exception left the entry point|a traceback reached the terminal"
HARMLESS = (
    Harmless(
        r"git\.(regular\.(open_regular|regular_bytes): .*|repository\.Repository\.git_dir: Path\(\).*)",
        _ABSENT,
        "it passed",
        "git says by their absence that there is no merge, no further worktree, no shallow boundary, no stray name, "
        "no borrowed object, and that an object lies in a pack",
    ),
    Harmless(
        r"git\.loose\._file_names: .*iterdir.*",
        _ABSENT,
        "it passed",
        "an object that has no file of its own lies in a pack, and few repositories borrow objects from another",
    ),
    Harmless(
        r"hosts\.supervised\._status: os\.setpgid\(\).*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "the child puts itself into a group of its own as well",
    ),
    Harmless(
        r"git\.repository\.Repository\.final_name: .*",
        "GitError|KeyError|ENOSPC",
        "it passed",
        "what cannot be told to be a proposal is judged like a protected ref; one that is not there has its own name",
    ),
    Harmless(
        r"hosts\.supervised\._new_folder: .*mkdir.*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "temporary files then lie where they do otherwise; few pushes need any",
    ),
    Harmless(
        r"hosts\.supervised\._remove: .*",
        ".*",
        r"it passed|it left ledgergate-\* in TMPDIR",
        "what removes the folder can fail, too; it comes after the judgement, which stands",
    ),
    Harmless(
        r"hosts\.supervised\._left_of: .*",
        "PermissionError|FileNotFoundError|ENOSPC|ValueError|KeyError",
        "it passed",
        "where nobody can tell how long the interpreter took to start, the whole time is left",
    ),
    Harmless(
        r"git\.work_tree\._WorkTree\._type: os\.lstat\(\).*",
        _ABSENT,
        "it passed",
        "what is not in the working tree is not there to be staged",
    ),
    Harmless(
        r"policy\.dependencies\._(of_an_ini|of_toml|of_a_lock|of_lines|named): .*",
        "ValueError|RecursionError",
        "it passed",
        "base's own file of dependencies that cannot be read names none; whoever changes it is judged by its own rule",
    ),
    Harmless(
        r"guard\.settings\._settings: .*",
        "ValueError|RecursionError",
        "it passed",
        "what the guard cannot read waits for a human's word, and is a note where a human commits",
    ),
    Harmless(
        r"git\.repository\.Repository\.(_reference: .*|_tip: self\._repository\.lookup_reference\(\).*)",
        "KeyError",
        "it passed",
        "a branch that does not exist is not the default branch, and makes no name ambiguous",
    ),
    Harmless(
        r"errors\._abandon_if_broken: stream\.flush\(\).*|errors\._redirect_to_nothing: .*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "after a pass nothing stands in standard error, the one stream that can be lost here",
    ),
    Harmless(
        r".*: (sys\.std\w+|stream)\.\w+\(\).* @_io|errors\.(_prepare: reconfigure|_redirect_to_nothing: ).*",
        ".*",
        "it said nothing",
        "both faults are of the standard streams: nobody can be told, and the status tells",
    ),
    Harmless(
        ".*",
        ".*",
        r"\.git/ledgergate/evidence/.* is new",
        "a run that came to its end has kept what it found by the time that something keeps it from saying so",
    ),
    Harmless(
        r"lanes\.store\.EvidenceStore\.(trees|_forget_old): .*",
        _ABSENT,
        "it passed",
        "evidence that is gone is none, and of old evidence that is gone nothing has to be removed",
    ),
    Harmless(
        r"lanes\.child\..*",
        ".*",
        "the fault did not happen",
        "how often a run looks at the clock, and at what a lane prints, depends on the machine",
    ),
    Harmless(
        r"lanes\.child\._Output\._read: os\.read\(\).*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "what a lane prints decides nothing: its report and its exit status do",
    ),
    Harmless(
        r"lanes\.astray\._is_new: file\.lstat\(\).*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "a lane that wrote its report where it should needs no word about another place",
    ),
    Harmless(
        r"lanes\.child\._signal_group: os\.killpg\(\).*",
        "PermissionError",
        "it passed",
        "a group that has ended cannot be signalled on every system",
    ),
    Harmless(
        r"(hosts\.\w+|cli\.main)\.(main|ledger_schema|ledger_edits|fixture_digests|two_sided_diff|test_guard|_run_alone)"
        r": entered"
        r"|errors\.(run|_last_word): entered",
        ".*",
        _NO_BOUNDARY,
        "the boundary begins and ends here; outside of it Python itself ends with 1",
    ),
    Harmless(
        r"errors\._last_word: .*",
        ".*",
        f"{_NO_BOUNDARY}|it said nothing",
        "when even the last word fails there is nothing left to say, or to say it with",
    ),
    Harmless(
        r"adopt\.files.*|adopt\.(plan\._hooks|hook_config\.|hook_faults\.).*|source\.documents\..*",
        ".*",
        "status 2",
        "init says that it cannot work where it cannot read or write a file, and undoes what it did",
    ),
    Harmless(
        r"adopt\.(collect|child)\..*",
        "PermissionError|FileNotFoundError|ENOSPC",
        r"it passed|ledgergate\.toml is new",
        "init goes on without the ids and plugins that the suite's own pytest would list, and says why",
    ),
    Harmless(
        r"adopt\.collect\._(item|read_probe).*",
        "ValueError",
        r"it passed|ledgergate\.toml is new",
        "init goes on with the ids that pytest prints, and says that only those are known",
    ),
    Harmless(
        r"policy\.(globs|fields)\..*|values\.path_problem: entered",
        "ValueError",
        "status 2",
        "init says which of its options cannot be used",
    ),
    Harmless(
        r"cli\.demo\._folder: .*",
        ".*",
        "status 2|it left ledgergate-.*",
        "the demonstration says that there is no place for it, and leaves what cannot be removed",
    ),
    Harmless(
        r"adopt\.hook_config\..*|source\.documents\.read_yaml.*",
        "YAMLError|ValueError",
        "it passed",
        "init leaves a configuration alone that is no YAML, says so, and shows what to paste into it",
    ),
    Harmless(
        r"ledger\.events\..*|freeze\.(strict_json|timestamps)\..*",
        "YAMLError|RecursionError|ValueError",
        "it passed",
        "a ledger of base that is malformed, or nested without end, is a human's to mend; in head it is refused",
    ),
    Harmless(
        r"policy\.(protected\._parts|task_settings|steering_toml|import_roots|steering_ini|pins|relied_on|versions)\b.*"
        r"|source\.documents\.(yaml_node|_loader|_in_one_line): .*",
        "ValueError|RecursionError|YAMLError|ImportError",
        "it passed",
        "settings that are no TOML, INI or YAML count as changed, and what a human changes is a note",
    ),
    Harmless(
        r"vouch\.acks\.signers\._read_line: entered",
        "ValueError",
        "it passed",
        "a list of base that cannot be read is a human's to mend; in head it is refused, as a test of its own says",
    ),
    Harmless(
        r"source\.text\..*",
        "MemoryError|RecursionError|ValueError",
        "status 2",
        "the commands that change rows say of a test file that nobody can parse it, and change nothing",
    ),
    Harmless(
        r"cli\.moves\._tidy: folder\.rmdir\(\).*",
        "PermissionError|FileNotFoundError|ENOSPC",
        "it passed",
        "an empty folder that cannot be removed stays; git knows no folders",
    ),
    Harmless(
        r"cli\.amending\.carry_out: click\.echo\(\).*",
        ".*",
        r"\.git/index is changed",
        "what a human approved has been written and staged by the time that it is said",
    ),
    Harmless(
        r"adopt\.files\.replace_file: Path\(name\)\.unlink\(\).*",
        ".*",
        r"(.*/)?\.\S+ is new",
        "the temporary file cannot be removed where removing it fails",
    ),
)


def is_harmless(wrong: list[Any]) -> bool:
    _, faults, problem, _ = wrong
    # The streams to say something on are of this library, too.
    if problem == "it said nothing" and any(lasting and place.endswith("@_io") for place, _, _, lasting in faults):
        return True
    place, _, error, _ = faults[-1] if faults else ("", 0, "", False)
    return any(
        re.fullmatch(known.place, place) and re.fullmatch(known.errors, error) and re.fullmatch(known.ends, problem)
        for known in HARMLESS
    )
