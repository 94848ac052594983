"""Bad input: always one of memlite's own errors, and nothing is changed. What is accepted, and how, stands at the end."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from doubles import (
    NOON,
    Broken,
    WordEmbedder,
    giving,
    ids,
    new_file,
    new_memory,
    opened,
    out_of_order,
    raising,
    texts,
)

from memlite import (
    BadInput,
    Embedder,
    EmbeddingError,
    Encoded,
    MemliteError,
    Memory,
    ModelMissing,
    NotFound,
    Settings,
    WrongDimension,
)

HUGE = 10**5000
"""Larger than any float, and longer than Python is willing to print."""

OBJECT = object()

# what an argument must not be, by the kind of argument
TEXT = [5, 1.5, True, b"tea", ["tea"], {"a": 1}, OBJECT, "", " \n", "\x00\x01", "\ud800", "x" * 70_000]
QUERY = [None, *TEXT]
NAME = [5, True, b"ann", ["ann"], {"a": 1}, OBJECT, HUGE, "", "  ", "a\x00b", "\udfff", "x" * 513]
FLAG = [0, 1, None, "yes", "", [], OBJECT]
SHARE = [-0.1, 1.1, 2, math.nan, math.inf, -math.inf, True, "0.5", b"1", [], OBJECT, HUGE, -HUGE]
TIME = [
    -1,
    253_402_300_800_000,
    HUGE,
    -HUGE,
    1.5,
    math.nan,
    True,
    b"2026",
    "",
    "soon",
    "1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59-01:00",
    datetime(1969, 12, 31, tzinfo=UTC),
    date(2026, 1, 1),
    timedelta(1),
    [],
    OBJECT,
]
LIMIT = [0, -1, -HUGE, True, 1.0, math.nan, math.inf, "5", b"5", None, [], OBJECT]
AREA = ["attic", "Main", "", 5, True, b"main", ["main"], OBJECT, HUGE, "\ud800"]
KIND = ["magic", "", 5, b"semantic", ["semantic"], HUGE]
ORIGIN = ["rumour", "", 5, b"import", ["import"], HUGE]
STATUS = ["deleted", "", None, 5, ["active"], HUGE]
PRESET = ["best", "", "Mission", 5, True, b"mission", ["mission"], {"mission": 1}, [], 0, HUGE]
WEIGHTS = [
    {"speed": 1},
    {"relevance": -1},
    {"relevance": math.nan},
    {"relevance": math.inf},
    {"recency": HUGE},
    {"recency": True},
    {"recency": "1"},
    {"dense": 1.5},
    {"relevance": 0, "recency": 0, "importance": 0},
    {5: 1},
    [],
    [("relevance", 1)],
    "relevance",
    0.5,
    True,
]
FILTERS = [
    {"a": {"like": "x"}},
    {"user_id": "bob"},
    {"AND": [{"user_id": "default"}]},
    {"area": "attic"},
    {"created_at": "soon"},
    {"importance": HUGE},
    {"a": math.nan},
    {"a": b"x"},
    {"a": "\ud800"},
    {"": 1},
    {5: 1},
    {"AND": "x"},
    {f"k{n}": 1 for n in range(200)},
    [],
    "area",
    5,
    b"x",
]
METADATA = [
    [],
    "a",
    b"{}",
    5,
    True,
    {5: 1},
    {"a": math.nan},
    {"a": HUGE},
    {"a": 2**63},
    {"a": b"x"},
    {"a": OBJECT},
    {"a": "\ud800"},
    {"\ud800": 1},
    {"a": "x" * 70_000},
]
CURSOR = [5, True, b"c1", [], OBJECT, "", "c", "x1", "cxyz", "c" + "f" * 40, "c" + "f" * 20_000, "-1", "\ud800", "c\x00"]
MESSAGES = [None, 5, True, b"tea", {"tea"}, [], [""], [None], [[]], {}, {"role": "user"}, {"content": "x"}, OBJECT, HUGE]
VERSION = [0, -1, True, 1.5, "1", [], -HUGE]

MEMORY = "the memory's id"
CHANGE = "the change's id"


@dataclass(frozen=True)
class Verb:
    """A verb, a call of it that works, and what each argument must not be.

    Attributes:
        good: positional arguments that work.
        always: named ones that go with every call.
        needs: named ones that a call needs when none is tried out.
    """

    name: str
    good: tuple[Any, ...]
    wrong: dict[str | int, list[Any]]
    always: dict[str, Any]
    needs: dict[str, Any]


def verb(name: str, *good: Any, always: Any = (), needs: Any = (), **wrong: list[Any]) -> Verb:
    """`_0` stands for the first argument."""
    return Verb(name, good, {0 if key == "_0" else key: values for key, values in wrong.items()}, dict(always), dict(needs))


VERBS = [
    verb(
        "add",
        "Some text.",
        _0=[*MESSAGES, *(value for value in TEXT if value != ["tea"])],
        user_id=NAME,
        agent_id=NAME,
        session_id=NAME,
        run_id=NAME,
        metadata=METADATA,
        infer=FLAG,
        consolidate=[1, "on", None, [], "FULL"],
        background=FLAG,
        area=AREA,
        kind=KIND,
        importance=SHARE,
        confidence=SHARE,
        origin=ORIGIN,
        occurred_at=TIME,
        expires_at=TIME,
        pinned=FLAG,
        idempotency_key=NAME,
    ),
    verb(
        "update",
        MEMORY,
        always={"pinned": True},
        _0=[None, *NAME, "mem_unknown"],
        text=TEXT,
        data=TEXT,
        user_id=[*NAME, "bob"],
        metadata=METADATA,
        importance=SHARE,
        occurred_at=TIME,
        expires_at=TIME,
        area=AREA,
        kind=KIND,
        expected_version=[*VERSION, 7, HUGE],
    ),
    verb("update", MEMORY, needs={"pinned": True}, pinned=[0, 1, "yes", [], None]),
    verb("delete", MEMORY, _0=[None, *NAME, "mem_unknown"], user_id=[*NAME, "bob"], dry_run=FLAG),
    verb(
        "delete_all",
        always={"user_id": "default"},
        user_id=[None, *NAME],
        agent_id=NAME,
        session_id=NAME,
        run_id=NAME,
        area=AREA,
        filters=FILTERS,
        dry_run=FLAG,
    ),
    verb("session", "s1", _0=[None, *NAME], user_id=NAME, agent_id=NAME),
    verb("reset", always={"user_id": "default"}, user_id=[None, *NAME], dry_run=FLAG),
    verb(
        "move",
        MEMORY,
        always={"to_area": "solutions"},
        _0=[None, 5, b"mem", {}, {"mem_1"}, [], [""], [5], [None], "", "mem_unknown", ["mem_unknown"], OBJECT, HUGE],
        user_id=[*NAME, "bob"],
        to_user_id=[*NAME, "bob"],
        to_session_id=NAME,
        to_agent_id=NAME,
        to_area=AREA,
    ),
    verb("move", MEMORY, needs={"to_user_id": "bob"}, to_area=[None], to_user_id=[None, *NAME]),
    verb(
        "consolidate",
        user_id=NAME,
        area=AREA,
        dry_run=FLAG,
        loss_budget=SHARE,
        batch=LIMIT,
        cursor=[*CURSOR, "s", "s1.2", "s1.2.3.4", "s01.2.3", "s1.2.-3", f"s1.2.{'f' * 40}", "s1.2.3\x00"],
        progress=[5, "print", [], OBJECT],
    ),
    verb(
        "search",
        "tea",
        _0=QUERY,
        limit=LIMIT,
        top_k=[value for value in LIMIT if value is not None],
        user_id=NAME,
        agent_id=NAME,
        session_id=NAME,
        run_id=NAME,
        filters=FILTERS,
        area=AREA,
        preset=PRESET,
        weights=WEIGHTS,
        exact=FLAG,
        explain=FLAG,
        floor=SHARE,
        touch=FLAG,
        status=STATUS,
    ),
    verb("get", MEMORY, _0=[None, *NAME, "mem_unknown"], user_id=[*NAME, "bob"]),
    verb(
        "get_all",
        user_id=NAME,
        agent_id=NAME,
        session_id=NAME,
        run_id=NAME,
        filters=FILTERS,
        area=AREA,
        limit=LIMIT,
        cursor=CURSOR,
        status=STATUS,
    ),
    verb("history", MEMORY, _0=[None, *NAME, "mem_unknown"], user_id=[*NAME, "bob"]),
    verb("changes", user_id=NAME, limit=LIMIT, cursor=CURSOR),
    verb("log", user_id=NAME, limit=LIMIT, cursor=CURSOR, rejected=FLAG),
    verb("undo", CHANGE, _0=[None, *NAME, "chg_unknown"], user_id=[*NAME, "bob"], cascade=FLAG, dry_run=FLAG),
    verb("redo", CHANGE, _0=[None, *NAME, "chg_unknown"], user_id=[*NAME, "bob"]),
    verb("sessions", user_id=NAME),
    verb("stats", user_id=NAME),
    verb("check", fix=FLAG),
    verb("typed.search", "tea", _0=QUERY, limit=LIMIT, speed=[1]),
    verb("typed.get", MEMORY, _0=[None, *NAME, "mem_unknown"]),
    verb("typed.get_all", limit=LIMIT, cursor=CURSOR, speed=[1]),
    verb("typed.changes", limit=LIMIT, cursor=CURSOR),
]


def brief(value: object) -> str:
    """The value in the name of a test."""
    if value is OBJECT:
        return "object"
    try:
        text = ascii(value)
    except ValueError:  # a number too long to print, or something that holds one
        return ("huge" if value > 0 else "-huge") if isinstance(value, int) else f"{type(value).__name__} of huge"
    return text if len(text) < 24 else f"{text[:20]}~{len(text)}"


CASES = [
    pytest.param(entry, argument, id=f"{entry.name}, {'its first argument' if argument == 0 else argument}")
    for entry in VERBS
    for argument in entry.wrong
]


class Shelf:
    """A store with two memories, made again only after a call that changed it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.renew()

    def renew(self) -> None:
        self._stack.close()
        self.path = self._stack.enter_context(new_file())
        self.memory = self._stack.enter_context(opened(self.path))
        added = self.memory.add("Green tea.", session_id="s1", metadata={"color": "red"})
        self.memory.add("Black tea.")
        self.memory_id, self.change_id = added["results"][0]["id"], added["change_id"]
        self.before = self.view()

    def view(self) -> list[Any]:
        memory = self.memory
        return [memory.stats(), memory.changes(limit=1000), memory.get_all(status="any"), memory.users()]

    def call(self, entry: Verb, argument: str | int | None = None, value: object = None) -> object:
        """Calls the verb with this value for this argument; as it works where none is named."""
        known = {MEMORY: self.memory_id, CHANGE: self.change_id}
        good = [known.get(item, item) for item in entry.good]
        options = entry.always | (entry.needs if argument is None else {})
        if isinstance(argument, int):
            good[argument] = value
        elif argument is not None:
            options[argument] = value
        target: Any = self.memory
        for name in entry.name.split("."):
            target = getattr(target, name)
        return target(*good, **options)

    def close(self) -> None:
        self._stack.close()


@pytest.fixture(scope="module")
def _shelf() -> Iterator[Shelf]:
    shelf = Shelf()
    yield shelf
    shelf.close()


@pytest.fixture
def shelf(_shelf: Shelf) -> Iterator[Shelf]:
    yield _shelf
    if _shelf.view() != _shelf.before:
        _shelf.renew()


@pytest.mark.parametrize(("entry", "argument"), CASES)
def test_bad_input_is_refused_and_changes_nothing(entry: Verb, argument: str | int, shelf: Shelf) -> None:
    wrong = []
    for value in entry.wrong[argument]:
        try:
            shelf.call(entry, argument, value)
        except MemliteError as error:
            if len(str(error)) > 1500:
                wrong.append(f"{brief(value)}: a message of {len(str(error))} characters")
            continue
        except Exception as error:  # noqa: BLE001 - what is looked for
            wrong.append(f"{brief(value)}: {type(error).__name__}")
        else:
            wrong.append(f"{brief(value)}: accepted")
            shelf.renew()
    assert wrong == []
    assert shelf.view() == shelf.before


@pytest.mark.parametrize("entry", VERBS, ids=lambda entry: entry.name)
def test_the_call_without_the_bad_argument_works(entry: Verb, shelf: Shelf) -> None:
    """Else the refusals above could have another cause."""
    if entry.name == "redo":
        shelf.memory.undo(shelf.change_id)
    shelf.call(entry)
    shelf.memory.add("And the store goes on.")


def test_every_argument_of_every_verb_is_in_the_table() -> None:
    missing = []
    for name, method in inspect.getmembers(Memory, inspect.isfunction):
        if name.startswith("_") or name == "close":
            continue
        tested = {argument for entry in VERBS if entry.name == name for argument in entry.wrong}
        parameters = list(inspect.signature(method).parameters)[1:]
        first_is_tested = 0 in tested
        missing += [
            f"{name}({p})" for place, p in enumerate(parameters) if p not in tested and not (place == 0 and first_is_tested)
        ]
    assert missing == []


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"session_id": "a", "run_id": "b"}, id="session_id and run_id differ"),
        pytest.param({"expires_at": 1, "occurred_at": "x"}, id="one of two is bad"),
        pytest.param({"importance": 0.5, "area": "attic", "pinned": True}, id="one among good ones"),
    ],
)
def test_one_bad_argument_is_enough(options: dict[str, Any], shelf: Shelf) -> None:
    with pytest.raises(BadInput):
        shelf.memory.add("Tea.", **options)
    assert shelf.view() == shelf.before


def test_one_bad_message_stores_none_of_them(shelf: Shelf) -> None:
    with pytest.raises(BadInput, match=r"messages\[1500\]"):
        shelf.memory.add([f"note {n}" for n in range(1500)] + [" "])
    assert shelf.view() == shelf.before


def test_an_update_of_nothing_is_refused(shelf: Shelf) -> None:
    with pytest.raises(BadInput, match="nothing to change"):
        shelf.memory.update(shelf.memory_id)
    with pytest.raises(BadInput, match="two names"):
        shelf.memory.update(shelf.memory_id, "a text", data="another")
    assert shelf.view() == shelf.before


def test_a_move_to_two_places_is_refused(shelf: Shelf) -> None:
    with pytest.raises(BadInput):
        shelf.memory.move(shelf.memory_id, to_user_id="bob", to_area="solutions")
    with pytest.raises(NotFound):
        shelf.memory.move([shelf.memory_id, "mem_unknown"], to_area="solutions")
    assert shelf.view() == shelf.before


# -- opening


OPENING: dict[str, list[Any]] = {
    "path": [5, None, b"x", [], OBJECT, "", " ", "\x00", ":memory:", "\ud800", "x" * 600, "no/such/folder/x.db", "."],
    "user_id": [None, *NAME],
    "agent_id": NAME,
    "settings": ["full", {"durability": "full"}, 5, []],
    "clock": [5, "now", NOON],
    "read_only": FLAG,
}


@pytest.mark.parametrize(
    "options",
    [pytest.param({name: value}, id=f"{name}={brief(value)}") for name, values in OPENING.items() for value in values],
)
def test_a_store_is_not_opened_with_bad_arguments(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MemliteError):
        opened(**{"path": "memory.db"} | options).close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "values"),
    [
        pytest.param("durability", ["fast", "", None, 5, ["full"]], id="durability"),
        pytest.param("cache_mb", [0, 4097, -1, math.nan, "64", None, True, [], HUGE], id="cache_mb"),
        pytest.param("busy_ms", [-1, 600_001, math.nan, "5", None, True, HUGE], id="busy_ms"),
        pytest.param("max_text_bytes", [0, 2**24 + 1, math.nan, "5", None, True, HUGE], id="max_text_bytes"),
        pytest.param("threads", [0, 65, 1.5, math.nan, "1", None, True, HUGE], id="threads"),
        pytest.param("touch_seconds", [-0.1, 3601, math.nan, math.inf, "5", None, True, HUGE], id="touch_seconds"),
        pytest.param("history_days", [-1, 36_501, math.nan, math.inf, "5", True, HUGE], id="history_days"),
        pytest.param("model_path", [5, b"x", True, []], id="model_path"),
        pytest.param("preset", [5, None, b"x", ["mission"], ""], id="preset"),
    ],
)
def test_settings_are_checked_where_they_are_made(name: str, values: list[Any]) -> None:
    accepted = []
    for value in values:
        try:
            Settings(**{name: value})
        except BadInput:
            continue
        accepted.append(brief(value))
    assert accepted == []


def test_a_preset_in_the_settings_that_there_is_not_is_refused_at_the_search() -> None:
    with new_memory(settings=Settings(preset="best")) as memory, pytest.raises(BadInput, match="preset is 'best'"):
        memory.search("tea")


# -- models that answer badly


def many(count: int) -> Broken:
    """An embedder that gives so many results, whatever it is asked."""
    return Broken(lambda texts: WordEmbedder().encode(["tea"] * count))


UNUSABLE = [
    pytest.param(giving(*[math.nan] * 32), EmbeddingError, id="a vector that is not a number"),
    pytest.param(giving(math.nan, *[1.0] * 31), EmbeddingError, id="one number that is none"),
    pytest.param(giving(math.inf, *[1.0] * 31), EmbeddingError, id="an infinite one"),
    pytest.param(giving(*[0.0] * 32), EmbeddingError, id="a vector of length 0"),
    pytest.param(giving(*[1e-30] * 32), EmbeddingError, id="a vector of next to no length"),
    pytest.param(giving(*[1.0] * 31), WrongDimension, id="a number too few"),
    pytest.param(giving(*[1.0] * 40), WrongDimension, id="eight too many"),
    pytest.param(giving(), WrongDimension, id="an empty vector"),
    pytest.param(
        Broken(lambda texts: [Encoded(vector=np.ones((1, 32), np.float32)) for _ in texts]), WrongDimension, id="two axes"
    ),
    pytest.param(
        Broken(lambda texts: [Encoded(vector=np.full(32, 1e300)) for _ in texts]),
        EmbeddingError,
        id="numbers beyond float32",
    ),
    pytest.param(many(0), EmbeddingError, id="no result"),
    pytest.param(many(3), EmbeddingError, id="too many results"),
]


@pytest.mark.parametrize(("embedder", "error"), UNUSABLE)
def test_vectors_that_cannot_be_used_are_refused(embedder: Embedder, error: type[MemliteError]) -> None:
    with new_file() as path:
        with opened(path) as memory:
            known = memory.add("Green tea.")["results"][0]["id"]
        with opened(path, embedder=embedder) as memory:
            before = [memory.stats(), memory.changes(), memory.get_all()]
            with pytest.raises(error):
                memory.add("Black tea.")
            with pytest.raises(error):
                memory.update(known, "Milk.")
            with pytest.raises(error):
                memory.search("tea")
            assert [memory.stats(), memory.changes(), memory.get_all()] == before
            assert texts(memory.search("tea", preset="lexical")) == ["Green tea."]
            assert memory.check() == []


def test_fewer_vectors_than_texts_are_refused() -> None:
    with new_memory(embedder=many(1)) as memory:
        with pytest.raises(EmbeddingError):
            memory.add(["Black tea.", "White tea."], infer=False)
        assert memory.get_all()["results"] == []


@pytest.mark.parametrize(
    "embedder",
    [
        pytest.param(out_of_order(), id="the model fails"),
        pytest.param(raising(ModelMissing("no model there")), id="the model is missing"),
    ],
)
def test_a_text_is_never_lost_for_want_of_a_vector(embedder: Embedder) -> None:
    with new_file() as path:
        with opened(path) as memory:
            known = memory.add("Green tea.")["results"][0]["id"]
        with opened(path, embedder=embedder) as memory:
            added = memory.add("Black tea.")["results"][0]
            assert (added["event"], added["memory"]) == ("ADD", "Black tea.")
            assert "vector" in added["reason"]
            assert memory.update(known, "White tea.")["memory"] == "White tea."
            assert set(texts(memory.search("tea", preset="lexical"))) == {"Black tea.", "White tea."}
            assert memory.stats()["vectors"] == 0
            with pytest.raises(EmbeddingError):
                memory.search("tea")
            assert memory.check() == []


def test_the_reason_is_told_where_the_model_does_not_cover_a_text() -> None:
    with new_memory() as memory:
        covered, uncovered, empty = memory.add(["Green tea.", "绿茶很好喝", "?!"])["results"]
        assert covered["reason"] is None
        assert uncovered["reason"]
        assert empty["reason"]
        assert memory.stats()["vectors"] == 1


def test_a_vector_of_another_length_is_scaled_to_1() -> None:
    long = Broken(lambda texts: [Encoded(vector=np.full(32, 7.0, np.float32)) for _ in texts])
    with new_memory(embedder=long) as memory:
        memory.add("Tea.")
        assert memory.check() == []
        assert memory.search("tea")["results"][0]["relevance"] == pytest.approx(1)


# -- queries


def test_whatever_stands_in_a_query_is_no_syntax() -> None:
    """2,000 random ones made of what FTS5, SQL, JSON paths and templates are made of."""
    chance = random.Random(20_260_301)
    pieces = [
        '"',
        "'",
        "*",
        "^",
        "(",
        ")",
        "{",
        "}",
        ":",
        "-",
        "+",
        ",",
        ".",
        ";",
        "\\",
        "/",
        "|",
        "&",
        "!",
        "~",
        "%",
        "_",
        "\x00",
    ]
    pieces += [
        " AND ",
        " OR ",
        " NOT ",
        "NEAR(",
        "NEAR/2",
        " content:",
        "context : ",
        "-content",
        "rowid:",
        "tea",
        "green",
        "绿茶",
    ]
    pieces += [
        "memories_fts",
        "@filter@",
        ":q",
        "?1",
        "$1",
        "--",
        "/*",
        "é",
        "İ",
        "\u0301",
        "😀",
        "\u200b",
        " ",
        "\n",
        "0",
        "x" * 40,
    ]
    with new_memory() as memory:
        memory.add(["Green tea.", "绿茶", 'A "quoted" text: near(by) AND content.'])
        before = [memory.stats(), memory.changes()]
        found = 0
        for _ in range(2_000):
            query = "x" + "".join(chance.choices(pieces, k=chance.randint(1, 12)))
            found += len(memory.search(query, preset="lexical", limit=1, touch=False)["results"])
        assert found > 100
        assert [memory.stats(), memory.changes()] == before


@pytest.mark.parametrize(
    "query",
    [
        pytest.param('"', id="a quote"),
        pytest.param("tea*", id="a star"),
        pytest.param("content : tea", id="a column"),
        pytest.param("tea NOT green", id="NOT excludes nothing"),
        pytest.param("green AND nonsense", id="AND demands nothing"),
        pytest.param("NEAR(green tea, 0)", id="NEAR"),
        pytest.param("^tea", id="a caret"),
        pytest.param("{tea", id="a brace"),
        pytest.param("tea' or 1=1 --", id="SQL"),
    ],
)
def test_fts_syntax_means_nothing(query: str) -> None:
    with new_memory() as memory:
        memory.add("Green tea.")
        found = memory.search(query, preset="lexical")["results"]
        assert texts({"results": found}) == ([] if query == '"' else ["Green tea."])


# -- accepted, and how


def test_times_without_a_zone_are_utc() -> None:
    with new_memory() as memory:
        moments: list[Any] = [
            "2026-03-01T09:00:00",
            datetime(2026, 3, 1, 9),  # noqa: DTZ001 - what is tested
            datetime(2026, 3, 1, 17, tzinfo=timezone(timedelta(hours=8))),
        ]
        for place, moment in enumerate(moments):
            added = memory.add(f"note {place}", occurred_at=moment)["results"][0]
            assert memory.get(added["id"])["occurred_at"] == "2026-03-01T09:00:00.000Z"


@pytest.mark.parametrize("moment", [0, 253_402_300_799_999], ids=["1970", "9999"])
def test_the_first_and_the_last_moment_are_times(moment: int) -> None:
    with new_memory() as memory:
        added = memory.add("Tea.", occurred_at=moment)["results"][0]
        assert memory.typed.get(added["id"]).occurred_ms == moment
        assert 0 <= memory.search("tea", preset="mission")["results"][0]["score"] <= 1


@pytest.mark.parametrize("limit", [4097, 2**31, 2**63, 2**64, HUGE], ids=brief)
def test_a_limit_above_the_most_counts_as_the_most(limit: int) -> None:
    with new_memory() as memory:
        memory.add(["Green tea.", "Black tea."], infer=False)
        assert len(memory.search("tea", limit=limit)["results"]) == 2
        assert len(memory.search("tea", top_k=limit)["results"]) == 2
        assert len(memory.get_all(limit=limit)["results"]) == 2
        assert len(memory.changes(limit=limit)["results"]) == 1


def test_control_characters_are_taken_out_of_texts_and_queries() -> None:
    with new_memory() as memory:
        added = memory.add("Gre\x00en \x07tea.\x1b", metadata={"a\x00": "b\x00"})
        assert texts(added) == ["Green tea."]
        assert memory.get(ids(added)[0])["metadata"] == {"a": "b"}
        assert texts(memory.search("gre\x00en", preset="lexical")) == ["Green tea."]
        assert memory.add("Green\x00 tea.")["results"][0]["event"] == "NONE"


def test_a_name_may_be_anything_visible() -> None:
    strange = ["'; drop table memories; --", "a/b\\c", "%", "*", "null", "张三", "😀", " ann", "ann ", "A" * 512]
    with new_memory() as memory:
        for name in strange:
            memory.add("Tea.", user_id=name, agent_id=name, session_id=name)
        assert {row["user_id"] for row in memory.users()} == set(strange)
        for name in strange:
            assert len(memory.get_all(user_id=name, session_id=name, agent_id=name)["results"]) == 1
            assert [row["session_id"] for row in memory.sessions(user_id=name)] == [name]


def test_a_text_of_exactly_the_cap_is_stored_whole() -> None:
    with new_memory(settings=Settings(max_text_bytes=30)) as memory:
        assert texts(memory.add("é" * 15)) == ["é" * 15]
        with pytest.raises(BadInput, match="the cap is 30"):
            memory.add("é" * 15 + "x")
        with pytest.raises(BadInput, match="the cap is 30"):
            memory.search("x" * 31)


def refuses(call: Callable[[], object]) -> bool:
    try:
        call()
    except MemliteError:
        return True
    return False


def test_a_closed_store_refuses_everything() -> None:
    with new_file() as path:
        memory = opened(path)
        known = memory.add("Tea.")["results"][0]["id"]
        memory.close()
        memory.close()
        calls: list[Callable[[], object]] = [
            lambda: memory.add("Tea."),
            lambda: memory.search("tea"),
            lambda: memory.search("tea", preset="lexical"),
            lambda: memory.get(known),
            memory.get_all,
            lambda: memory.update(known, "Milk."),
            lambda: memory.delete(known),
            lambda: memory.delete_all(user_id="default"),
            lambda: memory.move(known, to_area="solutions"),
            lambda: memory.history(known),
            memory.changes,
            memory.users,
            memory.sessions,
            memory.stats,
            memory.check,
            memory.admin.reindex,
            memory.admin.compact,
        ]
        assert [place for place, call in enumerate(calls) if not refuses(call)] == []
