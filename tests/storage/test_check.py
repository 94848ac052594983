"""The doctor finds each kind of damage, mends what is derived, and takes nothing for damage that isn't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import IMPATIENT, codes, dump, open_memory, quick_folder, raw, texts, vandalise

from memlite import Busy, Damaged, MemliteError, Memory

OLDEST = "(select min(rid) from memories)"
COLUMNS = (
    "scope, area, kind, granularity, content, importance, confidence, origin, status, pinned, created_ms, updated_ms,"
    " occurred_ms, accessed_ms, access_count, version, content_hash"
)
CONTENT = {"scopes", "memories", "spaces", "embeddings", "lineage", "runs", "actions", "payloads"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a sound store with something of everything."""
    folder = tmp_path_factory.mktemp("sound")
    with open_memory(folder) as memory:
        memory.add("hello world", metadata={"a": 1, "tags": ["x", "y"]})
        memory.add([{"role": "user", "content": f"turn {place}"} for place in range(4)], session_id="s", infer=False)
        memory.add("我喜欢喝茶")
        memory.add("bob's", user_id="bob")
        memory.update(memory.add("changing")["results"][0]["id"], "changed")
        memory.delete(memory.add("gone")["results"][0]["id"])
        assert memory.check() == []
    return (folder / "memory.db").read_bytes()


def damaged(folder: Path, store: bytes, *statements: str) -> Path:
    path = folder / "memory.db"
    path.write_bytes(store)
    vandalise(path, *statements)
    return path


def found(code: str, problems: list[dict[str, Any]]) -> bool:
    """Whether there is a problem of that kind: `index` is any of the index's."""
    return any(one == code or one.startswith(f"{code}.") for one in codes(problems))


# -- the derived half: found, and mended


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        pytest.param(
            "insert into memories_fts (memories_fts, rowid, content, context) "
            f"select 'delete', rid, content, context from fts_source where rid = {OLDEST}",
            "words.missing",
            id="a memory is not in the full-text index",
        ),
        pytest.param(
            "insert into memories_fts (rowid, content, context) values (77, 'ghost', null)",
            "words.missing",
            id="the full-text index holds a memory that is not there",
        ),
        pytest.param(
            "insert into memories_fts (memories_fts, rowid, content, context) "
            f"select 'delete', rid, 'world', null from fts_source where rid = {OLDEST}",
            "words.differ",
            id="a word is not in the full-text index",
        ),
        pytest.param("delete from memories_fts_docsize", "words.missing", id="lengths are missing from the full-text index"),
        pytest.param("delete from memories_fts_data where id > 10", "words.differ", id="the full-text index lost its lists"),
        pytest.param("delete from memory_terms", "words.terms", id="a segmented text is missing"),
        pytest.param("update memory_terms set content = 'other'", "words.terms", id="a segmented text differs"),
        pytest.param("insert into memory_terms values (77, 'ghost')", "words.terms", id="a segmented text too many"),
        pytest.param("delete from meta_kv where key = 'a'", "meta", id="a filter row is missing"),
        pytest.param("update meta_kv set value = 2 where key = 'a'", "meta", id="a filter row differs"),
        pytest.param("update meta_kv set scope = 2 where key = 'a'", "meta", id="a filter row under another user"),
        pytest.param("insert into meta_kv values (1, 'ghost', 1, 77)", "meta", id="a filter row too many"),
        pytest.param(f"delete from vec_1 where rowid = {OLDEST}", "index.vectors_not_indexed", id="a vector is not in the index"),
        pytest.param(
            "insert into vec_1 (rowid, scope, v) values (77, 1, vec_bit(x'0000'))",
            "index.index_without_vector",
            id="the index holds a vector that is not there",
        ),
        pytest.param(
            "update vec_1_vector_chunks00 set vectors = zeroblob(length(vectors))",
            "index.wrong_bits",
            id="the index's bits differ",
        ),
        pytest.param("update vec_1_chunks set partition00 = 77", "index.wrong_bits", id="vectors lie under another user"),
        pytest.param("update vec_1_chunks set validity = zeroblob(length(validity))", "index", id="no vector is marked as valid"),
        pytest.param("update vec_1_chunks set validity = x'ffffffffffffffff'", "index", id="empty places are marked as valid"),
        pytest.param(
            "update vec_1_chunks set rowids = zeroblob(length(rowids))", "index", id="the index forgot whose vectors it holds"
        ),
        pytest.param("delete from vec_1_vector_chunks00", "index", id="the index lost its bits"),
        pytest.param("delete from vec_1_chunks", "index", id="the index lost its chunks"),
        pytest.param("update vec_1_vector_chunks00 set vectors = x'00'", "index", id="the index's bits are cut short"),
        pytest.param("drop table vec_1", "index", id="the index is gone"),
    ],
)
def test_damage_of_the_derived_half_is_found_and_mended(tmp_path: Path, store: bytes, statement: str, code: str) -> None:
    path = damaged(tmp_path, store)
    sound = dump(path)
    vandalise(path, statement)
    with open_memory(tmp_path) as memory:
        problems = memory.check()
        assert found(code, problems)
        assert all(problem["repairable"] for problem in problems)
        assert memory.check(fix=True) == []
        assert memory.check() == []
        assert [hit["memory"] for hit in memory.search("hello", limit=1, touch=False)["results"]] == ["hello world"]
    assert dump(path) == sound


# -- the content: found, and left as it is


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        pytest.param("update memories set content = 'iello world' where content like 'hello%'", "text", id="a bit of a text"),
        pytest.param(
            "update memories set content = 'Hello world' where content like 'hello%'", "audit.replay", id="a letter's case"
        ),
        pytest.param(
            "update memories set content = cast(x'e8656c6c6f' as text) where content like 'hello%'",
            "text",
            id="a bit that makes a text no UTF-8",
        ),
        pytest.param("update memories set metadata = '[1]' where metadata is not null", "text", id="metadata that is no object"),
        pytest.param("update memories set metadata = '{' where metadata is not null", "pages", id="metadata that is no JSON"),
        pytest.param("update memories set metadata = '{\"a\":2}' where metadata is not null", "audit.replay", id="metadata"),
        pytest.param("update memories set importance = 0.9", "audit.replay", id="an importance"),
        pytest.param("update memories set occurred_ms = 5", "audit.replay", id="a time"),
        pytest.param("update memories set keywords = '5'", "audit.replay", id="keywords that are no list"),
        pytest.param("update memories set importance = 7", "pages", id="an importance out of its range"),
        pytest.param("update memories set scope = 2 where scope = 1", "scope", id="memories under another user"),
        pytest.param("update memories set scope = 99 where scope = 1", "keys", id="memories of no user"),
        pytest.param("delete from memories where content = 'changed'", "audit.replay", id="a memory deleted past the audit"),
        pytest.param(
            f"insert into memories ({COLUMNS}, rid, id) select {COLUMNS}, rid + 100, 'mem_forged'"
            f" from memories where rid = {OLDEST}",
            "audit.replay",
            id="a memory added past the audit",
        ),
        pytest.param(
            "update embeddings set v = (select v from embeddings order by key desc limit 1)"
            " where key = (select min(key) from embeddings)",
            "vector",
            id="a vector of another memory",
        ),
        pytest.param(
            "update embeddings set v = x'00' where key = (select min(key) from embeddings)", "vector", id="a short vector"
        ),
        pytest.param("update embeddings set hash = zeroblob(16)", "vector", id="hashes of vectors"),
        pytest.param(
            "delete from embeddings where key = (select min(key) from embeddings)", "audit.replay", id="a vector is gone"
        ),
        pytest.param(
            "insert into embeddings select key + 1000, v, hash, truncated from embeddings limit 1",
            "vector.orphan",
            id="a vector of no memory",
        ),
        pytest.param(
            "insert into embeddings select key + (5 << 56), v, hash, truncated from embeddings limit 1",
            "vector",
            id="a vector of no space",
        ),
        pytest.param("update embeddings set truncated = 1", "audit.replay", id="marks of cut texts"),
        pytest.param("update spaces set dimension = 384", "vector", id="the length of a space's vectors"),
        pytest.param("insert into lineage select id, 'mem_x', 'replaced' from memories", "audit.replay", id="a forged descent"),
        pytest.param("update scopes set next = 1", "scope", id="a counter of keys that went back"),
    ],
)
def test_damage_of_the_content_is_found_and_left_as_it_is(tmp_path: Path, store: bytes, statement: str, code: str) -> None:
    path = damaged(tmp_path, store, statement)
    content = {table: rows for table, rows in dump(path).items() if table in CONTENT}
    with open_memory(tmp_path) as memory:
        problems = memory.check()
        assert found(code, problems)
        assert not all(problem["repairable"] for problem in problems)
        assert codes(memory.check(fix=True)) >= {problem["code"] for problem in problems if not problem["repairable"]}
    assert {table: rows for table, rows in dump(path).items() if table in CONTENT} == content


@given(place=st.integers(0), bit=st.integers(0, 7), column=st.sampled_from(["content", "v", "hash", "content_hash", "metadata"]))
@settings(max_examples=40)
def test_any_flipped_bit_in_a_text_or_a_vector_is_found(store: bytes, place: int, bit: int, column: str) -> None:
    table = "embeddings" if column in ("v", "hash") else "memories"
    with quick_folder() as name:
        path = damaged(Path(name), store)
        connection = raw(path)
        connection.execute("pragma ignore_check_constraints = on")
        rows = f"from {table} where {column} is not null"
        (count,) = connection.execute(f"select count(*) {rows}").fetchone()
        key, kind, value = connection.execute(
            f"select rowid, typeof({column}), cast({column} as blob) {rows} order by rowid limit 1 offset ?", (place % count,)
        ).fetchone()
        flipped = bytearray(value)
        flipped[place % len(flipped)] ^= 1 << bit
        connection.execute(
            f"update {table} set {column} = cast(? as {kind}) where rowid = ?",
            (bytes(flipped), key),  # kind is text or blob
        )
        connection.execute("pragma wal_checkpoint(truncate)")
        connection.close()
        with open_memory(Path(name)) as memory:
            assert memory.check() != []


# -- reading what is damaged


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("update memories set content = cast(x'e8656c6c6f' as text)", id="a text that is no UTF-8"),
        pytest.param("update memories set metadata = '{'", id="metadata that is no JSON"),
        pytest.param("update memories set metadata = '[1]'", id="metadata that is no object"),
        pytest.param("update memories set keywords = '5'", id="keywords that are no list"),
        pytest.param("update embeddings set v = x'00'", id="short vectors"),
        pytest.param("delete from memories_fts_data where id > 10", id="a full-text index without its lists"),
        pytest.param("update payloads set image = '{'", id="a before-image that is no JSON"),
        pytest.param("update payloads set image = cast(x'ff' as text)", id="a before-image that is no UTF-8"),
        pytest.param("update payloads set vectors = x'0102'", id="kept vectors that are cut short"),
    ],
)
def test_reading_damage_is_a_typed_error(tmp_path: Path, store: bytes, statement: str) -> None:
    damaged(tmp_path, store, statement)
    with open_memory(tmp_path) as memory:
        ids = {event["id"] for change in memory.changes()["results"] for event in change["events"]}
        verbs: list[Callable[[], object]] = [
            memory.get_all,
            lambda: memory.search("hello"),
            lambda: memory.search("hello", exact=True, preset="mission"),
            memory.stats,
            memory.check,
            *(lambda one=one: memory.history(one) for one in ids),
            *(lambda one=one: memory.update(one, "over it") for one in ids),
            *(lambda one=change["change_id"]: memory.undo(one, cascade=True) for change in memory.changes()["results"]),
        ]
        for verb in verbs:
            try:
                verb()
            except MemliteError:
                continue


def test_undo_does_not_bring_back_a_text_that_was_altered(tmp_path: Path, store: bytes) -> None:
    path = damaged(tmp_path, store, "update payloads set image = replace(image, '\"gone\"', '\"evil\"')")
    before = dump(path)
    with open_memory(tmp_path) as memory:
        with pytest.raises(Damaged):
            memory.undo(memory.changes()["results"][0]["change_id"])
        assert "evil" not in texts(memory)
    assert dump(path) == before


# -- what is no damage


def test_a_busy_file_is_not_called_damaged(tmp_path: Path, store: bytes) -> None:
    path = damaged(tmp_path, store)
    with open_memory(tmp_path, settings=IMPATIENT) as memory:
        writer = raw(path)
        writer.execute("begin immediate")
        for fix in (False, True):
            with pytest.raises(Busy):
                memory.check(fix=fix)
        writer.close()
        assert memory.check() == []


def test_a_busy_file_is_not_called_damaged_while_it_is_mended(tmp_path: Path, store: bytes) -> None:
    path = damaged(tmp_path, store, "delete from memory_terms")
    memory = open_memory(tmp_path, settings=IMPATIENT)
    mended = memory._kit.store.reindex
    writer = raw(path)

    def meanwhile() -> None:
        writer.execute("begin immediate")
        mended()

    memory._kit.store.reindex = meanwhile  # type: ignore[method-assign]
    with pytest.raises(Busy):
        memory.check(fix=True)
    writer.close()
    memory.close()


@pytest.mark.parametrize(
    "prepare",
    [
        pytest.param(lambda memory: memory.add("x", importance=-0.0, confidence=-0.0), id="a zero with a sign"),
        pytest.param(lambda memory: memory.add("x", importance=1e-320), id="the smallest numbers"),
        pytest.param(lambda memory: memory.add("x", importance=1 / 3), id="a number with all its digits"),
        pytest.param(
            lambda memory: memory.add("x", metadata={"a": [1, 1.0, True, -0.0, 0, 2**53 + 1, 2.0**53, 1e300, 5e-324, 2**63 - 1]}),
            id="numbers in metadata",
        ),
        pytest.param(lambda memory: memory.add("x", metadata={"": "", "a.b": {"c": 1}, "a": {"b.c": 2}}), id="odd keys"),
        pytest.param(
            lambda memory: memory.add("x", metadata={"\n": "\ud7ff\U0010ffff", "é": "e\u0301"}), id="odd texts in metadata"
        ),
        pytest.param(lambda memory: memory.add("x" * 60_000 + " 长" * 1_000), id="a long text"),
        pytest.param(lambda memory: memory.add("a\u2028b\u0085c\u200bd ﬁ ǆ ß İ"), id="odd characters"),
        pytest.param(lambda memory: memory.add("\u0301"), id="a text of one accent"),
        pytest.param(lambda memory: memory.add("😀" * 300), id="emoji"),
        pytest.param(lambda memory: memory.add("x", occurred_at=0), id="the first moment"),
        pytest.param(lambda memory: memory.add("x", occurred_at=253_402_300_799_999), id="the last moment"),
        pytest.param(lambda memory: memory.add("x", user_id="'; drop table memories; --", session_id="\n."), id="odd names"),
        pytest.param(
            lambda memory: memory.add([{"role": "user", "content": f"t {n}"} for n in range(1_001)], session_id="s", infer=False),
            id="more turns than a change takes",
        ),
    ],
)
def test_a_sound_store_has_no_problems(tmp_path: Path, prepare: Callable[[Memory], Any]) -> None:
    memory = open_memory(tmp_path)
    prepare(memory)
    assert memory.check() == []
    (changed,) = memory.changes(limit=1)["results"] or memory.changes(user_id=memory.users()[0]["user_id"])["results"]
    undone = memory.undo(changed["change_id"], user_id=changed["user_id"])
    assert memory.check() == []
    memory.undo(undone["change_id"], user_id=changed["user_id"])
    memory.admin.reindex()
    assert memory.check() == []
    memory.close()


def test_a_store_without_anything_has_no_problems(tmp_path: Path) -> None:
    with open_memory(tmp_path) as memory:
        assert memory.check() == []
        memory.admin.compact()
        memory.admin.reindex()
        assert memory.check(fix=True) == []


def test_a_reader_without_rights_to_write_can_check(tmp_path: Path, store: bytes) -> None:
    damaged(tmp_path, store, "delete from meta_kv where key = 'a'")
    with open_memory(tmp_path, read_only=True) as memory:
        assert codes(memory.check()) == {"meta"}
