"""What is pasted with a question (a log, a trace, settings, a long text) set apart from the words that ask.

Those words are understood and searched for, with the few of the pasted text that tell what it is about. The rest would
be a poor query: a hundred lines of a log drown the one question.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from calibrant.judges.free.request.followup import bracketed
from calibrant.judges.free.request.traces import READ, asks_at_all, traces
from calibrant.judges.free.words.terms import identifiers, specific_words, topic
from calibrant.judges.free.words.text import language_of
from calibrant.state.base import unique
from calibrant.state.fence import ends_fence, fence_of

LONG = 400
"""Characters from which a paragraph that asks nothing is no scene any more, but a text that was pasted."""

MOSTLY = 0.6
"""Share of a paragraph's lines that a machine wrote, from which it is taken for a machine's."""

TOLD_WORDS, TOLD_NAMES, TELLING = 12, 4, 2
"""Words of the line that tells of a failure, or names, that a question gets; with fewer words of its own than the last
it gets them even if it points to nothing."""

TOLD_MESSAGES = 3
"""Messages of a log without a failure up to which they tell what it is about: of more nobody knows which are meant."""

_LINE = re.compile(r"[^\n]+")
_PARAGRAPH = re.compile(r"\S.*(?:\n[ \t]*\S.*)*")
_MACHINE = re.compile(
    r"""(?x)
    (?:[ ]{2}[ -]*[\w."]+:(?:\s|$) | [\w.-]+:\ {2,}\S  # settings below others; values in a column
    | \s*+(?:\[[\w.-]+\]\s)?(?:  # behind the name of who says it
      \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d\b | \w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d  # a line of a log
    | \[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|TRACE)\b[\]:\s]
    | Traceback\ \( | File\ "[^"]+",\ line\ \d+ | at\ (?:(?:async|new)\ )?[\w.$<>]+(?:\ \[as\ \w+\])?\ ?\(
    | at\ \S+:\d+:\d+\)?$ | Caused\ by: | goroutine\ \d+ | panic:
    | (?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Timeout|Failure|Fault|Interrupt)\b(?::|\s*$) | Exception\ in\ thread
    | (?:\w+\.)+_*[A-Z]\w*:\s | \[[\w.]+\]\ (?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL):\s
    | \S+(?:\ {2,}+|\t)\s*+\S.*\S(?:\ {2,}+|\t)\s*+\S  # three columns
    | (?:[Ee]rror|fatal|warning)(?:\[\w+\])?:\s\S | [\w./-]+:\d+:(?:\d+:)?\s | npm\ (?:ERR!|error)\s
    | HTTP/[\d.]+\ \d{3}\b | (?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\ \S+\ HTTP/\d  # a message of HTTP
    | [$>]\ +\S | E\ {3,}\S  # what was typed; what pytest shows
    | [+-]{3}\ \S | @@\ -\d
    | [\w.$-]+\s*[:+?]?=\s*\S | "[^"\n]+"\s*: | [{}\[\]();,]+\s*$ | .*[{}\\]$
    | .*[=(){}].*;$ | <[\w/!?].*> | \|.*\| | \#!/
    | (?:def|class|return|import|from|function|const|let|var|SELECT|INSERT|UPDATE|CREATE)\b\s\S.*[\w)"'>]$(?<![.?!])
    ))"""
)
_HEADER = (
    r"(?:[A-Z]\w*(?:-[A-Z]\w*)+|Age|Allow|Connection|Cookie|Date|ETag|Expires|Host|Location|Origin|Server|Vary|Via)"
)
"""The name of a field of HTTP."""
_WEAK = re.compile(
    rf"{_HEADER}:\s\S.*$|" r"[a-z_][\w.-]*\s*:(?:\s*[\d\"'\[{|>].*|\s*(?:true|false|null|none|yes|no)\s*|\s*)$|.*;$"
)
"""A line as a person writes it too ("guests: 12", "cheap hosting;"): a machine's only beside others, or in a fence."""
_PAIR = re.compile(
    r"(?:\"(?P<key>[\w.-]+)\"\s*:|(?<![\w\"])(?P<name>[A-Za-z][\w.-]*)=)\s*"
    r"(?:\"(?P<said>(?:[^\"\\]|\\.)*)\"|(?P<bare>[^\s,}\"]+))"
)
"""A key with its value, as logfmt and JSON have them: ``err="no route"``, ``"msg": "no route"``."""
_TELLING_KEYS = ("err", "error", "exception", "reason", "msg", "message")
LEAST_PAIRS = 3
"""Of them, in a line that is made of such pairs."""
_QUESTION = re.compile(r"\?(?:\s|$)")
_FAILURE = re.compile(
    r"(?<![\w$.])(?:(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Timeout|Failure|Fault)\b|(?:\w+\.)+_*[A-Z]\w*(?=:\s))"
    r"|\b(?:E[A-Z]{4,}|ERR_\w+)\b"
)
_CHAINED = re.compile(
    r"\W*(?:The above exception was the direct cause of the following exception"
    r"|During handling of the above exception, another exception occurred):\s*$"
)
"""Stands by itself between two traces."""
_CONTINUED = re.compile(
    r"""(?x)
    \s*+(?:\[.*[\],] | [({]\s*['"({\[].*[)},] | (?:'[^'\n]*'|"[^"\n]*")\s*+(?::.*[,\])}]|[,\])}]++)
    | (?<=\ \ )[\w.]+\(.*)\s*$
    """
)
"""A list or a mapping, or a row of one, as a log shows it below its message; the call below a warning."""
_COUNT = re.compile(r"\{?'[^'\n]*': [\d.]+[,}]*$")
"""A row of what a log counts: how often there were errors, and not one of them."""
_LEVEL = re.compile(r"\b(?:ERROR|FATAL|CRITICAL|[Ee]rror|fatal|panic|ERR!|(?<=Z )(?:ERR|FTL))\b")
_WARNING = re.compile(r"\bWARN(?:ING)?\b|(?<=Z )WRN\b|\b\w*[Ww]arning(?=:)")
_LOGGED = re.compile(
    r"""(?x)
    \W*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\b[^\n]{0,120}?\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|TRACE)\b
    | \[[\w.]+\]\ (?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL):\s | (?:DEBUG|INFO|WARNING|ERROR|CRITICAL):[\w.]+:
    | (?:DEBUG|WARNING):\s | \S+:\d+:\ (?:\w+\.)*[A-Z]\w*Warning:\s
    """
)
"""A line that nobody but a log has, also where it tells of no failure."""
_WHEN = re.compile(
    r"^(?:(?:\[[\w.-]+\]\s)?[^\w\n]*+(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,Z+:-]*\]?"
    r"|[ \t]*+\w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d)",
    re.MULTILINE,
)
_NOISE = re.compile(
    r"""(?x)
    \[?\b(?:ERROR|FATAL|CRITICAL|WARN(?:ING)?|INFO|DEBUG|WRN|Exception\ in\ thread\ \S+)\b[\]:]?  # how grave
    | npm\ (?:ERR!|error) | Caused\ by:
    | \b[0-9a-f]{8}-[0-9a-f-]{27}\b | \b0x[0-9a-f]+\b | \b[0-9a-f]{12,}\b  # for whom
    | \b\w+://\S+ | (?:/[\w.-]+){2,}(?::\d+)*  # where
    """
)
"""What a line of a log says of its own occasion."""

_LOGGER = re.compile(r"\[([\w.]+)\]")
_ADDRESS = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|ai|info|br|pt|uk|de|eu|local)(?:\.[a-z]{2})?(?::\d+)?", re.IGNORECASE
)
_OBJECT = re.compile(r"<[^<>\n]*>?")
"""A thing as Python shows it: "<GET https://...>"."""
_OWN = re.compile(
    r"""(?x)
    (?:[A-Za-z]:|~|\.\.?)?[\\/]\S*  # a path
    | [^\s\\/]*+[\\/][^\s\\/]*+[\\/]\S* | [^\s\\/]++[\\/][^\s\\/]+\.\w{1,5}
    | [^\s@]++@\S+  # an address
    | [.,:/%+-]*+\d[\d.,:/%x+-]*+[A-Za-z]{0,2}  # a number
    """
)
"""A word that is of one occasion only: no document has it."""

_QUOTES = re.compile(r"['\"(),;<>]|:$")

_MARKS = str.maketrans("", "", '"`{}')
"""Marks that would make a phrase of what they stand around, which then has to be found word for word."""

_THINGS = (
    r"errors?|exceptions?|warnings?|messages?|responses?|logs?|traces?|outputs?|files?|configs?|configurations?|settings?"
    r"|code|snippets?|queries|query|texts?|tables?|erros?|exceç(?:ão|ões)|avisos?|mensage(?:m|ns)|respostas?|saídas?"
    r"|arquivos?|ficheiros?|configuraç(?:ão|ões)|códigos?|consultas?|textos?|tabelas?"
)
_POINTING = re.compile(
    rf"\b(?:(?:this|these|the following|[dn]?(?:est[ea]s?|ess[ea]s?|isto|isso))(?: (?:{_THINGS}))?"
    rf"|(?:(?:{_THINGS}) )?(?:below|above|here|attached|abaixo|acima|aqui|a seguir))\b",
    re.IGNORECASE,
)
"""Where the words that ask point to what was pasted."""
_ANNOUNCES = re.compile(r":[ \t]*$(?!\n[ \t]*(?:[-*•]|\d+[.)])\s)", re.MULTILINE)
"""The colon before it, or before nothing any more: that before a list stays."""

Span = tuple[int, int]


@dataclass(frozen=True)
class Apart:
    """``asked``: the words that ask. ``pasted``: the rest, each line where it stands in the request, so that lines can
    be counted; empty where nothing was set apart."""

    asked: str
    pasted: str = ""


def without_pasted(request: str) -> str:
    """The words of ``request`` that ask, with what is pasted there told in brackets, where they point to it ("why does
    this fail?") or say too little by themselves; what it is about alone, where nothing is asked."""
    found = apart(request)
    subject = subject_of(found.pasted)
    if not found.asked or not subject:
        return found.asked or subject
    pointing, announced = _POINTING.search(found.asked), _ANNOUNCES.search(found.asked)
    at = pointing.end() if pointing else announced.start() if announced else None
    if at is not None:
        return _ANNOUNCES.sub(".", f"{found.asked[:at]} ({subject}){found.asked[at:]}")
    tells = len(specific_words(found.asked, language_of(found.asked))) >= TELLING
    return found.asked if tells else bracketed(found.asked, subject)


def told_in(request: str) -> str:
    """What is pasted in ``request`` tells, in a few words; empty where nothing is."""
    return subject_of(apart(request).pasted)


def sought_in(told: str) -> str:
    """The words of it to search for: no numbers, paths and addresses, which are of its own occasion."""
    said = ((word, _QUOTES.sub("", word)) for word in _OBJECT.sub(" ", told).split())
    return _joined(word for word, bare in said if not (_OWN.fullmatch(bare) or is_address(bare)))


def is_address(name: str) -> bool:
    """Whether ``name`` is that of a computer ("img.acme.com"), and none in code."""
    return _ADDRESS.fullmatch(name) is not None


def without_times(pasted: str) -> str:
    """The pasted text without the times that lines of a log open with: those tell when, and nothing else."""
    return _WHEN.sub(" ", pasted)


def apart(request: str) -> Apart:
    """The request with what is pasted in it set apart: what a machine wrote; what stands in a fence, where what is left
    asks; long prose, where that points to it too: else it may be what the question starts from."""
    machine, fenced, prose = _pasted(request)
    left = _asking(request, machine, fenced, prose)
    if prose and not (_POINTING.search(left) or _ANNOUNCES.search(left)):
        prose = []
    if fenced and not _asking(request, machine, fenced, prose):
        fenced = []
    spans = sorted((*machine, *fenced, *prose))
    asked = _without(request, spans)
    if not spans or (not asked and "\n" not in request.strip()):
        return Apart(request)  # one line that tells of a failure is what is asked about
    return Apart(asked, _only(request, spans))


def _asking(request: str, *spans: list[Span]) -> str:
    """What is left without the ``spans``, if that asks."""
    left = _without(request, sorted(chain.from_iterable(spans)))
    return left if asks_at_all(left) else ""


def _pasted(request: str) -> tuple[list[Span], list[Span], list[Span]]:
    """The stretches that may be pasted: those that a machine wrote, other ones in fences, and those of long prose."""
    fences = list(_fences(request))
    machine = [span for span, body in fences if _is_machine(body, shown=True)]
    fenced = [span for span, _ in fences if span not in machine]
    prose: list[Span] = []
    bounds = [0, *chain.from_iterable(span for span, _ in fences), len(request)]
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        for paragraph in _PARAGRAPH.finditer(request, start, end):
            if lines := _of_machine(paragraph):
                machine.append(lines)
            elif len(paragraph.group()) >= LONG and not asks_at_all(paragraph.group()):
                prose.append(paragraph.span())
    return machine, fenced, prose


def _fences(request: str) -> Iterator[tuple[Span, list[str]]]:
    """Each fence, with the lines in it; one that nothing closes goes to the end."""
    marks, opened, body = "", 0, list[str]()
    for line in re.finditer(r"[^\n]*\n|[^\n]+\Z", request):
        if marks and ends_fence(line.group(), marks):
            yield (opened, line.start() + len(line.group().rstrip("\n"))), body
            marks = ""
        elif marks:
            body.append(line.group())
        elif marks := fence_of(line.group().rstrip("\n")):
            opened, body = line.start(), []
    if marks:
        yield (opened, len(request)), body


def _of_machine(paragraph: re.Match[str]) -> Span | None:
    """The lines of a paragraph that a machine wrote, from the first to the last: a person's may stand around them."""
    lines = list(_LINE.finditer(paragraph.string, *paragraph.span()))
    written = [place for place, is_one in enumerate(_by_machine([line.group() for line in lines])) if is_one]
    if not written:
        return None
    lines = lines[written[0] : written[-1] + 1]
    return (lines[0].start(), lines[-1].end()) if _is_machine([line.group() for line in lines]) else None


def _is_machine(lines: Sequence[str], *, shown: bool = False) -> bool:
    """Whether most lines are a machine's, or are ``shown`` in a fence. One by itself has to tell of a failure, or to be
    a log's."""
    lines = [line for line in lines if line.strip()]
    if len(lines) == 1:
        line = lines[0][:READ]
        tells = _FAILURE.search(line) or _LEVEL.search(line) or _LOGGED.match(line) or _CHAINED.match(line)
        return _is_line(line) and tells is not None
    is_sure = shown or any(_MACHINE.match(line[:READ]) for line in lines)
    return is_sure and sum(_by_machine(lines)) >= max(1, MOSTLY * len(lines))


def _by_machine(lines: Sequence[str]) -> list[bool]:
    """Of each line whether a machine wrote it: by what it is itself, or as a line of a trace, or of what a log shows
    below a message."""
    written = [_is_line(line) for line in lines]
    for trace in traces(lines):
        written[trace.start : trace.end] = [True] * (trace.end - trace.start)
    for place, line in enumerate(lines[1:], 1):
        ends = line[:READ] + line[READ:].rstrip()[-1:]
        if written[place - 1] and _CONTINUED.match(ends) and not _QUESTION.search(line):
            written[place] = True
    return written


def _is_line(line: str) -> bool:
    """Whether a machine wrote the line: it asks nothing."""
    is_one = _MACHINE.match(line[:READ]) or _WEAK.match(line[:READ]) or _CHAINED.match(line[:READ])
    return is_one is not None and _QUESTION.search(line) is None


def _without(request: str, spans: Sequence[Span]) -> str:
    """What is left without the ``spans``."""
    bounds = [0, *chain.from_iterable(spans), len(request)]
    left = "\n".join(request[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
    return re.sub(r"\n\s*\n", "\n", left).strip()


def _only(request: str, spans: Sequence[Span]) -> str:
    """The lines of the ``spans`` where they stand in the request, without the marks of fences."""
    left, place = "", 0
    for start, end in spans:
        lines = request[start:end].split("\n")
        left += "\n" * request.count("\n", place, start) + "\n".join("" if fence_of(one) else one for one in lines)
        place = end
    return left


def subject_of(pasted: str) -> str:
    """What a pasted text is about, in a few words: the message of the last error (of a trace, that is its cause), else
    of the last warning, else the few messages of a log, else the names that stand there most often, else its own
    topic."""
    whole = pasted.split("\n")
    lines = [line.strip()[:READ] for line in whole]
    ends = [" ".join(lines[trace.raised : trace.end]) for trace in traces(whole) if trace.raised < trace.end]
    said = [line for line in lines if not _COUNT.match(line)]
    kinds = (filter(kind.search, said) for kind in (_FAILURE, _LEVEL, _WARNING))
    if told := next((found for found in (ends, *map(list, kinds)) if found), None):
        return _few_words(told[-1], TOLD_WORDS)
    logged = unique(filter(_LOGGED.match, lines))
    if 0 < len(logged) <= TOLD_MESSAGES:
        return "; ".join(unique(_few_words(line, TOLD_WORDS // len(logged)) for line in logged))
    names = Counter(term.text for term in identifiers(_bare(" ".join(lines))) if not term.text.isupper())
    most = [name for name, _ in names.most_common(TOLD_NAMES)]
    return ", ".join(most or topic(pasted, language_of(pasted), TOLD_NAMES))


def _few_words(line: str, most: int) -> str:
    if told := _told_by_keys(line):
        return _joined(_bare(told).split(), most)
    return _joined(_LOGGER.sub(r"\1", _bare(line)).split(), most)


def _told_by_keys(line: str) -> str:
    """What a line of keys and values says of itself: its error, else its message. Empty for any other line."""
    pairs = {(one["key"] or one["name"]).lower(): one["said"] or one["bare"] for one in _PAIR.finditer(line)}
    if len(pairs) < LEAST_PAIRS:
        return ""
    return next((pairs[key] for key in _TELLING_KEYS if re.search(r"\w", pairs.get(key, ""))), "")


def _joined(words: Iterable[str], most: int | None = None) -> str:
    """The first ``most`` of them, without lone marks."""
    told = [word for word in words if re.search(r"\w", word)]
    return " ".join(told[:most]).strip(" .,;:?!-|[]<")


def _bare(line: str) -> str:
    return _NOISE.sub(" ", _WHEN.sub(" ", line.translate(_MARKS)))
