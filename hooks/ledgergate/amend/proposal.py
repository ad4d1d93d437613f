"""The command that makes evidence of drafts, with the options that it cannot do without."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from ledgergate.amend.places import beside_drafts, golden_target
from ledgergate.amend.records import View
from ledgergate.ledger import Row
from ledgergate.policy.model import Policy
from ledgergate.policy.paths import PathClass, classify


def promotion_command(view: View, drafts: Sequence[Row]) -> str:
    """`ledgergate promote` for these draft rows. A word in capitals stands for what only its author knows."""
    options = (option for row in drafts for option in _options(view, row))
    return " ".join([f"ledgergate promote {shlex.join(row.id for row in drafts)}", *options])


def _options(view: View, draft: Row) -> Iterator[str]:
    folder = view.policy.drafts
    if draft.fields.get("proposed_class") == "property":
        if draft.seeds is None:
            yield "--seeds FOLDER/"
        elif draft.seeds.startswith(folder):
            yield f"--seeds-to {shlex.quote(beside_drafts(draft.seeds, folder))}"
        return
    goldens = [path for path in draft.artifacts if "::" not in path and path.startswith(folder)]
    if goldens:
        yield f"--golden-to {_place(view, goldens)}"


def _place(view: View, goldens: Sequence[str]) -> str:
    """Where these may go: paths that the policy takes for goldens, and where nothing lies yet."""
    for place in _places(view.policy, goldens):
        targets = [golden_target(source, place, goldens) for source in goldens]
        tree = view.look(targets)
        if all(
            classify(view.policy, target.rstrip("/")) is PathClass.GOLDEN
            and tree.entry(target.rstrip("/")) is None
            and not tree.is_folder(target.rstrip("/"))
            for target in targets
        ):
            return shlex.quote(place)
    return "PATH" if len(goldens) == 1 else "FOLDER/"


def _places(policy: Policy, goldens: Sequence[str]) -> Iterator[str]:
    """Beside the folder of drafts, then in the folders that the policy's globs name."""
    name = _name(goldens[0]) if len(goldens) == 1 else ""
    beside = beside_drafts(goldens[0], policy.drafts)
    yield beside if name else beside.rpartition("/")[0] + "/"
    for glob in policy.goldens:
        parts = [part for part in glob.removesuffix("/").split("/") if part and not set(part) & set("*?[!\\")]
        if parts:
            yield f"{'/'.join(parts)}/{name}"


def _name(golden: str) -> str:
    """The last part of a path; a folder's ends in a slash."""
    return golden.rstrip("/").rpartition("/")[2] + ("/" if golden.endswith("/") else "")
