"""`ledgergate ack`: a human shows a key, sees what it is about, and signs; an agent is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from ledgergate.policy.model import POLICY_PATH
from ledgergate.values import State
from ledgergate.vouch.acks.document import read_ack
from support.acks import ACKS, EVE, GUARDED, KIM, LEE, SIGNERS_PATH, ack, files, key_of, public_of, signers
from support.project import FREEZES, GOLDEN, LEDGER, LOCKED, NOW, Edit, Project, edited, rows, sha256
from support.repo import Repo

NEW: Edit = {GOLDEN: "new", **rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new"))))}


def run(repo: Repo, *arguments: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ledgergate", *arguments],
        cwd=repo.path,
        env={**repo.env, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def branch(repo: Repo) -> Repo:
    """A branch on which a golden was changed."""
    Project(repo, {path: content for path, content in GUARDED.items() if not path.startswith(ACKS)})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit(NEW)
    return repo


pytestmark = pytest.mark.slow
RANGE = ("ack", "--from", "main", "--to", "HEAD")


def approve(repo: Repo, *arguments: str, key: str | None = None) -> subprocess.CompletedProcess[str]:
    """Look first, then approve what was shown."""
    with_key = (*arguments, "--key", key or str(key_of(KIM)))
    shown = run(repo, *with_key)
    contract = re.search(r"--contract (sha256:[0-9a-f]{64})", shown.stdout)
    assert contract, shown
    return run(repo, *with_key, "--yes", "--contract", contract[1])


def checked(repo: Repo) -> int:
    return run(repo, "check", "--from", "main", "--to", "topic").returncode


def test_what_was_shown_is_approved_and_passes(branch: Repo) -> None:
    assert checked(branch) == 1
    done = approve(branch, *RANGE)
    assert done.returncode == 0, done
    assert "new" in done.stdout
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    one = read_ack((branch.path / path).read_bytes())
    assert (one.signer, one.target, path) == (KIM, "refs/heads/main", f"{ACKS}/{one.name}")
    assert (one.expires - one.issued).days == 7
    branch.commit(message="approve")
    assert checked(branch) == 0


def test_nothing_is_written_unseen(branch: Repo) -> None:
    key = str(key_of(KIM))
    assert run(branch, *RANGE, "--key", key).returncode == 1
    assert run(branch, *RANGE, "--key", key, "--yes").returncode == 2
    assert run(branch, *RANGE, "--key", key, "--yes", "--contract", sha256("x")).returncode == 1
    assert branch.git("status", "--porcelain") == ""


def test_an_agent_is_refused(branch: Repo) -> None:
    done = run(branch, *RANGE, "--key", str(key_of(KIM)), env={"CLAUDECODE": "1"})
    assert (done.returncode, "for humans" in done.stderr) == (1, True)


@pytest.mark.parametrize("text", ["a file", "a public key in an agent's hands is named", "a strangers"])
def test_whose_key_it_is(branch: Repo, text: str) -> None:
    if text == "a file":
        branch.git("config", "gpg.format", "ssh")
        branch.git("config", "user.signingkey", str(key_of(LEE)))
        shown = run(branch, *RANGE)
        assert f"approved as {LEE}" in shown.stdout
    elif text == "a strangers":
        done = run(branch, *RANGE, "--key", str(key_of(EVE)))
        assert (done.returncode, "no line of the signers" in done.stderr) == (1, True)
    else:
        shown = run(branch, *RANGE, "--key", f"key::{public_of(KIM)}")
        assert f"approved as {KIM}" in shown.stdout


def test_without_a_key_it_says_how_to_name_one(branch: Repo) -> None:
    done = run(branch, *RANGE)
    assert (done.returncode, "--key FILE" in done.stderr) == (2, True)


def test_without_signers_nobody_is_asked_for_a_key(branch: Repo) -> None:
    branch.git("checkout", "-q", "main")
    branch.commit({SIGNERS_PATH: None})
    branch.git("checkout", "-q", "-B", "topic")
    branch.commit(NEW)
    done = run(branch, *RANGE)
    assert (done.returncode, "nobody's key counts for refs/heads/main yet" in done.stderr) == (1, True), done
    said = run(branch, "check", "--from", "main", "--to", "topic").stdout
    assert "nobody's key counts for this branch yet" in " ".join(said.split()), said


def test_a_list_of_signers_that_cannot_be_read_is_called_by_its_path(branch: Repo) -> None:
    branch.git("checkout", "-q", "main")
    branch.commit({SIGNERS_PATH: "kim@example.org\n"})
    branch.git("checkout", "-q", "-B", "topic")
    branch.commit(NEW)
    done = run(branch, *RANGE, "--key", str(key_of(KIM)))
    assert (done.returncode, f"({SIGNERS_PATH})" in done.stderr) == (1, True), done


def test_all_of_it_leaves_with_one_approval(branch: Repo) -> None:
    branch.git("reset", "-q", "--hard", "main")
    branch.commit(dict.fromkeys((POLICY_PATH, LEDGER, FREEZES, SIGNERS_PATH)), "leave")
    refused = run(branch, "check", "--from", "main", "--to", "topic", "--format", "json")
    told = {seen["rule"] for seen in json.loads(refused.stdout)["findings"]}
    assert told > {"policy-edited", "row-removed", "quarantine-removed", "freeze-edited", "signers-edited"}
    assert "ledger-missing" not in told
    done = approve(branch, *RANGE)
    assert "takes the policy away" in done.stdout, done
    branch.commit(message="approve")
    assert checked(branch) == 0


def test_what_is_staged(branch: Repo) -> None:
    branch.git("checkout", "-q", "main")
    branch.stage(NEW)
    assert approve(branch, "ack", "--days", "2").returncode == 0
    branch.git("checkout", "-q", "-b", "mine")
    branch.commit()
    assert run(branch, "check", "--from", "main", "--to", "mine").returncode == 0


def test_a_test_that_an_agent_edited(branch: Repo) -> None:
    branch.git("reset", "-q", "--hard", "main")
    text = (branch.path / "tests/test_parse.py").read_text().replace("def test_without_row(): pass\n", "")
    branch.commit({"tests/test_parse.py": text}, trailers=("Co-Authored-By: Claude <noreply@anthropic.com>",))
    assert checked(branch) == 1
    assert "tests/test_parse.py" in approve(branch, *RANGE).stdout
    branch.commit(message="approve")
    assert checked(branch) == 0


def test_what_is_committed_is_named_where_nothing_is_staged(branch: Repo) -> None:
    said = run(branch, "ack", "--key", str(key_of(KIM))).stdout
    (printed,) = re.findall(r"^  ledgergate (.*)$", said, re.MULTILINE)
    assert approve(branch, *printed.split()).returncode == 0
    branch.commit(message="approve")
    assert checked(branch) == 0


def test_a_branch_of_any_remote_is_the_one_that_is_pushed_there(branch: Repo) -> None:
    branch.git("remote", "add", "srv", ".")
    branch.git("update-ref", "refs/remotes/srv/release/1", "main")
    assert run(branch, "check", "--from", "srv/release/1", "--to", "HEAD").returncode == 1
    done = approve(branch, "ack", "--from", "srv/release/1", "--to", "HEAD")
    assert "for refs/heads/release/1," in done.stdout, done
    branch.commit(message="approve")
    assert run(branch, "check", "--from", "srv/release/1", "--to", "HEAD").returncode == 0
    assert "already" in run(branch, "ack", "--from", "srv/release/1", "--to", "HEAD", "--key", str(key_of(KIM))).stdout


def test_a_first_list_of_signers_is_said_to_count_for_a_server_alone(branch: Repo) -> None:
    branch.git("checkout", "-q", "main")
    branch.commit({SIGNERS_PATH: None})
    branch.git("checkout", "-q", "-B", "topic")
    branch.commit({SIGNERS_PATH: signers(KIM)})
    done = approve(branch, *RANGE)
    assert "refs/heads/main has no signers that can vouch for it" in done.stdout, done


@pytest.mark.parametrize("is_link", [False, True])
def test_what_takes_the_place_of_the_folder_is_named(branch: Repo, is_link: bool) -> None:
    branch.write(".ledgergate/acks", "x")
    if is_link:
        (branch.path / ".ledgergate/acks").unlink()
        (branch.path / ".ledgergate/acks").symlink_to("..")
    done = approve(branch, *RANGE)
    assert done.returncode == 1
    assert "git rm -f :/.ledgergate/acks" in done.stdout + done.stderr


def test_a_revocation(branch: Repo) -> None:
    assert approve(branch, *RANGE).returncode == 0
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    branch.commit(message="approve")
    assert approve(branch, "ack", "--revoke", path, key=str(key_of(LEE))).returncode == 0
    again = run(branch, "ack", "--revoke", path, "--key", str(key_of(LEE)))
    assert (again.returncode, "taken it back here already" in again.stdout) == (0, True)
    branch.commit(message="revoke")
    assert checked(branch) == 1


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ({"ledgergate.toml": None}, "nothing is enforced on refs/heads/main"),
        ({SIGNERS_PATH: None}, "on refs/heads/main nobody can approve"),
        ({SIGNERS_PATH: "# none\n"}, "on refs/heads/main nobody can approve"),
        ({SIGNERS_PATH: "kim\n"}, "on refs/heads/main nobody can approve"),
        ({SIGNERS_PATH: signers(KIM)}, None),
        ({"ledgergate.toml": "version = 1\n[vouch]\nmode = 'signals'\n", SIGNERS_PATH: None}, None),
        ({"ledgergate.toml": "version = 1\n[vouch]\nsigners = 'keys'\n", "keys": signers(LEE)}, None),
    ],
    ids=["policy", "signers", "emptied", "unreadable", "fewer", "signals", "moved"],
)
def test_who_takes_the_guards_away_is_told(branch: Repo, edit: Edit, said: str | None) -> None:
    branch.git("checkout", "-q", "-B", "topic", "main")
    branch.commit(edit)
    shown = run(branch, *RANGE, "--key", str(key_of(KIM))).stdout
    assert ("Careful" in shown) is (said is not None), shown
    assert said is None or said in " ".join(shown.split())


@pytest.mark.parametrize("landed", ["on its own branch", "on another"])
def test_what_has_landed_is_asked_of_its_own_branch(branch: Repo, landed: str) -> None:
    branch.git("branch", "release/1", "main")
    assert approve(branch, *RANGE, "--target", "refs/heads/release/1").returncode == 0
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    branch.commit(message="approve")
    branch.git("branch", "-f", "release/1" if landed == "on its own branch" else "main", "HEAD")
    for target in ("main", "release/1"):
        done = run(branch, "ack", "--revoke", path, "--target", f"refs/heads/{target}", "--key", str(key_of(LEE)))
        has_landed = target == "release/1" and landed == "on its own branch"
        assert ("It has landed" in done.stdout) is has_landed, done
        assert ("take it back on a branch that goes to" in done.stderr) is (target == "main"), done


def test_what_is_revoked_on_the_branch_that_it_is_for_is_so_everywhere(branch: Repo) -> None:
    assert approve(branch, *RANGE).returncode == 0
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    branch.commit(message="approve")
    branch.git("checkout", "-q", "main")
    branch.commit(files(ack(revokes=path.removeprefix(f"{ACKS}/"))))
    branch.git("checkout", "-q", "topic")
    done = run(branch, "ack", "--revoke", path, "--key", str(key_of(LEE)))
    assert (done.returncode, "taken it back on refs/heads/main already" in done.stdout) == (0, True), done


def test_a_strangers_revocation_leaves_it_to_a_signer(branch: Repo) -> None:
    assert approve(branch, *RANGE).returncode == 0
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    branch.commit(files(ack(signer=EVE, revokes=path.removeprefix(f"{ACKS}/"))), message="approve")
    assert checked(branch) == 0
    assert approve(branch, "ack", "--revoke", path).returncode == 0
    branch.commit(message="revoke")
    assert checked(branch) == 1


@pytest.fixture
def release(branch: Repo) -> Repo:
    """A protected branch without a list of its own, where those of the default branch count."""
    branch.git("checkout", "-q", "-B", "release/1", "main")
    branch.commit({SIGNERS_PATH: None})
    branch.git("checkout", "-q", "-B", "topic")
    return branch


ON_RELEASE = ("--from", "release/1", "--to", "topic")


@pytest.mark.parametrize("edit", [NEW, {SIGNERS_PATH: signers(EVE)}], ids=["a row", "a list of its own"])
def test_on_another_branch_those_of_the_default_branch_approve(release: Repo, edit: Edit) -> None:
    release.commit(edit)
    told = run(release, "check", *ON_RELEASE).stdout
    assert "`ledgergate ack --from release/1 --to topic --target" in " ".join(told.split())
    done = approve(release, "ack", *ON_RELEASE)
    assert (done.returncode, "Careful" in done.stdout, "has no signers" in done.stdout) == (0, False, False), done
    release.commit(message="approve")
    assert run(release, "check", *ON_RELEASE).returncode == 0


@pytest.mark.parametrize("line", [None, "", "kim\n"], ids=["none", "empty", "unreadable"])
def test_where_nobodys_signature_counts_no_approval_is_asked_of_one(branch: Repo, line: str | None) -> None:
    branch.git("checkout", "-q", "main")
    branch.commit({SIGNERS_PATH: line})
    branch.git("checkout", "-q", "-B", "topic")
    branch.commit({SIGNERS_PATH: signers(KIM)})
    told = " ".join(run(branch, "check", "--from", "main", "--to", "topic").stdout.split())
    assert "this branch cannot say" in told
    assert "`ledgergate ack --from main --to topic --target refs/heads/main --signers FILE`" in told
    assert "refs/heads/main`" not in told


@pytest.mark.parametrize("seen", ["staged", "committed", "on another branch", "elsewhere"])
def test_a_revocation_belongs_on_the_branch_of_its_approval(branch: Repo, seen: str) -> None:
    release = "refs/heads/release/1"
    assert approve(branch, *RANGE, "--target", release).returncode == 0
    (path,) = branch.git("diff", "--cached", "--name-only").split()
    if seen != "staged":
        branch.commit(message="approve")
    if seen == "on another branch":
        branch.git("checkout", "-q", "-b", "fix", "main")
    if seen == "elsewhere":
        branch.git("checkout", "-q", "main")
        branch.git("branch", "-qD", "topic")
        branch.git("checkout", "-q", "-b", "fix")
    refused = run(branch, "ack", "--revoke", path, "--key", str(key_of(LEE)))
    if seen == "elsewhere":
        assert "it is not known here which one it is for" in refused.stdout
        return
    assert (refused.returncode, f"take it back on a branch that goes to {release}" in refused.stderr) == (2, True)
    assert approve(branch, "ack", "--revoke", path, "--target", release, key=str(key_of(LEE))).returncode == 0


def test_expired_ones_are_cleared_away_by_anyone(branch: Repo) -> None:
    old, live = ack(revokes=f"{'a' * 64}.json", issued=NOW.replace(year=2020)), ack(revokes=f"{'b' * 64}.json")
    branch.commit(files(old, live))
    done = run(branch, "ack", "--prune", env={"CLAUDECODE": "1"})
    assert (done.returncode, branch.git("diff", "--cached", "--name-only")) == (0, f"{ACKS}/{old.name}")
    assert State.PASS.value in run(branch, "check", env={"CLAUDECODE": "1"}).stdout
    assert signers(KIM) in (branch.path / SIGNERS_PATH).read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--staged", "--prune"),
        ("--from", "main"),
        ("--days", "31"),
        ("--days", "0"),
        ("--target", "main", "--key", "x"),
    ],
)
def test_odd_calls(branch: Repo, arguments: tuple[str, ...]) -> None:
    assert run(branch, "ack", *arguments).returncode == 2
