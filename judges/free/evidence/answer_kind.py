"""What kind of answer a question wants. Whether a sentence holds one, ``holding`` says."""

import re
from enum import StrEnum

from calibrant.judges.free.evidence.question_form import joined_words
from calibrant.judges.free.words.lists import word_set


class Expects(StrEnum):
    """The kind of answer that a question wants."""

    PERSON = "person"
    BODY = "body"
    """A firm, an authority, a brand."""
    PLACE = "place"
    DATE = "date"
    NUMBER = "number"
    VALUE = "value"
    """A literal: a number, a name in code, True, None, a quoted word."""
    ERROR = "error"
    TIME = "time of day"
    VERSION = "version"
    REASON = "reason"
    WHEN = "when"
    """A date, a time or a condition: when a thing is, happens or may be done."""
    ANY = "any"


FORMAL = frozenset(
    {Expects.NUMBER, Expects.DATE, Expects.TIME, Expects.VERSION, Expects.PERSON, Expects.BODY, Expects.ERROR}
)
"""Kinds of answers that show in the form of a sentence: one without such a thing in it is no answer."""
REQUIRED = FORMAL | {Expects.WHEN}
"""Kinds without which a sentence is no answer. That one is held says little for a sentence where it is a condition."""
UNTYPED = frozenset({Expects.ANY, Expects.TIME, Expects.VERSION, Expects.WHEN})
"""Kinds that the fitted models know nothing of."""

_AMOUNTS = (
    r"number|percentage|percent|amount|maximum|minimum|size|length|height|population|port|age|distance|rate|speed"
    r"|temperature|limit|cost|price|weight|score|ratio|voltage|capacity|depth|width|duration|fee|fare"
)
_AMOUNTS_PT = (
    r"número|percentagem|porcentagem|percentual|quantidade|máximo|mínimo|tamanho|comprimento|altura|população|porta|idade"
    r"|distância|taxa|velocidade|temperatura|limite|custo|preço|peso|área"
)
_NO_KIND = r"(?!(?:the|an?|this|that|our|your|my|is|are|was|were|do|does|did|o|os|as?|uma?|é|são)\b)"
_BODIES = (
    r"firm|company|vendor|supplier|contractor|agency|carrier|manufacturer|airline|university|authority|brand|provider"
    r"|bank|insurer|empresa|firma|fornecedor|agência|fabricante|universidade|autoridade|marca|banco|seguradora"
)
"""What has a name as people have one."""
PEOPLE = (
    r"managers?|owners?|administrators?|directors?|leads?|leaders?|heads?|officers?|engineers?|operators?|treasurers?"
    r"|secretar(?:y|ies)|presidents?|chair(?:man|woman|person)?|founders?|authors?|teachers?|doctors?|nurses?|contacts?"
)
PEOPLE_PT = (
    r"gerentes?|gestor(?:a|es|as)?|don[oa]s?|proprietári[oa]s?|administrador(?:a|es|as)?|diretor(?:a|es|as)?|chefes?"
    r"|responsáve(?:l|is)|engenheir[oa]s?|operador(?:a|es|as)?|tesoureir[oa]s?|secretári[oa]s?|presidentes?|fundador(?:a|es|as)?"
    r"|autor(?:a|es|as)?|professor(?:a|es|as)?|médic[oa]s?|enfermeir[oa]s?|coordenador(?:a|es|as)?"
)
_RULES = (
    (Expects.ERROR, r"\b(?:exceptions?|errors?|exceç(?:ão|ões)|exceções|erros?)\b.*\b(?:rais|throw|lan[çc]|ger)"),
    (
        Expects.ERROR,
        r"\b(?:what|which|que|qual)\b(?: (?!(?:do|does|did|is|was)\b)\w+)? (?:exception|error|exceção|erro)\b",
    ),
    (Expects.ERROR, r"^what (?:does|do|did|will|would|can|might)\b.*\brais(?:e|es|ed)\b"),
    (Expects.ERROR, r"\b(?:o que|que)\b.*\blanç(?:a|am)\b"),
    (
        Expects.VALUE,
        r"\b(?:what|which|qual|quais|que)\b.*\b(?:defaults?|padrão|by default|por (?:defeito|omissão)"
        r"|predefinid[oa]s?)\b",
    ),
    (Expects.TIME, r"\b(?:what|which) time\b(?! ?(?:zones?|limits?|frames?|periods?|spans?|of (?:the )?year))"),
    (Expects.TIME, r"\b(?:what|which) (?:times|(?:\w+ )?hours)\b"),
    (Expects.TIME, r"\b(?:a )?que horas\b"),
    (Expects.VERSION, rf"\b(?:which|what|qual|que) (?:{_NO_KIND}\w+ )?(?:version|release|versão)\b(?! \d)"),
    (Expects.DATE, r"\b(?:when (?:was|were|did|will)|since when)\b"),
    (Expects.DATE, r"\b(?:what|which) (?:years?|dates?|(?:week)?days?|months?|century|decade)\b"),
    (Expects.DATE, r"\bquando (?:é que )?(?:foi|foram|\w{2,}(?:ou|eu|iu|[aei]ram))\b|\bdesde quando\b"),
    (Expects.DATE, r"\b(?:que|qual) (?:o )?(?:ano|data|dia|mês|século|década)\b"),
    (
        Expects.NUMBER,
        r"\bhow (?:many|much|old|long|tall|far|big|large|high|deep|often|frequently|heavy|wide|thick"
        r"|fast|quickly|rapidly|promptly|hot|cold|warm|expensive|soon|early|late|short|small)\b",
    ),
    (Expects.NUMBER, rf"\b(?:what(?:['’]s| is| was| are) the (?:\w+ )?|which |what )(?:{_AMOUNTS})\b"),
    (Expects.NUMBER, r"\bwhat (?:does|do|did|will|would) .*\bcosts?\b"),
    (Expects.NUMBER, r"\b(?:which|what) (?:is the )?(?:exit|return|status|http|response)(?: status)? codes?\b"),
    (Expects.NUMBER, rf"\b(?:quant[oa]s?|qual (?:é |era |foi )?(?:o |a )?(?:{_AMOUNTS_PT})|que (?:{_AMOUNTS_PT}))\b"),
    (
        Expects.NUMBER,
        r"\b(?:com que frequência|quão (?:alt|larg|fund|profund|pesad|grand|long|quent|fri|rápid|car|antig)[aoe]s?)\b",
    ),
    (Expects.PERSON, r"\b(?:who|whom|whose|quem)\b"),
    (Expects.PERSON, rf"\bnames? of (?:the |our |my )?(?:[\w-]+ ){{0,2}}(?:{PEOPLE})\b"),
    (Expects.PERSON, rf"\bnomes? d[aeo]s? (?:{PEOPLE_PT})\b"),
    (Expects.BODY, rf"\b(?:what|which|que|qual) (?:{_NO_KIND}\w+ )?(?:{_BODIES})\b(?! (?:accounts?|holidays?|cards?))"),
    (Expects.PLACE, r"\bwhere(?: (?:is|was|were|are|did)|['’]s)\b"),
    (Expects.PLACE, r"\b(?:what|which) (?:country|city|state|place|town|region|continent)\b"),
    (Expects.PLACE, r"\b(?:onde|(?:que|qual) (?:país|cidade|estado|lugar|região|continente))\b"),
    (
        Expects.WHEN,
        r"^(?:and |but |so )?when(?: (?:is|are|do|does|can|may|must|should|will|would|has|have|am)|['’]s)\b",
    ),
    (Expects.WHEN, r"^(?:e |mas )?quando\b"),
    (Expects.REASON, r"(?:\bwhy\b|^\s*por ?qu[eê]\b|\bpor que\b)"),
)
_QUESTIONS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _RULES)
_BARE = (
    (Expects.REASON, r".*\b(?:why|how come|por ?qu[eê])\b"),
    (Expects.DATE, r".*\b(?:when|quando)"),
    (Expects.PLACE, r".*\b(?:where|onde)"),
)
COST = word_set("cost costs price prices fee fees fare custa custam custou custaram custo preço preços")
"""Words for what something costs: each stands for the others."""


def expected(question: str) -> Expects:
    """The kind of answer that ``question`` wants, by its question words."""
    words = joined_words(question)
    bare = next((kind for kind, pattern in _BARE if re.match(pattern, words, re.IGNORECASE)), None)
    return bare or next((kind for kind, pattern in _QUESTIONS if pattern.search(words or question)), Expects.ANY)
