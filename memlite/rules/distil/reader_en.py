"""English sentences of a user as drafts of facts: each clause weighed, pronouns resolved, lasting neighbours kept together."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memlite.rules.distil import lexicon_en as lexicon
from memlite.rules.distil import statements_en as statements
from memlite.rules.distil.dialogue import Draft, FactOrigin
from memlite.rules.distil.directives import english_directive
from memlite.rules.distil.drafts_en import draft, said, wish
from memlite.rules.distil.grammar import Parsed, base, is_name, parse, words
from memlite.rules.distil.idioms_en import (
    embedded,
    last_noun,
    names_of_relatives,
    presented,
    relative_clauses,
    tidy,
    without_tail,
)
from memlite.rules.distil.marks_en import is_passing
from memlite.rules.distil.people import Cast, Entity
from memlite.rules.distil.person import third_person
from memlite.rules.distil.sentences import Clause, Sentence, clauses

_FRONTED = re.compile(
    r"^(?:(?:every|each) (?:day|week|month|year|morning|evening|night|time|weekend|summer|winter|spring|autumn|\w+day)s?,?|"
    r"(?:on|in|at|during|after|before|most|for|outside|since)\b(?:(?!\b(?:is|are|was|were|must|can|should|will|has|have|does|do)\b)[^,]){2,40}?,?|"
    r"(?:\w+days?)(?: and \w+days?)?,?|now,?|privately,?|otherwise,?|sometimes,?|these days,?|nowadays,?|normally,?|usually,?|"
    r"as a rule,?)\s+(?=(?:I|we|my|our|the|all|every|no)\s)"
    r"|^in (?:the |our |my )?(?:[\w-]+ ){0,3}?(?:project|repo|app|portal|codebase|code base|site|library|production|staging|backend|frontend|service|"
    r"[a-z]+-[a-z-]+),\s+",
    re.IGNORECASE,
)
_IN_PROJECT = re.compile(
    r"in (?:the |our |my )?(?:[\w-]+ ){0,3}?(?:project|repo|app|portal|codebase|code base|site|library|production|staging|backend|frontend|service|[a-z]+-[a-z-]+)\b",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"(?:do|run|lead|handle|own|manage|head|coordinate|design|maintain|look after|be responsible for|"
    r"be in charge of|be the) (?!it\b|this\b|that\b)\w"
)
_REPORT = re.compile(
    r"^((?:the|my|our|his|her|their) (?:[\w-]+ )?(?:vet|doctor|gp|dentist|teacher|school|cardiologist|physio|"
    r"therapist|midwife|nurse|specialist|paediatrician|pediatrician|coach|landlord|lawyer|accountant|boss|"
    r"manager|client|optician|surgeon|consultant|tutor|allergist|dermatologist)) "
    r"(?:says|said|say|told (?:me|us)|tells (?:me|us)|found|confirmed|insists|thinks|wrote|"
    r"diagnosed)(?: that)? (?=(?:I|we|he|she|it|they|my|our|his|her)\b)",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"^(?:please |so |and |also |oh |ok,? )*"
    r"(?:(?:note|write) (?:it |this |that )?down|remember|note|keep in mind|bear in mind|for (?:your|"
    r"the) (?:records?|notes|future reference)|for future reference|make a note|write down|save this|"
    r"note to self|fyi)(?: that|:|,)? ",
    re.IGNORECASE,
)
_POLICY = re.compile(
    r"^(?:and |also |but )?(?:our|my|the (?:team|company|house)(?:'s)?) (?:[\w-]+ ){0,2}(?:rule|policy|"
    r"convention|principle)s?\b[^:,]{0,40}[:,] ?\w|[\w),]+ .*\b(?:that|this) is (?:how (?:we|I) (?:do|write|"
    r"name|keep|handle|like)\b|(?:our |the |my |a )?(?:house |team |company )?(?:policy|rule|convention|"
    r"principle|standard)\b)",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:stand|eat|eats|drink|drinks|use|uses|like|likes|love|loves|hate|hates|avoid|avoids|want|need|needs|"
    r"take|takes|tolerate|bear|wear|have|has|own|prefer|prefers|allow|allows|touch|to|with|without|of) (it|"
    r"them|that|those|these)(?=$|[,.;]| at all| anymore| any more| in | on | for | every| raw| either)",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"(?:have|use) (?:an? )?(?:[\w-]+ )?(?:allergy|allergies|intolerance|wheelchair|walker|cane|crutches|"
    r"kids?|children|dog|cat|diabetes|asthma|epilepsy|migraines|hearing aids?|baby|twins|insulin|inhaler|"
    r"they/them|she/her|he/him)\b|"
    r"(?:live|work|study|teach|speak|sing) \w|(?:play|hate|love|like|prefer|dislike) (?!it\b|this\b|"
    r"that\b)\w|(?:eat|drink|drive|stand|swim) \w"
)
_PLEASE = re.compile(r"(?:[\w']+,? ){0,2}please\b", re.IGNORECASE)
_ADDED = re.compile(
    r"(?:always|never|no|only|not|mostly|usually|except|especially|even) (?!idea|problem|worries|thanks|"
    r"way)\w",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:and |so |ok,? |please )*(?:can|could|would|will) you (?:please )?(?=always|never|from now on|"
    r"in future|by default|ever)",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(r"(?:\w+ )?\w+ (?:to|that|when|if) ")
_LATER = re.compile(
    r"(?<![/\w])(?:it|them|this|those|these|that(?=$| up\b| again\b|,))\b(?!\s+(?:when|if|that|is|takes|"
    r"would))",
    re.IGNORECASE,
)
_CALL_ME = re.compile(r"\b(?:call me|I go by|I am called) ([A-Z][\w'-]+)\b")
_LABEL = re.compile(
    r"((?:allerg(?:y|ies)|diet|pronouns|medication|blood type|languages?|time ?zone|hobbies|pets|dislikes|likes|stack|employer|profession|birthday)"
    r"|(?:preferred|favou?rite|native|home) [\w-]+(?: [\w-]+)?) ?: ?(\w.{1,120})$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"\b(?:I|we|us|our|my)\b")
_ONE_WORD = re.compile(r"[A-Z][a-z\u00e0-\u017f'-]+")
_OWNER = re.compile(r"(?:my|our) [a-z-]+(?= (?:is|has|was|[a-z]+s|[a-z]+ed|can|does|also|always|never)\b)")
_THEY_VERB = re.compile(r"they ((?:[a-z]+ly |also |never |always |still )?)([a-z]+)", re.IGNORECASE)
_THIRD = {"he": "he", "she": "she", "they": "they", "it": "it", "his": "he", "her": "she", "their": "they", "its": "it"}
_SINGULAR = {"are": "is", "have": "has", "do": "does", "were": "was", "can": "can", "must": "must", "will": "will"}


@dataclass(frozen=True, slots=True)
class _Kept:
    """A clause that is kept: its text with the subject named, its skeleton, and whether it leans on the clause before."""

    text: str
    parsed: Parsed
    leans: bool


@dataclass(frozen=True, slots=True)
class _Hints:
    """What makes a weaker clause enough: it answers a question, or confirms a guess."""

    asked: bool = False
    confirmed: bool = False


class EnglishReader:
    """Reads the sentences of one window in order; what it heard of people and things is in `cast`."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self._told_to_keep = False  # the user asks to remember the sentence being read
        self._tied = False  # the sentence being read speaks of the speaker too

    def read(self, sentence: Sentence, turn: int) -> list[Draft]:
        """The drafts of one sentence of the user's; mentions are taken in even where nothing is kept."""
        if whole := self._whole(sentence, turn):
            return whole
        self._told_to_keep = bool(_REMEMBER.match(sentence.text))
        self._tied = bool(_SPEAKER.search(sentence.text))
        found: list[Draft] = []
        run: list[tuple[Clause, _Kept]] = []
        before: Clause | None = None
        for clause in clauses(sentence):
            reading = self._read(clause, before, turn)
            self.cast.hear(clause.text, turn)
            if isinstance(reading, _Kept):
                run.append((clause, reading if not run else replace(reading, leans=False)))
            elif reading is None and run and _adds(clause):
                run.append((clause, replace(run[0][1], text=clause.text, leans=False)))
            else:
                found += [*self._joined(sentence, run, turn), *(reading or self._inside(clause.text, turn))]
                run = []
            before = clause
        found += self._joined(sentence, run, turn)
        self.cast.link(sentence.text, turn)
        return found

    def statement(self, text: str, turns: tuple[int, ...], origin: FactOrigin) -> Draft | None:
        """A statement made of a question and its answer, weighed like the user's own."""
        text = re.sub(r"^my pet\b", self.cast.pet(), text)
        kept = self._clause(tidy(text), turns[-1], "", _Hints(asked=True, confirmed=origin == "user_confirmed"))
        if kept is None or kept.leans:
            return None
        self.cast.hear(kept.text, turns[-1])
        return replace(draft(kept.text, kept.parsed, turns[-1]), turns=turns, origin=origin)

    def named(self, text: str) -> str:
        """The text with what it begins with called by its name, where a later sentence gave one."""
        match = _OWNER.match(text)
        if match is None or text.startswith(f"{match[0]} is called"):
            return text
        return self.cast.fullest(match[0]) + text[match.end() :]

    def names(self, text: str, turn: int) -> list[Draft]:
        """The names of relatives said in passing."""
        return [said(statement, turn, subject, key) for statement, subject, key in names_of_relatives(text)]

    def _whole(self, sentence: Sentence, turn: int) -> list[Draft]:
        """Sentences that are a fact as a whole: a name said alone, "call me Kit", a rule of the house, "nurse here"."""
        alone = tidy(sentence.text)
        if called := _CALL_ME.search(sentence.text):
            return [said(f"I want to be called {called[1]}", turn, "user", "nickname")]
        if sentence.question:
            return []
        if _ONE_WORD.fullmatch(alone) and is_name(alone):
            self.cast.baptise(alone, turn)
        if _POLICY.search(sentence.text) and not is_passing(sentence.text.lower()):
            return [wish(f"the user has a standing rule: {alone}", turn)]
        if (label := _LABEL.match(alone)) and not is_passing(label[2].lower()):
            return [said(f"my {label[1][0].lower()}{label[1][1:]}: {label[2]}", turn, label[1].lower(), "")]
        statement = presented(alone)
        return [said(statement, turn, "user", "name" if "name" in statement else "")] if statement else []

    def _read(self, clause: Clause, before: Clause | None, turn: int) -> _Kept | list[Draft] | None:
        """What a clause gives: a part of a statement, finished drafts, or nothing."""
        if clause.question:
            polite = _POLITE.match(clause.text)
            wanted = english_directive(clause.text[polite.end() :]) if polite else ""
            return [wish(wanted, turn)] if wanted else None
        context = tidy(before.text) if before else ""
        text = tidy(_REMEMBER.sub("", clause.text))
        pronoun = _OBJECT.search(text) if context else None
        if pronoun and (thing := last_noun(context)):
            text = f"{text[: pronoun.start(1)]}{thing}{text[pronoun.end(1) :]}"
        if wanted := english_directive(text, polite=bool(_PLEASE.match(clause.text))):
            return [wish(wanted, turn)]
        return self._clause(without_tail(text), turn, context, _Hints())

    def _clause(self, text: str, turn: int, before: str, hints: _Hints) -> _Kept | None:
        """A tidied clause with its subject named, if it's kept."""
        if report := _REPORT.match(text):
            inner = self._clause(text[report.end() :], turn, before, hints)
            return replace(inner, text=report[0] + inner.text) if inner else None
        fronted = _FRONTED.match(text)
        parsed = parse(text[fronted.end() :] if fronted else text)
        if parsed is None:
            return None
        entity = self._subject_of(parsed, turn)
        if (parsed.subject in _THIRD and entity is None) or (entity and _is_expletive(parsed, entity)):
            return None
        noun = self._class_of(parsed, entity)
        if fronted and not noun and parsed.subject not in ("I", "we", "my", "our") and _IN_PROJECT.match(text):
            noun = parsed.noun if parsed.noun in lexicon.PROJECTS else "project"
        while not self._holds(parsed, text, noun, hints):
            cut = text.rfind(",")
            shorter = parse(text[:cut]) if cut > 0 and not fronted else None
            if shorter is None or shorter.subject != parsed.subject:
                return None
            text, parsed = text[:cut], shorter
        text = _without_moment(text)
        leans = bool(_LATER.search(" ".join(parsed.rest)))
        if leans and not before and not _is_settled(parsed):
            return None
        return _Kept(self._with_subject(text, parsed, entity, turn), parsed, leans and bool(before))

    def _holds(self, parsed: Parsed, text: str, noun: str, hints: _Hints) -> bool:
        """Whether the clause is worth keeping."""
        return bool(
            statements.weight(parsed, text, noun)
            or (self._tied and _is_our_group(parsed))
            or (hints.asked and statements.is_long_lasting(text))
            or (hints.confirmed and statements.is_trait(parsed, text))
            or (self._told_to_keep and statements.is_plain_statement(parsed, text))
        )

    def _subject_of(self, parsed: Parsed, turn: int) -> Entity | None:
        if parsed.subject in _THIRD:
            return self.cast.who(_THIRD[parsed.subject], turn)
        return self.cast.named(parsed.owner) if parsed.subject in ("name", "the", "bare") else None

    def _class_of(self, parsed: Parsed, entity: Entity | None) -> str:
        """The class noun of what a pronoun or a name stands for; empty if unknown."""
        if entity is None:
            does = f"{parsed.verb} {parsed.after}"
            of_ours = parsed.subject == "name" and self._tied and (_ROLE.match(does) or _PERSONAL.match(does))
            return "colleague" if of_ours else ""
        if parsed.noun and parsed.subject in _THIRD:
            return parsed.noun
        return entity.noun or ("friend" if entity.kind in ("name", "perhaps") else "")

    def _with_subject(self, text: str, parsed: Parsed, entity: Entity | None, turn: int) -> str:
        if entity is None:
            if parsed.subject == "the" and parsed.noun in lexicon.POSSESSIONS and text.lower().startswith("the "):
                return f"my {text[4:]}"
            if parsed.subject == "name" and len(words(parsed.owner)) <= 2:
                self.cast.meet(parsed.owner, turn)
            return text
        if parsed.subject not in _THIRD:
            return entity.surface + text[len(parsed.owner) :] if text.startswith(parsed.owner) else text
        pronoun = _THIRD[parsed.subject]
        self.cast.touch(entity, pronoun)
        if parsed.subject == "they" and entity.kind in ("person", "name"):
            text = _THEY_VERB.sub(lambda match: f"they {match[1]}{_singular(match[2])}", text, count=1)
        return entity.surface + ("" if pronoun == parsed.subject else "'s") + text[len(parsed.subject) :]

    def _joined(self, sentence: Sentence, run: list[tuple[Clause, _Kept]], turn: int) -> list[Draft]:
        """One draft of lasting clauses that stand side by side."""
        if not run:
            return []
        first, kept = run[0]
        text = kept.text
        if kept.leans:
            before = max((c for c in clauses(sentence) if c.end <= first.start), key=lambda c: c.end)
            if before.question or is_passing(before.text.lower()):
                return []
            text = f"{tidy(before.text)}{sentence.text[before.end : first.start] or ', '}{text}"
        end = first.end
        for clause, more in run[1:]:
            between = sentence.text[end : clause.start]
            text += (between if between.strip() else ", ") + more.text
            end = clause.end
        return [draft(text, kept.parsed, turn)]

    def _inside(self, text: str, turn: int) -> list[Draft]:
        """Lasting facts inside a question or a request."""
        found = []
        for clause in relative_clauses(text):
            parsed = parse(clause)
            if parsed and statements.weight(parsed, clause):
                found.append(draft(clause, parsed, turn))
        return found + [said(statement, turn, subject, key) for statement, subject, key in embedded(text)]


def _without_moment(text: str) -> str:
    """Without a part after a comma that tells of the moment: "I live in Graz, freezing tonight"."""
    head, comma, tail = text.rpartition(",")
    return head if comma and is_passing(tail.lower()) and not is_passing(head.lower()) else text


def _adds(clause: Clause) -> bool:
    """Whether a clause without a verb of its own only adds to the one before: "and never with a tie"."""
    return not clause.question and bool(_ADDED.match(clause.text)) and not is_passing(clause.text.lower())


def _is_settled(parsed: Parsed) -> bool:
    """Whether "it" in the rest has its antecedent in the same clause: "my bike has a bell and I love it"."""
    return next((i for i, word in enumerate(parsed.rest) if _LATER.fullmatch(word)), 0) >= 3


def _is_expletive(parsed: Parsed, entity: Entity) -> bool:
    """The "it" of "it has to be cheap": no thing of the user's."""
    if parsed.subject == "it" and parsed.form == "be" and _EXPLETIVE.match(parsed.after):
        return True  # "it's hard to tell"
    return (
        parsed.subject == "it"
        and bool(re.match(r"(?:have to|must) be\b", _obliged(parsed)))
        and entity.noun not in lexicon.PROJECTS
    )


def _obliged(parsed: Parsed) -> str:
    return f"{'have' if parsed.form == 'have' else parsed.modal} {parsed.after if parsed.form == 'have' else parsed.verb}"


def _is_our_group(parsed: Parsed) -> bool:
    """ "the bank is GLS", said beside what "we" do."""
    named = parsed.subject == "the" and parsed.form == "be" and parsed.noun in lexicon.GROUPS
    return named and bool(parsed.rest) and is_name(parsed.rest[0])


def _singular(verb: str) -> str:
    return _SINGULAR.get(verb) or (third_person(verb) if base(verb) == verb else verb)
