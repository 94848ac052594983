"""What the engine asks of the outside world; longer than the house limit because each method states its contract."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from memlite.errors import Timeout
from memlite.model import Change, Hit, Record
from memlite.values import AlikeQuery, Page, Problem, Verdict, Waiting

if TYPE_CHECKING:  # numpy costs a tenth of a second at import, and opening a store does not need it
    import numpy as np
    from numpy.typing import NDArray

    from memlite.rules.decision import Candidate, Ruling
    from memlite.rules.distil.dialogue import Extraction, Turn
    from memlite.rules.filters import Group
    from memlite.rules.presets import Preset

    Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceInfo:
    """An embedding space: which model made the vectors. Two spaces are the same when their fingerprints are.

    Attributes:
        model: a readable name such as `all-MiniLM-L6-v2-int8`.
        dimension: numbers in a vector, a multiple of 8 up to 4,096.
        model_sha256: hex digest of the weights.
        tokenizer_sha256: hex digest of the tokenizer file.
        max_tokens: text past this many tokens is not in the vector.
        languages: ISO 639-1 codes the model was made for.
        max_unknown: a text with a larger share of unknown tokens, in [0, 1], is not covered: it gets no vector.
        thresholds: named relevance thresholds that belong to this space, each in [0, 1].
    """

    model: str
    dimension: int
    model_sha256: str
    tokenizer_sha256: str
    max_tokens: int
    languages: tuple[str, ...] = ()
    max_unknown: float = 0.2
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """What must be equal for vectors to be comparable."""
        return f"{self.model_sha256}:{self.tokenizer_sha256}:{self.dimension}:{self.max_tokens}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """What a model made of one text.

    Attributes:
        vector: shape (dimension,), float32, length 1; None where the text has no words or is not covered by the space.
        unknown_share: share of the text's tokens the model does not know, in [0, 1].
        truncated: the vector covers only the beginning of the text.
    """

    vector: Vector | None
    unknown_share: float = 0.0
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """A search, read and checked.

    Attributes:
        preset: weights and form of the score.
        vector: the query's vector as float32 bytes; None leaves the vector leg out.
        terms: the query's words; none leaves the full-text leg out.
        filters: what must hold of each memory.
        status: which memories: a status, or "any".
        limit: most results, 1..4,096.
        exact: scan the whole scope.
        explain: give every number behind a score.
        floor: leave out results with a lower score.
        now_ms: UTC milliseconds that ages are counted to.
    """

    preset: Preset
    vector: bytes | None
    terms: tuple[str, ...]
    filters: Group | None
    status: str
    limit: int
    exact: bool
    explain: bool
    floor: float | None
    now_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory about to be written, with what the model made of its text; `encoded` None leaves it without a vector.

    Attributes:
        reason: goes into the audit.
        links: (parent id, relation) of what it was made of.
        verdict: how it came to be stored so; None where nothing was decided.
    """

    record: Record
    encoded: Encoded | None = None
    reason: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    verdict: Verdict | None = None


class Embedder(Protocol):
    """Turns texts into unit vectors of one space. Deterministic: equal texts give bitwise equal vectors."""

    @property
    def info(self) -> SpaceInfo:
        """The space the vectors belong to. May read and hash the model file at the first call.

        Raises:
            ModelMissing: a file of the model is not there.
        """
        ...

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """One result a text, in order; an empty list for an empty list.

        Raises:
            ModelMissing: a file of the model is not there.
            EmbeddingError: the model failed.
        """
        ...


class Deadline:
    """By when an item's model calls must all be done. Monotonic; setting the clock does not move it."""

    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left_s(self) -> float:
        """Seconds left, more than 0.

        Raises:
            Timeout: none is left.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise Timeout(f"no time is left of the {self.seconds:g} s for one item")
        return left


class Chat(Protocol):
    """A chat model that answers in JSON."""

    @property
    def name(self) -> str:
        """What the audit calls it, such as `ollama:qwen2.5:7b`."""
        ...

    @property
    def max_chars(self) -> int:
        """How many characters of a message fit beside instructions and answer; longer messages are the caller's to cut."""
        ...

    def ask(self, system: str, message: str, *, schema: Mapping[str, Any], deadline: Deadline) -> str:
        """The text the model answered, as it came. `schema` is a flat JSON schema that the back end may or may not enforce.

        Raises:
            Unreachable, ModelNotFound, Timeout, ReplyError: no whole answer came; nothing may be concluded.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """What a distiller made of a window, and where it came from, for the audit.

    Attributes:
        source: "rules" or a model's name.
        prompts: names and versions of the prompts used.
        replies: what the model answered, as it came.
    """

    extraction: Extraction
    source: str
    prompts: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


class Distiller(Protocol):
    """Finds what is worth keeping in a conversation."""

    def extract(self, turns: Sequence[Turn], *, now_ms: int, deadline: Deadline) -> Distilled:
        """Facts and solutions of a window, in the order of the talk. Raises ChatError."""
        ...

    def keywords(self, text: str, *, deadline: Deadline) -> tuple[str, ...]:
        """Up to six terms that a related memory would hold, the most telling first. Raises ChatError."""
        ...

    def importance(self, texts: Sequence[str], *, deadline: Deadline) -> tuple[float, ...]:
        """A number in [0, 1] for each text. Raises ChatError."""
        ...


class Decider(Protocol):
    """Says what becomes of a new memory beside stored ones like it."""

    def decide(self, new: Record, offered: Sequence[Candidate], *, deadline: Deadline) -> Ruling:
        """One ruling; the caller checks it before anything is done. `offered` holds at least one candidate. Raises ChatError."""
        ...


class Tx(Protocol):
    """One transaction: everything done through it is in the file afterwards, or nothing. Opened by `Store.write`.

    `open_run` comes first; what follows belongs to that run's user and is recorded under it.
    """

    def open_run(
        self,
        user_id: str,
        verb: str,
        *,
        now_ms: int,
        undoes: int | None = None,
        key: str | None = None,
        request_hash: bytes | None = None,
    ) -> str:
        """Starts a change; its public id."""
        ...

    def records(self, user_id: str, ids: Sequence[str]) -> list[Record]:
        """The user's memories among `ids` as they are now, in that order."""
        ...

    def same_text(self, user_id: str, area: str, content_hash: str, now_ms: int) -> tuple[str, str] | None:
        """(id, text) of the user's oldest active memory of that area with the same normalised text."""
        ...

    def next_seq(self, user_id: str, session_id: str) -> int:
        """The next free place in a session, from 0."""
        ...

    def space_for(self, info: SpaceInfo, now_ms: int) -> int:
        """The number of the file's space, made now where it has none. Raises SpaceMismatch for another model's."""
        ...

    def insert(self, drafts: Sequence[Draft], space: int | None) -> None:
        """Adds memories and their vectors."""
        ...

    def amend(self, before: Record, draft: Draft, space: int | None, *, reembedded: bool) -> None:
        """Puts `draft` in the place of `before`. Raises Stale when that changed meanwhile."""
        ...

    def remove(self, records: Sequence[Record], reason: str | None = None) -> None:
        """Takes memories away. Raises Stale when one changed meanwhile."""
        ...

    def note(
        self,
        memory_id: str,
        reason: str,
        *,
        codes: Mapping[str, Any] | None = None,
        told: Mapping[str, str] | None = None,
        keep_ms: int | None = None,
    ) -> None:
        """Records that a memory was left as it is, and why. `told` may quote texts: dropped with them, or after `keep_ms`."""
        ...

    def expire(self) -> None:
        """Drops the texts whose time is over."""
        ...

    def enqueue(self, session_id: str | None, turns: Sequence[str], options: Mapping[str, Any]) -> int:
        """Lets turns of the open run's user wait to be distilled; the item's number."""
        ...

    def finish(self, item: int) -> None:
        """Takes an item out of the inbox."""
        ...

    def fail(self, item: int, code: str) -> None:
        """Notes that an item was tried in vain."""
        ...

    def require_lease(self, name: str, token: int) -> None:
        """Raises LeaseLost unless the change is still made under the lease."""
        ...

    def transfer(self, records: Sequence[Record], to_user: str) -> None:
        """Gives memories to another user under the same ids."""
        ...

    def run_of(self, user_id: str, change_id: str) -> tuple[int, int | None]:
        """(run, the run it undid) of a change. Raises NotFound."""
        ...

    def undone_by(self, run: int) -> tuple[int, str] | None:
        """(run, change id) of the undo that stands, if one does."""
        ...

    def in_the_way(self, user_id: str, run: int) -> list[tuple[int, str]]:
        """(run, change id) of later changes of the same memories that stand, newest first."""
        ...

    def revert(self, run: int) -> list[tuple[str, str]]:
        """Takes a run back; (memory id, event) of each. Raises Stale, Erased or Expired."""
        ...


class Store(Protocol):
    """Where memories are kept. Every call names the user; none returns or changes another's."""

    def write(self) -> AbstractContextManager[Tx]:
        """One change. Raises Busy or ReadOnly."""
        ...

    def get(self, user_id: str, ids: Sequence[str]) -> list[Record]:
        """The user's memories among `ids`, whatever their status, in that order."""
        ...

    def successors(self, user_id: str, memory_id: str) -> tuple[str, ...]:
        """Ids of what replaced a memory, oldest first."""
        ...

    def page(self, user_id: str, filters: Group | None, status: str, limit: int, cursor: str | None, now_ms: int | None) -> Page:
        """Part of the user's memories that pass, newest first. No `now_ms` = expired ones too."""
        ...

    def recall(self, user_id: str, query: RecallQuery, *, touch: bool) -> tuple[list[Hit], bool]:
        """(the best memories, best first; whether the ranking is exact by construction)."""
        ...

    def same_text(self, user_id: str, area: str, content_hash: str, now_ms: int) -> tuple[str, str] | None:
        """(id, text) of the user's oldest active memory of that area with the same normalised text."""
        ...

    def waiting(self, user_id: str | None, limit: int) -> list[Waiting]:
        """What waits to be distilled, oldest first; of all users where none is named."""
        ...

    def next_waiting(self, user_id: str, session_id: str | None, item: int) -> Waiting | None:
        """The first waiting item of a session from `item` on."""
        ...

    def acquire_lease(self, name: str, holder: str, *, now_ms: int, ttl_ms: int) -> int | None:
        """The token of a lease; None while another holds it."""
        ...

    def renew_lease(self, name: str, token: int, *, now_ms: int, ttl_ms: int) -> bool:
        """Whether the lease was still held, and so was prolonged."""
        ...

    def release_lease(self, name: str, token: int) -> None:
        """Gives a lease back."""
        ...

    def recalled(self, user_id: str, since_ms: int, limit: int) -> list[Record]:
        """The user's memories recalled since then, the latest first."""
        ...

    def citing(self, user_id: str, turns: Sequence[str]) -> list[Record]:
        """The user's memories that rest on any of these turns, in the order they were made."""
        ...

    def last_turns(self, user_id: str, session_id: str, limit: int) -> list[Record]:
        """The latest turns of a session, oldest first."""
        ...

    def alike(self, user_id: str, query: AlikeQuery) -> list[tuple[Record, float | None, float]]:
        """(memory, relevance or None where no vectors were compared, coverage) of the likest, the likest first."""
        ...

    def swept(self, user_id: str, area: str | None, cursor: str | None, limit: int, now_ms: int) -> Page:
        """Part of what a sweep may change, by key: active, no turns, not pinned. The cursor is the last one's place."""
        ...

    def count_swept(self, user_id: str, area: str | None, now_ms: int) -> int:
        """How many active memories the user has, turns aside."""
        ...

    def vector_of(self, user_id: str, memory_id: str) -> tuple[bytes, bool] | None:
        """(vector of the active space as float32 bytes, whether it is of the beginning only) of a memory, if it has one."""
        ...

    def active_space(self) -> SpaceInfo | None:
        """The space of the file's vectors; None where it has none."""
        ...

    def require_space(self, info: SpaceInfo) -> None:
        """Raises SpaceMismatch when another model made the file's vectors."""
        ...

    def result_of(self, user_id: str, key: str) -> tuple[str, bytes, list[tuple[str, str, str | None, str | None]]] | None:
        """(change id, hash of the request, (memory id, event, reason, action)s) of the change under an idempotency key."""
        ...

    def history(self, user_id: str, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first."""
        ...

    def changes(self, user_id: str, limit: int, cursor: str | None) -> tuple[list[Change], str | None]:
        """(the user's changes, newest first; cursor of the rest)."""
        ...

    def log(self, user_id: str, limit: int, cursor: str | None, *, rejected: bool) -> tuple[list[dict[str, Any]], str | None]:
        """(decisions about new memories, or the texts not worth keeping, newest first; cursor of the rest)."""
        ...

    def users(self) -> list[tuple[str, int, int]]:
        """(user id, memories, last change in ms), by name."""
        ...

    def sessions(self, user_id: str) -> list[tuple[str, int, int, int, int]]:
        """(session id, memories, turns, first and last occurred in ms), latest first."""
        ...

    def stats(self, user_id: str | None) -> dict[str, Any]:
        """Counts of a user, or of the whole file."""
        ...

    def check(self) -> list[Problem]:
        """Everything wrong with the file."""
        ...

    def reindex(self) -> None:
        """Rebuilds everything derived."""
        ...

    def compact(self, drop_before_ms: int | None, now_ms: int) -> dict[str, int]:
        """Rebuilds what churn has spread out and drops old undo texts."""
        ...

    def flush_touches(self, now_ms: int, *, only_due: bool = False) -> None:
        """Writes waiting access times."""
        ...

    def close(self, now_ms: int) -> None:
        """Writes waiting access times and closes the file."""
        ...
