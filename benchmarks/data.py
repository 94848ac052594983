"""What the benchmarks store and ask: vectors like those of a sentence model, texts like those of a conversation, stores of them.

Everything is made from a seed, so two runs measure the same file. Stores are kept in `.bench-cache/`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import sqlite_driver
from memlite import Encoded, Memory, Settings, SpaceInfo, resources
from memlite.rules.terms import CHINESE_STOP_WORDS, ENGLISH_STOP_WORDS

Vectors = NDArray[np.float32]

DIMENSION = 384
NOW_MS = 1_780_000_000_000
DAY_MS = 86_400_000
ONE_USER = "u0"
TEN_USERS = {f"u{n}": 1000 * size for n, size in enumerate((30, 20, 12, 10, 8, 7, 5, 4, 3, 1))}
TENTH = "u3"
"""The user who holds 10,000 of the 100,000 memories of `TEN_USERS`."""

CACHE = Path(__file__).resolve().parent.parent / ".bench-cache"

# ------------------------------------------------------------------------------------------------------------- vectors

_CLUSTERS, _TOPICS = 500, 20
_PARTS = (
    0.26,
    0.44,
    0.55,
    0.68,
)  # shared, cluster, topic, own: so that pairs and neighbours are about as near as MiniLM makes them


def vectors(count: int, seed: int) -> Vectors:
    """`count` unit vectors, shape (count, 384): 500 clusters of 20 topics of uneven size, a decaying spectrum, turned at random.

    The clusters are the same for every seed. Two vectors have a cosine of .07 in the mean; of 100,000 the nearest has one of
    .64, the tenth .54, the fiftieth .46.
    """
    shared, centres, topics, sizes, turn = _mixture()
    random = np.random.default_rng([seed, 1])
    chosen = random.choice(len(topics), count, p=sizes)
    made = np.empty((count, DIMENSION), np.float32)
    for start in range(0, count, 20_000):
        topic = chosen[start : start + 20_000]
        own = _unit(random.standard_normal((len(topic), DIMENSION)) * _spectrum())
        parts = (shared, centres[topic // _TOPICS], topics[topic], own)
        made[start : start + 20_000] = _unit(sum(w * part for w, part in zip(_PARTS, parts, strict=True)) @ turn)
    return made


@cache
def _mixture() -> tuple[Any, Any, Any, Any, Any]:
    random = np.random.default_rng(20)
    shared = _unit(random.standard_normal((1, DIMENSION)) * _spectrum())
    centres = _unit(random.standard_normal((_CLUSTERS, DIMENSION)) * _spectrum())
    topics = _unit(random.standard_normal((_CLUSTERS * _TOPICS, DIMENSION)) * _spectrum())
    sizes = np.clip(random.pareto(0.9, len(topics)) + 1, 1, 200)
    turn = np.linalg.qr(random.standard_normal((DIMENSION, DIMENSION)))[0]
    return shared, centres, topics, sizes / sizes.sum(), turn.astype(np.float32)


def _spectrum() -> NDArray[Any]:
    return np.arange(1, DIMENSION + 1) ** -0.35


def _unit(rows: NDArray[Any]) -> Vectors:
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


# --------------------------------------------------------------------------------------------------------------- texts

_EVERYDAY = """
work home coffee train garden dinner weekend meeting doctor sister brother mother father friend office project deadline
budget recipe kitchen holiday airport ticket hotel museum concert guitar piano lesson teacher school college exam course
library novel chapter author movie series actor festival market bread cheese butter salad pasta pepper garlic allergy
medicine dentist appointment calendar reminder invoice contract client customer server database backup release branch review
laptop keyboard monitor battery charger camera photo album frame painting pottery workshop bicycle helmet route marathon
training stretch yoga swimming lake mountain trail camping tent weather storm winter summer autumn spring neighbour puppy
kitten vet aquarium plants tomato balcony window curtain carpet sofa landlord rent mortgage insurance salary interview
promotion colleague manager savings account password phone number address birthday wedding anniversary present letter parcel
passport visa language Spanish Portuguese grammar translation accent podcast newsletter journal habit sleep alarm morning
evening breakfast lunch prefer enjoy remember forget promise cancel postpone finish start plan visit repair borrow return
order deliver choose compare measure""".split()
_CHINESE = """
咖啡 花园 周末 会议 医生 妹妹 哥哥 朋友 办公室 项目 预算 菜谱 厨房 假期 机场 车票 酒店 博物馆 音乐会 吉他 钢琴 老师
学校 考试 图书馆 小说 电影 市场 面包 过敏 牙医 日历 提醒 合同 客户 数据库 备份 电脑 键盘 相机 照片 自行车 马拉松 瑜伽
游泳 湖边 露营 天气 冬天 夏天 邻居 小狗 阳台 窗帘 房东 房租 保险 工资 面试 同事 经理 密码 电话 地址 生日 婚礼
礼物 护照 西班牙语 早上 晚上 早餐 午饭 喜欢 记得 忘记 取消 完成 开始 计划 拜访 修理 订购 选择 比较""".split()
_SMALL_WORDS = "the a to of and in my i with for on that is was at it from about her his".split()
_TAIL = 20_000  # names and rare words
_FLAT = 7  # how slowly the commonest words get rarer: chosen so that five words of a query are in a tenth of the texts
_CHINESE_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts to store and questions to ask; each text once."""

    stored: list[str]
    asked: list[str]


def texts(count: int, asked: int, seed: int, *, lines: Sequence[str] = ()) -> Texts:
    """`count` texts of about 100 bytes and `asked` questions of two to ten words, five in the median; 6 % of both are Chinese.

    Content words follow Zipf's law with a flat head: the demo's words and everyday ones, then made-up rare ones. `lines`, where
    there are any, are stored with a fifth of their words swapped, instead of made-up texts.
    """
    random = np.random.default_rng([seed, 2])
    english, chinese = _vocabulary()
    lines = [line for line in lines if 20 <= len(line) <= 400]
    draw = _Drawer(random, english, chinese)
    stored: dict[str, None] = {}
    while len(stored) < count:
        chinese_row = random.random() < _CHINESE_SHARE
        if lines and not chinese_row:
            stored[draw.varied(lines[int(random.integers(len(lines)))])] = None
        else:
            stored[draw.chinese(12) if chinese_row else draw.english(9)] = None
    questions: dict[str, None] = {}
    while len(questions) < asked:
        size = int(np.clip(random.poisson(5.6), 2, 10))
        questions[draw.chinese(2) if random.random() < _CHINESE_SHARE else draw.words(size)] = None
    return Texts(list(stored), list(questions))


class _Drawer:
    """Draws words one by one from two Zipf-like vocabularies; keeps a stock, since single draws are slow."""

    def __init__(self, random: np.random.Generator, english: Sequence[str], chinese: Sequence[str]) -> None:
        self._random = random
        self._words = self._stock(english)
        self._chinese = self._stock(chinese)

    def _stock(self, words: Sequence[str]) -> Iterator[str]:
        weights = 1.0 / (np.arange(len(words)) + _FLAT)
        while True:
            for place in self._random.choice(len(words), 100_000, p=weights / weights.sum()):
                yield words[place]

    def words(self, count: int) -> str:
        return " ".join(dict.fromkeys(next(self._words) for _ in range(count)))

    def english(self, count: int) -> str:
        length = int(np.clip(self._random.normal(count, 2.5), 4, 24))
        small = self._random.integers(len(_SMALL_WORDS), size=length)
        said = " ".join(f"{_SMALL_WORDS[place]} {next(self._words)}" for place in small)
        return said[0].upper() + said[1:] + "."

    def chinese(self, count: int) -> str:
        return "我" + "".join(next(self._chinese) for _ in range(max(2, count + int(self._random.integers(-1, 3))))) + "。"

    def varied(self, line: str) -> str:
        swapped = self._random.random(line.count(" ") + 1) < 0.2
        return " ".join(next(self._words) if swap else word for word, swap in zip(line.split(" "), swapped, strict=True))


@cache
def _vocabulary() -> tuple[list[str], list[str]]:
    """English content words and Chinese ones, commonest first."""
    demo = [json.loads(line)["content"] for line in resources.text("demo/conversation.jsonl").splitlines() if line]
    counts: dict[str, int] = {}
    for word in re.findall(r"[a-z]{3,}", " ".join(demo).lower()):
        if word not in ENGLISH_STOP_WORDS:
            counts[word] = counts.get(word, 0) + 1
    common = sorted(dict.fromkeys([*counts, *(word.lower() for word in _EVERYDAY)]), key=lambda word: -counts.get(word, 0))
    random = np.random.default_rng(3)
    syllables = [a + b for a in "b d f g k l m n p r s t v z ch br st".split() for b in "a e i o u an el in or".split()]
    rare = ("".join(random.choice(syllables, random.integers(2, 5))) for _ in range(_TAIL))
    runs = [run for line in demo for run in re.findall("[\u4e00-\u9fff]{2,4}", line) if run not in CHINESE_STOP_WORDS]
    return list(dict.fromkeys([*common, *rare])), list(dict.fromkeys([*_CHINESE, *runs]))


def locomo_lines(folder: str | None) -> list[str]:
    """The turns of LoCoMo in that data folder, or in the one of MEMLITE_DATA; none where it is not there."""
    place = folder or os.environ.get("MEMLITE_DATA")
    path = Path(place, "locomo", "locomo10.json") if place else None
    if path is None or not path.is_file():
        return []
    found: list[str] = []
    for sample in json.loads(path.read_text(encoding="utf-8")):
        talk = sample["conversation"]
        sessions = (turns for name, turns in talk.items() if re.fullmatch(r"session_\d+", name))
        found += (turn["text"] for turns in sessions for turn in turns)
    return found


# ------------------------------------------------------------------------------------------------------------ embedder


class VectorTable:
    """An `Embedder` that looks its vectors up, so that storing and searching cost no model."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._info = SpaceInfo(
            model="bench-table", dimension=DIMENSION, model_sha256="0" * 64, tokenizer_sha256="0" * 64, max_tokens=256
        )

    @property
    def info(self) -> SpaceInfo:
        """A space of 384 numbers."""
        return self._info

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """The vectors of these texts; every text must be in the table."""
        return [Encoded(vector=self._table[text]) for text in texts]


# -------------------------------------------------------------------------------------------------------------- stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Memories of some users, and questions.

    Attributes:
        users: user -> (first, last + 1) of his rows in `texts` and `vectors`.
        questions: text -> vector.
        silent: text without a word -> vector, the same vectors: what leaves the full-text leg out.
    """

    users: dict[str, tuple[int, int]]
    texts: list[str]
    vectors: Vectors
    questions: dict[str, Any]
    silent: dict[str, Any]

    @property
    def table(self) -> dict[str, Any]:
        """Every text and question with its vector."""
        return {**dict(zip(self.texts, self.vectors, strict=True)), **self.questions, **self.silent}

    @property
    def embedder(self) -> VectorTable:
        """Knows every text and question."""
        return VectorTable(self.table)

    def only(self, user: str) -> Corpus:
        """The same without the other users."""
        first, last = self.users[user]
        return Corpus(
            users={user: (0, last - first)},
            texts=self.texts[first:last],
            vectors=self.vectors[first:last],
            questions=self.questions,
            silent=self.silent,
        )


def corpus(users: Mapping[str, int], *, asked: int = 200, seed: int = 1, lines: Sequence[str] = ()) -> Corpus:
    """As many memories for each user as `users` says; texts and vectors are drawn independently."""
    count = sum(users.values())
    said = texts(count, asked, seed, lines=lines)
    made = vectors(count + asked, seed)
    places, first = {}, 0
    for user, size in users.items():
        places[user] = (first, first + size)
        first += size
    silent = ["?" * (place + 1) for place in range(asked)]
    return Corpus(
        users=places,
        texts=said.stored,
        vectors=np.ascontiguousarray(made[:count]),
        questions=dict(zip(said.asked, made[count:], strict=True)),
        silent=dict(zip(silent, made[count:], strict=True)),
    )


def store(data: Corpus, name: str, *, batch: int = 100, seed: int = 1) -> Path:
    """A file with the corpus, built through `Memory.add` where `.bench-cache/` does not hold it yet.

    Ages are exponential with a mean of 60 days, importances normal around .45, kinds mixed, one memory in 200 has metadata.
    A call of `add` has one importance and kind, so memories go in by small batches of these in random order, users mixed.
    """
    path = CACHE / f"{name}-{_fingerprint(data, batch, seed)}.db"
    if path.exists():
        return path
    CACHE.mkdir(exist_ok=True)
    for old in CACHE.glob(f"{name}-*.db*"):
        old.unlink()
    half = path.with_suffix(".half")
    half.unlink(missing_ok=True)
    # a made-up text can read like a password, and one that was redacted has no vector in the table
    settings = Settings(durability="normal", secrets="allow")
    with Memory(half, embedder=data.embedder, clock=lambda: NOW_MS, settings=settings) as memory:
        for user, options, rows in _batches(data, batch, seed):
            messages = [{"role": "user", "content": data.texts[row], "timestamp": moment} for row, moment in rows]
            memory.add(messages, user_id=user, infer=False, **options)
    half.rename(path)
    return path


def copy_of(path: Path, name: str) -> Path:
    """A copy to write to, in the cache folder."""
    target = CACHE / f"{name}.work.db"
    for old in CACHE.glob(f"{target.name}*"):
        old.unlink()
    shutil.copyfile(path, target)
    return target


def _batches(data: Corpus, batch: int, seed: int) -> Iterator[tuple[str, dict[str, Any], list[tuple[int, int]]]]:
    """(user, options of `add`, (row, occurred in ms)s), in random order."""
    random = np.random.default_rng([seed, 3])
    count = len(data.texts)
    kinds = random.choice(["episodic", "semantic", "procedural"], count, p=[0.6, 0.3, 0.1])
    levels = np.clip(np.rint(random.normal(4.5, 2.0, count)), 0, 10).astype(int)
    times = NOW_MS - np.minimum(random.exponential(60 * DAY_MS, count), 365 * DAY_MS).astype(int)
    tagged = random.random(count) < 0.005
    groups: dict[tuple[str, str, int, bool], list[int]] = {}
    for user, (first, last) in data.users.items():
        for row in random.permutation(np.arange(first, last)):
            groups.setdefault((user, str(kinds[row]), int(levels[row]), bool(tagged[row])), []).append(int(row))
    cuts = [(key, rows[at : at + batch]) for key, rows in groups.items() for at in range(0, len(rows), batch)]
    for place in random.permutation(len(cuts)):
        (user, kind, level, tag), rows = cuts[place]
        options: dict[str, Any] = {"kind": kind, "importance": level / 10}
        if tag:
            options["metadata"] = {"topic": f"t{level}", "source": "bench"}
        yield user, options, [(row, int(times[row])) for row in rows]


def _fingerprint(data: Corpus, batch: int, seed: int) -> str:
    """Of the corpus and of the code that lays out the file."""
    digest = hashlib.sha256(f"{batch} {seed} {data.users}".encode())
    digest.update("\n".join(data.texts[:1000]).encode())
    digest.update(data.vectors[:1000].tobytes())
    package = Path(__file__).resolve().parent.parent
    for part in (
        "schema.sql",
        "memlite/storage/tx.py",
        "memlite/storage/rows.py",
        "memlite/storage/queries.sql",
        "memlite/rules/terms.py",
    ):
        digest.update((package / part).read_bytes())
    return digest.hexdigest()[:10]


def bare(path: Path, settings: Settings | None = None) -> Any:
    """A plain connection of the driver with memlite's pragmas and sqlite-vec, none of memlite's code."""
    import sqlite_vec

    chosen = settings or Settings()
    connection = sqlite_driver().connect(str(path), isolation_level=None, cached_statements=256)
    connection.enable_load_extension(True)
    sqlite_vec.load(connection)
    connection.enable_load_extension(False)
    for pragma in (
        "trusted_schema = off",
        "cell_size_check = on",
        "mmap_size = 0",
        "foreign_keys = on",
        "recursive_triggers = on",
        "secure_delete = on",
        f"synchronous = {chosen.durability}",
        f"cache_size = {-1024 * chosen.cache_mb}",
        f"journal_size_limit = {64 * 1024 * 1024}",
        "temp_store = memory",
    ):
        connection.execute(f"pragma {pragma}")
    return connection
