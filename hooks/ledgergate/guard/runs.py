"""Lines of makefiles, tox, nox and CI that run tests: what they came to leave out, or to forgive."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ledgergate.guard.loss import Loss
from ledgergate.guard.settings import harmful_options, is_usual_folder

_RUNS = re.compile(
    r"\bscripts?/[\w-]*tests?\b|(?<![\w./])(?<!\w-)(?<!--)(?:py\.?test|tox|nox|unittest|nose2?|coverage\s+run|ctest|jest|vitest|mocha|stestr|trial|"
    r"(?:go|cargo|npm|yarn|pnpm|hatch|make|just|bazel|gradle|mvn|dotnet|mix|poe|pdm|rye|uv\s+run)\s+(?:run\s+)?[\w:-]*tests?)(?![\w/-])"
)
_INSTALLS = re.compile(
    r"\b(?:pip3?|pipx|apt(?:-get)?|conda|poetry|uv|pdm)\s+(?:pip\s+)?(?:install|add|inject|sync)\b|^\s*-?\s*(?:name|id|uses|key|path)\s*:"
)
_FORGIVES = re.compile(
    r"\|\|\s*(?:true|:|exit\s+0|echo|printf|/bin/true|\()|;\s*(?:true|:|exit\s+0)\s*(?:$|[\"';&])|&&\s*false\s*\|\||\bset\s+\+e\b|--no-verify\b"
    r"|\|\|\s*\[\s|;\s*\[\s|\bexit\s+0\s*(?:&&|;)|(?<![&|] )\bfalse\s*&&|\btrue\s*\|\|"
)
# Without `pipefail` only the last command of a pipe counts.
_PIPES = re.compile(r"(?<!\|)\|\s*(?:tee|cat|head|tail|grep|less|sed|awk|xargs|tr|ts)\b")
_CONDITION = re.compile(r"^\s*-?\s*if\s*:\s*(\S.*)$|^\s*stages\s*:\s*(\[?\s*manual\b.*)$")
_TRIGGERS = re.compile(r"\b(push|pull_request(?:_target)?|schedule|merge_group)\b")
_FOR_ALL = re.compile(
    r"^\s*-?\s*(?:continue-on-error|allow_failure|allowFailure|ignore_outcome|ignore_errors|soft_fail|continueOnError)\s*[:=]\s*(?!false\b|False\b|no\b)(\S.*)$"
    r"|^\s*-?\s*if\s*:\s*[\"']?(?:\$\{\{\s*)?(?:false|never\(\))|\bset\s+\+e\b|^\.IGNORE\b|--no-verify\b|success_codes\s*=",
    re.MULTILINE,
)
# How a script of Python says that tests failed which it ran.
_STATUS = re.compile(
    r"\b(?:sys\.|os\._)?exit\(|SystemExit|\bcheck_|check=True|returncode|wasSuccessful|\braise\b|\bassert\b"
)
_KEY = re.compile(r"\s*-?\s*[\w-]+\s*:(?:\s|$)")
_TOX_IGNORES = re.compile(r"\s*(?:commands\w*\s*=\s*)?-\s*(?!-)\w")
_PYTHONPATH = re.compile(r"\bPYTHONPATH\s*[:=]\s*[\"']?([^\s\"']+)")
_SOME = " leaves out tests"
_MAKE_IGNORES = re.compile(r"^\t[@+]*-[@+]*\s*")


def changed_runs(path: str, old: bytes | None, new: bytes | None) -> Iterator[Loss]:
    """What the lines that run tests came to leave out or forgive; what the text alone does not tell is not said."""
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in (old, new))
    was, now = _running(before), _running(after)
    if old is None or (not was and not now):
        # What came runs them once more, whatever it forgives.
        return
    known = [fault for _, line in was for fault in _faults(path, line)]
    # Where as many lines as before still run all tests, another one may run some of them once more.
    whole = [sum(not any(_faults(path, line)) for _, line in lines) for lines in (was, now)]
    for number, line in now:
        for fault in _faults(path, line):
            if fault in known:
                known.remove(fault)
            elif not (fault.endswith(_SOME) and 0 < whole[0] <= whole[1]):
                yield Loss("collection-changed", path, fault, None, number, _like(line, was), line.strip())
    yield from _forgiven(path, before, after)
    yield from _other_modules(path, before, after)
    yield from _without_triggers(path, before, after)
    yield from _under_conditions(path, before, after)
    if not any("pipefail" in line or re.search(r"shell:\s*bash", line) for line in after):
        piped = [line for _, line in was if _PIPES.search(line)]
        for number, line in [one for one in now if _PIPES.search(one[1])][len(piped) :]:
            message = "What is piped on decides, and not the tests"
            yield Loss("collection-changed", path, message, None, number, _like(line, was), line.strip(), waits=True)
    if path.endswith(".py") and was and now:
        yield from _without_status(path, before, after)
    if was and not now:
        # Where a whole file went, another one may run them: that is not for the text of this one to say.
        message, line = "It does not run the tests any more", was[0][1].strip()
        yield Loss("collection-changed", path, message, None, None, line, None, waits=new is None)


def _without_status(path: str, before: list[str], after: list[str]) -> Iterator[Loss]:
    """A script that nobody hears of any more when tests fail which it runs."""
    said = [line.strip() for line in before if _STATUS.search(line)]
    if said and not any(_STATUS.search(line) for line in after):
        message = "Nobody hears any more of tests that fail there"
        yield Loss("collection-changed", path, message, None, _running(after)[0][0], said[-1], None, waits=True)


def _other_modules(path: str, before: list[str], after: list[str]) -> Iterator[Loss]:
    """Where modules come from: folders in PYTHONPATH that were not there."""
    known = {folder for line in before for folder in _folders(line)}
    for number, line in enumerate(after, 1):
        more = sorted(_folders(line) - known)
        if more:
            message = f"modules of `{more[0]}` come first now"
            yield Loss("collection-changed", path, message, None, number, None, line.strip())


def _folders(line: str) -> set[str]:
    found = _PYTHONPATH.search(line)
    words = re.split(r"[:;]", re.sub(r"\$?\{[^}]*\}/?|\$\w+/?|\$\(\w+\)/?", "", found[1])) if found else []
    return {one.strip("/\"'") for one in words if not is_usual_folder(one.strip("\"'"))}


def _running(lines: list[str]) -> list[tuple[int, str]]:
    """The lines that run tests, with their numbers; comments are none."""
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if _RUNS.search(line) and not line.lstrip().startswith("#") and not _INSTALLS.search(line)
    ]


def _without_triggers(path: str, before: list[str], after: list[str]) -> Iterator[Loss]:
    """A workflow that ran by itself, and only does on demand now."""
    if "workflows/" not in path or not after:
        return
    was, now = (set(_TRIGGERS.findall("\n".join(lines).partition("jobs:")[0])) for lines in (before, after))
    if was and not now:
        number = next((at for at, line in enumerate(after, 1) if re.match(r"[\"']?on\b", line)), None)
        line = after[number - 1].strip() if number else None
        yield Loss("collection-changed", path, "It does not run by itself any more", None, number, None, line)


def _under_conditions(path: str, before: list[str], after: list[str]) -> Iterator[Loss]:
    """Steps, jobs and hooks that run tests, and came to stand under a condition."""
    known = {line.strip() for line in before}
    for number, line in enumerate(after):
        is_new = _CONDITION.match(line) and line.strip() not in known and not _FOR_ALL.search(line)
        if is_new and _running(_block(after, number)):
            message = "The tests only run under a condition now"
            yield Loss("collection-changed", path, message, None, number + 1, None, line.strip(), waits=True)


def _faults(path: str, line: str) -> Iterator[str]:
    found = _FORGIVES.search(line)
    if found is not None:
        yield f"`{found[0].strip()}` lets failing tests pass"
    if _MAKE_IGNORES.match(line) or (path.endswith("tox.ini") and _TOX_IGNORES.match(line)):
        yield "a `-` before the command lets failing tests pass"
    command = _RUNS.search(line)
    if command is not None and "pytest" in line.replace("py.test", "pytest"):
        options = re.split(r"\|\||&&|[;|]", line[command.start() :].rstrip("\"'`,)]"))[0]
        for option in harmful_options(options):
            if not option.startswith(
                ("-m ", "-c", "-o", "--import-mode", "--rootdir", "--reruns", "--pyargs")
            ) or option.startswith("-m not"):
                yield f"`{option}`{_SOME}"


def _forgiven(path: str, before: list[str], after: list[str]) -> Iterator[Loss]:
    """What lets a whole step or job that runs tests fail without saying so."""
    known = [found[0].strip() for _, found in _forgiving(before)]
    sections = {line for line in before if line.startswith("[")}
    for number, found in _forgiving(after):
        line = after[number]
        section = next((one for one in reversed(after[:number]) if one.startswith("[")), None)
        if path.endswith(".ini") and section not in sections:
            # An environment of tox that came is one more, and takes nothing from the others.
            continue
        if found[0].strip() in known:
            known.remove(found[0].strip())
        elif not (_RUNS.search(line) and _FORGIVES.search(line)):
            message, waits = "What fails there does not count any more", _is_computed(found[0])
            yield Loss("collection-changed", path, message, None, number + 1, None, line.strip(), waits)


def _is_computed(text: str) -> bool:
    """Whether it depends on something that the text does not tell, such as a cell of a matrix."""
    return "${{" in text or text.rstrip().endswith((">-", ">", "|", "|-"))


def _forgiving(lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines that forgive what stands around them, by their numbers from 0, where that may run tests."""
    for number, line in enumerate(lines):
        found = _FOR_ALL.search(line)
        if found is not None and not line.lstrip().startswith("#"):
            is_key = _KEY.match(line) is not None
            if not is_key or _may_run_tests(_block(lines, number)):
                yield number, found


def _block(lines: list[str], number: int) -> list[str]:
    """The lines of the mapping that a key stands in: in YAML, those that are indented as far as it, or further."""
    depth, first = _depth(lines[number]), number
    while first > 0 and not _begins_item(lines[first], depth) and _depth(lines[first - 1]) >= depth:
        first -= 1
    last = number + 1
    while last < len(lines) and _depth(lines[last]) >= depth and not _begins_item(lines[last], depth):
        last += 1
    return lines[first:last]


def _begins_item(line: str, depth: int) -> bool:
    return line.lstrip().startswith("- ") and _depth(line) == depth


def _depth(line: str) -> int:
    """How far the key of a line is indented; blank lines belong to whatever is around them."""
    bare = line.lstrip()
    return len(line) - len(bare) + (2 if bare.startswith("- ") else 0) if bare else len(line) + 10_000


def _may_run_tests(block: list[str]) -> bool:
    return bool(_running(block)) or any(re.search(r"uses:.*test|run:.*\.sh|script", line) for line in block)


def _like(line: str, lines: list[tuple[int, str]]) -> str | None:
    words = set(line.split())
    return max((one.strip() for _, one in lines), key=lambda one: len(words & set(one.split())), default=None)
