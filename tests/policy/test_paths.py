"""What the policy says about a path."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledgergate.policy.builtin import BUILT_IN_PROTECTED
from ledgergate.policy.model import Policy
from ledgergate.policy.paths import (
    PathClass,
    classify,
    is_ledger,
    is_partly_protected,
    ledger_paths,
    may_agent_write,
    underlying_class,
)

GIT_PATHS = st.binary(min_size=1, max_size=20).map(lambda data: data.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("ledgergate.toml", PathClass.PROTECTED),
        (".ledgergate/allowed_signers", PathClass.PROTECTED),
        ("tests/.gitattributes", PathClass.PROTECTED),
        (".github/workflows/ci.yml", PathClass.PROTECTED),
        (".github/CODEOWNERS", PathClass.PROTECTED),
        ("docs/.github/workflows/ci.yml", PathClass.NOT_PRODUCTION),
        ("lefthook-local.yml", PathClass.PROTECTED),
        (".config/lefthook.jsonc", PathClass.PROTECTED),
        ("sub/prek.toml", PathClass.PROTECTED),
        ("src/conftest.py", PathClass.PROTECTED),
        ("tests/agent_drafts/conftest.py", PathClass.PROTECTED),
        ("pyproject.toml", PathClass.PROTECTED),
        ("src/myconftest.py", PathClass.PRODUCTION),
        ("tests/ledger.yaml", PathClass.LEDGER),
        ("tests/freeze_ledger.json", PathClass.LEDGER),
        ("tests/ledger.yaml.bak", PathClass.TEST),
        ("tests/goldens/a.bin", PathClass.GOLDEN),
        ("tests/goldens", PathClass.TEST),
        ("tests/agent_drafts/test_x.py", PathClass.DRAFT),
        ("tests/agent_drafts_not/test_x.py", PathClass.TEST),
        ("tests/test_x.py", PathClass.TEST),
        ("src/app.py", PathClass.PRODUCTION),
        ("src/tests/app.py", PathClass.PRODUCTION),
        ("README.md", PathClass.NOT_PRODUCTION),
        ("src/README.md", PathClass.PRODUCTION),
        ("docs/a/b.py", PathClass.NOT_PRODUCTION),
        ("LICENSE-MIT", PathClass.NOT_PRODUCTION),
        (".ledgergate/acks/00.json", PathClass.NOT_PRODUCTION),
        (".ledgergate/acks/conftest.py", PathClass.PROTECTED),
    ],
)
def test_default_policy(path: str, expected: PathClass) -> None:
    assert classify(Policy(), path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Tests/Conftest.py", PathClass.PROTECTED),
        ("LedgerGate.TOML", PathClass.PROTECTED),
        (".GitHub/workflows/ci.yml", PathClass.PROTECTED),
        (".gitattribute\u017f", PathClass.PROTECTED),
        ("jenkinsfile", PathClass.PROTECTED),
        ("src/conf\u200ctest.py", PathClass.PROTECTED),
        ("\ufeffpytest.ini", PathClass.PROTECTED),
        ("tests/agent_drafts/__pycache__/test_x.pyc", PathClass.PROTECTED),
        ("ci/nightly.coveragerc", PathClass.PROTECTED),
        ("Tests/Goldens/a.bin", PathClass.GOLDEN),
        ("TESTS/test_x.py", PathClass.TEST),
        # Only goldens, tests and protected paths are what another spelling could slip by.
        ("Docs/a.md", PathClass.PRODUCTION),
        ("readme.MD", PathClass.PRODUCTION),
        ("tests/AGENT_DRAFTS/x.py", PathClass.TEST),
    ],
)
def test_other_spellings_of_a_path(path: str, expected: PathClass) -> None:
    assert classify(Policy(), path) is expected


@pytest.mark.parametrize(
    "path",
    [
        *("codemagic.yaml", "buildspec.yml", "cloudbuild.yaml", ".zuul.yaml", "zuul.d/jobs.yaml", "ci/Jenkinsfile"),
        *(
            "action.yml",
            ".husky/pre-commit",
            ".githooks/pre-push",
            ".teamcity/settings.kts",
            ".tekton/pr.yaml",
            ".husky",
            ".ci/run",
            ".claude/settings.json",
            ".mergify.yml",
        ),
        *(
            "ci/setup/action.yaml",
            "vite.config.ts",
            "web/babel.config.js",
            ".babelrc",
            "deno.json",
            ".taprc",
            ".bazelrc",
        ),
        *("spec/support/jasmine.json", "spec/support/jasmine.mjs", "cucumber.yml", "web-test-runner.config.mjs"),
        *(".bazelrc", "node_modules/jest/index.js", "web/node_modules"),
    ],
)
def test_ci_and_hooks_of_many_kinds(path: str) -> None:
    assert classify(Policy(), path) is PathClass.PROTECTED


@pytest.mark.parametrize(
    "path",
    [
        *(
            "docs/buildspec.md",
            "src/actions.yml",
            "src/vite.ts",
            "docs/cucumber.md",
            "src/deno.ts",
            "src/cloudbuild.yaml",
            "src/.husky/x",
            "Jenkinsfile.md",
            "zuul.d.md",
        ),
        *("src/actions.yml", "src/vite.ts", "docs/cucumber.md", "src/deno.ts", "tests/web/node_modules/x.js"),
        *("src/husky.py", "actions.yml", "src/.ci/run", ".claude/commands/x.md", "src/codemagic.yaml"),
    ],
)
def test_what_only_looks_like_ci(path: str) -> None:
    assert classify(Policy(), path) is not PathClass.PROTECTED


@pytest.mark.parametrize(
    ("policy", "path", "expected"),
    [
        (Policy(production=("src/**",)), "src/a.py", PathClass.PRODUCTION),
        (Policy(production=("src/**",)), "tools/a.py", PathClass.NOT_PRODUCTION),
        (Policy(production=("docs/**",)), "docs/a.py", PathClass.PRODUCTION),
        (Policy(production=("**",)), "tests/a.py", PathClass.TEST),
        (Policy(protected=("Makefile",)), "sub/makefile", PathClass.PROTECTED),
        (Policy(protected=("tests/agent_drafts/keep/**",)), "tests/agent_drafts/keep/a.py", PathClass.PROTECTED),
        (Policy(protected=("!conftest.py",)), "conftest.py", PathClass.PROTECTED),
        (Policy(protected=(".ledgergate/**",)), ".ledgergate/acks/a.json", PathClass.NOT_PRODUCTION),
        (Policy(tests=("**",)), ".ledgergate/acks/a.json", PathClass.NOT_PRODUCTION),
        (Policy(goldens=("**/snap/**",)), "tests/agent_drafts/snap/a", PathClass.GOLDEN),
        (Policy(ledger=("services/*/ledger.yaml",)), "services/a/ledger.yaml", PathClass.LEDGER),
        (Policy(ledger=("services/*/ledger.yaml",)), "services/a/b/ledger.yaml", PathClass.PRODUCTION),
        (Policy(ledger=("ledger.yaml",)), "tests/ledger.yaml", PathClass.TEST),
        (Policy(tests=(), goldens=()), "tests/a.py", PathClass.PRODUCTION),
    ],
)
def test_policies_of_ones_own(policy: Policy, path: str, expected: PathClass) -> None:
    assert classify(policy, path) is expected


@given(path=GIT_PATHS)
def test_any_path_has_a_class(path: str) -> None:
    policy = Policy(protected=("[ab]*",), goldens=("**/g?/**",), production=("src/**", "!src/x"))
    assert isinstance(classify(policy, path), PathClass)
    assert may_agent_write(policy, path) in (True, False)


@given(folder=GIT_PATHS.filter(lambda path: "/" not in path))
def test_no_folder_hides_a_conftest(folder: str) -> None:
    assert classify(Policy(), f"{folder}/conftest.py") is PathClass.PROTECTED


def test_the_built_in_list_is_written_in_three_shapes_only() -> None:
    for glob in BUILT_IN_PROTECTED:
        bare = "/" not in glob
        assert bare or glob.startswith("/"), glob
        assert not set("*?[]!\\") & set(glob.removesuffix("/**")), glob
        assert classify(Policy(), f"sub/{glob}" if bare else glob[1:].replace("**", "a/b")) is PathClass.PROTECTED


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("pyproject.toml", PathClass.PRODUCTION),
        ("tests/data/setup.cfg", PathClass.TEST),
        ("docs/tox.ini", PathClass.NOT_PRODUCTION),
    ],
)
def test_partly_protected_files_have_a_class_of_their_own(path: str, expected: PathClass) -> None:
    assert is_partly_protected(Policy(), path)
    assert underlying_class(Policy(), path) is expected


def test_whole_files_are_not_partly_protected() -> None:
    assert not is_partly_protected(Policy(), "pytest.ini")
    assert not is_partly_protected(Policy(), "my-pyproject.toml")


@pytest.mark.parametrize(
    ("policy", "path", "expected"),
    [
        (Policy(), "tests/agent_drafts/test_x.py", True),
        (Policy(), "tests/agent_drafts/conftest.py", False),
        (Policy(), "tests/test_x.py", False),
        (Policy(agent_write_paths=("tests/**",)), "tests/test_x.py", True),
        (Policy(agent_write_paths=("tests/**",)), "tests/conftest.py", False),
        (Policy(agent_write_paths=("tests/**",)), "tests/ledger.yaml", False),
        (Policy(agent_write_paths=("tests/**",)), "Tests/test_x.py", False),
        (Policy(agent_write_paths=("tests/unit/**",)), "tests/property/test_x.py", False),
    ],
)
def test_what_agents_may_write(policy: Policy, path: str, expected: bool) -> None:
    assert may_agent_write(policy, path) is expected


class Files:
    """A tree that remembers what was asked of it."""

    def __init__(self, *paths: str) -> None:
        self.paths = paths
        self.walked: list[str] = []

    def entry(self, path: str) -> object | None:
        return path if path in self.paths else None

    def files(self, folder: str = "") -> Iterator[tuple[str, object]]:
        self.walked.append(folder)
        return ((path, None) for path in self.paths if path.startswith(folder))


@pytest.mark.parametrize(
    ("ledger", "found", "walked"),
    [
        (("tests/ledger.yaml",), ("tests/ledger.yaml",), []),
        (("none.yaml",), (), []),
        (("services/*/ledger.yaml",), ("services/a/ledger.yaml", "services/b/ledger.yaml"), ["services/"]),
        (("services/b/led*.yaml", "services/b/ledger.yaml"), ("services/b/ledger.yaml",), ["services/b/"]),
        (("**/ledger.yaml",), ("services/a/ledger.yaml", "services/b/ledger.yaml", "tests/ledger.yaml"), [""]),
        (
            ("tests/ledger.yaml", "services/*/ledger.yaml"),
            ("services/a/ledger.yaml", "services/b/ledger.yaml", "tests/ledger.yaml"),
            ["services/"],
        ),
    ],
)
def test_ledgers_are_found(ledger: tuple[str, ...], found: tuple[str, ...], walked: list[str]) -> None:
    policy = Policy(ledger=ledger)
    tree = Files("services/b/ledger.yaml", "services/a/ledger.yaml", "services/a/x.py", "tests/ledger.yaml")
    assert ledger_paths(policy, tree) == found
    assert tree.walked == walked
    assert all(is_ledger(policy, path) for path in found)


def test_the_freeze_ledger_is_no_test_ledger() -> None:
    assert not is_ledger(Policy(), "tests/freeze_ledger.json")
