"""Filters through SQL: `search` and `get_all` return the memories for which `rules.filters.holds` is true, and no others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from doubles import HOUR, NOON, ids, new_file, new_memory, opened, put, share_of_examples, texts
from hypothesis import given
from hypothesis import strategies as st

from memlite import BadInput, Memory, Record
from memlite.model import AREAS, KINDS, ORIGINS
from memlite.rules.filters import FIELDS, OPERATORS, holds, parse
from memlite.rules.presets import PRESETS
from memlite.rules.text import content_hash
from memlite.storage import search as searching

NASTY = [
    "'; drop table memories; --",
    '" or "1"="1',
    "') or 1=1 --",
    "a'b",
    'a"b',
    "a`b",
    "a\\b",
    "$.a",
    "$[0]",
    "a[*]",
    "a->>'b'",
    "*",
    "%",
    "_",
    ":f0",
    "?1",
    "@filter@",
    "k.rid",
    "; --",
    "/* */",
    "a b\tc\n",
    "名前",
    "😀",
    "null",
    "NaN",
    "user_id",
    "scope",
    "ß",
]

SCALAR = st.one_of(
    st.sampled_from(["red", "Red", "blue", "", "3", "x y", "ß", "SS", "ẞ", *NASTY]),
    st.sampled_from([0, 1, 3, -3, 3.5, 0.1, -0.0, 2**53, -(2**53), 2**62]),
    st.booleans(),
)
VALUE = st.recursive(
    SCALAR | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c.d", *NASTY[:4]]), inner, max_size=2)
    ),
    max_leaves=4,
)
KEYS = ["color", "count", "deep", "deep.a", "deep.b.a", "area", "deep.c.d", *NASTY]
METADATA = st.dictionaries(st.sampled_from(["color", "count", "deep", "area", "OR", *NASTY]), VALUE, max_size=5)


def record(place: int, **changes: Any) -> Record:
    """A memory; places make the fields differ."""
    words = ("green tea", "Black Tea", "STRASSE", "straße", "rain", "100% _wild_", "o'clock", "naïve café")
    values: dict[str, Any] = {
        "id": f"mem_{place:03}",
        "user_id": "ann",
        "content": f"{words[place % len(words)]} {place}",
        "agent_id": (None, "bot", "Bot")[place % 3],
        "session_id": (None, "s1", "s2", "s'3")[place % 4],
        "seq": place if place % 4 == 1 else None,
        "area": AREAS[place % 3],
        "kind": KINDS[place // 2 % 3],
        "granularity": "turn" if place % 4 == 1 else "proposition",
        "role": "user" if place % 4 == 1 else None,
        "subject": (None, "Ann", "ann")[place // 3 % 3],
        "importance": (0.0, 0.1, 0.5, 1.0)[place % 4],
        "confidence": (1.0, 0.3)[place % 2],
        "origin": ORIGINS[place % len(ORIGINS)],
        "pinned": place % 5 == 0,
        "created_ms": NOON - place * HOUR,
        "updated_ms": NOON,
        "occurred_ms": NOON - place % 7 * HOUR,
        "accessed_ms": NOON,
        "expires_ms": NOON + HOUR if place % 6 == 0 else None,
        "access_count": place % 3,
    }
    values |= changes
    return Record(**values | {"content_hash": content_hash(values["content"]).hex()})


def operands(key: str) -> st.SearchStrategy[Any]:
    """Values that make sense for a key: those that occur, and their neighbours."""
    attribute, kind = FIELDS.get(key, ("", "any"))
    if kind == "time":
        return st.integers(0, 50).map(lambda hours: NOON - hours * HOUR)
    if kind == "flag":
        return st.booleans()
    if kind == "number":
        return st.sampled_from([0, 0.1, 0.5, 1, 2, 3, 9, 0.3])
    if kind == "text":
        choices = {"area": AREAS, "kind": KINDS, "origin": ORIGINS, "granularity": ("turn", "proposition")}.get(key)
        found = {getattr(record(place), attribute) for place in range(12)} - {None}
        return st.sampled_from(sorted(found) if choices is None else choices)
    return SCALAR.filter(lambda value: isinstance(value, (str, bool)) or abs(value) <= 2**53)


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    """One condition, written in one of the ways there are."""
    key = draw(st.sampled_from([*FIELDS, *KEYS, *KEYS]))
    kind = FIELDS.get(key, ("", "any"))[1]
    name = key if key in FIELDS and key != "area" else draw(st.sampled_from([key, f"metadata.{key}"]))
    if key == "user_id":
        name = "metadata.user_id"
    if name != key:
        kind = "any"
    value = operands("" if name != key else key)
    ordered = st.just(()) if kind == "flag" else value.filter(lambda item: not isinstance(item, bool))
    how = draw(st.sampled_from(["plain", "list", "star", "none", *OPERATORS]))
    if how in ("contains", "icontains") and kind in ("number", "flag", "time"):
        how = "exists"
    if how in ("gt", "gte", "lt", "lte"):
        return {name: {"exists": True}} if kind == "flag" else {name: {how: draw(ordered)}}
    if how in ("contains", "icontains"):
        return {name: {how: draw(st.sampled_from(["", "e", "TEA", "ss", "ß", "ẞ", "%", "_", "'", "1", "Ann"]))}}
    return {
        "plain": {name: draw(value)},
        "list": {name: draw(st.lists(value, max_size=3))},
        "star": {name: "*"},
        "none": {name: None},
        "exists": {name: {"exists": draw(st.booleans())}},
        "in": {name: {"in": draw(st.lists(value, max_size=3))}},
        "nin": {name: {"nin": draw(st.lists(value, max_size=3))}},
        "eq": {name: {"eq": draw(st.none() | value)}},
        "ne": {name: {"ne": draw(st.none() | value)}},
    }[how]


TREES = st.recursive(
    conditions(),
    lambda inner: st.builds(
        lambda how, parts, beside: {how: parts} | (beside or {}),
        st.sampled_from(["AND", "OR", "NOT"]),
        st.lists(inner, max_size=3) | inner,
        st.none() | conditions(),
    ),
    max_leaves=5,
)


def assert_filtered(memory: Memory, records: list[Record], filters: dict[str, Any]) -> None:
    """Both verbs, every way a search can take: a scan, few left by the filter, and the indexes."""
    tree = parse(filters, user_id="ann")
    expected = {item.id for item in records if holds(tree, item)}
    listed, _ = memory.typed.get_all(filters=filters, limit=1000)
    assert {item.id for item in listed} == expected
    for pool in (searching.SMALL_POOL, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(searching, "SMALL_POOL", pool)
            patch.setattr(searching, "SMALL_SCOPE", pool)
            for preset in ("mission", "balanced"):
                hits = memory.typed.search("tea", filters=filters, preset=preset, limit=4096, touch=False)
                assert {hit.record.id for hit in hits} == expected


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, list[Record]]]:
    """A store whose memories differ in every field, with metadata of all shapes."""
    shapes: list[dict[str, Any]] = [
        {},
        {"color": "red", "count": 3},
        {"color": ["red", "blue"], "count": 3.5},
        {"color": None, "deep": {"a": 1, "b": {"a": "red"}, "c": {"d": True}}},
        {"deep": [{"a": "red"}, {"a": 3}], "area": "blue"},
        {"count": "3", "color": True},
        {"count": [], "color": {}},
        *({key: value} for key, value in zip(NASTY, reversed(NASTY), strict=True)),
    ]
    records = [record(place, metadata=shapes[place % len(shapes)]) for place in range(60)]
    with new_file() as path:
        put(path, [*records, record(60, id="other", user_id="bob", metadata={"color": "red", "count": 3})])
        with opened(path, user_id="ann") as memory:
            yield memory, records


@given(TREES)
def test_a_filter_through_sql_is_the_filter_in_python(standing: tuple[Memory, list[Record]], filters: dict[str, Any]) -> None:
    assert_filtered(*standing, filters)


@pytest.mark.parametrize("key", [*FIELDS, "color", "count", "deep.a", "deep.b.a", "metadata.area", "missing"])
def test_every_operator_on_every_field(key: str, standing: tuple[Memory, list[Record]]) -> None:
    memory, records = standing
    attribute, kind = FIELDS.get(key, ("", "any"))
    some: list[Any] = (
        sorted({value for item in records if (value := getattr(item, attribute)) is not None}, key=str) if attribute else []
    )
    some = some[:2] + some[-1:] or ["red", "blue", 3, 3.5, True, "3"]
    operators = {"eq", "ne", "in", "nin", "gt", "gte", "lt", "lte", "contains", "icontains"}
    operators -= {"contains", "icontains"} if kind not in ("text", "any") else set()
    operators -= {"gt", "gte", "lt", "lte"} if kind == "flag" else set()
    asked: list[dict[str, Any]] = [{"exists": True}, {"exists": False}, {"eq": None}, {"ne": None}, {"in": []}, {"nin": []}]
    for operator in operators:
        for value in some:
            if operator in ("in", "nin"):
                asked.append({operator: [value]})
            elif operator not in ("eq", "ne", "in", "nin") and (
                isinstance(value, bool) or ("contains" in operator and value in (3, 3.5))
            ):
                continue
            else:
                asked.append({operator: value})
    for condition in asked:
        for filters in ({key: condition}, {"NOT": {key: condition}}):
            tree = parse(filters, user_id="ann")
            expected = {item.id for item in records if holds(tree, item)}
            found, _ = memory.typed.get_all(filters=filters, limit=1000)
            assert {item.id for item in found} == expected, filters


@given(st.lists(METADATA, min_size=1, max_size=12), st.lists(TREES, min_size=1, max_size=5))
@share_of_examples(1 / 2)
def test_any_metadata_under_any_filter(metadata: list[dict[str, Any]], filters: list[dict[str, Any]]) -> None:
    with new_memory(user_id="ann") as memory:
        for place, item in enumerate(metadata):
            memory.add(f"note {place}", metadata=item)
        records, _ = memory.typed.get_all(limit=1000)
        assert len(records) == len(metadata)
        for tree in filters:
            assert_filtered(memory, records, tree)


@pytest.fixture(scope="module")
def nasty() -> Iterator[tuple[Memory, dict[str, str]]]:
    """A store with a memory for each nasty text, which is a key and a value of its metadata, and one without; ids by text."""
    with new_memory() as memory:
        added = {text: memory.add(f"Note {n}.", metadata={text: "here", "note": text}) for n, text in enumerate(NASTY)}
        memory.add("And one without.", metadata={"note": ""})
        yield memory, {text: results["results"][0]["id"] for text, results in added.items()}
        assert memory.check() == []
        assert len(memory.get_all()["results"]) == len(NASTY) + 1


@pytest.mark.parametrize("key", NASTY)
def test_a_nasty_key_is_a_key_like_any_other(key: str, nasty: tuple[Memory, dict[str, str]]) -> None:
    memory, by_text = nasty
    name = f"metadata.{key}"
    for filters in ({name: "here"}, {name: "*"}, {"NOT": {name: {"exists": False}}}, {name: {"contains": "er"}}):
        assert ids(memory.get_all(filters=filters)) == [by_text[key]]
        assert ids(memory.search("note", filters=filters, touch=False)) == [by_text[key]]
    assert memory.get_all(filters={name: "gone"})["results"] == []


@pytest.mark.parametrize("value", NASTY)
def test_a_nasty_value_is_a_value_like_any_other(value: str, nasty: tuple[Memory, dict[str, str]]) -> None:
    memory, by_text = nasty
    expected = {
        "eq": {value},
        "in": {value},
        "contains": {text for text in NASTY if value in text},
        "icontains": {text for text in NASTY if value.casefold() in text.casefold()},
        "gte": {text for text in NASTY if text.encode() >= value.encode()},
    }
    for operator, found in expected.items():
        filters = {"note": {operator: [value] if operator == "in" else value}}
        wanted = {by_text[text] for text in found}
        assert set(ids(memory.get_all(filters=filters))) == wanted
        assert set(ids(memory.search("note", filters=filters, limit=100, preset="mission", touch=False))) == wanted
    assert memory.get_all(filters={"memory": {"contains": value}, "note": "gone"})["results"] == []


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("fast", [False, True], ids=["scan", "indexes"])
def test_a_filter_comes_before_the_best_are_chosen(
    preset: str, fast: bool, crowd: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three that pass and answer worse than 300 that do not."""
    if fast:
        monkeypatch.setattr(searching, "SMALL_SCOPE", 10)
        monkeypatch.setattr(searching, "SMALL_POOL", 2)
        monkeypatch.setattr(searching, "LEG", 3)  # with more, three were too few, and a scan would answer
    found = crowd.search("green tea", filters={"wanted": True}, preset=preset, limit=3, touch=False)
    assert sorted(texts(found)) == ["a cup of tea 0", "a cup of tea 1", "a cup of tea 2"]
    assert found["exact"] is (not fast or preset == "generative_agents")
    assert len(crowd.get_all(filters={"wanted": True}, limit=3)["results"]) == 3


@pytest.fixture(scope="module")
def crowd() -> Iterator[Memory]:
    with new_memory() as memory:
        memory.add([f"a cup of tea {n}" for n in range(3)], metadata={"wanted": True}, importance=0.1, occurred_at="2020-01-01")
        memory.add([f"green tea {n}" for n in range(300)], importance=0.9)
        yield memory


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({"area": "solutions"}, ["solution"], id="area"),
        pytest.param({"agent_id": "bot"}, ["by bot"], id="agent_id"),
        pytest.param({"session_id": "s1"}, ["in session"], id="session_id"),
        pytest.param({"run_id": "s1"}, ["in session"], id="run_id is session_id"),
        pytest.param({"area": "main", "filters": {"color": "red"}}, ["red"], id="beside filters"),
        pytest.param(
            {"area": "main", "filters": {"OR": [{"color": "red"}, {"area": "solutions"}]}}, ["red"], id="filters can't widen it"
        ),
        pytest.param({"filters": {"user_id": "default", "color": "red"}}, ["red"], id="one's own user in filters"),
    ],
)
def test_arguments_narrow_as_filters_do(arguments: dict[str, Any], expected: list[str]) -> None:
    with new_memory() as memory:
        memory.add("solution", area="solutions")
        memory.add("by bot", agent_id="bot")
        memory.add("in session", session_id="s1")
        memory.add("red", metadata={"color": "red"})
        assert texts(memory.get_all(**arguments)) == expected
        assert texts(memory.search("solution bot session red", **arguments)) == expected
        assert memory.delete_all(user_id="default", dry_run=True, **arguments)["deleted"] == 1


@pytest.mark.parametrize(
    "filters",
    [
        pytest.param({"user_id": "bob"}, id="at the top"),
        pytest.param({"user_id": ["ann", "bob"]}, id="in a list"),
        pytest.param({"user_id": {"ne": "ann"}}, id="by an operator"),
        pytest.param({"AND": [{"user_id": "bob"}]}, id="in AND"),
        pytest.param({"OR": [{"color": "red"}, {"user_id": "bob"}]}, id="in OR"),
        pytest.param({"NOT": {"user_id": "ann"}}, id="in NOT"),
    ],
)
def test_another_users_id_is_refused(filters: dict[str, Any], standing: tuple[Memory, list[Record]]) -> None:
    memory, records = standing
    calls: tuple[Callable[[], object], ...] = (
        lambda: memory.search("tea", filters=filters),
        lambda: memory.get_all(filters=filters),
        lambda: memory.delete_all(user_id="ann", filters=filters),
    )
    for call in calls:
        with pytest.raises(BadInput, match="user"):
            call()
    assert len(memory.get_all(limit=1000)["results"]) == len(records)


def test_no_key_reaches_another_users_metadata(standing: tuple[Memory, list[Record]]) -> None:
    memory, _ = standing
    for filters in (
        {"color": "red"},
        {"color": "*"},
        {"NOT": {"color": "blue"}},
        {"metadata.user_id": "bob"},
        {"scope": 2},
        {"rid": "*"},
    ):
        assert "other" not in ids(memory.get_all(filters=filters, limit=1000))
        assert "other" not in ids(memory.search("tea", filters=filters, limit=4096, preset="mission", touch=False))


def long_lists(conditions: int) -> dict[str, Any]:
    """Conditions that each leave out a thousand numbers, from 1,000 on."""
    return {"AND": [{"count": {"nin": list(range(1000 * n, 1000 * n + 1000))}} for n in range(1, conditions + 1)]}


def test_the_cost_of_a_filter_grows_with_its_length_and_no_faster() -> None:
    """The caps allow 128,000 values. Were the cost to grow with their square, such a filter would hold a reader for minutes."""
    with new_memory() as memory:
        mine = memory.add("Kept.", metadata={"count": 7})["results"][0]["id"]
        memory.add("Left out.", metadata={"count": 2_500})

        def cost(conditions: int) -> float:
            began = time.process_time()
            assert ids(memory.get_all(filters=long_lists(conditions))) == [mine]
            return time.process_time() - began

        short = min(cost(2) for _ in range(3))
        assert min(cost(16) for _ in range(2)) < 20 * short  # eight times as long


def test_as_many_conditions_as_are_allowed() -> None:
    filters = {"OR": [{"color": "red", f"k{n}": {"exists": n == 62}} for n in range(64)]}
    with new_memory() as memory:
        mine = memory.add("Kept.", metadata={"color": "red", "k62": 1})["results"][0]["id"]
        memory.add("Left out.", metadata={"color": "blue"})
        assert ids(memory.get_all(filters=filters)) == [mine]
        assert ids(memory.search("kept", filters=filters)) == [mine]


def test_a_read_only_store_filters_too(tmp_path: Path) -> None:
    with new_file() as path:
        with opened(path) as memory:
            memory.add("Red.", metadata={"color": "red"})
            memory.add("Blue.", metadata={"color": "blue"})
        with opened(path, read_only=True) as reader:
            assert texts(reader.search("red blue", filters={"color": "red"})) == ["Red."]
            assert texts(reader.get_all(filters={"color": "red"})) == ["Red."]


def test_filters_follow_what_is_changed_moved_and_undone() -> None:
    with new_memory() as memory:
        mine = memory.add("Tea.", metadata={"color": "red", "deep": {"a": [1, 2]}})["results"][0]["id"]

        def found(**filters: Any) -> bool:
            return ids(memory.get_all(filters=filters)) == [mine] == ids(memory.search("tea", filters=filters))

        changed = memory.update(mine, metadata={"color": "blue"})["change_id"]
        assert found(color="blue")
        assert not found(color="red")
        memory.update(mine, metadata={"deep": None})
        assert not found(**{"deep.a": 1})
        memory.undo(changed, cascade=True)
        assert found(color="red")
        assert found(**{"deep.a": 2})
        memory.move(mine, to_area="solutions")
        assert found(area="solutions")
        memory.admin.reindex()
        assert found(color="red", area="solutions")
