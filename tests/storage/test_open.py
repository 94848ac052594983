"""What a path must be to be opened as a store, and what becomes of a file that must not be."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support import (
    QUICK,
    FakeEmbedder,
    PowerCut,
    cut_before,
    driver,
    dump,
    listing,
    open_memory,
    raw,
    run_child,
    texts,
    vandalise,
)

from memlite import (
    BadInput,
    Damaged,
    FileTooNew,
    MemliteError,
    Memory,
    NotMemlite,
    OldSQLite,
    ReadOnly,
    SpaceMismatch,
    StorageError,
)
from memlite.storage import connection, gate, migrate
from memlite.storage.connection import Session

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX files")


def filled(folder: Path, name: str = "memory.db") -> Path:
    """A closed store that holds something."""
    with open_memory(folder, name) as memory:
        memory.add("kept", metadata={"topic": "files"})
    return folder / name


# -- paths


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("", id="empty"),
        pytest.param("   ", id="blank"),
        pytest.param(":memory:", id="SQLite's word for no file"),
        pytest.param(".", id="the folder itself"),
        pytest.param("missing/memory.db", id="in a folder that is not there"),
        pytest.param("file.txt/memory.db", id="in a file"),
        pytest.param("nul\0.db", id="with NUL"),
        pytest.param("surrogate\ud800.db", id="with a lone surrogate"),
        pytest.param("n" * 251, id="a name that leaves no room for -journal"),
        pytest.param("n" * 300, id="a name longer than file systems take"),
        pytest.param("/".join(["."] * 300) + "/" + "d" * 600, id="longer than SQLite takes"),
        pytest.param(b"memory.db", id="bytes"),
        pytest.param(7, id="a number"),
        pytest.param(None, id="nothing"),
    ],
)
def test_a_bad_path_is_bad_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Any) -> None:
    (tmp_path / "file.txt").write_text("text")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput):
        Memory(path, embedder=FakeEmbedder())
    assert listing(tmp_path) == {"file.txt": b"text"}


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"user_id": ""}, id="no user"),
        pytest.param({"user_id": 7}, id="a number for a user"),
        pytest.param({"agent_id": "\0"}, id="a bad agent"),
    ],
)
def test_a_bad_argument_makes_no_file(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        open_memory(tmp_path, **options)
    assert listing(tmp_path) == {}


@pytest.mark.parametrize(
    "name",
    [
        "file:x?mode=memory",
        "file:x.db",
        "a?vfs=unix-none",
        "a#b%20c&d=e.db",
        "100%.db",
        'it\'s "quoted".db',
        "new\nline.db",
        "memory of 记忆.db",
        "🍵.db",
        " leading and trailing ",
        "-wal",
        "n" * 240,
    ],
)
@posix
def test_an_odd_name_is_a_files_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        with Memory(name, embedder=FakeEmbedder(), settings=QUICK) as memory:
            memory.add(f"{name} is its name")
    assert list(listing(tmp_path)) == [name]
    with open_memory(tmp_path, name, read_only=True) as memory:
        assert texts(memory) == [f"{name} is its name".strip()]


@posix
def test_a_name_that_is_no_utf8_is_a_files_name(tmp_path: Path) -> None:
    name = os.fsdecode(b"latin \xe9.db")
    try:
        (tmp_path / name).touch()
    except OSError:
        pytest.skip("this file system takes UTF-8 only")
    filled(tmp_path, name)
    assert os.listdir(os.fsencode(tmp_path)) == [b"latin \xe9.db"]  # noqa: PTH208 - the names as bytes


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda path: path.symlink_to(path.with_name("nowhere.db")), id="a link to nothing"),
        pytest.param(lambda path: path.symlink_to(path), id="a link to itself"),
        pytest.param(lambda path: os.mkfifo(path, 0o600), id="a pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/null"), id="a link to a device"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="a link to a device without an end"),
    ],
)
@posix
def test_what_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "memory.db")
    script = """
import resource, signal, sys
from pathlib import Path
from support import open_memory
from memlite import MemliteError

signal.alarm(10)
resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
try:
    open_memory(Path(sys.argv[1]))
except MemliteError as error:
    print("refused")
"""
    assert run_child(script, tmp_path) == "refused"
    assert [path.name for path in tmp_path.iterdir()] == ["memory.db"]


@posix
def test_a_link_to_a_store_opens_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    filled(tmp_path / "real")
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "memory.db")
    with open_memory(tmp_path, "link.db") as memory:
        memory.add("through the link")
    with open_memory(tmp_path / "real") as memory:
        assert texts(memory) == ["kept", "through the link"]
        assert memory.check() == []


# -- other files


def foreign(path: Path, *statements: str) -> None:
    connection = driver().connect(str(path))
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def truncated(path: Path, size: int) -> None:
    whole = filled(path.parent, "whole.db")
    path.write_bytes(whole.read_bytes()[:size])
    whole.unlink()


def newer(path: Path, version: int = 99) -> None:
    filled(path.parent, path.name)
    vandalise(path, f"pragma user_version = {version}")


@pytest.mark.parametrize(
    ("make", "error"),
    [
        pytest.param(lambda path: path.write_text("Dear diary, " * 20), NotMemlite, id="a text"),
        pytest.param(lambda path: path.write_text("hi"), NotMemlite, id="a short text"),
        pytest.param(lambda path: path.write_bytes(bytes(4096)), NotMemlite, id="zeros"),
        pytest.param(lambda path: truncated(path, 60), NotMemlite, id="half a header"),
        pytest.param(lambda path: foreign(path, "create table notes (t)"), NotMemlite, id="another program's database"),
        pytest.param(lambda path: foreign(path, "pragma application_id = 1234"), NotMemlite, id="another application id"),
        pytest.param(
            lambda path: foreign(path, "pragma user_version = 1", "create table memories (id)"), NotMemlite, id="a lookalike"
        ),
        pytest.param(newer, FileTooNew, id="a newer memlite's"),
        pytest.param(lambda path: newer(path, 2**31 - 1), FileTooNew, id="the newest there can be"),
    ],
)
@pytest.mark.parametrize("read_only", [False, True], ids=["to write", "to read"])
def test_what_is_not_ours_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], object], error: type[MemliteError], read_only: bool
) -> None:
    make(tmp_path / "memory.db")
    before = listing(tmp_path)
    for _ in range(2):
        with pytest.raises(error):
            open_memory(tmp_path, read_only=read_only)
        assert listing(tmp_path) == before


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "memory.db").touch()
    with open_memory(tmp_path) as memory:
        memory.add("first")
        assert memory.check() == []


def test_a_file_that_came_between_two_looks_is_refused_too(tmp_path: Path) -> None:
    """The header is read before SQLite opens the file; SQLite's own look at it decides."""
    filled(tmp_path)
    first = open_memory(tmp_path)
    vandal = raw(tmp_path / "memory.db")
    vandal.execute("pragma user_version = 77")
    vandal.close()
    for read_only in (False, True):
        with pytest.raises(FileTooNew):
            open_memory(tmp_path, read_only=read_only)
    assert texts(first) == ["kept"]
    first.close()


def test_vectors_of_another_model_are_not_compared(tmp_path: Path) -> None:
    filled(tmp_path)
    with open_memory(tmp_path, embedder=FakeEmbedder(dimension=32, name="other")) as memory:
        with pytest.raises(SpaceMismatch, match="reembed"):
            memory.search("kept")
        assert [hit["memory"] for hit in memory.search("kept", preset="lexical")["results"]] == ["kept"]
        assert "reembed" in memory.add("without a vector")["results"][0]["reason"]
        assert memory.check() == []


# -- damage


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        pytest.param("drop table payloads", Damaged, id="a table is missing"),
        pytest.param("drop index memories_hidden", Damaged, id="an index is missing"),
        pytest.param("drop view fts_source", Damaged, id="the view is missing"),
        pytest.param("drop table memories_fts", Damaged, id="the full-text index is missing"),
        pytest.param("delete from sqlite_schema where name = 'memories_fts_data'", Damaged, id="a part of the full-text index"),
        pytest.param("alter table runs add column more text", Damaged, id="a column more"),
        pytest.param("drop index runs_scope", Damaged, id="an index less"),
        pytest.param("create table more (t)", NotMemlite, id="a table more"),
        pytest.param("create view more as select 1", NotMemlite, id="a view more"),
        pytest.param("create index more on memories (content)", NotMemlite, id="an index more"),
        pytest.param("create virtual table vec_x using vec0(v float[8])", NotMemlite, id="a foreign vector table"),
        pytest.param("create virtual table vec_2 using vec0(v bit[16])", Damaged, id="a vector table of another make"),
        pytest.param(
            "create trigger spy after insert on memories begin update scopes set user_id = new.content; end",
            NotMemlite,
            id="a trigger",
        ),
    ],
)
def test_a_changed_schema_is_refused(tmp_path: Path, statement: str, error: type[MemliteError]) -> None:
    vandalise(filled(tmp_path), statement)
    before = listing(tmp_path)
    for read_only in (False, True):
        with pytest.raises(error):
            open_memory(tmp_path, read_only=read_only)
    assert listing(tmp_path)["memory.db"] == before["memory.db"]


SHADOWS = ["vec_1_info", "vec_1_chunks", "vec_1_rowids", "vec_1_vector_chunks00"]


@pytest.mark.parametrize("table", SHADOWS)
def test_a_vector_table_without_its_shadow_ends_no_process(tmp_path: Path, table: str) -> None:
    vandalise(filled(tmp_path), f"drop table {table}")
    script = """
import sys
from pathlib import Path
from support import open_memory
from memlite import Damaged

for read_only in (False, True):
    try:
        memory = open_memory(Path(sys.argv[1]), read_only=read_only)
        memory.search("kept")
    except Damaged as error:
        print(error)
"""
    assert run_child(script, tmp_path).count(table) == 2


def test_no_vector_statement_runs_on_a_schema_that_was_not_looked_at(tmp_path: Path) -> None:
    seen = []
    path = filled(tmp_path)
    vandalise(path, "create trigger spy after insert on memories begin select 1; end")

    class Watched(Session):
        def run(self, sql: str, params: Any = ()) -> int:
            seen.append(sql)
            return super().run(sql, params)

        def rows(self, sql: str, params: Any = ()) -> list[tuple[Any, ...]]:
            seen.append(sql)
            return super().rows(sql, params)

    session = Watched(path, QUICK, read_only=False)
    with pytest.raises(NotMemlite, match="spy"):
        migrate.verify(session, path, migrate.steps())
    session.close()
    assert not [statement for statement in seen if "vec_1" in statement]


@pytest.mark.parametrize("tolerated", ["create table _litestream_seq (id integer primary key, seq integer)", "analyze"])
def test_what_known_tools_leave_behind_is_tolerated(tmp_path: Path, tolerated: str) -> None:
    vandalise(filled(tmp_path), tolerated)
    with open_memory(tmp_path) as memory:
        memory.add("more")
        assert memory.check() == []


DAMAGEABLE = [
    "memories",
    "sqlite_autoindex_memories_1",
    "memories_accessed",
    "memories_occurred",
    "memories_hidden",
    "memories_session",
    "memories_text",
    "embeddings",
    "runs",
    "sqlite_autoindex_runs_1",
    "runs_scope",
    "runs_idempotency",
    "actions",
    "actions_run",
    "actions_memory",
    "payloads",
    "payloads_rid",
    "memory_terms",
    "memories_fts_docsize",
    "meta_kv",
    "meta_kv_rid",
    "vec_1_chunks",
    "vec_1_rowids",
    "vec_1_vector_chunks00",
]


@pytest.fixture(scope="module")
def full_store(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store with something in every table."""
    folder = tmp_path_factory.mktemp("full")
    with open_memory(folder) as memory:
        memory.add([f"number {number} 数" for number in range(200)], infer=False, metadata={"a": 1})
        memory.add([{"role": "user", "content": "turn"}] * 30, session_id="s", idempotency_key="key")
        memory_id = memory.add("old", expires_at="2027-01-01")["results"][0]["id"]
        memory.update(memory_id, "new")
        memory.undo(memory.delete(memory_id)["change_id"])
    return (folder / "memory.db").read_bytes()


@pytest.mark.parametrize("how", ["a bit", "40 bytes"])
@pytest.mark.parametrize("name", DAMAGEABLE)
def test_a_damaged_page_is_a_typed_error_or_found_by_the_doctor(tmp_path: Path, full_store: bytes, name: str, how: str) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(full_store)
    connection = raw(path)
    (root,) = connection.execute("select rootpage from sqlite_schema where name = ?", (name,)).fetchone()
    connection.close()
    content = bytearray(full_store)
    end = root * 8192  # a page fills from its end
    if how == "a bit":
        content[end - 3] ^= 16
    else:
        content[end - 40 : end] = bytes(range(40))
    assert content != full_store
    path.write_bytes(content)
    try:
        with open_memory(tmp_path) as memory:
            found = memory.check()
    except StorageError:
        return
    assert found, "nobody noticed"


# -- reading only


def test_reading_changes_nothing(tmp_path: Path) -> None:
    filled(tmp_path)
    before = listing(tmp_path)
    with open_memory(tmp_path, read_only=True) as memory:
        assert texts(memory) == ["kept"]
        assert memory.search("kept", filters={"topic": "files"})["results"][0]["memory"] == "kept"
        assert memory.search("kept", exact=True, explain=True)["results"][0]["access_count"] == 0
        assert memory.stats()["memories"] == 1
        assert memory.changes()["results"]
        assert memory.check() == []
    assert listing(tmp_path) == before


@pytest.mark.parametrize(
    "verb",
    [
        pytest.param(lambda memory: memory.add("x"), id="add"),
        pytest.param(lambda memory: memory.add("kept"), id="add of a known text"),
        pytest.param(lambda memory: memory.update(one(memory), "x"), id="update"),
        pytest.param(lambda memory: memory.delete(one(memory)), id="delete"),
        pytest.param(lambda memory: memory.delete_all(user_id="default"), id="delete_all"),
        pytest.param(lambda memory: memory.reset(user_id="default"), id="reset"),
        pytest.param(lambda memory: memory.move(one(memory), to_area="solutions"), id="move"),
        pytest.param(lambda memory: memory.undo(memory.changes()["results"][0]["change_id"]), id="undo"),
        pytest.param(lambda memory: memory.redo(memory.changes()["results"][0]["change_id"]), id="redo"),
        pytest.param(lambda memory: memory.admin.reindex(), id="reindex"),
        pytest.param(lambda memory: memory.admin.compact(), id="compact"),
    ],
)
def test_a_store_opened_to_read_refuses_to_write(tmp_path: Path, verb: Callable[[Memory], object]) -> None:
    path = filled(tmp_path)
    before = dump(path)
    with open_memory(tmp_path, read_only=True) as memory, pytest.raises(ReadOnly):
        verb(memory)
    assert dump(path) == before


def one(memory: Memory) -> str:
    found: str = memory.get_all()["results"][0]["id"]
    return found


def test_reading_a_file_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(ReadOnly, match="does not exist"):
        open_memory(tmp_path, read_only=True)
    assert listing(tmp_path) == {}


def test_a_reader_sees_what_a_writer_commits(tmp_path: Path) -> None:
    with open_memory(tmp_path) as writer:
        writer.add("one")
        with open_memory(tmp_path, read_only=True) as reader:
            assert texts(reader) == ["one"]
            writer.add("two")
            assert texts(reader) == ["one", "two"]
        writer.add("three")
        assert texts(writer) == ["one", "two", "three"]


def test_reading_recovers_what_a_dead_writer_left(tmp_path: Path) -> None:
    script = """
import os, sys
from pathlib import Path
from support import open_memory
memory = open_memory(Path(sys.argv[1]))
memory.add("acknowledged")
os._exit(0)
"""
    run_child(script, tmp_path)
    with open_memory(tmp_path, read_only=True) as memory:
        assert texts(memory) == ["acknowledged"]


# -- permissions


@posix
def test_only_the_owner_can_read_a_store(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        with open_memory(tmp_path) as memory:
            memory.add("private")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that an unprivileged user can get to; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name) / "folder"
        folder.mkdir()
        yield folder


READABLE = """
import importlib.util, os
from pathlib import Path
from support import become_nobody

become_nobody()
try:
    spec = importlib.util.find_spec("sqlite_vec")
    places = spec.submodule_search_locations if spec else []
    readable = any(os.access(path, os.R_OK) for place in places for path in Path(place).glob("vec0*"))
except OSError:
    readable = False
print("readable" if readable else "closed")
"""

NOBODY = """
import sys
from pathlib import Path
from support import become_nobody, open_memory, texts
from memlite import MemliteError

become_nobody()
folder, how = Path(sys.argv[1]), sys.argv[2]
try:
    memory = open_memory(folder, read_only=how == "read")
    print(*texts(memory))
    memory.search("kept")
    memory.close()
except MemliteError as error:
    print(type(error).__name__)
"""


@pytest.mark.parametrize(
    ("folder_mode", "file_mode", "how", "expected"),
    [
        pytest.param(0o555, None, "write", "ReadOnly", id="a new file in a folder that can't be written"),
        pytest.param(0o777, 0o444, "write", "ReadOnly", id="a file that can't be written"),
        pytest.param(0o555, 0o666, "write", "ReadOnly", id="a file in a folder that can't be written"),
        pytest.param(0o777, 0o000, "read", "ReadOnly", id="a file that can't be read"),
        pytest.param(0o000, 0o666, "write", "ReadOnly", id="a folder that can't be entered"),
        pytest.param(0o777, 0o444, "read", "kept", id="reading a file that can't be written"),
        pytest.param(0o555, 0o444, "read", "kept", id="reading in a folder that can't be written, as from a read-only disk"),
    ],
)
@posix
def test_an_unprivileged_user_is_told_what_he_may_not(
    reachable: Path, folder_mode: int, file_mode: int | None, how: str, expected: str
) -> None:
    if run_child(READABLE, reachable) != "readable":
        pytest.skip("the unprivileged user can't read this environment")
    folder = reachable
    if file_mode is not None:
        filled(folder).chmod(file_mode)
    before = listing(folder)
    folder.chmod(folder_mode)
    try:
        assert run_child(NOBODY, folder, how) == expected
    finally:
        folder.chmod(0o777)
    assert listing(folder) == before


# -- network file systems


MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /mnt/nfs nfs4 rw,vers=4.2 0 0
//server/share /mnt/with\\040blank cifs rw 0 0
//server/share /mnt/网络\\040盘 cifs rw 0 0
tmpfs /mnt/nfs/local tmpfs rw 0 0
user@host:/ /home/ann/remote fuse.sshfs rw 0 0
host /mnt/plan9 9p rw 0 0
broken line
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        pytest.param("/mnt/nfs/a/memory.db", "nfs4", id="NFS"),
        pytest.param("/mnt/with blank/memory.db", "cifs", id="a share whose name has a blank"),
        pytest.param("/mnt/网络 盘/memory.db", "cifs", id="a share whose name is Chinese and has a blank"),
        pytest.param("/home/ann/remote/memory.db", "fuse.sshfs", id="a folder over SSH"),
        pytest.param("/mnt/plan9/memory.db", "9p", id="a host's folder in a virtual machine"),
    ],
)
def test_a_network_file_system_is_refused(path: str, kind: str) -> None:
    with pytest.raises(StorageError, match=kind):
        gate.refuse_network(Path(path), MOUNTS)


@pytest.mark.parametrize(
    "path",
    ["/home/ann/memory.db", "/mnt/nfs/local/memory.db", "/mnt/nfs2/memory.db", "/home/ann/remote2/memory.db", "/memory.db"],
)
def test_a_local_file_system_is_not(path: str) -> None:
    gate.refuse_network(Path(path), MOUNTS)


def test_a_mount_whose_name_is_no_utf8_is_read(tmp_path: Path) -> None:
    gate.refuse_network(tmp_path / "memory.db", "server:/ /mnt/\udce9\\040x nfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\n")


@posix
def test_a_link_into_a_network_file_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "share")
    mounts = f"/dev/sda1 / ext4 rw 0 0\nserver:/ {tmp_path / 'share'} nfs rw 0 0\n"
    with pytest.raises(StorageError, match="nfs"):
        gate.refuse_network(tmp_path / "link" / "memory.db", mounts)


# -- the driver


class Driver:
    """A driver's name card."""

    def __init__(self, version: str, *, extensions: bool = True) -> None:
        self.sqlite_version = version
        self.sqlite_version_info = tuple(map(int, version.split(".")))
        self.Connection = type("Connection", (), {"enable_load_extension": None} if extensions else {})


@pytest.mark.parametrize(
    ("found", "says"),
    [
        pytest.param(Driver("3.40.1"), "3.51.3", id="an old one"),
        pytest.param(Driver("3.51.2"), "3.51.3", id="the last one that loses commits"),
        pytest.param(Driver("3.53.4", extensions=False), "extensions", id="one without extensions"),
        pytest.param(Driver("3.51.3"), None, id="the first good one"),
        pytest.param(Driver("4.0.0"), None, id="one from the future"),
    ],
)
def test_the_driver_must_be_new_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Driver, says: str | None) -> None:
    monkeypatch.setattr(connection, "driver", found)
    if says is None:
        connection.require_driver()
        return
    with pytest.raises(OldSQLite, match=says):
        connection.require_driver()
    with pytest.raises(OldSQLite, match="pip install"):
        open_memory(tmp_path)
    assert listing(tmp_path) == {}


# -- migrations

STEPS = {
    "0002_moods.sql": """
-- A mood; and its index.
alter table memories add column mood text;
create index memories_mood on memories (mood);
""",
    "0003_notes.sql": """
create table notes (n integer primary key, t text not null) strict;
insert into notes (t) select content from memories;
""",
}


def steps_of(folder: Path) -> Mapping[int, str]:
    """Steps as they lie in a folder of numbered files."""
    for name, script in STEPS.items():
        (folder / name).write_text(script)
    return {int(path.name[:4]): path.read_text() for path in sorted(folder.glob("*.sql"))}


def opened(path: Path, known: Mapping[int, str]) -> Session:
    """A session on a file that was brought to the newest of these formats and compared with it."""
    gate.create_private(path)
    session = Session(path, QUICK, read_only=False)
    try:
        migrate.prepare(session, path, known)
        migrate.verify(session, path, known)
    except BaseException:
        session.close()
        raise
    return session


def schema(path: Path) -> list[tuple[Any, ...]]:
    connection = raw(path)
    try:
        found = connection.execute(
            "select type, name, tbl_name, sql from sqlite_schema where tbl_name not like 'vec!_%' escape '!' order by 1, 2"
        ).fetchall()
        return [*found, connection.execute("pragma user_version").fetchone()]
    finally:
        connection.close()


def test_a_migrated_file_has_a_fresh_files_schema(tmp_path: Path) -> None:
    known = steps_of(tmp_path)
    old = filled(tmp_path)
    opened(old, known).close()
    opened(tmp_path / "fresh.db", known).close()
    assert schema(old) == schema(tmp_path / "fresh.db")
    assert schema(old)[-1] == (3,)
    connection = raw(old)
    assert connection.execute("select t from notes").fetchall() == [("kept",)]
    connection.close()


def test_steps_are_taken_once_and_from_where_the_file_stands(tmp_path: Path) -> None:
    known = steps_of(tmp_path)
    path = filled(tmp_path)
    opened(path, {2: known[2]}).close()
    for _ in range(2):
        opened(path, known).close()
    connection = raw(path)
    assert connection.execute("select count(*) from notes").fetchone() == (1,)
    connection.close()


def test_a_cut_in_the_middle_of_a_migration_leaves_the_old_format(tmp_path: Path) -> None:
    known = steps_of(tmp_path)
    path = filled(tmp_path)
    before, statement, fired = schema(path), 0, True
    while fired:
        session = None
        with cut_before(statement) as cut:
            try:
                session = opened(path, known)
            except PowerCut:
                assert cut.fired
        fired = cut.fired
        if session is not None:
            session.close()
        assert schema(path) == before or schema(path)[-1] == (3,), f"statement {statement}"
        statement += 1
    assert schema(path)[-1] == (3,)
    assert statement > 25


def test_a_step_that_fails_leaves_the_old_format(tmp_path: Path) -> None:
    path = filled(tmp_path)
    before = schema(path)
    with pytest.raises(StorageError):
        opened(path, {2: "create table notes (t text) strict; create table memories (x text) strict"})
    assert schema(path) == before
    with open_memory(tmp_path) as memory:
        assert texts(memory) == ["kept"]
        assert memory.check() == []


def test_a_migrated_file_is_refused_by_an_older_memlite(tmp_path: Path) -> None:
    known = steps_of(tmp_path)
    path = filled(tmp_path)
    opened(path, known).close()
    for script in tmp_path.glob("*.sql"):
        script.unlink()
    before = listing(tmp_path)
    for read_only in (False, True):
        with pytest.raises(FileTooNew, match="upgrade"):
            open_memory(tmp_path, read_only=read_only)
    assert listing(tmp_path) == before


def test_the_steps_of_this_memlite_are_numbered_without_a_hole() -> None:
    assert sorted(migrate.steps()) == list(range(2, 2 + len(migrate.steps())))


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process's maps")
def test_extensions_can_no_longer_be_loaded_into_an_open_store(tmp_path: Path) -> None:
    session = Session(filled(tmp_path), QUICK, read_only=False)
    with pytest.raises(StorageError, match="not authorized"):
        session.run("select load_extension('vec0')")
    for pragma, value in {
        "journal_mode": "wal",
        "synchronous": 1,
        "foreign_keys": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "secure_delete": 1,
        "recursive_triggers": 1,
        "mmap_size": 0,
        "page_size": 8192,
    }.items():
        assert session.value(f"pragma {pragma}") == value, pragma
    session.close()


# -- a file that goes away while it is open


@posix
def test_a_change_of_a_deleted_file_is_refused_until_it_is_back(tmp_path: Path) -> None:
    path, away = tmp_path / "memory.db", tmp_path / "away.db"
    memory = open_memory(tmp_path)
    memory.add("before")
    path.rename(away)
    with pytest.raises(StorageError, match=r"memory\.db was deleted or replaced while it was open, so nothing was changed"):
        memory.add("lost")
    assert texts(memory) == ["before"]
    away.rename(path)
    memory.add("after")
    memory.close()
    with open_memory(tmp_path) as memory:
        assert texts(memory) == ["before", "after"]
        assert memory.check() == []


@posix
def test_a_store_whose_file_was_replaced_leaves_the_new_one_alone(tmp_path: Path) -> None:
    old = open_memory(tmp_path)
    old.add("old")
    for part in tmp_path.iterdir():
        part.unlink()
    with open_memory(tmp_path) as new:
        new.add("new")
        verbs: list[Callable[[], object]] = [lambda: old.add("lost"), lambda: in_a_thread(old.get_all)]
        for verb in verbs:
            with pytest.raises(StorageError, match="deleted or replaced"):
                verb()
        old.close()
        assert (tmp_path / "memory.db-wal").stat().st_size, "closing the old store removed the new one's log"
    with open_memory(tmp_path) as memory:
        assert texts(memory) == ["new"]
        assert memory.check() == []


def in_a_thread(job: Callable[[], object]) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(job).result()
