"""What may be given as an answer at all, whatever its score.

It holds the kind of thing that is asked for, it says more than the question does, and of several things with labels
(plan B, queue 3) and of the rows of a table it is about the one that is asked for. That the question's words occur is
not enough.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from calibrant.judges.free.answering.bounds import within, without_bounds
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.answer_kind import (
    COST,
    FORMAL,
    REQUIRED,
    Expects,
    holds,
    holds_role,
    is_joined,
    is_polar,
    is_rule_for,
    tells_where,
)
from calibrant.judges.free.evidence.labels import names_another, without_days, without_labels
from calibrant.judges.free.evidence.lexical import Query, coverage, covered, is_said, keys
from calibrant.judges.free.evidence.measures import has_units, told_by_unit
from calibrant.judges.free.evidence.relevance import title_of
from calibrant.judges.free.words.modifiers import is_of_the_other
from calibrant.judges.free.words.tables import CELL
from calibrant.judges.free.words.text import content_stems, content_words, stem, stems
from calibrant.judges.free.words.units import MONEY, UNITS
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

T = TypeVar("T")
Table = tuple[str, ...]

_KIN_LETTERS = 5
"""Words that begin with as many of the same letters are kin: insurance, insured."""
_A_REASON = 3
"""Words beyond the question's that a sentence has at least, to tell why without a word for it."""
NAMED = 1 / 3
"""The least share, by weight, of what only a row's cells can say of a question: the row of alarm A04 says "A04"."""

_ASKS_SECTION = re.compile(
    r"\b(?:which|what|qual|que) (?:section|chapter|part|article|document|policy|se[cç]{1,2}ão|capítulo|parte|artigo"
    r"|documento|política)\b",
    re.IGNORECASE,
)
_GENERAL = (
    r"(?:meaning|purpose|name|use|function|point|reason|value|effect|result|job|kind|type|definition|significado|nome"
    r"|motivo|valor|tipo|finalidade|função|uso|utilidade|razão|efeito|resultado|definição|objetivo|sentido)\b"
)
"""What is said without a word for it."""
_IS_GENERAL = re.compile(_GENERAL)
_SUM = re.compile(r"\d\s*[+*×÷^]\s*\d|\d\s+[-/]\s+\d")
_PROPERTY = re.compile(
    rf"\b(?:(?:what|which|who|qual|quem) (?:is|are|was|were|é|era) (?:the |o |a )?|qual [oa] )"
    rf"(?!{_GENERAL})([\w -]{{2,40}}?) (?:of|for|in|at|on|with|d[aeo]s?|n[ao]s?)\b"
    r"|\b(?:what|which|who) (?:is|are|was|were) (?:the )?[\w .-]{2,60}['’]s? ([\w -]{2,40}?)\W*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?:how many|quant[oa]s) ((?:[^\W\d_]+ ){0,2}?[^\W\d_]{2,}s)\b", re.IGNORECASE)
_OVER_ALL = re.compile(
    r"\b(?:averages?|(?<=the )mean|median|sum|combined|altogether|média|mediana|soma|somad[oa]s|ao todo)\b"
    r"|^(?=.*\btotal\b).*\b(?:all|both|every|together|tod[oa]s|amb[oa]s|junt[oa]s)\b",
    re.IGNORECASE,
)
"""Words for what comes of several amounts."""
_UNSAID = frozenset(
    ("number", "amount", "total", "size", "limit", "maximum", "minimum", "rate", "número", "quantidade", "tamanho",
     "people", "persons", "pessoas", "money", "dinheiro", "time", "times", "tempo", "charge", "responsible",
     "responsável", "responsáveis", "limite", "máximo", "máxima", "mínimo", "mínima", "taxa", "vezes", "demora",
     "demoram", "dura", "duram", "leva", "levam")
)  # fmt: skip
"""What a row tells without a word for it, by its form."""
_MEASURED = frozenset((Expects.NUMBER, Expects.PERSON))
"""Kinds whose form tells too little in a row: each has some number, and most have a name."""
_NEW = re.compile(r"(?<=, as for )[^,?]+\?$")
"""What ``judges/free/request/followup.py`` appends where it finds nothing to exchange it for."""
_PLACE = re.compile(
    r"(?:^|(?<=[;:] ))(?:\w+[_ ])?(?:office|branch|site|location|place|address|street|road|city|town|village|country"
    r"|region|district|building|room|hall|port|harbou?r|escritório|filial|local|localidade|morada|endereço|rua|cidade|país"
    r"|região|bairro|edifício|sala|porto)"
    r": [^;]*",
    re.IGNORECASE,
)
"""A cell of a row that names a place: nobody is called by it."""

_DATED = (
    (r"minutes|atas?", r"minutes|meet\w*|met|session|atas?|reuni\w+|reún\w+|sess\w+"),
    (
        r"effective|in force|valid|as of|vigente|em vigor|válid[oa]",
        r"effective|force|valid|appl\w+|begin|start|vig\w+|vál\w+",
    ),
    (r"(?:last )?updated|atualizad[oa]|revision|revisão", r"updated?|atuali\w+|revis\w+"),
    (r"version|edition|issue|draft|versão|edição|minuta", r"version|edition|issued?|draft|versão|edição|minuta"),
    (r"memo|circular|notice|dated?|data", r"memo|circular|notice|dated|written|sent|escrit\w+|enviad\w+"),
)
"""Words by which a document says of itself what it is and when it is from, each with those that ask for it."""
_DATELINE = re.compile(
    rf"(?:[^:.]{{1,60}}: )?\b(?:{'|'.join(own for own, _ in _DATED)})\b:?[^.:]{{0,80}}?\b(?:19|20)\d\d\b", re.IGNORECASE
)
"""A line that tells that: "MINUTES OF THE COMMITTEE, 4 MARCH 2026 Present: ..."."""
_STATES = re.compile(r"\b(?:is|are|was|were|be|has|have|had|will|must|may|é|são|foi|foram|será|tem|deve|pode)\b")


def answers_kind(query: Query, text: str) -> bool:
    """Whether ``text`` holds what the question wants, where that can be told from the form.

    A Portuguese why is answered only in words of reason: without an encoder little else tells such an answer apart. So
    is "why?" after an answer: the old one would answer it again.
    """
    if not says_what_is_new(query, text) or dates_its_document(query, text):
        return False
    if query.expects is Expects.PERSON and (holds_role(text, query.asked) or is_rule_for(query.text, text)):
        return True
    if query.expects is Expects.NUMBER:
        text = without_labels(text, query.asked)
    elif query.expects in (Expects.PERSON, Expects.BODY):
        text = without_days(without_places(text) if query.expects is Expects.PERSON else text)
    joined = is_joined(query.text)
    if joined and query.expects is Expects.PLACE and not tells_where(text):
        return False
    reason = query.expects is Expects.REASON and (joined or query.language is Language.PORTUGUESE)
    return not (reason or query.expects in REQUIRED) or holds(query.expects, text, query.asked)


def dates_its_document(query: Query, text: str) -> bool:
    """Whether ``text`` tells only when its document is from, and the question asks when something else is."""
    line = _DATELINE.match(text) if query.expects in (Expects.DATE, Expects.WHEN) else None
    if line is None or _STATES.search(text) or holds(query.expects, text[line.end() :], query.asked):
        return False
    asking = (asks for own, asks in _DATED if re.search(rf"\b(?:{own})\b", line[0], re.IGNORECASE))
    return not any(re.search(rf"\b(?:{asks})\b", query.text, re.IGNORECASE) for asks in asking)


def says_what_is_new(query: Query, text: str) -> bool:
    """Whether ``text`` speaks of what a follow-up adds to the question before ("..., as for a dog?"), if it does."""
    new = _NEW.search(query.text)
    terms = [term for term, start, _ in query.spans if new and start >= new.start()]
    held = keys(text, query.language)
    return not terms or any(covered(term, held) >= 0.5 for term in terms)


def without_places(text: str) -> str:
    """``text`` without the cells that name a place, where it is the row of a table."""
    return _PLACE.sub("", text) if len(CELL.findall(text)) > 1 else text


def answers_above(query: Query, heading: str, text: str) -> bool:
    """Whether what is asked for stands in the heading and not below: a version, a day, the section."""
    if _ASKS_SECTION.search(query.text):
        return True
    return not answers_kind(query, text) and answers_kind(query, heading)


def is_of_another(query: Query, item: Evidence, text: str) -> bool:
    """Whether ``text`` with what stands above it tells only of another plan, queue or startup than the one asked for,
    or of the first train for the last. Its score knows of the former too, but where everything else fits, as in "the
    CEO of Startup C", not enough."""
    above = title_of(item)
    other = any(is_of_the_other(query.text, said, query.language) for said in (text, f"{above}: {text}"))
    return other or names_another(query.text, f"{above} {text}")


def tells_more(query: Query, text: str) -> bool:
    """Whether ``text`` says anything beyond what is asked: "Version 1 of the API." does not say when it ends. A reason
    takes more than a word or two, unless it is told as one."""
    asked = {stem(word, query.language) for word in query.asked}
    more = content_stems(text, query.language) - asked
    if query.expects is Expects.REASON and len(more) < _A_REASON:
        return holds(Expects.REASON, text, query.asked)
    return is_polar(query.text) or (bool(more) and not _is_sum(query))


def _is_sum(query: Query) -> bool:
    """Whether the question is to be worked out, and no document answers it but by chance: "What is 2+2?"."""
    return bool(_SUM.search(query.text)) and not any(term.word.isalpha() for term in query.terms)


def rows_asked_for(query: Query, found: Sequence[tuple[T, Evidence, str]]) -> list[tuple[T, Table]]:
    """Of ``found`` (each with its passage and text), of the rows of a table only those that say most of the question.

    Rows differ in nothing but their cells, so that one of another plan seems to answer as well as the one meant. None
    is meant whose cells say too little of what the title and the columns leave open. With each row goes its table where
    the question names one of its cells: all rows that are left of a table then answer alike.
    """
    most: dict[Table, tuple[int, int, float]] = {}
    rows = [(one, item, text, table_of(item, text), within(query, text)) for one, item, text in found]
    unbounded = without_bounds(query)
    said = [(*row, _said(unbounded if row[4] else query, row[2])) for row in rows if row[4] is not False]
    for _, _, _, table, _, share in said:
        most[table] = max(most.get(table, share), share)
    return [
        (one, table if share[0] or chosen else ())
        for one, item, text, table, chosen, share in said
        if not table or (share >= most[table] and _tells_asked(query, item, text, bool(chosen)))
    ]


def _tells_asked(query: Query, item: Evidence, row: str, chosen: bool) -> bool:
    """Whether a row has what is asked of it, and is meant: ``chosen`` by its number, or named."""
    if _is_counted(query, row) or _is_over_all(query, item, row):
        return False
    return (chosen or _is_named(query, item, row)) and _has_property(query, item, row)


def _is_counted(query: Query, row: str) -> bool:
    """Whether a row is one of the things that the question wants counted, and so does not tell how many there are."""
    asked, cells = _COUNTED.search(query.text), CELL.findall(row)
    if asked is None or not cells:
        return False
    return stem(asked[1].split()[-1], query.language) in stems(cells[0][0], query.language)


def _is_over_all(query: Query, item: Evidence, row: str) -> bool:
    """Whether the question wants what comes of all rows together, an average or a sum, and a row does not tell it."""
    wanted = _OVER_ALL.search(query.text)
    return bool(wanted) and not _OVER_ALL.search(f"{title_of(item)} {row}")


def _is_named(query: Query, item: Evidence, row: str) -> bool:
    """Whether the cells of a row say what the question leaves open beside its title and columns, or enough of it: not
    what a row tells by its form, nor words as general as "value"."""
    columns = " ".join(column for column, _ in CELL.findall(row))
    known = keys(f"{title_of(item)} {columns}", query.language)
    telling = [term for term in query.terms if term.word not in _UNSAID and not _IS_GENERAL.fullmatch(term.word)]
    left = [term for term in telling if covered(term, known) < 0.5]
    held = keys(row, query.language)
    return sum(term.weight for term in left if covered(term, held) >= 0.5) >= NAMED * sum(term.weight for term in left)


def _has_property(query: Query, item: Evidence, row: str) -> bool:
    """Whether a row says what is asked of the one it is about: "the pager of Nina", of which a row without a word of
    pagers says nothing. A day, a time or a version is told by its form instead, and a price by its currency."""
    told_by_form = query.expects in FORMAL - _MEASURED or not query.asked.isdisjoint(COST)
    return told_by_form or _says_any(query, _property(query), f"{title_of(item)} {row}")


def says_measure(query: Query, item: Evidence, text: str) -> bool:
    """Whether ``text`` speaks of what is counted, where that is asked ("how many topics", not endpoints), and of the
    weight, the speed or the like, where that is asked for by its name."""
    if _COUNTED.search(query.text) and _counts_nothing(query, text):
        return False
    wanted = _property(query)
    asks = _COUNTED.search(query.text) or any(has_units(word) for word in wanted)
    return not asks or _says_any(query, wanted, f"{title_of(item)} {text}")


def _counts_nothing(query: Query, text: str) -> bool:
    """Whether all that ``text`` tells in numbers is money or a share."""
    units = {amount.unit for amount in read(text, query.language).quantities}
    return bool(units) and units <= {*MONEY, "%"}


def _property(query: Query) -> tuple[str, ...]:
    """The words for what is asked of something: the weight of it, how many seats it has. None where a sentence can tell
    it without them."""
    asked = _COUNTED.search(query.text) or _PROPERTY.search(query.text)
    words = content_words(next(filter(None, asked.groups())), query.language) if asked else ()
    return () if any(word in _UNSAID or word in UNITS for word in words) else words


def _says_any(query: Query, words: Sequence[str], text: str) -> bool:
    """Whether ``text`` has one of ``words`` or its kin, or the unit of the measure that they name; true of none."""
    held = keys(text, query.language)
    said = any(is_said(word, stem(word, query.language), held) or _begins(word, held) for word in words)
    return said or not words or told_by_unit(words[-1], text)


def _begins(word: str, held: frozenset[str]) -> bool:
    """Whether a word of ``held`` is kin to ``word``: insurance, insured."""
    return len(word) >= _KIN_LETTERS and any(other.startswith(word[:_KIN_LETTERS]) for other in held)


def table_of(item: Evidence, text: str) -> Table:
    """The document, the heading and the first column of the table whose row ``text`` is; empty for anything else. Empty
    cells are not told, so that the other columns vary."""
    cells = CELL.findall(text)
    return (item.document, item.locator.heading, cells[0][0]) if len(cells) > 1 else ()


def _said(query: Query, row: str) -> tuple[int, int, float]:
    """How many cells of a row the question says whole ("Business", not "within two business days"), how many word for
    word (boats over 5 m, not up to 5 m), and how much of the question the row says."""
    asked = keys(query.text, query.language)
    cells = [content_words(value, query.language) for _, value in CELL.findall(row)]
    whole = sum(bool(words) and all(is_said(one, stem(one, query.language), asked) for one in words) for words in cells)
    literal = sum(_is_run(query, value) for _, value in CELL.findall(row))
    return whole, literal, coverage(query, keys(row, query.language))


def _is_run(query: Query, cell: str) -> bool:
    """Whether the question has the words of a cell, if those are several, in a row."""
    said, asked = (stems(text, query.language) for text in (cell, query.text))
    return len(said) > 1 and any(asked[at : at + len(said)] == said for at in range(len(asked)))
