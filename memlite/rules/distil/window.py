"""A talk read turn by turn: answers put to their questions, corrections applied, what is current kept as drafts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from memlite.rules.distil import answers_en, answers_zh, revise, scene
from memlite.rules.distil.dialogue import Draft, FactOrigin, Turn
from memlite.rules.distil.directives import is_keep_so, is_wish, kept_so
from memlite.rules.distil.findings import findings
from memlite.rules.distil.marks_en import is_passing
from memlite.rules.distil.people import Cast
from memlite.rules.distil.reader_en import EnglishReader
from memlite.rules.distil.reader_zh import ChineseReader
from memlite.rules.distil.sentences import Sentence, clauses

MAX_FOREIGN_WORDS = 4
"""An answer of so few words may be a name in another language than the question."""

_WHICH_ONE = re.compile(r"(?:and )?(?:which|what) (?:one|kind|sort|type)\b.{0,12}$", re.IGNORECASE)
_APPOSITION = re.compile(
    r"\b([A-Z][a-zé'’-]+), ((?:my|our) (?:[a-z-]+ ){0,2}[a-z-]+), (?!(?:and|or|but|nor|the|a|an|who|which|that|my|our|as|so)\b)(?=[a-z])"
)
_OWN_CLAUSE = re.compile("我|最好|别|请|吧")


class Window:
    """The talk as read so far: what is currently true (`drafts`) and who has been named."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = turns
        self.drafts: list[Draft] = []
        self.cast = Cast()
        self.english = EnglishReader(self.cast)
        self.chinese = ChineseReader()
        self._readings = scene.read([(turn.content, turn.role == "user") for turn in turns])

    def take(self, index: int) -> None:
        """Reads the turn at `index`; turns are taken in order."""
        turn = self.turns[index]
        if turn.role == "user":
            self._user(index)
        elif turn.role != "system":
            self._other(index)

    def _other(self, index: int) -> None:
        said = self._readings[index].sentences
        asked = self.turns[index - 1].content[:500] if index and self.turns[index - 1].role == "user" else ""
        for draft in findings(said, index, self.cast, self.chinese.project(), asked):
            self._keep(draft, correcting=False)
        for sentence in said:
            if sentence.chinese:
                self.chinese.hear(sentence.text, index)
            else:
                self.cast.hear(sentence.text, index, from_agent=True)

    def _user(self, index: int) -> None:
        reading = self._readings[index]
        if reading.takes_back:
            last = max((i for i in range(index) if self.turns[i].role == "user"), default=index)
            self.drafts = [draft for draft in self.drafts if draft.said_in < last]
        self.chinese.asked(next((s.text for s in reversed(self._before(index)) if s.marked), ""), index)
        for position, sentence in enumerate(reading.sentences):
            if is_keep_so(sentence.text) and self._kept_so(index, sentence):
                continue
            if not (position == 0 and self._answer(index, sentence)):
                self._sentence(index, sentence)

    def _before(self, index: int) -> tuple[Sentence, ...]:
        """What the agent said just before a turn of the user's."""
        spoke = index > 0 and self.turns[index - 1].role in ("assistant", "agent")
        return self._readings[index - 1].sentences if spoke else ()

    def _kept_so(self, index: int, sentence: Sentence) -> bool:
        """ "always do that": the wish is what the agent promised or the user asked for just before, unless it's kept already."""
        users = [i for i in range(index) if self.turns[i].role == "user"][-1:]
        if any(is_wish(draft.text) and draft.said_in in (index, *users) for draft in self.drafts):
            return False
        agent = [s.text for s in self._before(index) if not s.marked]
        asked = [s.text for i in users for s in self._readings[i].sentences if not s.marked and s.chinese == sentence.chinese]
        wish = kept_so(agent, asked, sentence.chinese)
        if wish:
            self._keep(Draft(wish, "user", "", "user_stated", (*users, index), sentence.chinese, final=True), correcting=False)
        return bool(wish)

    # ------------------------------------------------------------------------------------------------------ answers

    def _answer(self, index: int, sentence: Sentence) -> bool:
        """Reads the first sentence as an answer to the agent; False when it's to be read on its own."""
        foreign = len(sentence.text.split()) <= MAX_FOREIGN_WORDS and re.search("[A-Za-z]", sentence.text)
        if foreign and any(asked.chinese for asked in self._before(index)):
            sentence = replace(sentence, chinese=True)  # 用什么编辑器？ Helix
        said, rest = _first_part(sentence)
        rules = answers_zh if sentence.chinese else answers_en
        before = self._before(index)
        for asked in reversed(before):
            if asked.chinese != sentence.chinese:
                continue
            given = rules.reply(asked.text, said, asked=asked.marked)
            if given.denied:
                self.drafts = [d for d in self.drafts if d.origin != "tool_output" or d.said_in != index - 1]
            if given.statement:
                return self._stated(index, sentence, given, rest)
            if given.detail and self._detail(index, given.detail):
                return True
            if asked.marked and before[-1].marked and (pair := rules.topic(self._asked_about(index, asked.text), said)):
                self._pair(index, sentence, pair, rest)
                return True
            if given.confirmed or given.denied:
                return False
        return False

    def _stated(self, index: int, sentence: Sentence, given: answers_en.Reply, rest: str) -> bool:
        """Keeps the statement that question and answer make, and reads what the sentence goes on with."""
        origin: FactOrigin = "user_confirmed" if given.confirmed else "user_stated"
        reader = self.chinese if sentence.chinese else self.english
        draft = reader.statement(given.statement, (index - 1, index), origin)
        if draft is None:
            return False
        self._keep(draft, correcting=given.denied)
        if left := ", ".join(part for part in (given.rest, rest) if part):
            self._sentence(index, replace(sentence, text=left), after=draft)
        return True

    def _asked_about(self, index: int, question: str) -> str:
        """The question, with what "which one?" points to."""
        if index < 2 or self.turns[index - 2].role != "user" or not _WHICH_ONE.match(question):
            return question
        before = next((s.text for s in reversed(self._readings[index - 2].sentences)), "")
        return f"{question} (of: {before})" if before else question

    def _pair(self, index: int, sentence: Sentence, pair: str, rest: str) -> None:
        """Keeps question and answer side by side; what the sentence goes on with stands alone if it can, else beside them."""
        known = len(self.drafts)
        if rest:
            self._sentence(index, replace(sentence, text=rest))
        if rest and len(self.drafts) == known and not sentence.question and not is_passing(rest.lower()):
            pair = f"{pair}, {rest}"
        self._keep(Draft(pair, "user", "", "user_stated", (index - 1, index), sentence.chinese, final=True), correcting=False)

    def _detail(self, index: int, detail: str) -> bool:
        """Adds an answer without a sentence of its own to the statement made two turns before."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or last.said_in != index - 2 or last.final or last.subject == "user" or len(last.turns) < 2:
            return False
        self.drafts[-1] = replace(last, text=f"{last.text} ({detail})", turns=(*last.turns, index - 1, index))
        return True

    # ---------------------------------------------------------------------------------------------------- sentences

    def _sentence(self, index: int, sentence: Sentence, after: Draft | None = None) -> None:
        """Reads a sentence on its own. What goes on with the answer `after` becomes one statement with it."""
        if not sentence.chinese:  # "Ilse, my neighbour, keeps bees" is read as "my neighbour Ilse keeps bees"
            sentence = replace(sentence, text=_APPOSITION.sub(r"\2 \1 ", sentence.text))
        correcting = revise.is_correction(sentence.text)
        if correcting and revise.corrected(self.drafts, sentence.text, index):
            return
        self.drafts = revise.withdrawn(self.drafts, sentence.text, index)
        reader = self.chinese if sentence.chinese else self.english
        found = reader.read(sentence, index)
        if after is not None and after in self.drafts and found and not found[0].final and found[0].subject == after.subject:
            self.drafts.remove(after)
            found[0] = replace(after, text=f"{after.text}{'，' if sentence.chinese else ', '}{found[0].text}")
        for draft in found:
            self._keep(draft, correcting=correcting)
        if not sentence.chinese:
            for draft in self.english.names(sentence.text, index):
                self._keep(draft, correcting=False)
        if not found and not sentence.question:
            revise.corrected(self.drafts, sentence.text, index)

    def _keep(self, draft: Draft, *, correcting: bool) -> None:
        self.drafts = [*revise.superseded(self.drafts, draft, correcting), draft]


def _first_part(sentence: Sentence) -> tuple[str, str]:
    """(what may answer a question, what the sentence goes on with).

    Chinese puts details after commas; they're read on their own only where they have a subject or a verb of their own.
    """
    parts = clauses(sentence)
    split = len(parts) > 1
    if sentence.chinese and split:
        own = any(len(part.text) > 7 or _OWN_CLAUSE.search(part.text) for part in parts[1:])
        split = own or (len(parts) > 2 and len(parts[0].text) <= 6)
    return (parts[0].text, sentence.text[parts[1].start :]) if split else (sentence.text, "")
