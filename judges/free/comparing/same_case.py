"""Whether two answers to one question speak of one case: keys, and keys of contractors, are two.

Answers to one question differ in many words. Those that set a case apart stand in certain places: right before a word
of the question (single parents), right behind one (keys of contractors), or as who does it (apprentices may).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, product

from calibrant.judges.free.comparing.content import Word, word_at
from calibrant.judges.free.comparing.decided import DECIDING
from calibrant.judges.free.comparing.frame import governor_of
from calibrant.judges.free.comparing.mentions import are_kin
from calibrant.judges.free.comparing.reading import Reading, opens_with_pronoun, read
from calibrant.judges.free.evidence.above import names_above
from calibrant.judges.free.evidence.answer_kind import COST, Expects
from calibrant.judges.free.evidence.matching import EVERYBODY, Term, is_among, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.evidence.same_question import question_and_answer
from calibrant.judges.free.words.claim_words import FORBIDDEN, LEAVE
from calibrant.judges.free.words.lists import OF_OR_FOR, word_set
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.opposites import are_opposite, classes_of, negates_by_prefix
from calibrant.judges.free.words.text import sentences_of, stems, tokens
from calibrant.judges.free.words.units import WEEKDAYS
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

_OF = {
    Language.ENGLISH: word_set("of for in at on with without during under before after"),
    Language.PORTUGUESE: word_set(
        "de da do dos das para em no na nos nas num numa ao aos à às com sem durante sob antes depois após"
    ),
}
"""What may limit what stands before it."""
_GROUPS = word_set(
    "apprentices trainees interns contractors freelancers students pupils children child adults adult seniors parents "
    "guests guest residents tenants teachers nurses managers admins administrators aprendizes estagiários alunos aluno "
    "crianças criança adultos adulto idosos pais docentes professores sócios sócio hóspedes moradores gestores"
)
"""Groups of people, for each of which other rules may hold."""
_IN = word_set("in em no na nos nas")
_APART = word_set("for during without under para durante sem sob")
"""What limits wherever it stands: for large boats."""
_OPENING = 2
"""Words that may stand before the first one behind a preposition: in the winter."""
_ACTS = word_set(
    "may can must shall should have has get gets pay pays receive are "
    "pode podem deve devem poderá poderão deverá deverão terão tem têm paga pagam recebe recebem são precisa precisam"
)
_ANY = word_set("a an each every um uma cada")
"""What one of those who act has before it: a guest may."""
_OR = re.compile(r"\s*,?\s+(?:or|ou)\s+")
"""Between two things of which a question asks which one it is."""
_WHERE = word_set("abroad online indoors outdoors overnight elsewhere inside outside dentro fora")
"""Limits without a preposition."""
_IN_CODE = ("#", "@", "/", "_", "`", "--")
"""What stands right before a name in code."""
_WHEN = frozenset((Expects.WHEN, Expects.DATE, Expects.TIME))
_DONE = ("ou", "eu", "iu", "aram", "eram", "iram")
"""Endings of what was done."""
_LIKE_AN_ADJECTIVE = ("s", "o", "l")
"""Endings of words that belong to the noun before them, and of no verb that says what it does."""
_BEYOND = word_set("additional extra further surplus adicional adicionais extras suplementar suplementares")
"""What is said of such a thing is not said of those that everybody has."""
_AT_TIMES = re.compile(
    r"\b(?:open\w*|clos\w+|hours|runs?|running|departs?|departures?|leaves?|available|sold|sells?|served?|collected"
    r"|abert[oa]s?|abr\w+|fech\w+|horários?|funciona\w*|part\w+|sai|saem|disponíve\w+|vend\w+|servid[oa]s?)\b",
    re.IGNORECASE,
)
"""What goes on at other hours on another day: opening hours, a bus."""
_BE = word_set("is are was were é são era eram está estão fica ficam")
"""What stands before the word for what a thing is."""
_SEASONS = frozenset(["season", "estação"])
_PLAIN = word_set(
    "new now current present usual normal same standard regular next maximum minimum total general case cases "
    "novo nova novos novas agora atual atuais presente habitual usual mesmo mesma regular próximo próxima máximo "
    "máxima mínimo mínima geral caso casos vai vão"
)
"""Words that set no case apart."""
SWITCH = re.compile(r": \"?(?:(?P<on>true|yes|on|enabled)|false|no|off|disabled)\b", re.IGNORECASE)
"""The value of a setting that is a yes or a no."""
_SET = word_set(
    "default switched switch turned turn enabled active activated padrão ligado ligada ativado ativada ativo ativa "
    "habilitado habilitada"
)
"""What such a setting says of itself."""


@dataclass(frozen=True)
class Answer:
    """A sentence that answers, without the heading told with it, and where it stands."""

    text: str
    item: Evidence
    start: int = -1

    @property
    def before(self) -> str:
        """The sentence before it; empty where there is none."""
        return next((one.text.rstrip() for one in reversed(sentences_of(self.item)) if one.end <= self.start), "")

    @property
    def above(self) -> str:
        """What a reader knows when he comes to it: title and heading, and the line that opens the document and is no
        sentence; the sentence before, where that is a question, or a pronoun points to it."""
        before = [one.text.rstrip() for one in sentences_of(self.item) if one.end <= self.start]
        opening = [one for one in before[:1] if self.item.locator.start == 0 and not one.endswith((".", "!", "?"))]
        leans = [one for one in before[-1:] if one.endswith("?") or opens_with_pronoun(self.text)]
        return ". ".join([self.item.title, self.item.locator.heading, *opening, *leans])

    @property
    def told(self) -> str:
        """The sentence with what stands above it."""
        return f"{self.above}. {self.text}"


def answer_of(text: str, item: Evidence) -> Answer:
    """A claim as an answer: a heading or a question that opens it is known from above."""
    for above in names_above(item):
        text = text.removeprefix(f"{above}: ")
    _, text = question_and_answer(text)
    return Answer(text, item, item.text.find(text))


def said(query: Query, answer: Answer) -> frozenset[Term]:
    """The words of the question that an answer says, with what stands above it."""
    held = keys(answer.told, query.language)
    unsaid = {*(COST if numbers(answer.text, query.language) else ()), *(_SET if SWITCH.search(answer.text) else ())}
    if is_polar(query.text) and (opposite := opposite_told(query, read(answer.text, query.language))):
        unsaid.add(opposite[1].word)
    return frozenset(
        term
        for term in terms_of(query)
        if is_among(term, held) or _has_kin(term.stem, held, query) or term.word in unsaid
    )


def opposite_told(query: Query, side: Reading) -> tuple[Word, Term] | None:
    """The word with which a sentence says that a thing is the opposite of what is asked, and the question's word: it is
    optional, where it is asked whether it is mandatory."""
    pairs = product((word for word in side.words if word.governor in _BE), query.terms)
    return next(
        (
            (word, term)
            for word, term in pairs
            if negates_by_prefix(word.low, term.word) or are_opposite(word.stem, term.stem, query.language)
        ),
        None,
    )


def terms_of(query: Query) -> tuple[Term, ...]:
    """The words of the question that tell what it is about: not those that ask for leave, how it was decided, or which
    of two opposites holds, which an answer gives in its own words."""
    silent = LEAVE[query.language] | _PLAIN | (DECIDING if is_polar(query.text) else frozenset()) | {*either(query)}
    return tuple(term for term in query.terms if term.word not in silent) or query.terms


def either(query: Query) -> tuple[str, ...]:
    """The two opposites of which the question asks which one holds: empty or full? Nothing where it asks for none."""
    for (one, _, end), (other, start, _) in pairwise(query.spans):
        is_or = _OR.fullmatch(query.text, end, start)
        if is_or and are_opposite(one.stem, other.stem, query.language):
            return one.word, other.word
    return ()


def is_same_case(query: Query, first: Answer, second: Answer) -> bool:
    """Whether neither leaves out what limits the question, nor has a limit of its own."""
    told = said(query, first), said(query, second)
    if _lean_on_two(query, first, second) or any(
        _limits(query, term, side) for side in told for term in terms_of(query) if term not in side
    ):
        return False
    if any(_is_behind(query, term, _OF[query.language]) for term in told[0] ^ told[1]):
        return False
    sides = [_side(query, one, other) for one, other in ((first, second), (second, first))]
    if is_polar(query.text) and not either(query) and any(side.governors for side in sides):
        return False  # no photographs with flash
    return not sides[0].governors & sides[1].governors and not any(side.is_limited for side in sides)


def are_of_two(query: Query, first: Answer, second: Answer) -> bool:
    """Whether two answers, in whatever words, are surely of two cases: only one of them says of whom it is so, or in
    what (in production), as the question asks, or it begins with others who may or must."""
    only_one = said(query, first) ^ said(query, second)
    if _lean_on_two(query, first, second) or any(
        _is_behind(query, term, _IN) or _names_group(query, term) for term in only_one
    ):
        return True
    return any(_side(query, one, other).acts for one, other in ((first, second), (second, first)))


def _lean_on_two(query: Query, first: Answer, second: Answer) -> bool:
    """Whether a pronoun opens one of them and stands for something with a name that nothing else speaks of: neither its
    title, nor the question, nor the other answer."""
    return any(_leans_away(query, one, other) for one, other in ((first, second), (second, first)))


def _leans_away(query: Query, answer: Answer, other: Answer) -> bool:
    if not (opens_with_pronoun(answer.text) and answer.before):
        return False
    named = [word for word in read(answer.before, query.language).words[:1] if word.name]
    known = keys(f"{answer.item.title}. {query.text}. {other.told}", query.language)
    return any(part not in known for word in named for part in (word.parts or (word.low,)))


def _names_group(query: Query, term: Term) -> bool:
    """Whether a word of the question names a group of people, or stands right before one that does: single parents."""
    return term.word in _GROUPS or any(
        one is term and other.word in _GROUPS and not query.text[end:start].strip(" -")
        for (one, _, end), (other, start, _) in pairwise(query.spans)
    )


def _has_kin(root: str, held: Iterable[str], query: Query) -> bool:
    return any(are_kin(root, one, query.language) for one in held)


def _limits(query: Query, term: Term, told: frozenset[Term]) -> bool:
    """Whether a word of the question that an answer leaves out stands right before one that it says: single parents; in
    Portuguese also right behind one: pais solteiros."""
    place = _place(query, term)
    is_adjective = query.language is Language.PORTUGUESE and term.word.endswith(_LIKE_AN_ADJECTIVE)
    near = query.spans[max(0, place - is_adjective) : place + 2]
    return any(
        {one, other} & told and not query.text[end:start].strip(" -")
        for (one, _, end), (other, start, _) in pairwise(near)
    )


def _is_behind(query: Query, term: Term, limiting: frozenset[str]) -> bool:
    """Whether a word of the question limits what stands before it, behind one of ``limiting``: keys of contractors."""
    place = _place(query, term)
    before = query.spans[place - 1][2] if place else 0
    between = query.text[before : query.spans[place][1]]
    return not limiting.isdisjoint(token.word for token in tokens(between))


def _place(query: Query, term: Term) -> int:
    return next(at for at, (one, _, _) in enumerate(query.spans) if one is term)


@dataclass(frozen=True)
class _Side:
    """An answer's words, those of them that the question has, and the new ones, which the other answer lacks too."""

    reading: Reading
    asked: frozenset[Word]
    new: frozenset[Word]

    @property
    def governors(self) -> frozenset[str]:
        """What stands before its new words: in summer, in winter; on the roof counts as in it."""
        found = (governor_of(word) for word in self._governed if word in self.new)
        return frozenset("in" if one in ("on", "at") else one for one in found)

    @property
    def is_limited(self) -> bool:
        """Whether a new word sets its case apart."""
        opens = [word for word in self._governed if word.place <= _OPENING and word is self.reading.words[0]]
        several = len(self.reading.quantities) > 1  # each has what it is for
        set_apart = [
            word for word in self._governed if word.governor in _APART and not several and not _is_whither(word)
        ]
        neighbours = any(self._sets_apart(one, other) for one, other in pairwise(self.reading.words))
        somewhere = any(word.low in _WHERE or word.low in _BEYOND for word in self.new)
        in_season = any(word in self.new and _names_season(word, self.reading.language) for word in self._governed)
        return neighbours or somewhere or in_season or not self.new.isdisjoint((*opens, *set_apart)) or self.acts

    @property
    def acts(self) -> bool:
        """Whether it begins with those who may or must, and they are not just everybody."""
        first = self.reading.words[0] if self.reading.words else None
        if first is None or first not in self.new or first.place > 1 or first.low in EVERYBODY:
            return False
        found = tokens(self.reading.text)
        is_any = first.place == 1 and found[0].word in _ANY
        return (is_any or first.low.endswith("s")) and word_at(found, first.place + 1) in _ACTS

    @property
    def _governed(self) -> list[Word]:
        """The words right behind a preposition, articles apart."""
        limiting = _OF[self.reading.language]
        before = (-1, *(word.place for word in self.reading.words))
        return [
            word
            for word, place in zip(self.reading.words, before, strict=False)
            if word.governor in limiting and word.place > place + 1
        ]

    def _sets_apart(self, one: Word, other: Word) -> bool:
        if self.reading.text[: one.start].endswith(_IN_CODE):
            return False  # a name in code: the channel #oncall-handover
        if one in self.new and other in self.asked:
            is_free = one.low in _PLAIN or one.low.endswith(("ly", "mente")) or self._rules(one)
            return not self.reading.text[one.end : other.start].strip(" -") and not is_free
        behind = one in self.asked and other in self.new and one.clause == other.clause
        return behind and other.governor in OF_OR_FOR and other.place - one.place in (2, 3)

    def _rules(self, word: Word) -> bool:
        """Whether a Portuguese word only tells what was decided, or gives or denies leave: "decidiu construir", "é
        proibido fumar". English has another word between."""
        is_portuguese = self.reading.language is Language.PORTUGUESE
        return is_portuguese and (word.low.endswith(_DONE) or word.low in FORBIDDEN | LEAVE[Language.PORTUGUESE])


def _is_whither(word: Word) -> bool:
    """Whether a Portuguese "para" says to when, and not for whom: moved to Monday."""
    return word.governor == "para" and word.name


def _names_season(word: Word, language: Language) -> bool:
    return any(kind in _SEASONS for kind, _ in classes_of(word.stem, language))


def _side(query: Query, answer: Answer, other: Answer) -> _Side:
    reading, known = read(answer.text, query.language), frozenset(stems(other.told, query.language))
    choice = either(query)
    wanted = [term.stem for term in query.terms if term.word not in choice]
    asked = frozenset(word for word in reading.words if _has_kin(word.stem, wanted, query))
    known |= {term.stem for term in query.terms if term.word in choice}
    new = frozenset(word for word in reading.words if word not in asked and not _has_kin(word.stem, known, query))
    is_told = query.expects in _WHEN and not any(
        _AT_TIMES.search(told) for told in (query.text, answer.text, other.text)
    )
    return _Side(reading, asked, frozenset(word for word in new if not (is_told and _is_day(word))))


def _is_day(word: Word) -> bool:
    """Whether a word is the name of a day of the week, or tells which day of the month, where it is asked when."""
    return word.low.removesuffix("s") in WEEKDAYS or word.low[0].isdigit()
