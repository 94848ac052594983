"""Every error memlite raises, in one tree. A message tells the value, the limit and the next step.

MemliteError
├── BadInput (also ValueError)      an argument is out of its range; nothing was changed
├── ScopeMissing                    a call that needs `user_id` in the call itself did not get one
├── NotFound                        no such memory in this scope; `successors` holds what replaced it
├── Conflict                        the request clashes with the state of the file
│   ├── Stale                       something changed in between; `change_id` names the change
│   ├── LeaseLost                   another took over what was being worked on
│   ├── Erased                      the text needed to go back was erased
│   └── Expired                     the text needed to go back was dropped by retention
├── Refused                         the settings refuse what a text holds: a secret, a personal detail
├── StorageError                    the file or the driver
│   ├── Busy                        another writer held the file for longer than `Settings.busy_ms`
│   ├── Full                        the disk or the file is full
│   ├── ReadOnly                    a write to a store or file that can only be read
│   ├── NotMemlite                  the path holds something else
│   ├── FileTooNew                  written by a newer memlite
│   ├── Damaged                     the file is not as it should be: run `check`
│   └── OldSQLite                   no driver, or a SQLite with known defects
├── EmbeddingError                  the embedding model
│   ├── ModelMissing                no model file where one was expected
│   ├── WrongDimension              a vector of another length than the file holds
│   └── SpaceMismatch               the file's vectors were made by another model
└── ChatError                       the chat model
    ├── Unreachable                 no server answered, or it broke off
    ├── ModelNotFound               the server does not have the model
    ├── Timeout                 no whole answer in time
    └── ReplyError                  an answer that is not what was asked for
"""

from __future__ import annotations

_LONGEST = 60


class MemliteError(Exception):
    """Base of everything memlite raises."""


class BadInput(MemliteError, ValueError):
    """An argument is outside its range. Nothing was changed."""


class ScopeMissing(MemliteError):
    """A call that touches a whole user did not name the user."""


class NotFound(MemliteError):
    """No such memory in this scope.

    Attributes:
        successors: ids of the memories that replaced it, oldest first; empty when it was simply deleted or never existed.
    """

    def __init__(self, message: str, successors: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.successors = successors


class Conflict(MemliteError):
    """The request clashes with the state of the file. Nothing was changed."""


class Stale(Conflict):
    """Something changed since the request was based on it.

    Attributes:
        change_id: the later change that stands in the way, or None where a version differs.
    """

    def __init__(self, message: str, change_id: str | None = None) -> None:
        super().__init__(message)
        self.change_id = change_id


class LeaseLost(Conflict):
    """Another took over what was being worked on. Nothing was changed."""


class Erased(Conflict):
    """The before-image was erased, so the change can't be undone."""


class Expired(Conflict):
    """The before-image passed its retention, so the change can't be undone."""


class Refused(MemliteError):
    """The settings refuse what a text holds. Nothing was stored."""


class StorageError(MemliteError):
    """The file or its driver failed."""


class Busy(StorageError):
    """Another writer held the file for too long. Nothing was changed; try again."""


class Full(StorageError):
    """The disk is full. The change was rolled back."""


class ReadOnly(StorageError):
    """The store was opened read-only, or the file can't be written."""


class NotMemlite(StorageError):
    """The path holds something that memlite did not make."""


class FileTooNew(StorageError):
    """The file was written by a newer memlite. Nothing was touched."""


class Damaged(StorageError):
    """The file is not as memlite left it."""


class OldSQLite(StorageError):
    """The SQLite library is missing what memlite needs, or has a defect that loses commits."""


class EmbeddingError(MemliteError):
    """The embedding model failed."""


class ModelMissing(EmbeddingError):
    """No model file where one was expected."""


class WrongDimension(EmbeddingError):
    """A vector of another length than the space holds."""


class SpaceMismatch(EmbeddingError):
    """The file's vectors were made by another model."""


class ChatError(MemliteError):
    """The chat model gave no usable answer. What was to be stored is stored as it came."""


class Unreachable(ChatError):
    """No server answered at the address, or it broke off."""


class ModelNotFound(ChatError):
    """The server does not have the model."""


class Timeout(ChatError):
    """No whole answer came in time."""


class ReplyError(ChatError):
    """The answer is not what was asked for: no JSON, wrong types, cut short, or too large."""


def shown(value: object) -> str:
    """A caller's value inside a message: as Python writes it, cut after 60 characters; a huge integer by its number of bits."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 200:
        return f"an integer of {value.bit_length():,} bits"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) <= _LONGEST else f"{value[:_LONGEST]!r}… ({len(value):,} characters)"
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return f"a {type(value).__name__} of {len(value):,}"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
