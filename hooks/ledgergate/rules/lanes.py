"""Rules about lanes and freezes: whether a run measured what it says."""

from __future__ import annotations

from ledgergate.values import State

Entry = tuple[str, State | None, str, str, str]

_RERUN = "Agent, human: run the lane again, to its end, on the commit that is judged: `ledgergate run`."
_FREEZES = (
    "Agent: leave the freeze ledger as it is, mend the flake if you can, and tell your human.\n"
    "Human: mend the test and take the freeze out (`ledgergate thaw ID`), or write a new one (`ledgergate freeze ID`)."
)

# For a report that names no tree, in place of the remedy of `report-stale`.
NO_TREE_REMEDY = (
    "Agent, human: `ledgergate run` tells each lane its tree. Where you run the lane yourself, on files that are just "
    "those of the commit, set LEDGERGATE_TREE to what `git rev-parse 'HEAD^{tree}'` prints."
)
# For a case that was skipped, in place of the remedy of `receipt-missing`.
SKIPPED_CASE_REMEDY = (
    "Agent: let it run where the lane runs, with all that it needs; or tell your human.\n"
    "Human: the same; or, where it cannot run here, `ledgergate quarantine ID --owner NAME --reason WHY` takes it out "
    "of the evidence (`--skipped-in REPORT` in place of ID: all that this run skipped), and a flaky one "
    "`ledgergate freeze ID --owner NAME --reason WHY` for some days."
)

LANES: tuple[Entry, ...] = (
    (
        "lane-missing",
        State.UNSCORED,
        "a required lane has no report",
        "The freeze ledger names the lanes that have to run. One without a report proves nothing, however green the "
        "others are.",
        f"{_RERUN}\nHuman: a lane that has no command yet gets one in ledgergate.toml, as `command` of `[lanes.NAME]`.",
    ),
    (
        "lane-incomplete",
        State.UNSCORED,
        "a lane did not honestly complete",
        "A run that was cut off, crashed, collected nothing or wrote a report that cannot be read has measured some of "
        "its cases at most.",
        f"{_RERUN} Where it ends early again, the code under test may have ended the process "
        "(`os._exit`, a signal, a crash): what the lane prints, or its command run by hand, shows how far it came.",
    ),
    (
        "floor-missed",
        State.UNSCORED,
        "fewer cases ran than the lane's floor",
        "A run that loses cases stays green by losing them. The floor in the freeze ledger says how many have to run; "
        "frozen cases do not lower it.",
        "Agent: find out which cases are gone, and bring them back.\n"
        "Human: the same; where they are frozen or in quarantine, or the suite honestly shrank, let the floor follow: "
        "`ledgergate collect --floors`, or `cardinality_floor` in the freeze ledger.",
    ),
    (
        "lane-violation",
        State.FAIL,
        "a check of the lane failed",
        "The lane ran, and what it checks does not hold.",
        "Agent: mend the code, not the check.\nHuman: mend the code, or change what the check expects.",
    ),
    (
        "artifact-differs",
        State.UNSCORED,
        "a test read other bytes than its row pins",
        "A pass is about what lay on the disk while the test ran. Line ends that a checkout converted, a pointer of "
        "Git LFS, or a golden that was written during the run is not what was approved.",
        "Agent, human: check the golden out as it is stored (`git lfs pull`; no conversion of line ends), let no test "
        "write to it, and run the lane again.",
    ),
    (
        "golden-update-run",
        State.UNSCORED,
        "the run would have rewritten goldens",
        "A run that may write what it expects cannot fail.",
        "Agent, human: take the option out of the lane's command and of the settings of its runner, and run it again.",
    ),
    (
        "plugin-unlisted",
        State.UNSCORED,
        "a plugin was loaded that the policy does not name",
        "A plugin of the test runner can change what every test does and how it ends.",
        "Agent: if your change brought the plugin in (as a dependency, say), take that back; else leave it installed "
        "and tell your human which one it is.\n"
        "Human: uninstall it where the lanes run; or, if your tests need it, name it in `[run] plugins` of "
        "ledgergate.toml.",
    ),
    (
        "receipt-missing",
        State.UNSCORED,
        "a case was skipped and no receipt accounts for it",
        "Every case that does not run needs a freeze in the freeze ledger and that freeze's receipt in the report. Any "
        "other skip could hide a failure.",
        "Agent: run the case.\n"
        "Human: run the case, or freeze it: with an owner, a reason and a day on which the freeze ends.",
    ),
    (
        "receipt-unknown",
        State.UNSCORED,
        "a receipt names no freeze of its lane",
        "A receipt counts only for a freeze that humans wrote into the freeze ledger.",
        "Agent, human: run the case; where a freeze was taken out, the run has to be made again without its skip.",
    ),
    (
        "receipt-mismatch",
        State.UNSCORED,
        "a receipt does not match its freeze",
        "A receipt quotes the signature of the freeze. Another one was written for another check, or for what the "
        "check was before; two for one freeze leave open what was skipped.",
        _RERUN,
    ),
    (
        "freeze-signature",
        State.UNSCORED,
        "the frozen check is no longer what was frozen",
        "A freeze holds for one check as it was written. Where the check was edited, renamed or removed, nobody "
        "decided to skip what stands there now.",
        _FREEZES,
    ),
    (
        "freeze-expired",
        State.UNSCORED,
        "a freeze has expired",
        "A freeze buys time to mend a flake. After its last day the case has to run again.",
        _FREEZES,
    ),
    (
        "freeze-unowned",
        State.UNSCORED,
        "a freeze without an owner skips a case",
        "Somebody has to be asked about a test that does not run.",
        "Agent: leave the freeze ledger as it is, and tell your human.\nHuman: write an `owner` into the freeze.",
    ),
)
