"""The week: the same course of work in every project."""

from __future__ import annotations

from weeks.play import Play
from weeks.project import NewTest, Project, Together

_COLLECT = "ledgergate collect --add"
_RELOCK = "ledgergate relock --staged"
_PRUNE = "ledgergate collect --prune"


def play_week(play: Play, project: Project) -> None:
    """Some fifty commits: agents' fixes and drafts, humans' tests and expectations, branches, a rename, a formatter."""
    fixes, own, chores = iter(project.fixes), iter(project.own_fixes), iter(project.chores)
    tests, drafts, expectations = iter(project.tests), iter(project.drafts), iter(project.expectations)
    tampering, steering = iter(project.tampering), iter(project.steering)

    play.agent("Add a module", {_beside(project, "agents_module.py"): '"""Work of an agent."""\n'})
    play.human("Add a page", {"docs/page.md": "# A page\n"})
    for _ in range(2):
        _agent(play, next(fixes))
    _draft(play, next(drafts), next(fixes))
    _own(play, next(own))
    _add(play, next(tests))
    _tamper(play, next(tampering))

    _agent(play, next(fixes))
    _agent(play, next(chores))
    _expect(play, next(expectations))
    _expect(play, next(expectations))
    _promote(play, project.drafts[0])
    _tamper(play, next(tampering))

    _agent(play, next(chores))
    play.agent("Write more of the page", {"docs/page.md": "# A page\n\nWith words.\n"})
    play.human("Add a module too", {_beside(project, "humans_module.py"): '"""Work of a human."""\n'})
    _test_humans_module(play, project)
    _own(play, next(own))
    _two_branches(play, (next(tests), next(tests)), (next(fixes), next(fixes)))
    _rename(play, project.renamed)
    _expect(play, next(expectations))
    _tamper(play, next(tampering))

    _draft(play, next(drafts), next(fixes))
    _correct_the_draft(play, project.drafts[1])
    _format(play)
    _expect(play, next(expectations))
    _add(play, next(tests))
    _promote(play, project.drafts[1])

    _draft_for_agents_module(play, project)
    play.human("Remove the page", {"docs/page.md": None})
    _quarantine(play, project.flaky)
    _tamper(play, next(tampering))
    _release(play, project.flaky)
    _drop(play, project.obsolete)
    for together in steering:
        _own(play, together)
    _agent(play, next(fixes))
    _agent(play, next(chores))
    _expect(play, next(expectations))
    _own(play, next(own))


def play_day(play: Play, project: Project) -> None:
    """A short course of the same: one commit of most kinds that meet the ledger."""
    _draft(play, project.drafts[0], project.fixes[0])
    _add(play, project.tests[0])
    _expect(play, project.expectations[1])
    _promote(play, project.drafts[0])
    _rename(play, project.renamed)
    _tamper(play, project.tampering[0])


def _beside(project: Project, name: str) -> str:
    """The path of a new module in the project's package."""
    return f"{project.fixes[0].edits[0].path.rpartition('/')[0]}/{name}"


def _test_humans_module(play: Play, project: Project) -> None:
    """A human's module, and its tests in a file of their own, as both change."""
    code, tests = _beside(project, "humans_module.py"), "tests/test_humans_module.py"
    play.human("Give the module a function", {code: "def answer() -> int:\n    return 42\n"})
    source = f"from {_imported(project, code)} import answer\n\n\ndef test_answer():\n    assert answer() == 42\n"
    play.human("Test the module", {tests: source}, _COLLECT)
    edits = play.edited(code, "42", "43") | play.edited(tests, "42", "43")
    play.human("Change what the module answers", edits, _RELOCK)
    play.human("Rename its test", play.edited(tests, "test_answer", "test_answers"), _COLLECT)
    source = source.replace("def test_answer():", '@pytest.mark.parametrize("n", [1, 2])\ndef test_answers(n):')
    source = f"import pytest\n{source}".replace("answer() == 42", "answer() * n == 43 * n")
    play.human("Parametrise its test", {tests: source}, _RELOCK, _COLLECT)
    play.agent("Document the module", play.edited(code, "    return", '    """The answer."""\n    return'))
    play.human("Take the module out with its tests", {code: None, tests: None}, _PRUNE)


def _draft_for_agents_module(play: Play, project: Project) -> None:
    """An agent's module with a draft of a test, as both change, until its human wants neither."""
    code, test = _beside(project, "agents_module.py"), "tests/agent_drafts/test_agents_module.py"
    play.agent("Give the agent's module a function", {code: "def count() -> int:\n    return 1\n"})
    source = f"from {_imported(project, code)} import count\n\n\ndef test_one():\n    assert count() == 1\n"
    play.agent("Draft a test of it", {test: source}, f"ledgergate draft {test}::test_one --artifact {test}::test_one")
    renamed = {code: "def total() -> int:\n    return 1\n", test: source.replace("count", "total")}
    play.agent("Rename the function, in its draft too", renamed)
    play.human("Take the agent's module out with its draft", {code: None, test: None}, _PRUNE)


def _imported(project: Project, path: str) -> str:
    """How tests import the module at a path."""
    return path.removeprefix(project.source_root).removesuffix(".py").strip("/").replace("/", ".")


def _files(play: Play, together: Together) -> dict[str, str]:
    files: dict[str, str] = {}
    for path, old, new in together.edits:
        files |= play.edited(path, old, new)
    return files


def _agent(play: Play, together: Together) -> None:
    play.agent(together.title, _files(play, together))


def _own(play: Play, together: Together) -> None:
    play.human(together.title, _files(play, together))


def _expect(play: Play, together: Together) -> None:
    play.human(together.title, _files(play, together), _RELOCK)


def _tamper(play: Play, together: Together) -> None:
    play.tamper(together.title, _files(play, together))


def _add(play: Play, test: NewTest) -> None:
    play.human(test.title, play.appended(test.path, test.source), _COLLECT)


def _draft(play: Play, test: NewTest, fix: Together) -> None:
    """An agent's fix, and its test, in one commit."""
    files = _files(play, fix) | {test.path: test.source}
    play.agent(f"{fix.title}. {test.title}", files, f"ledgergate draft {test.id} --artifact {test.id}")


def _correct_the_draft(play: Play, test: NewTest) -> None:
    play.agent("Explain the draft", play.edited(test.path, "assert ", "# It always has.\n    assert "))


def _promote(play: Play, test: NewTest) -> None:
    play.always(f"Promote {test.id.rpartition('::')[2]}", None, f"ledgergate promote {test.id}")


def _rename(play: Play, renamed: tuple[str, str]) -> None:
    old, new = renamed
    source = (play.repo.path / old).read_bytes()
    play.human(f"Rename {old}", {old: None, new: source}, _COLLECT)


def _two_branches(play: Play, tests: tuple[NewTest, NewTest], fixes: tuple[Together, Together]) -> None:
    for name, test, fix in zip(("one", "two"), tests, fixes, strict=True):
        play.repo.git("switch", "-q", "-c", name, "main")
        _add(play, test)
        _agent(play, fix)
    play.repo.git("switch", "-q", "main")
    play.merge("one")
    play.merge("two")


def _format(play: Play) -> None:
    """A formatter's other line length, over every test file."""
    files = sorted(str(file.relative_to(play.repo.path)) for file in (play.repo.path / "tests").rglob("test_*.py"))
    tracked = set(play.repo.git("ls-files", "tests").splitlines())
    done = play.repo.run("ruff", "format", "--isolated", "--line-length", "110", *(tracked & set(files)))
    assert done.returncode == 0, done
    play.repo.git("add", "-u")
    play.human("Format the tests", None, _RELOCK)


def _quarantine(play: Play, id_: str) -> None:
    command = f"ledgergate quarantine {id_} --reason 'fails on busy machines' --owner test-infra"
    play.always("Set a flake aside", None, command)


def _release(play: Play, id_: str) -> None:
    play.always("Take the flake back", None, f"ledgergate release {id_} --artifact {id_}")


def _drop(play: Play, test: NewTest) -> None:
    play.human(test.title, play.edited(test.path, test.source, ""), _PRUNE)
