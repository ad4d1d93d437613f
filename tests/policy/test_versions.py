"""Version bumps of other tools in hook and workflow files."""

from __future__ import annotations

import pytest

from ledgergate.policy.protected import protected_difference
from support.settings import edit

CONFIG = """\
# our hooks
default_language_version:
  python: python3.11
repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v5.0.0
    hooks:
      - id: check-yaml
  - repo: https://github.com/example/gate
    hooks:
      - id: ledgergate
    # pinned
    rev: v1.0.0
  - rev: "24.1.0"
    repo: https://github.com/psf/black
    hooks: [{id: black}]
"""

WORKFLOW = """\
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - name: gate
        uses: example/ledgergate-action@v1
      - name: python
        uses: 'actions/setup-python@v5.1.0'  # the usual one
        with:
          python-version: "3.12"
      - run: pytest
"""

COMPOSITE = """\
runs:
  using: composite
  steps:
    - uses: actions/checkout@v4
"""

REUSED = """\
jobs:
  test:
    uses: acme/ci/.github/workflows/python.yml@v1
"""

HIDDEN = """\
repos:
  - repo: local
    hooks:
      - id: tests
        entry: |
          run --with
            rev: v1.0
        env:
          rev: v2.0
rev: v3.0
"""

HIDDEN_STEPS = """\
env:
  rev: v1.0
jobs:
  test:
    steps:
      - run: |
          cat <<EOF
          - uses: actions/checkout@v4
          EOF
      - with:
          uses: acme/runner@v5
"""

PREK = """\
[[repos]]
repo = "https://github.com/pre-commit/pre-commit-hooks"
rev = "v5.0.0"
hooks = [{ id = "check-yaml" }]
[[repos]]
repo = "https://github.com/example/ledgergate"
rev = "v1.0.0"
hooks = [{ id = "ledgergate" }]
"""

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: v6.0.0"),
        (".pre-commit-config.yml", CONFIG, '"24.1.0"', '"24.1.1rc1"'),
        ("sub/.pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: v4.0.0-alpha.8"),
        (".github/workflows/ci.yml", WORKFLOW, "checkout@v4", "checkout@v5"),
        (".github/actions/setup/action.yaml", COMPOSITE, "checkout@v4", "checkout@v6"),
        ("action.yml", COMPOSITE, "checkout@v4", "checkout@v6"),
        (".github/workflows/ci.yml", REUSED, "python.yml@v1", "python.yml@v2"),
        (".forgejo/workflows/ci.yaml", WORKFLOW, "checkout@v4", "checkout@v4.2.1"),
        ("prek.toml", PREK, 'rev = "v5.0.0"', 'rev = "v6.0.0"  # newest'),
    ],
)
def test_bumps_that_are_anyones(path: str, text: str, old: str, new: str) -> None:
    assert edit(path, text, old, new) is None


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", f"rev: {COMMIT}"),
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: 1234567"),
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: main"),
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: v6.0.0\n    # x"),
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: v6.0.0  # x"),
        (".pre-commit-config.yaml", CONFIG, "rev: v5.0.0", "rev: 'v6.0.0'"),
        (".pre-commit-config.yaml", CONFIG, "rev: v1.0.0", "rev: v0.9.0"),
        (".pre-commit-config.yaml", CONFIG, "id: check-yaml", "id: check-toml"),
        (".pre-commit-config.yaml", CONFIG, "pre-commit/pre-commit-hooks", "evil/pre-commit-hooks"),
        (".pre-commit-config.yaml", CONFIG, "- id: ledgergate", "- id: other"),
        (".pre-commit-config.yaml", CONFIG + "x:\n  <<: *a\n", "rev: v5.0.0", "rev: v6.0.0"),
        (".pre-commit-config.yaml", HIDDEN, "rev: v1.0", "rev: v1.1"),
        (".pre-commit-config.yaml", HIDDEN, "rev: v2.0", "rev: v2.1"),
        (".pre-commit-config.yaml", HIDDEN, "rev: v3.0", "rev: v3.1"),
        (".pre-commit-config.yaml", WORKFLOW, "checkout@v4", "checkout@v5"),
        (".pre-commit-config.yaml", CONFIG + "x: [\n", "rev: v5.0.0", "rev: v6.0.0"),
        (".github/workflows/ci.yml", HIDDEN_STEPS, "rev: v1.0", "rev: v1.1"),
        (".github/workflows/ci.yml", HIDDEN_STEPS, "checkout@v4", "checkout@v5"),
        (".github/workflows/ci.yml", HIDDEN_STEPS, "runner@v5", "runner@v6"),
        (".github/workflows/ci.yml", CONFIG, "rev: v5.0.0", "rev: v6.0.0"),
        (".github/workflows/ci.yml", WORKFLOW, "checkout@v4", f"checkout@{COMMIT}"),
        (".github/workflows/ci.yml", WORKFLOW, "actions/checkout@v4", "evil/checkout@v4"),
        (".github/workflows/ci.yml", WORKFLOW, "ledgergate-action@v1", "ledgergate-action@v2"),
        (".github/workflows/ci.yml", WORKFLOW, "run: pytest", "run: true"),
        (".github/workflows/ci.yml", WORKFLOW, '"3.12"', '"3.13"'),
        (".github/workflows/ci.sh", WORKFLOW, "checkout@v4", "checkout@v5"),
        ("action.yml", COMPOSITE, "using: composite", "using: docker"),
        ("prek.toml", PREK, "v5.0.0", "main"),
        ("prek.toml", PREK, "v1.0.0", "v0.1.0"),
        ("prek.toml", PREK, "check-yaml", "check-toml"),
        ("prek.toml", PREK, "[[repos]]", "[[repos]"),
        ("prek.toml", PREK, "[[repos]]", "fail_fast = true\n[[repos]]"),
    ],
)
def test_changes_that_are_a_humans(path: str, text: str, old: str, new: str) -> None:
    assert edit(path, text, old, new) == "its content"


def test_a_bump_does_not_cover_for_another_edit() -> None:
    new = CONFIG.replace("v5.0.0", "v6.0.0").replace("check-yaml", "check-toml")
    assert protected_difference(".pre-commit-config.yaml", CONFIG.encode(), new.encode()) == "its content"


def test_a_pin_back_from_a_commit_id_is_a_difference_too() -> None:
    old = WORKFLOW.replace("checkout@v4", f"checkout@{COMMIT}")
    assert protected_difference(".github/workflows/ci.yml", old.encode(), WORKFLOW.encode()) == "its content"
