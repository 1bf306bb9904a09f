"""What is kept outside the repository: found again, for one's own eyes, signed once."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from accord.errors import AccordError, UsageError
from accord.model.ids import digest_bytes
from accord.store.state import Slot, State
from tests.support.privileges import as_nobody, open_folder

PROJECT = "3f" * 16
SLOT = Slot("2026-11-30-one", 1, "dana")
VOTE = b"vote: agree\n"
DIGEST = digest_bytes(VOTE)


@pytest.fixture
def state() -> State:
    return State.of_project(PROJECT, [])


class TestPlace:
    def test_is_in_the_state_home_of_the_user(self, isolation: Path) -> None:
        assert State.of_project(PROJECT, []).directory == isolation / f"state/accord/{PROJECT}"

    @pytest.mark.parametrize("home", ["", "relative/path"])
    def test_is_below_home_where_nothing_else_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
    ) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", home)
        monkeypatch.setenv("HOME", str(tmp_path))

        state = State.of_project(PROJECT, [])

        assert state.directory == tmp_path / f".local/state/accord/{PROJECT}"

    def test_is_for_its_owner_alone(self, state: State) -> None:
        mask = os.umask(0)
        try:
            state.keep_vote(SLOT, VOTE)
            state.remember_seals(SLOT, {"dana": DIGEST})
            with state.sign_once("seal", SLOT, DIGEST):
                pass
        finally:
            os.umask(mask)

        modes = {
            (path.is_dir(), stat.S_IMODE(path.stat().st_mode))
            for path in [state.directory, *state.directory.rglob("*")]
        }
        assert modes == {(True, 0o700), (False, 0o600)}

    def test_is_closed_again_if_it_was_opened(self, state: State) -> None:
        state.directory.chmod(0o755)

        State.of_project(PROJECT, [])

        assert stat.S_IMODE(state.directory.stat().st_mode) == 0o700

    @pytest.mark.parametrize("named", ["XDG_STATE_HOME", "HOME", "--keep", "a link"])
    def test_is_never_in_the_repository(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
    ) -> None:
        repository = tmp_path / "repository"
        (repository / "deep").mkdir(parents=True)
        (tmp_path / "link").symlink_to(repository / "deep")
        keep = None
        if named == "XDG_STATE_HOME":
            monkeypatch.setenv(named, str(repository))
        elif named == "HOME":
            monkeypatch.delenv("XDG_STATE_HOME")
            monkeypatch.setenv(named, str(repository))
        else:
            keep = repository / "deep" if named == "--keep" else tmp_path / "link"

        with pytest.raises(UsageError, match="may not be kept in the repository") as refused:
            State.of_project(PROJECT, [tmp_path / "elsewhere", repository], keep)

        assert "XDG_STATE_HOME" in refused.value.hint
        assert list(repository.rglob("*")) == [repository / "deep"]

    def test_of_somebody_else_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / f"accord/{PROJECT}").mkdir(parents=True)
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        # Only root could give the folder away; anybody can be taken for another.
        stranger = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: stranger)

        with pytest.raises(AccordError, match="belongs to another user"):
            State.of_project(PROJECT, [])

    def test_cannot_be_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/state")

        with pytest.raises(AccordError, match="cannot be written"):
            State.of_project(PROJECT, [])

    def test_of_a_user_without_a_home(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("HOME")
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setattr(os, "getuid", lambda: 54321)  # whom no list of users has

        with pytest.raises(AccordError, match="no home directory") as refused:
            State.of_project(PROJECT, [])

        assert "XDG_STATE_HOME" in refused.value.hint


class TestVotes:
    def test_a_kept_vote_is_found_again(self, state: State) -> None:
        state.keep_vote(SLOT, VOTE)
        state.keep_vote(SLOT, VOTE)

        later = State.of_project(PROJECT, [])
        assert later.find_vote(SLOT, DIGEST) == VOTE
        assert later.load_vote(SLOT, DIGEST) == VOTE

    def test_a_failed_attempt_is_not_in_the_way(self, state: State) -> None:
        state.keep_vote(SLOT, VOTE)
        state.keep_vote(SLOT, b"another nonce")

        assert state.load_vote(SLOT, DIGEST) == VOTE
        assert state.load_vote(SLOT, digest_bytes(b"another nonce")) == b"another nonce"

    @pytest.mark.parametrize(
        "other",
        [SLOT._replace(round=2), SLOT._replace(member="omar"), SLOT._replace(decision="2026-1")],
    )
    def test_votes_are_kept_apart(self, state: State, other: Slot) -> None:
        state.keep_vote(SLOT, VOTE)

        assert state.find_vote(other, DIGEST) is None

    def test_a_lost_vote_is_told_with_what_to_do(self, state: State) -> None:
        with pytest.raises(AccordError, match="of dana in round 1 of 2026-11-30-one") as lost:
            state.load_vote(SLOT, DIGEST)

        assert str(state.directory) in lost.value.message
        assert "--keep" in lost.value.hint
        assert "closes the round" in lost.value.hint

    def test_a_damaged_vote_is_a_lost_one_and_can_be_kept_anew(self, state: State) -> None:
        state.keep_vote(SLOT, VOTE)
        (kept,) = (path for path in state.directory.rglob("*") if path.is_file())
        kept.write_bytes(VOTE[:-3])

        with pytest.raises(AccordError, match="not as it was sealed"):
            state.load_vote(SLOT, DIGEST)
        state.keep_vote(SLOT, VOTE)
        assert state.load_vote(SLOT, DIGEST) == VOTE

    def test_a_vote_that_cannot_be_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with open_folder() as home, as_nobody():
            monkeypatch.setenv("XDG_STATE_HOME", str(home))
            state = State.of_project(PROJECT, [])
            state.keep_vote(SLOT, VOTE)
            (kept,) = (path for path in state.directory.rglob("*") if path.is_file())
            kept.chmod(0)

            with pytest.raises(AccordError, match="cannot be read"):
                state.load_vote(SLOT, DIGEST)

    def test_an_opened_vote_is_forgotten(self, state: State) -> None:
        state.keep_vote(SLOT, VOTE)

        state.forget_vote(SLOT, DIGEST)
        state.forget_vote(SLOT, DIGEST)

        assert state.find_vote(SLOT, DIGEST) is None

    def test_may_be_kept_elsewhere(self, tmp_path: Path) -> None:
        state = State.of_project(PROJECT, [tmp_path / "repository"], tmp_path / "kept")

        state.keep_vote(SLOT, VOTE)

        assert state.load_vote(SLOT, DIGEST) == VOTE
        assert State.of_project(PROJECT, []).find_vote(SLOT, DIGEST) is None
        (kept,) = (path for path in (tmp_path / "kept").rglob("*") if path.is_file())
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


class TestSignedOnce:
    def test_another_one_is_refused(self, state: State) -> None:
        with state.sign_once("seal", SLOT, DIGEST):
            pass

        with (
            pytest.raises(UsageError, match="another seal of dana in round 1") as refused,
            state.sign_once("seal", SLOT, digest_bytes(b"other")),
        ):
            pytest.fail("two seals were signed")
        assert "equivocation" in refused.value.hint
        assert str(state.directory) in refused.value.hint

    def test_a_second_ballot_is_refused_whoever_opens_it(self, state: State) -> None:
        ballot = Slot("2026-11-30-one", 1)
        with state.sign_once("round", ballot, DIGEST):
            pass

        with (
            pytest.raises(UsageError, match="another round in round 1 of 2026-11-30-one"),
            state.sign_once("round", ballot, digest_bytes(b"other")),
        ):
            pytest.fail("two ballots were signed")

    def test_the_same_again_is_no_other(self, state: State) -> None:
        with state.sign_once("vote", SLOT, DIGEST):
            pass
        with pytest.raises(KeyError), state.sign_once("vote", SLOT, DIGEST):
            raise KeyError

        with (
            pytest.raises(UsageError, match="another vote"),
            state.sign_once("vote", SLOT, digest_bytes(b"other")),
        ):
            pytest.fail("the note of the first was taken back by the second")

    def test_what_failed_was_not_signed(self, state: State) -> None:
        with pytest.raises(KeyError), state.sign_once("vote", SLOT, DIGEST):
            raise KeyError

        with state.sign_once("vote", SLOT, digest_bytes(b"other")):
            pass

    @pytest.mark.parametrize(
        ("kind", "slot"),
        [("vote", SLOT), ("seal", SLOT._replace(round=2)), ("seal", SLOT._replace(member="omar"))],
    )
    def test_each_place_is_its_own(self, state: State, kind: str, slot: Slot) -> None:
        with state.sign_once("seal", SLOT, DIGEST):
            pass
        with state.sign_once(kind, slot, digest_bytes(b"other")):  # type: ignore[arg-type]
            pass

        assert len([path for path in state.directory.rglob("*") if path.is_file()]) == 2

    def test_a_note_that_cannot_be_made_refuses(self, state: State) -> None:
        (state.directory / "signed").write_bytes(b"a file where a folder belongs")

        with (
            pytest.raises(AccordError, match="cannot be written"),
            state.sign_once("vote", SLOT, DIGEST),
        ):
            pytest.fail("signed without a note")


class TestSeals:
    def test_the_first_look_counts(self, state: State) -> None:
        assert state.find_seals(SLOT) is None
        state.remember_seals(SLOT, {"omar": DIGEST, "dana": DIGEST})
        state.remember_seals(SLOT, {"dana": DIGEST})

        assert State.of_project(PROJECT, []).find_seals(SLOT) == {"dana": DIGEST, "omar": DIGEST}

    @pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff"])
    def test_what_cannot_be_read_is_not_known(self, state: State, content: bytes) -> None:
        state.remember_seals(SLOT, {"dana": DIGEST})
        (path,) = (path for path in state.directory.rglob("*") if path.is_file())
        path.write_bytes(content)

        assert state.find_seals(SLOT) is None
