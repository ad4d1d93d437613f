"""The week: the same course of work in every project."""

from __future__ import annotations

from weeks.play import Play
from weeks.project import NewTest, Project, Together

_COLLECT = "ledgergate collect --add"
_RELOCK = "ledgergate relock --staged"


def play_week(play: Play, project: Project) -> None:
    """Some fifty commits: agents' fixes and drafts, humans' tests and expectations, branches, a rename, a formatter."""
    fixes, own, chores = iter(project.fixes), iter(project.own_fixes), iter(project.chores)
    tests, drafts, expectations = iter(project.tests), iter(project.drafts), iter(project.expectations)
    tampering, steering = iter(project.tampering), iter(project.steering)

    play.agent("Add a module", {_beside(project, "agents_module.py"): '"""Work of an agent."""\n'})
    play.human("Add a page", {"docs/page.md": "# A page\n"})
    for _ in range(3):
        _agent(play, next(fixes))
    _draft(play, next(drafts))
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
    _own(play, next(own))
    _two_branches(play, (next(tests), next(tests)), (next(fixes), next(fixes)))
    _rename(play, project.renamed)
    _expect(play, next(expectations))
    _tamper(play, next(tampering))

    _draft(play, next(drafts))
    _correct_the_draft(play, project.drafts[1])
    _agent(play, next(fixes))
    _format(play)
    _expect(play, next(expectations))
    _add(play, next(tests))
    _promote(play, project.drafts[1])

    play.agent("Give the module a function", {_beside(project, "agents_module.py"): "def new(): return 1\n"})
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


def _beside(project: Project, name: str) -> str:
    """The path of a new module in the project's package."""
    return f"{project.fixes[0].edits[0].path.rpartition('/')[0]}/{name}"


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


def _draft(play: Play, test: NewTest) -> None:
    play.agent(test.title, {test.path: test.source}, f"ledgergate draft {test.id} --artifact {test.id}")


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
    play.human(test.title, play.edited(test.path, test.source, ""), "ledgergate collect --prune")
