"""The store is a state machine beside a dict: whatever is done, and wherever the power goes, the file equals the dict."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import FakeEmbedder, PowerCut, SetClock, cut_before, open_memory, quick_folder

from memlite import BadInput, Conflict, MemliteError, Memory, NotFound, Settings, Stale
from memlite.rules.text import clean, content_hash

T = TypeVar("T")


def stripped(text: str) -> str:
    """The text as it is stored; empty where that is refused."""
    with suppress(BadInput):
        return clean(text, what="text", max_bytes=1_000)
    return ""


SETTINGS = Settings(durability="normal", touch_seconds=3_600)
USERS = ("ann", "bob")
SESSIONS = ("s1", "s2")
AREAS = ("main", "fragments", "solutions")
KNOWN_TEXTS = ["tea", "Tea.", "green tea", "black coffee", "我喜欢喝茶", "¤ kein Vektor", "the cat sat", "café 🍵", "O'Hara"]
TEXTS = st.sampled_from(KNOWN_TEXTS) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(stripped)
METADATA = st.dictionaries(
    st.sampled_from(["topic", "a.b", "名", ""]),
    st.sampled_from(["x", "y", 1, 1.0, 2.5, True, None, [1, "x"], {"deep": "z"}]),
    max_size=2,
)
CUT = st.none() | st.integers(0, 40)
PICK = st.integers(0, 10_000)
USER = st.sampled_from(USERS)
SHARE = st.sampled_from([0.0, 0.25, 0.5, 0.55, 1.0])


@dataclass(frozen=True)
class Kept:
    """What must be true of a memory."""

    user: str
    text: str
    place: int  # memories are listed by it
    session: str | None = None
    agent: str | None = None
    seq: int | None = None
    role: str | None = None
    area: str = "main"
    importance: float = 0.5
    pinned: bool = False
    metadata: tuple[tuple[str, str], ...] = ()
    occurred: int = 0
    accessed: int = 0
    recalls: int = 0

    @property
    def hash(self) -> bytes:
        return content_hash(self.text)


@dataclass(frozen=True)
class State:
    """A memory, or its absence, as one change left it; `stamp` is that change's, and undo brings it back."""

    stamp: int
    kept: Kept | None


NEVER = State(0, None)


@dataclass
class Change:
    """A change and its memories before and after it."""

    number: int
    id: str
    user: str
    before: dict[str, State] = field(default_factory=dict)
    after: dict[str, State] = field(default_factory=dict)
    undoes: Change | None = None


def frozen(metadata: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, repr(value)) for key, value in metadata.items()))


class StoreMatchesDict(RuleBasedStateMachine):
    """Two users, one file, every verb; `cut` is the statement of the change in whose place the power goes."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = quick_folder()
        self.clock = SetClock()
        self.world: dict[str, State] = {}
        self.changes: list[Change] = []
        self.touched: dict[str, tuple[int, int]] = {}
        self.versions: dict[str, int] = {}
        self.places = 0
        self.open()

    @initialize()
    def start(self) -> None:
        self.added(self.memory.add("tea and cake", user_id="ann"), "ann", [Kept("ann", "tea and cake", 0)])

    def teardown(self) -> None:
        self.close()
        self.folder.cleanup()

    def open(self) -> None:
        options: dict[str, Any] = {"embedder": FakeEmbedder(), "clock": self.clock, "settings": SETTINGS}
        self.memory: Memory = open_memory(Path(self.folder.name), **options)
        self.reader: Memory = open_memory(Path(self.folder.name), read_only=True, **options)

    def close(self) -> None:
        self.memory.close()
        self.reader.close()

    # ------------------------------------------------------------------------------------------ the model

    def live(self, user: str | None = None) -> dict[str, Kept]:
        """The memories there are, of one user or all."""
        kept = {memory_id: state.kept for memory_id, state in self.world.items()}
        return {memory_id: item for memory_id, item in kept.items() if item and user in (None, item.user)}

    def picked(self, pick: int) -> tuple[str, Kept] | None:
        """Some memory."""
        live = sorted(self.live().items())
        return live[pick % len(live)] if live else None

    def settle(self) -> None:
        """Recalls that waited are written with a change."""
        for memory_id, (at, times) in self.touched.items():
            state = self.world[memory_id]
            if state.kept:
                seen = replace(state.kept, accessed=max(state.kept.accessed, at), recalls=state.kept.recalls + times)
                self.world[memory_id] = replace(state, kept=seen)
        self.touched = {}

    def record(self, change_id: str, user: str, new: dict[str, Kept | None], undoes: Change | None = None) -> Change:
        """A change that left these memories so."""
        change = Change(len(self.changes) + 1, change_id, user, undoes=undoes)
        self.changes.append(change)
        for memory_id, kept in new.items():
            change.before[memory_id] = self.world.get(memory_id, NEVER)
            self.world[memory_id] = change.after[memory_id] = State(change.number, kept)
        return change

    def added(self, answer: dict[str, Any], user: str, wanted: list[Kept]) -> None:
        """An `add` was answered so; checks the events and keeps what is new."""
        self.settle()
        new: dict[str, Kept | None] = {}
        for kept, result in zip(wanted, answer["results"], strict=True):
            same = [
                memory_id for memory_id, other in self.live(user).items() if (other.area, other.hash) == (kept.area, kept.hash)
            ]
            if same and kept.role is None and "infer" not in answer:
                assert (result["event"], result["id"]) == ("NONE", min(same, key=lambda one: self.live()[one].place))
                continue
            assert (result["event"], result["memory"]) == ("ADD", kept.text)
            self.places += 1
            now = self.clock()
            new[result["id"]] = replace(kept, place=self.places, occurred=now, accessed=now)
        self.record(answer["change_id"], user, new)

    def attempt(self, verb: Callable[[], T], cut: int | None, due: type[MemliteError] | None = None) -> T | None:
        """What a verb answers; None where the power went or the error came that was due."""
        self.clock.advance(seconds=1)
        answer, error = None, None
        with cut_before(cut, inside=True) as set_up:
            try:
                answer = verb()
            except PowerCut:
                return None
            except MemliteError as raised:
                error = raised
        assert not set_up.fired, f"{error} took the place of the power cut"
        assert type(error) is (due or type(None)), error or f"{due} was due, the answer is {answer}"
        return answer

    # ------------------------------------------------------------------------------------------ writing

    @rule(user=USER, text=TEXTS, area=st.sampled_from(AREAS), metadata=METADATA, importance=SHARE, infer=st.booleans(), cut=CUT)
    def add_text(
        self, user: str, text: str, area: str, metadata: dict[str, Any], importance: float, infer: bool, cut: int | None
    ) -> None:
        options: dict[str, Any] = {
            "area": area,
            "metadata": metadata,
            "importance": importance,
            "infer": infer,
            "consolidate": False,
        }
        answer = self.attempt(lambda: self.memory.add(text, user_id=user, **options), cut)
        if answer:
            kept = Kept(user, stripped(text), 0, area=area, importance=importance, metadata=frozen(metadata))
            self.added(answer if infer else {**answer, "infer": False}, user, [kept])

    @rule(user=USER, said=st.lists(TEXTS, min_size=1, max_size=4), session=st.none() | st.sampled_from(SESSIONS), cut=CUT)
    def add_turns(self, user: str, said: list[str], session: str | None, cut: int | None) -> None:
        turns = [{"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)]
        answer = self.attempt(
            lambda: self.memory.add(turns, user_id=user, session_id=session, agent_id="robot", infer=False), cut
        )
        if not answer:
            return
        taken = [kept.seq for kept in self.live(user).values() if kept.session == session and kept.seq is not None]
        first = max(taken, default=-1) + 1
        wanted = [
            Kept(
                user,
                stripped(turn["content"]),
                0,
                session=session,
                agent="robot",
                role=turn["role"],
                seq=None if session is None else first + place,
            )
            for place, turn in enumerate(turns)
        ]
        self.added(answer, user, wanted)

    @precondition(lambda self: self.live())
    @rule(pick=PICK, text=st.none() | TEXTS, importance=st.none() | SHARE, pinned=st.none() | st.booleans(), cut=CUT)
    def update(self, pick: int, text: str | None, importance: float | None, pinned: bool | None, cut: int | None) -> None:
        memory_id, kept = self.picked(pick) or ("", Kept("", "", 0))
        every = {"text": text, "importance": importance, "pinned": pinned}
        given: dict[str, Any] = {name: value for name, value in every.items() if value is not None} or {"area": "solutions"}
        changes: dict[str, Any] = given if text is None else {**given, "text": stripped(text)}
        after = replace(kept, **changes)
        answer = self.attempt(lambda: self.memory.update(memory_id, user_id=kept.user, **given), cut)
        if answer is None:
            return
        assert answer["event"] == ("NONE" if after == kept else "UPDATE")
        if after != kept:
            self.settle()
            seen = self.live()[memory_id]
            self.record(answer["change_id"], kept.user, {memory_id: replace(seen, **changes)})

    @precondition(lambda self: self.live())
    @rule(pick=PICK, metadata=METADATA, cut=CUT)
    def update_metadata(self, pick: int, metadata: dict[str, Any], cut: int | None) -> None:
        memory_id, kept = self.picked(pick) or ("", Kept("", "", 0))
        stays = {key: value for key, value in kept.metadata if key not in metadata}
        after = tuple(sorted((stays | {key: repr(value) for key, value in metadata.items() if value is not None}).items()))
        answer = self.attempt(lambda: self.memory.update(memory_id, user_id=kept.user, metadata=metadata), cut)
        if answer and answer["change_id"]:
            self.settle()
            self.record(answer["change_id"], kept.user, {memory_id: replace(self.live()[memory_id], metadata=after)})

    @precondition(lambda self: self.live())
    @rule(pick=PICK, user=USER, cut=CUT)
    def delete(self, pick: int, user: str, cut: int | None) -> None:
        memory_id, kept = self.picked(pick) or ("", Kept("", "", 0))
        error = None if kept.user == user else NotFound
        answer = self.attempt(lambda: self.memory.delete(memory_id, user_id=user), cut, error)
        if answer:
            self.settle()
            self.record(answer["change_id"], user, {memory_id: None})

    @rule(user=USER, area=st.none() | st.sampled_from(AREAS), session=st.none() | st.sampled_from(SESSIONS), cut=CUT)
    def delete_all(self, user: str, area: str | None, session: str | None, cut: int | None) -> None:
        mine = self.live(user)
        gone = {one for one, kept in mine.items() if area in (None, kept.area) and session in (None, kept.session)}
        filters = None if area is None else {"area": {"eq": area}}
        answer = self.attempt(lambda: self.memory.delete_all(user_id=user, session_id=session, filters=filters), cut)
        if answer is None:
            return
        assert set(answer["ids"]) == gone
        self.settle()
        if gone:
            self.record(answer["change_id"], user, dict.fromkeys(gone))

    @precondition(lambda self: self.live())
    @rule(picks=st.lists(PICK, min_size=1, max_size=3), to=st.sampled_from(["s1", "s2", "area", "agent"]), cut=CUT)
    def move(self, picks: list[int], to: str, cut: int | None) -> None:
        chosen = dict(found for pick in picks if (found := self.picked(pick)))
        user = next(iter(chosen.values())).user
        mine = [memory_id for memory_id, kept in chosen.items() if kept.user == user]
        target: dict[str, Any] = {"area": {"to_area": "fragments"}, "agent": {"to_agent_id": "butler"}}.get(
            to, {"to_session_id": to}
        )
        answer = self.attempt(lambda: self.memory.move(mine, user_id=user, **target), cut)
        if answer is None:
            return
        self.settle()
        changes: dict[str, Any] = {"area": {"area": "fragments"}, "agent": {"agent": "butler"}}.get(
            to, {"session": to, "seq": None}
        )
        self.record(answer["change_id"], user, {one: replace(self.live()[one], **changes) for one in mine})

    @precondition(lambda self: self.live())
    @rule(picks=st.lists(PICK, min_size=1, max_size=3), cut=CUT)
    def move_to_user(self, picks: list[int], cut: int | None) -> None:
        chosen = dict(found for pick in picks if (found := self.picked(pick)))
        user = next(iter(chosen.values())).user
        other = USERS[user == USERS[0]]
        mine = [memory_id for memory_id, kept in chosen.items() if kept.user == user]
        answer = self.attempt(lambda: self.memory.move(mine, user_id=user, to_user_id=other), cut)
        if answer is None:
            return
        self.settle()
        new: dict[str, Kept | None] = {}
        for memory_id in mine:
            self.places += 1
            new[memory_id] = replace(self.live()[memory_id], user=other, place=self.places)
        self.record(answer["change_id"], user, new)

    # ------------------------------------------------------------------------------------------ going back

    def stands(self, change: Change) -> bool:
        """Whether nothing that stands took it back."""
        return not any(other.undoes is change and self.stands(other) for other in self.changes)

    def blocking(self, change: Change) -> list[Change]:
        """Later changes of the same memories that stand, and of those that they touched, newest first.

        A change and its undo that are both later cancel out.
        """
        found: dict[int, Change] = {}
        queue = [change]
        while queue:
            base = queue.pop()
            for later in self.changes[base.number :]:
                cancels = later.undoes is not None and later.undoes.number > base.number
                if later.after.keys() & base.after.keys() and self.stands(later) and not cancels and later.number not in found:
                    found[later.number] = later
                    queue.append(later)
        return [found[number] for number in sorted(found, reverse=True)]

    def due(self, change: Change, user: str, *, cascade: bool) -> tuple[type[MemliteError] | None, list[Change]]:
        """(the error that an undo must raise, the changes that it takes back)."""
        if change.user != user:
            return NotFound, []
        if not self.stands(change):
            return Conflict, []
        blocking = self.blocking(change)
        if blocking and (not cascade or any(other.user != user for other in blocking)):
            return Stale, []
        return None, [*blocking, change]

    def take_back(self, change_id: str, change: Change) -> None:
        """The model's undo: each memory is as it was before; only what was recalled since stays recalled."""
        new: dict[str, State] = {}
        for memory_id, before in change.before.items():
            now = self.world[memory_id]
            assert now.stamp == change.after[memory_id].stamp
            if now.kept and before.kept:
                seen = {name: max(getattr(now.kept, name), getattr(before.kept, name)) for name in ("accessed", "recalls")}
                before = replace(before, kept=replace(before.kept, **seen))
            new[memory_id] = before
        undo = self.record(change_id, change.user, {}, undoes=change)
        for memory_id, state in new.items():
            undo.before[memory_id] = self.world[memory_id]
            self.world[memory_id] = undo.after[memory_id] = state

    @precondition(lambda self: self.changes)
    @rule(pick=PICK, user=USER, cascade=st.booleans(), rehearse=st.booleans(), cut=CUT)
    def undo(self, pick: int, user: str, cascade: bool, rehearse: bool, cut: int | None) -> None:
        change = self.changes[-1 - pick % min(6, len(self.changes))]
        error, targets = self.due(change, user, cascade=cascade)
        answer = self.attempt(
            lambda: self.memory.undo(change.id, user_id=user, cascade=cascade, dry_run=rehearse and not cut), cut, error
        )
        if answer is None or (rehearse and not cut):
            return
        self.settle()
        for change_id, target in zip(answer["change_ids"], targets, strict=True):
            self.take_back(change_id, target)

    @precondition(lambda self: any(change.undoes for change in self.changes))
    @rule(pick=PICK, cut=CUT)
    def redo(self, pick: int, cut: int | None) -> None:
        undone = [change.undoes for change in self.changes if change.undoes]
        change = undone[-1 - pick % len(undone)]
        undo = next((other for other in self.changes if other.undoes is change and self.stands(other)), None)
        error, _ = (Conflict, []) if undo is None else self.due(undo, change.user, cascade=False)
        answer = self.attempt(lambda: self.memory.redo(change.id, user_id=change.user), cut, error)
        if answer and undo:
            self.settle()
            self.take_back(answer["change_id"], undo)

    # ------------------------------------------------------------------------------------------ reading, upkeep

    @rule(user=USER, query=TEXTS, limit=st.sampled_from([1, 3, 50]), preset=st.sampled_from(["balanced", "mission", "lexical"]))
    def search(self, user: str, query: str, limit: int, preset: str) -> None:
        found = self.memory.search(query, user_id=user, limit=limit, preset=preset)["results"]
        assert len(found) <= limit
        for hit in found:
            assert self.live(user)[hit["id"]].text == hit["memory"]
            latest, times = self.touched.get(hit["id"], (0, 0))
            self.touched[hit["id"]] = max(latest, self.clock()), times + 1

    @rule(seconds=st.integers(-30, 30))
    def wait(self, seconds: int) -> None:
        self.clock.advance(seconds=seconds)

    @rule(how=st.sampled_from(["reindex", "compact", "reopen"]))
    def upkeep(self, how: str) -> None:
        if how == "reopen":
            self.settle()
            self.close()
            self.open()
        else:
            getattr(self.memory.admin, how)()

    # ------------------------------------------------------------------------------------------ after each step

    @invariant()
    def the_file_equals_the_dict(self) -> None:
        for user in USERS:
            records, _ = self.reader.typed.get_all(user_id=user, limit=1_000, status="any")
            assert [record.id for record in records] == self.newest_first(user)
            found = {
                record.id: Kept(
                    user=record.user_id,
                    text=record.content,
                    place=self.live()[record.id].place,
                    session=record.session_id,
                    agent=record.agent_id,
                    seq=record.seq,
                    role=record.role,
                    area=record.area,
                    importance=record.importance,
                    pinned=record.pinned,
                    metadata=frozen(dict(record.metadata)),
                    occurred=record.occurred_ms,
                    accessed=record.accessed_ms,
                    recalls=record.access_count,
                )
                for record in records
            }
            assert found == self.live(user)
            for record in records:
                stamp = self.world[record.id].stamp, record.version
                before = self.versions.get(record.id, 0)
                assert record.version >= before, stamp
                self.versions[record.id] = record.version

    def newest_first(self, user: str) -> list[str]:
        mine = self.live(user)
        return sorted(mine, key=lambda memory_id: -mine[memory_id].place)

    @invariant()
    def the_audit_equals_the_list(self) -> None:
        for user in USERS:
            entries = self.reader.changes(user_id=user, limit=1_000)["results"]
            mine = [change for change in reversed(self.changes) if change.user == user]
            assert [(entry["change_id"], entry["undone_by"] is None) for entry in entries] == [
                (change.id, self.stands(change)) for change in mine
            ]

    @invariant()
    def the_doctor_is_content(self) -> None:
        assert self.memory.check() == []


TestStoreMatchesDict: Any = pytest.mark.filterwarnings("error")(StoreMatchesDict.TestCase)
TestStoreMatchesDict.settings = settings(stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
