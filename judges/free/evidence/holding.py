"""Whether a sentence holds an answer of the kind that a question wants: a number, a name, a place, a reason."""

import re
from collections.abc import Iterable
from functools import lru_cache

from calibrant.judges.fitted import frequencies
from calibrant.judges.free.evidence.answer_kind import COST, PEOPLE_PT, Expects
from calibrant.judges.free.evidence.units_asked import is_at_once, measures
from calibrant.judges.free.words.lists import ANY_STOP_WORD, word_set
from calibrant.judges.free.words.tables import CELL, is_row
from calibrant.judges.free.words.text import stem, tokens, words
from calibrant.judges.free.words.units import ANY_MONTH, ANY_UNIT, MONTHS_PT, WEEKDAYS
from calibrant.state.task import Language

_YEAR = re.compile(
    r"\b(?:1[0-9]{3}|20[0-9]{2})s?\b|\b[1-9]0s\b|\b\d{1,2}(?:st|nd|rd|th)?[- ]century|\bséculo\b|\bcentury\b"
    r"|\b\d{1,2}/\d{1,2}/\d{2,4}\b"
    rf"|\b(?:{ANY_MONTH})\.? \d|\b\d{{1,2}}(?:st|nd|rd|th|º)?(?: of| de)? (?:{ANY_MONTH})\b"
    rf"|\b(?:{'|'.join(WEEKDAYS)})s?\b|\b(?:today|tomorrow|yesterday|hoje|amanhã|ontem)\b"
    r"|\bdia \d{1,2}\b"
    rf"|\bde (?:{'|'.join(MONTHS_PT)})\b"
    r"|\b(?:bc|ad|a\.c|d\.c)\b",
    re.IGNORECASE,
)
_REGULARLY_PT = r"diariamente|(?:semanal|quinzenal|mensal|trimestral|semestral|anual)mente"
_NUMBER = re.compile(
    r"(?<![\w.])\d(?:[\d.,]*\d)?"
    r"|\b(?:one|an?)[ -](?:second|minute|hour|day|night|week|fortnight|month|year|decade|century|metre"
    r"|meter|mile|kilometre|kilo|litre|third|quarter|tenth|dozen)\b"
    r"|\buma? (?:segundo|minuto|hora|dia|noite|semana|quinzena|mês|trimestre|semestre|ano|década|século|metro|quilo"
    r"|quil[óô]metro|litro|terço|décimo|dúzia|vez)\b"
    r"|\b(?:zero|unlimited|free of charge|double|doubled|two|three|four|five|six|seven|eight"
    r"|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|daily|weekly"
    r"|million|billion|dozen|half|once|twice|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze"
    r"|quatorze|catorze|quinze|dez[ae]sseis|dez[ae]ssete|dezoito|dez[ae]nove|vinte|trinta|quarenta|cinquenta|sessenta"
    r"|setenta|oitenta|noventa|cem|(?:duz|trez)ent[oa]s|quinhent[oa]s|\w{4,6}cent[oa]s|mil|milhão|milhões|metade|dobro"
    rf"|dúzia|{_REGULARLY_PT}|ilimitad[oa]s?|gr[aá]tis|gratuit(?:[oa]s?|amente))\b",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:one|a single|(?:só|somente|apenas) uma?|uma? únic[oa]) (?:([^\W\d_]+) )?([^\W\d_]+)", re.IGNORECASE
)
_VALUE = re.compile(r"\d|\b(?:True|False|None|null|nil|empty|vazi[oa])\b|[\"'`“][^\"'`”]{1,40}[\"'`”]|=\s*\S")
_ERROR = re.compile(
    r"\b\w*(?:Error|Exception|Warning|Interrupt|Exit|StopIteration)\b|\b(?:errno|E[A-Z]{3,})\b"
    r"|\b[A-Z]\w+ (?:exception|error)\b|\b(?:exceção|erro) [`'\"“]*[A-Z]\w+"
)
_REASON = re.compile(
    r"\b(?:because|due to|since|so that|in order to|therefore|as a result|caused? by|owing|thus|hence|reasons?"
    r"|purpose|to avoid|porque|pois|devido|por causa|já que|uma vez que|para que|a fim de"
    r"|portanto|por isso|razão|motivo|para evitar|visto que|dado que|graças a|de (?:modo|forma) a|causad[oa]s? por"
    r"|para \w+[aei]r|por (?:falta|questões|razões|motivos?|ser|ter|haver|estar))\b"
    r"|\b(?:why|por ?qu[eê])\b[^?]*\?\W+\w",
    re.IGNORECASE,
)
"""The last: a why with its answer after it, as a page of questions and answers has it."""
_ASKS_AND_ANSWERS = frozenset(("porque",))
"""Words that open a question in Portugal, and its answer everywhere."""
_AMOUNTS_ASKED = word_set("much many old quanto quanta quantos quantas")
_EVERY = re.compile(r"\b(?:every|each|a cada|cada) (?:\w+ )?\d+ (\w+)", re.IGNORECASE)
"""How often something is done, which tells no amount of anything else: "every 30 days"."""
_COUNTS = word_set("many quantos quantas")
"""With these a cost is not one in money: "how many lives did it cost"."""
_MONEY = re.compile(
    r"[$€£¥]|\b(?:euros?|dollars?|pounds?|cents?|pence|yen|rupees?|francs?|reais|real|centavos?|libras?|dólar(?:es)?"
    r"|usd|eur|gbp|brl|free|gr[aá]tis|gratuit(?:[oa]s?|amente)|million|billion|milhões|cost(?:s|ing)?|price[sd]?|fees?|fares?|paid"
    r"|pays?|charged?s?|worth|cust(?:a|am|ou|o)|preços?|tarifas?|pag(?:a|o|ou|am)|cobra(?:m|d[oa]s?)?)\b"
    rf"|(?<![\w.,:])\d+[.,]\d\d(?![\w%]|[.,]\d| ?(?:{ANY_UNIT})(?!\w))",
    re.IGNORECASE,
)
"""What a price is told with, or two places after the point ("58.00"): a number alone ("opened in 1897") is none."""
_PRICED = word_set("much what quanto qual")
"""With these a cost is asked for itself, not when or for how long it is due."""
_AFTER_A_TIME = re.compile(
    r"\b\d+(?: (?:to|or|and|ou|a|e) \d+)?[ -]"
    r"(?:second|minute|hour|day|week|month|year|segundo|minuto|hora|dia|semana|m[êe]s|ano)(?:e?s)?\b"
    r"(?: (?:instead of|rather than|not|em vez de|e não) \d+\b(?! ?[^\W\d_.,;]))?",
    re.IGNORECASE,
)
"""How long, which is no price: "a no-show fee is charged after 45 minutes instead of 30"."""
_FREE = re.compile(
    r"\b(?:(?:without|no) (?:any |further |extra |additional )*(?:costs?|charge|fees?)|(?:free|nothing)(?=\W*$|[.,;:])"
    r"|costs? nothing|for free|free of charge|sem (?:mais |outros |qualquer )?(?:custos?|encargos?|taxas?)"
    r"|gr[aá]tis|gratuit(?:[oa]s?|amente))\b",
    re.IGNORECASE,
)
"""A price as well: none."""
_HOURS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_TIME_OF_DAY = re.compile(
    r"\b\d{1,2}[:.h][0-5]\d\b|\b\d{1,2}\s?(?:[ap]\.?m\b|h\b|o['’]clock)"
    rf"|\b(?:{_HOURS}) o['’]clock|\b(?:at|until|till|before|by) (?:{_HOURS}|\d{{1,2}})"
    r"(?=\s*(?:[.,;)](?!\d)|$|(?:on|to|and|every|each|daily|sharp)\b|in the (?:morning|afternoon|evening)))"
    r"|\b(?:noon|midday|midnight|dawn|dusk|sunrise"
    r"|sunset|morning|afternoon|evening|night|half past|quarter (?:past|to)|meio-dia|meia-noite|manhã|tarde|noite"
    r"|madrugada|[àa]s (?:\d{1,2}|dez|onze|doze) horas?)\b",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"\b(?:closed|shut|encerrad[oa]s?|fechad[oa]s?|não (?:abre|funciona)m?)\b", re.IGNORECASE)
_VERSION = re.compile(
    r"\b[vr]?\d+(?:\.\w+)+|\b(?:version|release|versão) \d|\b[vr]\d|\b(?:latest|newest|current|última|atual)\b"
    rf"|\b(?!(?:{ANY_MONTH})\b)(?-i:[A-Z]\w*[a-z]\w*) (?!(?:19|20)\d\d\b)\d+\b(?![,.]\d)",
    re.IGNORECASE,
)
_SPANS = (
    r"second|minute|hour|day|night|morning|evening|week|weekday|weekend|fortnight|month|quarter|season|spring|summer|autumn"
    r"|winter|term|year|decade|segundo|minuto|hora|dia|noite|semana|mês|meses|trimestre|semestre|ano|quinzena|manhã"
    r"|tarde"
)
_OFTEN = re.compile(
    rf"\b(?:every|each|per|an?|cada|por|tod[oa]s? [oa]s?) (?:\w+ )?(?:{_SPANS}|time|vez|{'|'.join(WEEKDAYS)})s?\b"
    r"|\bde (?P<step>\w+) em (?P=step)\b"
    r"|(?<!\d)[:=]\s?\d|\d\s?(?:x|×|times|vezes)\b|(?:\b|_)(?:interval|intervalo|frequency|frequência|cadence)s?(?:\b|_)"
    r"|\b(?:once|twice|times|always|never|(?:hour|dai|week|month|quarter|year|annual|fortnight)ly|vezes|uma vez"
    rf"|{_REGULARLY_PT}|sempre|nunca)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    rf"{_YEAR.pattern}|\b\d{{1,2}}[:h][0-5]\d\b|\b\d{{1,2}}\s?(?:[ap]\.?m\b|o['’]clock)"
    r"|\bthe \d{1,2}(?:st|nd|rd|th)\b"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d{1,2}(?:st|nd|rd|th)) "
    r"(?:[a-z]+ )?day\b"
    r"|\b(?:primeiro|segundo|terceiro|quarto|quinto|sexto|s[ée]timo|oitavo|nono|d[ée]cimo|[úu]ltimo|\d{1,2}º) dia\b",
    re.IGNORECASE,
)
"""When a thing was or will be: a date, a day counted from something else, or the time on a clock."""
_WHEN = re.compile(
    rf"{_YEAR.pattern}|{_TIME_OF_DAY.pattern}"
    rf"|\b(?:{_SPANS}|{ANY_MONTH}|{'|'.join(WEEKDAYS)})s?\b"
    r"|\b(?:when|whenever|after|before|until|till|unless|if|once|as soon as|during|while|upon|since|end|start|beginning"
    r"|now|soon|immediately|always|never|ever|later|earlier|ago|first|last|next|again|deadline|due|holidays?|christmas"
    r"|easter|shortly|whilst|already|yet|anytime|any time|at once|(?:hour|dai|week|month|quarter|year|annual|night)ly"
    r"|early|late|conditions?|period|in case|caso|período|prazo|imediatamente"
    r"|quando|sempre que|depois|após|antes|até|se|assim que|logo|durante|enquanto|ao|fim|início|agora|nunca|jamais|há"
    rf"|primeir[oa]|últim[oa]|próxim[oa]|{_REGULARLY_PT}|desde|feriados?|natal|páscoa|já|ainda)\b",
    re.IGNORECASE,
)
_HOW_OFTEN = word_set("often frequently frequência")
_PATTERNS = {
    Expects.TIME: _TIME_OF_DAY,
    Expects.VERSION: _VERSION,
    Expects.DATE: _DAY,
    Expects.NUMBER: _NUMBER,
    Expects.VALUE: _VALUE,
    Expects.ERROR: _ERROR,
    Expects.REASON: _REASON,
    Expects.WHEN: _WHEN,
}
_WHERE = re.compile(
    r"\b(?:in|at|on|under|behind|beside|near|next to|inside|outside|opposite|above|below|between|from|em|n[oa]s?|sob"
    r"|junto|perto|dentro|fora|atrás|ao lado)\b",
    re.IGNORECASE,
)
"""Before a place."""
_KEY = re.compile(r"\b(?:Field|Key|Property|Item|Attribute|Campo|Chave|Propriedade|Atributo): [^;]*; ")
"""The cell of a row that names what its other cell tells."""
_CAPITALS = re.compile(r"^[^\Wa-z_]{2,}(?:[ ,&/-]+[^\Wa-z_]+)+: ")
"""A heading in capitals, in which no word shows that it is a name."""
_COUNTER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|\d{1,2}[:h]\d\d(?: UTC)?) (?=[^\W\d_])")
"""The number of a clause or a step, and the time of an entry."""
_ROLE = re.compile(
    r"\b(?:managers?|teams?|owners?|admins?|administrators?|directors?|leads?|leaders?|heads?|officers?|engineers?"
    r"|departments?|board|committee|staff|maintainers?|authors?|founders?|members?|employees?|customers?|providers?"
    r"|persons?|people|suppliers?|tenants?|landlords?|lawyers?|doctors?|teachers?|parents?|nobody|everyone|everybody|anyone|somebody"
    rf"|{PEOPLE_PT}|equipes?|equipas?|líder(?:es)?|departamentos?|conselho|comissão|comitê|comité|administração|direção|diretoria"
    r"|gerência|secretaria|portaria|membros?|funcionári[oa]s?|empregad[oa]s?|colaborador(?:a|es|as)?|trabalhador(?:a|es|as)?"
    r"|clientes?|fornecedor(?:a|es|as)?|contratantes?|(?<=\b[ao] )contratad[oa]|pessoas?|inquilin[oa]s?|senhori[oa]s?"
    r"|morador(?:a|es|as)?|condómin[oa]s?|condômin[oa]s?|advogad[oa]s?|pais|ninguém|qualquer um"
    r"|todos)\b|[\w.+-]+@\w[\w.-]+\w",
    re.IGNORECASE,
)
_WHO_MAY = re.compile(
    r"\b(?:who|quem) (?:may|can|must|should|shall|has to|gets?|needs?|pode|deve|precisa|tem (?:de|que|direito))\b",
    re.IGNORECASE,
)
_WHOEVER = re.compile(
    r"\b(?:you|those|if|unless|any|all|you['’]re|você|quem|se|qualquer|tod[oa]s?|aquel[ea]s?)\b", re.IGNORECASE
)


def tells_where(sentence: str) -> bool:
    """Whether ``sentence`` says where something is, as far as its prepositions tell."""
    return _WHERE.search(sentence) is not None


@lru_cache(maxsize=20_000)
def holds(kind: Expects, sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` holds an answer of ``kind``. What the question itself says (``asked``) is no answer."""
    if kind is Expects.ANY:
        return True
    if kind in (Expects.PERSON, Expects.PLACE, Expects.BODY):
        return _holds_name(sentence, asked, is_body=kind is Expects.BODY)
    if kind is Expects.TIME and _is_closed_then(sentence, asked):
        return True
    return _holds_number(sentence, asked) if kind is Expects.NUMBER else _matches(kind, sentence, asked)


def _is_closed_then(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` says that something is closed on the day of the week that is asked about: there is no time
    to tell."""
    days = days_named(asked)
    return bool(days and _CLOSED.search(sentence) and days & days_named(words(sentence)))


def days_named(said: Iterable[str]) -> frozenset[str]:
    """The days of the week among the words ``said``, in the singular."""
    return WEEKDAYS.intersection(word.removesuffix("s") for word in said)


def _holds_number(sentence: str, asked: frozenset[str]) -> bool:
    """A frequency, a price or a measure where that is asked for; also those that are told without a number."""
    if asked & _HOW_OFTEN:
        return bool(_OFTEN.search(sentence))
    if not asked.isdisjoint(_AMOUNTS_ASKED):
        sentence = _EVERY.sub(lambda match: match[0] if match[1].lower() in asked else "", sentence)
    if asked & COST and not asked & _COUNTS:
        if _FREE.search(sentence):
            return True
        if not _MONEY.search(sentence) or (asked & _PRICED and not _NUMBER.search(_AFTER_A_TIME.sub("", sentence))):
            return False
    if is_at_once(sentence, asked):
        return True
    return measures(sentence, asked) and (_matches(Expects.NUMBER, sentence, asked) or _counts_one(sentence, asked))


def _counts_one(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` tells one of what is counted, which stands in the plural where it is asked for ("how many
    queues"): a one before anything else is seldom a number ("the one that ...")."""
    nouns = {noun.lower() for one in _ONE.finditer(sentence) for noun in one.groups(default="")}
    plurals = {noun[:-1] + "ies" if noun[-1] == "y" else noun + s for noun in nouns if noun for s in ("s", "es")}
    return not asked.isdisjoint(_COUNTS) and not asked.isdisjoint(plurals)


def _matches(kind: Expects, sentence: str, asked: frozenset[str]) -> bool:
    found = (match.group().lower() for match in _PATTERNS[kind].finditer(sentence))
    return any(not asked.issuperset(word.split()) or word in _ASKS_AND_ANSWERS for word in found)


def _holds_name(sentence: str, asked: frozenset[str], is_body: bool) -> bool:
    """A capitalised word that the question does not have and that is not capital by its place only: as the first (also
    behind a number), in a heading that stands above, as the name of a column, or as a frequent word behind one of
    these or in brackets ("Backups: Run ..."). Firms are called IBM and GitHub as well."""
    sentence = _without_columns(_COUNTER.sub("", _CAPITALS.sub("", sentence)))
    for place, token in enumerate(tokens(sentence)):
        raw = sentence[token.start : token.end]
        is_name = raw[0].isupper() and (is_body or raw[1:].islower())
        if is_name and token.word not in asked and token.word not in ANY_STOP_WORD and place:
            before = sentence[: token.start].rstrip()[-1]
            if before != ">" and not (before in ":(–—" and _is_frequent(token.word)):
                return True
    return False


def _without_columns(sentence: str) -> str:
    """The row of a table with the names of its columns in small letters, and without the cell that only says what
    another one is about ("Field: Status; Value: Ada")."""
    if not is_row(sentence):
        return sentence
    return CELL.sub(lambda cell: cell[0].replace(cell[1], cell[1].lower(), 1), _KEY.sub("", sentence))


def holds_role(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` says who in other ways than by a name: a role, a group or an address that is not asked
    about. Manuals and contracts name few people."""
    return any(match.group().lower() not in asked for match in _ROLE.finditer(sentence))


def is_rule_for(question: str, sentence: str) -> bool:
    """Whether ``question`` asks who may or must, and ``sentence`` says for whom: "not if you have an ulcer"."""
    return bool(_WHO_MAY.search(question) and _WHOEVER.search(sentence))


def _is_frequent(word: str) -> bool:
    return any(stem(word, language) in frequencies(language.value) for language in Language)
