"""Which options and variables make a run rewrite goldens."""

from __future__ import annotations

import pytest

from ledgergate.pytest_lane.updates import golden_update

# As the plugins keep them, with what their users write.
UPDATING = {
    "syrupy": ({"update_snapshots": True}, "--snapshot-update"),
    "syrupy, new ones": ({"update_new_snapshots_only": True}, "--snapshot-update-new-only"),
    "pytest-snapshot": ({"snapshot_update": True}, "--snapshot-update"),
    "inline-snapshot": ({"inline_snapshot": "fix"}, "--inline-snapshot=fix"),
    "inline-snapshot, several": ({"inline_snapshot": "report,create"}, "--inline-snapshot=report,create"),
    "pytest-regressions": ({"force_regen": True}, "--force-regen"),
    "pytest-regressions, all": ({"regen_all": True}, "--regen-all"),
    "pytest-golden, pygments": ({"update_goldens": True}, "--update-goldens"),
    "golden": ({"golden_update": True}, "--golden-update"),
    "pytest-image-snapshot": ({"image_snapshot_update": True}, "--image-snapshot-update"),
    "pytest-regtest": ({"regtest_reset": True}, "--regtest-reset"),
    "pytest-mpl": ({"mpl_generate_path": "baseline"}, "--mpl-generate-path=baseline"),
    "pytest-mpl, hashes": ({"mpl_generate_hash_library": "a/h.json"}, "--mpl-generate-hash-library=a/h.json"),
    "pytest-arraydiff": ({"arraydiff_generate_path": "ref"}, "--arraydiff-generate-path=ref"),
    "pytest-accept": ({"accept": True}, "--accept"),
    "pytest-accept, copies": ({"accept_copy": True}, "--accept-copy"),
    "pytest-examples": ({"update_examples": True}, "--update-examples"),
    "pytest-insta": ({"insta": "update"}, "--insta=update"),
    "pytest-recording": ({"record_mode": "rewrite"}, "--record-mode=rewrite"),
    "pytest-vcr": ({"vcr_record": "new_episodes"}, "--vcr-record=new_episodes"),
    "pytest-doctestplus": ({"doctest_plus_generate_diff": "overwrite"}, "--doctest-plus-generate-diff=overwrite"),
    "a conftest's own": ({"overwrite_expected": True}, "--overwrite-expected"),
    "a conftest's own, short": ({"bless": True}, "--bless"),
    "a conftest's own, with a word": ({"golden": "regenerate"}, "--golden=regenerate"),
}
HARMLESS = [
    {"update_snapshots": False, "snapshot_update": None, "force_regen": False},
    {"inline_snapshot": "report"},
    {"inline_snapshot": "disable"},
    {"inline_snapshot": None},
    {"insta": "auto"},
    {"insta": "update-none"},
    {"record_mode": "none"},
    {"record_mode": "once"},
    {"disable_snapshot_update": True},
    {"image_snapshot_fail_if_missing": True},
    {"snapshot_dir": "tests/update"},
    {"mpl_baseline_path": "tests/create/x"},
    {"warn_unused_snapshots": True},
    {"create_db": True, "reset_db": True},
    {"reruns": 3, "count": 2, "keyword": "update and golden", "markexpr": "not update"},
    {"showfixtures": True, "setuponly": True, "cacheclear": True},
]


@pytest.mark.parametrize("case", UPDATING)
def test_an_option_that_rewrites_goldens_is_named(case: str) -> None:
    options, said = UPDATING[case]
    assert golden_update(options, {}) == said


@pytest.mark.parametrize("options", HARMLESS)
def test_other_options_are_none_of_them(options: dict[str, object]) -> None:
    assert golden_update(options, {}) is None


@pytest.mark.parametrize(
    ("name", "value", "updates"),
    [
        ("INLINE_SNAPSHOT_DEFAULT_FLAGS", "create,fix", True),
        ("INLINE_SNAPSHOT_DEFAULT_FLAGS", "report", False),
        ("UPDATE_SNAPSHOTS", "1", True),
        ("UPDATE_SNAPSHOTS", "0", False),
        ("SNAPSHOT_UPDATE", "true", True),
        ("PYTEST_UPDATE_GOLDENS", "yes", True),
        ("REGENERATE_GOLDENS", "no", False),
        ("EXPECTTEST_ACCEPT", "1", True),
        ("UPDATE_EXPECT", "1", True),
        ("GOLDEN_GATE_UPDATE_CHANNEL", "stable", False),
        ("SNAPSHOT_BUCKET", "update", False),
        ("FIXTURES", "update", False),
    ],
)
def test_variables_count_as_well(name: str, value: str, updates: bool) -> None:
    assert golden_update({}, {name: value}) == (f"{name}={value}" if updates else None)


def test_the_settings_of_inline_snapshot_count_where_no_option_outweighs_them() -> None:
    assert golden_update({"inline_snapshot": None}, {}, ["fix"]) == "default-flags of inline-snapshot (fix)"
    assert golden_update({"inline_snapshot": "report"}, {}, ["fix"]) is None
    assert golden_update({}, {}, ["short-report"]) is None
