"""A deterministic ledger for the benches: all four classes, ids and paths of the usual lengths."""

from __future__ import annotations

import hashlib
import random

SEED = 20260922


def ledger_text(rows: int) -> str:
    """A well-formed ledger of so many rows, the same on every run."""
    rng = random.Random(SEED)
    return "version: 1\nrows:\n" + "".join(_row(rng, number) for number in range(rows))


def _row(rng: random.Random, number: int) -> str:
    area = rng.choice(("parse", "render", "store", "network", "settings"))
    file = f"tests/{area}/test_{area}_{number // 20:05d}.py"
    case = f"{file}::Test{area.title()}::test_case_{number:06d}"
    kind = rng.choices(("locked_fixture", "property", "quarantine", "draft"), (70, 15, 5, 10))[0]
    if kind == "locked_fixture":
        digest = hashlib.sha256(str(number).encode()).hexdigest()
        fields = (f"artifact: tests/goldens/{area}/case_{number:06d}.json", f"digest: sha256:{digest}")
        case += rng.choice(("", "[plain-1]", "[a/b-utf-8]"))
    elif kind == "property":
        fields = (f"invariant: {area}_is_idempotent", f"seeds: tests/properties/seeds/{area}_{number}/")
    elif kind == "quarantine":
        opened = f"2026-0{rng.randint(1, 9)}-{rng.randint(1, 30) if number % 2 else 28:02d}".replace("02-29", "02-28")
        fields = (
            f"opened: {opened.replace('02-30', '02-28')}",
            "reason: order-dependent on a cache",
            "owner: test-infra",
        )
    else:
        fields = ("source: agent", "proposed_class: property", f"invariant: {area}_holds")
    return f"  - id: {case}\n    class: {kind}\n" + "".join(f"    {field}\n" for field in fields)
