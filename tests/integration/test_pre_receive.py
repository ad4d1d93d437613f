"""Pushes to a real repository with ledgergate's hook in it: through git's quarantine, loose and packed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ledgergate.adopt.server_hook import CONFIG
from ledgergate.git import Repository
from ledgergate.hosts.receive import judge_updates
from ledgergate.hosts.received import Received
from ledgergate.hosts.refs import RefUpdate
from ledgergate.hosts.server_config import ServerConfig
from support.acks import KIM, SIGNERS_PATH, files, key_of, signers
from support.acks import ack as signed
from support.gate import SCRIPTS, said
from support.project import FREEZES, GOLDEN, LEDGER, LOCKED, SOUND, WITHOUT_ACKS, Edit, Project, edited, rows, sha256
from support.repo import Repo
from support.server import PATIENT, Server

pytestmark = pytest.mark.slow

RELOCKED = rows((LOCKED, edited(LOCKED, sha256("header"), sha256("new")))) | {GOLDEN: "new"}
HONEST: Edit = {"src/app.py": "x = 2\n"}


@pytest.fixture
def server(repo: Repo) -> Server:
    Project(repo, SOUND)
    made = Server(repo)
    made.seed()
    made.install()
    return made


def remote_lines(err: str) -> list[str]:
    return [line.removeprefix("remote: ").rstrip() for line in err.splitlines() if line.startswith("remote:")]


def test_an_honest_push_hears_nothing(server: Server) -> None:
    new = server.commit(HONEST)
    done = server.push()
    assert (done.status, remote_lines(done.err)) == (0, [])
    assert server.tip() == new


@pytest.mark.parametrize("limit", ["1", "1000"], ids=["packed", "loose"])
def test_tampering_is_refused_and_leaves_nothing(server: Server, limit: str) -> None:
    server.repo.git("config", "receive.unpackLimit", limit)
    before, had = server.tip(), sorted(server.repo.path.rglob("*"))
    server.commit(RELOCKED)
    done = server.push()
    assert done.status != 0
    said = remote_lines(done.err)
    assert "FAIL digest-changed: the digest of a golden or pinned test changed" in said, said
    assert said[-1] == "ledgergate: 1 of 1 pushed refs refused, so none of them moves"
    assert server.tip() == before
    assert sorted(server.repo.path.rglob("*")) == had


def test_as_a_proposal_it_arrives(server: Server) -> None:
    server.commit(RELOCKED)
    done = server.push("HEAD:refs/heads/topic")
    assert done.status == 0
    assert "refs/heads/topic is not protected" in done.err


@pytest.mark.parametrize(
    "refs",
    [
        ["HEAD:refs/heads/a", "HEAD:refs/heads/main"],
        ["HEAD:refs/heads/main", "HEAD:refs/heads/z"],
        ["HEAD:refs/tags/a", "HEAD:refs/heads/release/1"],
        [f"HEAD:refs/heads/{number}" for number in range(60)] + ["HEAD:refs/heads/main"],
        ["HEAD:refs/heads/a", ":refs/heads/main"],
    ],
    ids=["first", "last", "new", "many", "deleted"],
)
def test_every_ref_is_judged(server: Server, refs: list[str]) -> None:
    # git's own refusal comes after the hook's.
    server.repo.git("config", "receive.denyDeleteCurrent", "ignore")
    before = server.repo.git("for-each-ref")
    server.commit(RELOCKED)
    done = server.push(*refs)
    assert done.status != 0
    assert f"ledgergate: 1 of {len(refs)} pushed refs refused" in done.err
    assert server.repo.git("for-each-ref") == before


def test_refs_that_nobody_protects_come_last_and_may_have_to_wait(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Project(repo, SOUND)
    old = repo.git("rev-parse", "main")
    repo.git("checkout", "-q", "--detach")
    new = repo.commit(RELOCKED)
    monkeypatch.chdir(repo.path)
    proposals = [RefUpdate(f"refs/heads/t{number}", None, new) for number in range(3)]
    updates = [*proposals, RefUpdate("refs/heads/main", old, new)]
    assert judge_updates(proposals, ServerConfig()) == 0
    assert capsys.readouterr().out.count("is not protected, so nothing is refused") == 3
    assert judge_updates(updates, ServerConfig(deadline_s=1e-9)) == 1
    said = capsys.readouterr().out
    assert "no time was left to look at 3 of the refs that nobody protects" in said
    assert "1 of 4 pushed refs refused" in said
    assert judge_updates(proposals, ServerConfig(deadline_s=1e-9)) == 0


def test_before_what_nobody_protects_the_status_stands(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    Project(repo, SOUND)
    old = repo.git("rev-parse", "main")
    repo.git("checkout", "-q", "--detach")
    monkeypatch.chdir(repo.path)
    topic = RefUpdate("refs/heads/topic", None, repo.commit(RELOCKED))
    for ref, status in ("refs/heads/main", 1), ("refs/heads/other", 0):
        settled: list[int] = []
        assert judge_updates([topic, RefUpdate(ref, old, topic.new)], ServerConfig(), settled.append) == status
        assert settled == [status]
    # What is protected is never cut short: the deadline refuses it.
    settled = []
    assert judge_updates([RefUpdate("refs/heads/main", old, topic.new)], ServerConfig(), settled.append) == 1
    assert settled == []


@pytest.mark.parametrize("how", ["HEAD names it", "it is renamed"])
def test_what_a_default_branch_had_before_it_was_one_was_never_judged(server: Server, how: str) -> None:
    server.repo.git("config", "core.logAllRefUpdates", "true")
    tampered = server.commit(RELOCKED)
    assert server.push("HEAD:refs/heads/trunk").status == 0
    server.clone.git("revert", "--no-edit", "HEAD")
    assert server.push("HEAD:refs/heads/trunk").status == 0
    name = "refs/heads/trunk" if how == "HEAD names it" else "refs/heads/main"
    if how == "HEAD names it":
        server.repo.git("symbolic-ref", "HEAD", name)
    else:
        server.repo.git("branch", "-M", "trunk", "main")
    done = server.push(f"{tampered}:refs/heads/release/1")
    assert (done.status, server.tip("refs/heads/release/1")) == (1, None), done
    # Its twins: today's tip, and one that it had as the default branch.
    assert server.push(f"{server.tip(name)}:refs/heads/release/2").status == 0
    first = server.commit(HONEST)
    assert server.push(f"HEAD:{name}").status == 0
    server.commit({"src/app.py": "x = 3\n"})
    assert server.push(f"HEAD:{name}").status == 0
    assert first in server.repo.git("log", "-g", "--format=%H", "HEAD").split()
    assert server.push(f"{first}:refs/heads/release/3").status == 0


def test_a_mirror_is_judged_ref_by_ref(server: Server) -> None:
    server.clone.git("branch", "topic")
    server.clone.git("tag", "any")
    server.commit(HONEST)
    done = server.push("--mirror")
    assert (done.status, server.tip()) == (0, server.clone.git("rev-parse", "main")), done
    before = server.repo.git("for-each-ref")
    server.clone.git("checkout", "-q", "topic")
    server.clone.git("branch", "-D", "main")
    server.repo.git("config", "receive.denyDeleteCurrent", "ignore")
    done = server.push("--mirror")
    assert (done.status, "ref-deleted" in done.err) == (1, True), done
    assert server.repo.git("for-each-ref") == before


def with_colon(server: Server) -> Server:
    """Elsewhere, where git has to quote the path of what it borrows from."""
    other = Server.__new__(Server)
    other.clone, other.repo = server.clone, Repo(server.repo.path.parent / 'a:"b".git', bare=True)
    server.clone.git("remote", "set-url", "origin", f"file://{other.repo.path}")
    other.seed()
    other.install()
    return other


def with_alternates(server: Server) -> Server:
    """Like a fork on a forge: it borrows nearly all of its objects."""
    other = Server.__new__(Server)
    other.clone, other.repo = server.clone, Repo(server.repo.path.parent / "fork.git", bare=True)
    (other.repo.path / "objects" / "info").mkdir(exist_ok=True)
    (other.repo.path / "objects" / "info" / "alternates").write_text(f"{server.repo.path}/objects\n")
    server.clone.git("remote", "set-url", "origin", f"file://{other.repo.path}")
    other.seed()
    other.install()
    assert not list((other.repo.path / "objects").glob("??"))
    return other


@pytest.mark.parametrize("place", [with_colon, with_alternates])
def test_wherever_its_objects_lie(server: Server, place: Callable[[Server], Server]) -> None:
    other = place(server)
    new = other.commit(HONEST)
    done = other.push()
    assert (done.status, other.tip()) == (0, new), done
    other.commit(RELOCKED)
    done = other.push()
    assert (done.status, other.tip()) == (1, new), done
    assert "FAIL digest-changed" in done.err


TURNED_OFF = {
    "PYTHONPATH": ".",
    "PYTHONHOME": "/nowhere",
    "PYTHONSTARTUP": "/nowhere",
    "PYTHONWARNINGS": "error",
    "LEDGERGATE_OFF": "1",
    "SKIP": "ledgergate",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "core.hooksPath",
    "GIT_CONFIG_VALUE_0": "/nowhere",
    "GIT_REPLACE_REF_BASE": "refs/heads/",
}


def test_nothing_that_a_pusher_says_turns_it_off(server: Server, tmp_path: Path) -> None:
    """The hook itself, with all that could come with a push; git's own part would already listen to some of it."""
    (server.repo.path / "ledgergate.py").write_text("raise SystemExit(0)\n")
    (server.repo.path / "sitecustomize.py").write_text("import os\nos._exit(0)\n")
    (server.repo.path / "json.py").write_text("import os\nos._exit(0)\n")
    server.repo.git("config", "receive.advertisePushOptions", "true")
    server.commit(RELOCKED)
    for option in ("-o", "ledgergate=off"), ("-o", "skip-ci"), ("-o", "ci.skip"):
        assert "FAIL digest-changed" in server.push(*option, "HEAD:refs/heads/main").err
    server.seed("HEAD:refs/heads/topic")
    line = f"{server.tip()} {server.tip('refs/heads/topic')} refs/heads/main\n".encode()
    done = server.repo.run(server.hooks / "pre-receive", env={**TURNED_OFF, "GIT_DIR": "."}, stdin=line)
    assert (done.returncode, b"FAIL digest-changed" in done.stdout) == (1, True), done


def test_with_a_cleared_environment(server: Server) -> None:
    server.commit(RELOCKED)
    server.seed("HEAD:refs/heads/topic")
    line = f"{server.tip()} {server.tip('refs/heads/topic')} refs/heads/main\n".encode()
    done = server.repo.run("env", "-i", server.hooks / "pre-receive", stdin=line)
    assert (done.returncode, b"FAIL digest-changed" in done.stdout) == (1, True), done
    honest = f"{server.tip()} {server.tip()} refs/heads/main\n".encode()
    assert server.repo.run("env", "-i", server.hooks / "pre-receive", stdin=honest).returncode == 0


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda server: (server.hooks / CONFIG).unlink(), "policy-unreadable"),
        (lambda server: (server.hooks / CONFIG).write_text("version = 1\nrequired = 1\n"), "unknown key"),
        (lambda server: (server.hooks / CONFIG).write_text(f'{PATIENT}signers = "gone"\n'), "No such file"),
        (lambda server: server.repo.write("info/grafts", ""), "grafts"),
        (lambda server: server.repo.git("config", "core.repositoryFormatVersion", "9"), "version"),
    ],
    ids=["no configuration", "a key that is none", "no signers", "grafts", "a format of tomorrow"],
)
def test_what_is_broken_takes_nothing(server: Server, break_it: Callable[[Server], object], said: str) -> None:
    server.commit(HONEST)
    server.seed("HEAD:refs/heads/topic")
    line = f"{server.tip()} {server.tip('refs/heads/topic')} refs/heads/main\n".encode()
    break_it(server)
    done = server.repo.run(server.hooks / "pre-receive", env={"GIT_DIR": "."}, stdin=line)
    assert done.returncode == 1
    assert said in (done.stdout + done.stderr).decode()


def test_an_interpreter_that_is_gone(server: Server) -> None:
    hook = server.hooks / "pre-receive"
    hook.write_text(hook.read_text().replace("python", "gone-python"))
    server.commit(HONEST)
    done = server.push()
    assert done.status == 1
    assert "UNSCORED: the interpreter" in done.err


def test_the_deadline_refuses(server: Server) -> None:
    (server.hooks / CONFIG).write_text("version = 1\ndeadline_s = 0.001\n")
    server.commit(HONEST)
    before = server.tip()
    done = server.push()
    assert (done.status, server.tip()) == (1, before)
    assert "UNSCORED: deadline: judging took longer than the 0.001 seconds" in done.err


def test_half_an_object_never_lasts(server: Server) -> None:
    """libgit2 reads for ever in one that was cut short."""
    server.commit(HONEST)
    server.seed("HEAD:refs/heads/topic")
    line = f"{server.tip()} {server.tip('refs/heads/topic')} refs/heads/main\n".encode()
    server.repo.git("repack", "-a", "-d", "-q")
    server.repo.git("unpack-objects", stdin=next(iter((server.repo.path / "objects/pack").glob("*.pack"))).read_bytes())
    oid = server.repo.git("rev-parse", "refs/heads/topic:ledgergate.toml")
    for pack in (server.repo.path / "objects" / "pack").glob("*"):
        pack.unlink()
    for file in (server.repo.path / "objects" / oid[:2] / oid[2:],):
        data = file.read_bytes() if file.exists() else b""
        file.parent.mkdir(exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(data[: len(data) // 2])
    done = server.repo.run(server.hooks / "pre-receive", env={"GIT_DIR": os.fspath(server.repo.path)}, stdin=line)
    assert done.returncode == 1
    assert b"UNSCORED" in done.stdout + done.stderr


def test_the_update_hook_judges_one_ref(server: Server) -> None:
    (server.hooks / "pre-receive").unlink()
    server.install(hook="update")
    server.commit(RELOCKED)
    before = server.tip()
    done = server.push("HEAD:refs/heads/topic", "HEAD:refs/heads/main")
    assert done.status != 0
    assert (server.tip(), server.tip("refs/heads/topic")) == (before, server.clone.git("rev-parse", "HEAD"))
    assert "FAIL digest-changed" in done.err


def test_a_shallow_clone_pushes(server: Server, tmp_path: Path) -> None:
    for number in range(3):
        server.commit({"src/app.py": f"x = {number}\n"})
    server.seed("HEAD:refs/heads/main")
    shallow = Repo(tmp_path / "shallow", init=False)
    tmp_path.joinpath("shallow").mkdir()
    shallow.git("clone", "-q", "--depth", "1", f"file://{server.repo.path}", ".")
    shallow.configure()
    other = Server.__new__(Server)
    other.clone, other.repo = shallow, server.repo
    new = other.commit({"src/app.py": "x = 9\n"})
    assert (other.push().status, server.tip()) == (0, new)
    other.commit(RELOCKED)
    assert "FAIL digest-changed" in other.push().err


def test_a_server_that_takes_shallow_histories_refuses_what_it_cannot_follow(server: Server, tmp_path: Path) -> None:
    server.repo.git("config", "receive.shallowUpdate", "true")
    shallow = Repo(tmp_path / "shallow")
    shallow.commit(SOUND)
    shallow.commit({"src/app.py": "x = 3\n"})
    cut = Repo(tmp_path / "cut", init=False)
    tmp_path.joinpath("cut").mkdir()
    cut.git("clone", "-q", "--depth", "1", f"file://{shallow.path}", ".")
    cut.configure()
    cut.git("remote", "set-url", "origin", f"file://{server.repo.path}")
    other = Server.__new__(Server)
    other.clone, other.repo = cut, server.repo
    other.commit(RELOCKED)
    before = server.tip()
    done = other.push("--force", "HEAD:refs/heads/main")
    assert (done.status, server.tip()) == (1, before), done
    assert "digest-changed" in done.err or "git-unreadable" in done.err


def ack(server: Server, *arguments: str) -> None:
    """Approve as Kim, who looks at what is shown, and commit the file."""
    command = [str(SCRIPTS / "ledgergate"), "ack", "--key", str(key_of(KIM)), *arguments]
    shown = said(server.clone, command)
    contract = shown.out.rpartition("--contract ")[2].split()[0]
    done = said(server.clone, [*command, "--yes", "--contract", contract])
    assert done.status == 0, (shown, done)
    server.clone.git("commit", "-q", "--no-verify", "-m", "approve")


def commands_in(text: str) -> dict[str, str]:
    """What is printed for a person to run, with its arguments, whatever lines it is broken into."""
    return dict(re.findall(r"`ledgergate (check|ack) ([^`]*)`", " ".join(text.split())))


class TestWithTheServersOwnSigners:
    @pytest.fixture
    def server(self, repo: Repo) -> Server:
        made = Server(repo)
        made.install(f"{PATIENT}require = true\n", signers=signers(KIM))
        return made

    def test_from_nothing_to_the_first_policy_and_on(self, server: Server) -> None:
        server.commit({"README.md": "app\n"}, by_agent=False)
        assert "UNSCORED not-enforced" in server.push().err
        assert server.push("HEAD:refs/heads/topic").status == 0
        server.commit({**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)}, by_agent=False)
        assert server.push().status == 1
        ack(server, "--from", "HEAD~", "--to", "HEAD", "--target", "refs/heads/main")
        done = server.push()
        assert done.status == 0, done

    def test_the_first_commit_of_all_brings_it(self, server: Server) -> None:
        server.clone.stage({**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)})
        ack(server, "--staged", "--target", "refs/heads/main")
        done = server.push()
        assert done.status == 0, done
        server.commit(RELOCKED)
        assert server.push().status == 1
        ack(server, "--from", "origin/main", "--to", "HEAD")
        done = server.push()
        assert done.status == 0, done

    def test_what_the_refusal_of_a_whole_history_prints_is_what_approves_it(self, server: Server) -> None:
        server.commit({"README.md": "app\n"}, by_agent=False)
        server.commit({**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)}, by_agent=False)
        refused = server.push()
        assert refused.status == 1
        printed = re.findall(r"`ledgergate (check|ack) ([^`]*)`", " ".join(remote_lines(refused.err)))
        (check, how), (approve, same) = printed
        assert (check, approve, how) == ("check", "ack", f"{same} --exact")
        looked = said(server.clone, [str(SCRIPTS / "ledgergate"), "check", *how.split()])
        assert (looked.status, "UNSCORED" in looked.out) == (1, True)
        ack(server, *same.split())
        done = server.push()
        assert done.status == 0, done

    @pytest.mark.parametrize(
        ("path", "broken", "rule"),
        [
            ("ledgergate.toml", "version = [", "policy-unreadable"),
            ("ledgergate.toml", "golden = 1\n", "policy-unreadable"),
            (LEDGER, "rows: [", "ledger-unreadable"),
            (FREEZES, "{", "freeze-unreadable"),
            (SIGNERS_PATH, "kim\n", None),
        ],
    )
    def test_what_nobody_can_read_is_mended_as_the_refusal_says(
        self, server: Server, tmp_path: Path, path: str, broken: str, rule: str | None
    ) -> None:
        (server.hooks / "pre-receive").rename(server.hooks / "away")
        sound = {**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)}
        server.commit({**sound, path: broken}, by_agent=False)
        server.seed("HEAD:refs/heads/main")
        (server.hooks / "away").rename(server.hooks / "pre-receive")
        (tmp_path / "list").write_text(signers(KIM))
        if rule is not None:
            server.commit(HONEST)
            assert f"UNSCORED {rule}" in server.push().err
        server.commit({path: sound[path]}, by_agent=False)
        refused = server.push()
        assert refused.status == 1
        printed = commands_in(refused.err.replace("remote:", ""))
        if "ack" not in printed:
            looked = said(server.clone, [str(SCRIPTS / "ledgergate"), "check", *printed["check"].split()])
            printed = commands_in(looked.out)
        ack(server, *printed["ack"].replace("FILE", str(tmp_path / "list")).split())
        done = server.push()
        assert done.status == 0, done

    def test_a_list_that_only_the_server_has(self, server: Server, tmp_path: Path) -> None:
        (tmp_path / "list").write_text(signers(KIM))
        first = {path: text for path, text in WITHOUT_ACKS.items() if path != SIGNERS_PATH}
        server.clone.stage(first)
        ack(server, "--staged", "--target", "refs/heads/main", "--signers", str(tmp_path / "list"))
        assert server.push().status == 0
        server.commit(RELOCKED)
        ack(server, "--from", "origin/main", "--to", "HEAD", "--signers", str(tmp_path / "list"))
        done = server.push()
        assert done.status == 0, done


@pytest.mark.parametrize(
    ("rule", "author", "status"),
    [
        ("", KIM, 0),
        ("four_eyes = true", KIM, 1),
        ("four_eyes = true", "lee@example.org", 0),
        ("require_presence = true", "lee@example.org", 1),
    ],
)
def test_whose_approval_is_enough_for_a_push(repo: Repo, rule: str, author: str, status: int) -> None:
    policy = f"version = 1\n[vouch]\n{rule}\n"
    Project(repo, {**SOUND, "ledgergate.toml": policy, SIGNERS_PATH: signers(KIM)})
    server = Server(repo)
    server.seed()
    server.install()
    repo.git("config", "user.email", author)
    old = repo.git("rev-parse", "HEAD")
    new = server.commit(RELOCKED, by_agent=False)
    repo.git("config", "user.email", "ada@example.org")
    # `ledgergate ack` would not write what counts for nothing.
    received = Received(Repository(str(repo.path)), ServerConfig())
    items = received.judge(RefUpdate("refs/heads/main", old, new)).report.items
    server.commit(files(signed(items, issued=datetime.now(UTC) - timedelta(minutes=5))), by_agent=False)
    done = server.push()
    assert (done.status, "UNSCORED digest-changed" in done.err) == (status, status == 1), done


def test_a_branch_from_before_the_first_policy_takes_it_over_with_an_approval_of_its_own(repo: Repo) -> None:
    cut = repo.commit({"README.md": "app\n"})
    repo.git("branch", "-M", "main")
    repo.commit({**WITHOUT_ACKS, SIGNERS_PATH: signers(KIM)})
    server = Server(repo)
    server.seed("main", f"{cut}:refs/heads/release/1")
    server.install()
    repo.git("fetch", "-q", "origin")
    assert "UNSCORED policy-edited" in server.push("main:refs/heads/release/1").err
    ack(server, "--from", "origin/release/1", "--to", "HEAD", "--target", "refs/heads/release/1")
    done = server.push("main:refs/heads/release/1")
    assert done.status == 0, done
