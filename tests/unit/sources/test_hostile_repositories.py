"""A repository that somebody else has prepared: nothing of it runs, and what it lacks is said."""

import os
import subprocess
from pathlib import Path

import pytest

from qmon_tui.cli import main
from qmon_tui.sources import SourceError, git_repository
from qmon_tui.sources.revisions import read_revision

_PROGRAMS = """\
[core]
  alternateRefsCommand = CANARY
  askPass = CANARY
  editor = CANARY
  fsmonitor = CANARY
  gitProxy = CANARY
  hooksPath = HOOKS
  pager = CANARY
  sshCommand = CANARY
  worktree = /
  attributesFile = ATTRIBUTES
[alias]
  log = !CANARY
  rev-list = !CANARY
  rev-parse = !CANARY
  ls-tree = !CANARY
  cat-file = !CANARY
  config = !CANARY
[browser "x"]
  cmd = CANARY
[credential]
  helper = !CANARY
[diff]
  external = CANARY
  tool = x
[diff "x"]
  command = CANARY
  textconv = CANARY
[difftool "x"]
  cmd = CANARY
[filter "x"]
  clean = CANARY
  smudge = CANARY
  process = CANARY
  required = true
[gpg]
  program = CANARY
  format = openpgp
[gpg "openpgp"]
  program = CANARY
[gpg "ssh"]
  program = CANARY
  defaultKeyCommand = CANARY
[gpg "x509"]
  program = CANARY
[guitool "x"]
  cmd = CANARY
[instaweb]
  httpd = CANARY
[interactive]
  diffFilter = CANARY
[log]
  showSignature = true
[mailmap]
  file = PIPE
[man "x"]
  cmd = CANARY
[merge "x"]
  driver = CANARY
[mergetool "x"]
  cmd = CANARY
[pager]
  log = CANARY
  rev-list = CANARY
  rev-parse = CANARY
  ls-tree = CANARY
  cat-file = CANARY
  config = CANARY
[protocol]
  allow = always
[protocol "ext"]
  allow = always
[extensions]
  partialClone = origin
  worktreeConfig = true
[remote "origin"]
  url = ext::CANARY
  promisor = true
  partialclonefilter = blob:none
  uploadpack = CANARY
  receivepack = CANARY
  vcs = CANARY
  proxy = CANARY
[sendemail]
  toCmd = CANARY
  ccCmd = CANARY
[sequence]
  editor = CANARY
[trace2]
  eventTarget = PIPE
  normalTarget = PIPE
[uploadpack]
  packObjectsHook = CANARY
[include]
  path = more
[includeIf "gitdir:**"]
  path = more
"""
"""Every setting of git-config(1) that names a program, a pipe or another file."""

_HOOKS = ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-auto-gc")
_VARIABLES = (
    "GIT_ASKPASS", "GIT_EDITOR", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",    "GIT_SSH_COMMAND", "PAGER", "SSH_ASKPASS",
)  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    settings = ("user.name=Anna", "user.email=anna@site.org", "init.defaultBranch=main", "gc.auto=0")
    line = ["git", *(word for setting in settings for word in ("-c", setting)), *arguments]
    return subprocess.run(line, cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def committed(folder: Path, *options: str) -> Path:
    """A cluster in the folder `site` of a repository, with 2 and then 3 slots."""
    site = folder / "site"
    site.mkdir(parents=True)
    git(folder, "init", "-q", *options)
    for slots in (2, 3):
        (site / "c.yaml").write_text(f"queues: {{all.q: {{slots: {slots}}}}}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", f"{slots}")
    return site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return committed(tmp_path / "repository")


def object_file(site: Path, name: str) -> Path:
    number = git(site, "rev-parse", name)
    return site.parent / ".git" / "objects" / number[:2] / number[2:]


def signed(site: Path) -> None:
    """Give the newest commit a signature, which git would let a program verify."""
    text = git(site, "cat-file", "commit", "HEAD")
    head, _, message = text.partition("\n\n")
    armour = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----"
    new = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        input=f"{head}\n{armour}\n\n{message}\n", cwd=site, check=True, capture_output=True, text=True,
    )  # fmt: skip
    git(site, "reset", "-q", "--soft", new.stdout.strip())


def test_no_setting_of_a_repository_runs_a_program(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the settings, hooks and attributes of the repository, those of the user, and those of the environment."""
    lost = object_file(site, "HEAD~1:site/c.yaml")
    trace = tmp_path / "ran"
    canary = site / "canary"
    canary.write_text(f"#!/bin/sh\necho $0 $* >>{trace}\nexit 1\n")
    canary.chmod(0o755)
    (site / "git").symlink_to("canary")  # found by a search path with `.` in it
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    os.mkfifo(site / ".mailmap")
    hooks, attributes = tmp_path / "hooks", tmp_path / "attributes"
    hooks.mkdir()
    attributes.write_text("* filter=x diff=x merge=x\n")
    signed(site)
    repository = site.parent / ".git"
    for hook in _HOOKS:
        for place in (hooks, repository / "hooks"):
            place.mkdir(exist_ok=True)
            (place / hook).symlink_to(canary)
    (repository / "info" / "attributes").write_text("* filter=x diff=x merge=x\n")
    settings = _PROGRAMS
    for word, path in (("CANARY", canary), ("HOOKS", hooks), ("ATTRIBUTES", attributes), ("PIPE", pipe)):
        settings = settings.replace(word, str(path))
    (repository / "config").write_text("[core]\n\trepositoryformatversion = 1\n" + settings)
    for place in (repository / "more", repository / "config.worktree", tmp_path / ".gitconfig"):
        place.write_text(settings.partition("[include]")[0])
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in _VARIABLES:
        monkeypatch.setenv(name, str(canary))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(canary))
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}:")
    monkeypatch.chdir(site)
    for revision, code in {"0": 0, "7": 2, "nothing": 2, "HEAD:site": 2}.items():
        line = ["compare", str(site), f"{site}@{{{revision}}}", "--for", "60", "--processes", "1"]
        assert main(line) == code, revision
    line = ["sweep", f"{site}@{{1}}", "--over", "queues.all.q.slots=1,2", "--for", "60", "--processes", "1"]
    assert main(line) == 0
    for revision, slots in {"1": 2, "HEAD~1": 2, "main": 3}.items():
        assert read_revision(site, revision).files["c.yaml"] == f"queues: {{all.q: {{slots: {slots}}}}}\n"
    lost.unlink()
    with pytest.raises(SourceError, match=r"c\.yaml of it is missing"):
        read_revision(site, "1")
    assert not trace.exists()
    capsys.readouterr()


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("HEAD~1:site/c.yaml", "c.yaml of it is missing in the repository; a partial clone has the rest at its remote"),
        ("HEAD~1:site", "git cannot read it"),
        ("HEAD~1^{tree}", "git cannot read it"),
        ("HEAD~1", "git cannot read it"),
    ],
)
def test_what_is_lost_is_not_read_as_empty(
    site: Path, lost: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    object_file(site, lost).unlink()
    for name in ("1", "HEAD~1"):
        assert main(["compare", str(site), f"{site}@{{{name}}}"]) == 2
        assert said in capsys.readouterr().err
    assert read_revision(site, "HEAD").files["c.yaml"] == "queues: {all.q: {slots: 3}}\n"


def test_a_damaged_file(site: Path) -> None:
    place = object_file(site, "HEAD~1:site/c.yaml")
    content = place.read_bytes()
    place.chmod(0o644)
    for kept in (0, 4, len(content) - 6):
        place.write_bytes(content[:kept])
        with pytest.raises(SourceError, match=r"site@\{1\}: (git cannot read it|c\.yaml of it)"):
            read_revision(site, "1")


@pytest.mark.parametrize("lacks", ["blob:none", "tree:0"])
def test_a_partial_clone(site: Path, tmp_path: Path, lacks: str) -> None:
    git(site, "config", "uploadpack.allowFilter", "true")
    line = ("clone", "-q", f"--filter={lacks}", f"file://{site.parent}", str(tmp_path / "clone"))
    git(site, *line)
    with pytest.raises(SourceError, match="a partial clone has the rest at its remote"):
        read_revision(tmp_path / "clone" / "site", "HEAD~1")
    assert read_revision(tmp_path / "clone" / "site", "HEAD").files


def test_where_repositories_are(site: Path, tmp_path: Path) -> None:
    """A worktree, a shallow clone, one with other hashes, one packed, and one that is the cluster folder itself."""
    git(site, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"), "HEAD~1")
    assert "slots: 2" in read_revision(tmp_path / "tree" / "site", "HEAD").files["c.yaml"]
    assert "slots: 3" in read_revision(tmp_path / "tree" / "site", "main").files["c.yaml"]
    git(site, "clone", "-q", "--depth=1", f"file://{site.parent}", str(tmp_path / "shallow"))
    with pytest.raises(SourceError, match=r"the only one is @\{0\}"):
        read_revision(tmp_path / "shallow" / "site", "1")
    other = committed(tmp_path / "sha256", "--object-format=sha256")
    assert "slots: 2" in read_revision(other, "1").files["c.yaml"]
    git(site, "gc", "-q")
    git(site, "pack-refs", "--all")
    assert "slots: 2" in read_revision(site, "1").files["c.yaml"]
    assert "slots: 3" in read_revision(site, "main").files["c.yaml"]
    git(site, "init", "-q")
    with pytest.raises(SourceError, match="no revision of this folder yet"):
        read_revision(site, "0")
    git(site, "add", "-A")
    git(site, "commit", "-qm", "own")
    assert "slots: 3" in read_revision(site, "0").files["c.yaml"]


def test_trees_without_end(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few objects that are a billion files."""
    monkeypatch.setattr(git_repository, "MOST_BYTES", 1_000_000)
    blob = git(site, "rev-parse", "HEAD:site/c.yaml")
    entries = f"100644 blob {blob}\tc.yaml\n"
    for _ in range(9):
        made = subprocess.run(["git", "mktree"], input=entries, cwd=site, check=True, capture_output=True, text=True)
        entries = "".join(f"040000 tree {made.stdout.strip()}\t{number}\n" for number in range(10))
    top = subprocess.run(["git", "mktree"], input=entries, cwd=site, check=True, capture_output=True, text=True)
    site_tree = f"040000 tree {top.stdout.strip()}\tsite\n"
    made = subprocess.run(["git", "mktree"], input=site_tree, cwd=site, check=True, capture_output=True, text=True)
    commit = git(site, "commit-tree", "-m", "bomb", made.stdout.strip())
    with pytest.raises(SourceError, match="git answers with more than"):
        read_revision(site, commit)


def test_pipes_in_place_of_what_git_reads(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = site.parent / ".git"
    for name in ("packed-refs", "config", "HEAD"):
        kept = (repository / name).read_bytes() if (repository / name).exists() else None
        (repository / name).unlink(missing_ok=True)
        os.mkfifo(repository / name)
        with pytest.raises(SourceError, match=f"git cannot be asked: .*{name}: it is a named pipe"):
            read_revision(site, "1")
        (repository / name).unlink()
        if kept is not None:
            (repository / name).write_bytes(kept)
    monkeypatch.setattr(git_repository, "_PATIENCE_SECONDS", 0.3)
    os.mkfifo(repository / "refs" / "heads" / "waits")
    with pytest.raises(SourceError, match="git does not answer"):
        read_revision(site, "waits")
