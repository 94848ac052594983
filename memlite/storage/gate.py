"""What a path must pass before it is opened: nothing foreign, newer or shared over a network gets further than this."""

from __future__ import annotations

import os
import re
import stat
import sys
import threading
from pathlib import Path

from memlite.errors import BadInput, FileTooNew, NotMemlite, ReadOnly, StorageError

APPLICATION_ID = 0x4D454D4C
"""`MEML`, in the file's header."""

MAX_PATH_BYTES = 500
"""SQLite takes 512, and the -wal and -shm files beside it need a few."""

MAX_NAME_BYTES = 247
"""File systems take 255, and SQLite adds -journal."""

_open_files: dict[tuple[int, int], int] = {}
_entrance = threading.Lock()

_ESCAPE = re.compile(r"\\([0-7]{3})")  # how a mount table writes a blank
_MAGIC = b"SQLite format 3\x00"
_NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "ncpfs", "fuse.sshfs", "fuse.s3fs", "fuse.rclone"}
)


def resolved(path: object) -> Path:
    """The absolute path. A name such as `file:x?mode=memory` stays a file's name.

    Raises:
        BadInput: no text, empty, with NUL, too long, `:memory:`, or a folder.
        ReadOnly: its folder can't be entered.
    """
    raw = os.fspath(path) if isinstance(path, (str, os.PathLike)) else path
    if not isinstance(raw, str):
        raise BadInput(f"path is {type(raw).__name__}: give a str or a Path")
    if not raw.strip():
        raise BadInput("path is empty: give a file's name, or use Memory.in_memory()")
    if "\x00" in raw:
        raise BadInput("path has a NUL character: remove it")
    if raw == ":memory:":
        raise BadInput("path is ':memory:': use Memory.in_memory() for a store that lives only as long as the process")
    full = Path(os.path.abspath(raw))
    try:
        size, name_size = len(os.fsencode(full)), len(os.fsencode(full.name))
    except UnicodeEncodeError:
        raise BadInput("path has a lone surrogate: give a name that this system can write") from None
    if size > MAX_PATH_BYTES or name_size > MAX_NAME_BYTES:
        raise BadInput(
            f"path has {size} bytes, its name {name_size}; the limits are {MAX_PATH_BYTES} and {MAX_NAME_BYTES}: shorten it"
        )
    try:
        if full.is_dir():
            raise BadInput(f"{full} is a folder: give a file in it, such as {full / 'memory.db'}")
        if not full.parent.is_dir():
            raise BadInput(f"the folder {full.parent} does not exist: create it first")
    except OSError as error:
        raise ReadOnly(f"{full} can't be reached ({error.strerror}): check the permissions of its folders") from error
    return full


def refuse_network(path: Path, mounts: str | None = None) -> None:
    """Refuses a file on a network file system, where WAL's shared memory and locks don't hold.

    Args:
        path: an absolute path.
        mounts: the text of a mount table, as in /proc/mounts; None = this machine's.

    Raises:
        StorageError: the file system is one of those.
    """
    if sys.platform == "win32" and str(path).startswith("\\\\"):
        raise StorageError(f"{path} is on a network share, where SQLite's locks don't hold: use a local disk")
    if mounts is None:
        table = Path("/proc/mounts")
        if not table.exists():
            return
        mounts = table.read_text(encoding="utf-8", errors="surrogateescape")
    real = Path(os.path.realpath(path))
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _ESCAPE.sub(lambda code: chr(int(code[1], 8)), fields[1])
        if len(point) >= len(best) and (real == Path(point) or Path(point) in real.parents):
            best, kind = point, fields[2]
    if kind in _NETWORK:
        raise StorageError(f"{path} is on a network file system ({kind}), where SQLite's locks don't hold: use a local disk")


def create_private(path: Path) -> bool:
    """Creates an empty file that only its owner can read (mode 0600); SQLite gives -wal and -shm the same mode.

    Returns whether it was created; False when it was there already.

    Raises:
        ReadOnly: the folder can't be written.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        raise ReadOnly(f"{path} can't be created ({error.strerror}): choose a folder that can be written") from error
    return True


def inspect_header(path: Path, newest: int) -> None:
    """Refuses a file that is not memlite's or newer, before SQLite touches it, so that not even a -wal appears.

    Must not be called while this process has the file open: closing any handle of it drops SQLite's POSIX locks.

    Raises:
        NotMemlite: some other file.
        FileTooNew: its format is newer than `newest`.
        ReadOnly: it can't be read.
    """
    try:
        header = path.read_bytes()[:100] if path.stat().st_size < 100 else _first(path, 100)
    except OSError as error:
        raise ReadOnly(f"{path} can't be read ({error.strerror})") from error
    if not header:
        return
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise NotMemlite(f"{path} is no SQLite file: give the path of a memlite store, or of a file that does not exist yet")
    judge(path, int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"), newest)


def judge(path: Path, application_id: int, version: int, newest: int) -> None:
    """Refuses by the two numbers of the header.

    Raises:
        NotMemlite: the application id is another's.
        FileTooNew: the version is above `newest`.
    """
    if application_id != APPLICATION_ID:
        raise NotMemlite(f"{path} is a SQLite file of another program (application id {application_id:#x}): give another path")
    if version > newest:
        raise FileTooNew(f"{path} has format {version}, this memlite knows up to {newest}: upgrade memlite")


def _first(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def enter(path: Path, newest: int, *, read_only: bool) -> tuple[int, int]:
    """Looks a file over before it is opened, or makes it; (device, inode).

    Only while this process has it not open yet: closing any handle of a file drops all locks that the process holds on it.
    """
    with _entrance:
        if path.is_symlink() and not path.exists():
            raise StorageError(f"{path} is a link to nothing: remove it, or give the path it should lead to")
        if not read_only:
            create_private(path)
        elif not path.exists():
            raise ReadOnly(f"{path} does not exist, and read_only=True makes no file: open it without, once")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NotMemlite(f"{path} is no ordinary file: give another path")
        identity = status.st_dev, status.st_ino
        if identity not in _open_files:
            inspect_header(path, newest)
        if not read_only and not os.access(path, os.W_OK):
            raise ReadOnly(f"{path} can't be written: change its permissions or open it with read_only=True")
        _open_files[identity] = _open_files.get(identity, 0) + 1
    return identity


def reading_mode(path: Path) -> str:
    """How SQLite is to open a file that is only read.

    Where it could be written, as if to write (the session refuses to), since a reader that may not write leaves its -wal and
    -shm behind. Where it could not and no log lies beside it, as one that nobody changes: no log can be made either.
    """
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return "mode=rw"
    log = path.with_name(f"{path.name}-wal")
    return "mode=ro" if log.exists() and log.stat().st_size else "mode=ro&immutable=1"


def leave(identity: tuple[int, int]) -> None:
    """Tells that one store less of this process has the file open."""
    with _entrance:
        _open_files[identity] -= 1
        if not _open_files[identity]:
            del _open_files[identity]


def _renew_entrance() -> None:
    global _entrance  # noqa: PLW0603 - another thread of the parent may have held it at the fork
    _entrance = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_entrance)
