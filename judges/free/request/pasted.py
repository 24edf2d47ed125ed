"""What is pasted with a question (a log, a trace, settings, a long text) set apart from the words that ask.

Those words are understood and searched for, with the few of the pasted text that tell what it is about. The rest would
be a poor query: a hundred lines of a log drown the one question.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from calibrant.judges.free.request.followup import bracketed
from calibrant.judges.free.request.parts import asks
from calibrant.judges.free.words.terms import identifiers, specific_words, topic
from calibrant.judges.free.words.text import language_of, sentences
from calibrant.state.fence import ends_fence, fence_of

LONG = 400
"""Characters from which a paragraph that asks nothing is no scene any more, but a text that was pasted."""

MOSTLY = 0.6
"""Share of a paragraph's lines that a machine wrote, from which it is taken for a machine's."""

TOLD_WORDS, TOLD_NAMES, TELLING = 12, 4, 2
"""Words of the line that tells of a failure, or names, that a question gets; with fewer words of its own than the last
it gets them even if it points to nothing."""

READ = 500
"""Characters of a line that are read to tell what it is."""

_LINE = re.compile(r"[^\n]+")
_PARAGRAPH = re.compile(r"\S.*(?:\n[ \t]*\S.*)*")
_MACHINE = re.compile(
    r"""(?x)
    (?:[ ]{2}[ -]*[\w."]+:(?:\s|$) | \s*+(?:  # settings below others
      \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d\b | \w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d  # a line of a log
    | \[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|TRACE)\b[\]:\s]
    | Traceback\ \( | File\ "[^"]+",\ line\ \d+ | at\ (?:(?:async|new)\ )?[\w.$<>]+(?:\ \[as\ \w+\])?\ ?\(
    | at\ \S+:\d+:\d+\)?$ | Caused\ by: | goroutine\ \d+ | panic:
    | (?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Timeout|Failure|Fault|Interrupt)\b(?::|\s*$) | Exception\ in\ thread
    | (?:\w+\.)+[A-Z]\w*:\s | \S+(?:\ {2,}+|\t)\s*+\S.*\S(?:\ {2,}+|\t)\s*+\S  # three columns
    | (?:[Ee]rror|fatal|warning)(?:\[\w+\])?:\s\S | [\w./-]+:\d+:(?:\d+:)?\s | npm\ (?:ERR!|error)\s
    | [$>]\ \S | [+-]{3}\ \S | @@\ -\d
    | [\w.$-]+\s*[:+?]?=\s*\S | "[^"\n]+"\s*: | [{}\[\]();,]+\s*$ | .*[{}\\]$
    | .*[=(){}].*;$ | <[\w/!?].*> | \|.*\| | \#!/
    | (?:def|class|return|import|from|function|const|let|var|SELECT|INSERT|UPDATE|CREATE)\b\s\S.*[\w)"'>]$(?<![.?!])
    ))"""
)
_WEAK = re.compile(r"[a-z_][\w.-]*\s*:(?:\s*[\d\"'\[{|>].*|\s*(?:true|false|null|none|yes|no)\s*|\s*)$|.*;$")
"""A line as a person writes it too ("guests: 12", "cheap hosting;"): a machine's only beside others, or in a fence."""
_QUESTION = re.compile(r"\?(?:\s|$)")
_FAILURE = re.compile(
    r"(?<![\w$.])(?:(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Timeout|Failure|Fault)\b|(?:\w+\.)+[A-Z]\w*(?=:\s))"
    r"|\b(?:E[A-Z]{4,}|ERR_\w+)\b"
)
_LEVEL = re.compile(r"\b(?:ERROR|FATAL|CRITICAL|[Ee]rror|fatal|panic|ERR!)\b")
_NOISE = re.compile(
    r"""(?x)
    ^\W*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,Z+:-]*\]? | ^\s*\w{3}\s+\d{1,2}\s\d\d:\d\d:\d\d  # when
    | \[?\b(?:ERROR|FATAL|CRITICAL|WARN(?:ING)?|INFO|Exception\ in\ thread\ \S+)\b[\]:]?  # how grave
    | npm\ (?:ERR!|error) | Caused\ by:
    | \b[0-9a-f]{8}-[0-9a-f-]{27}\b | \b0x[0-9a-f]+\b | \b[0-9a-f]{12,}\b  # for whom
    | \b\w+://\S+ | (?:/[\w.-]+){2,}(?::\d+)*  # where
    """
)
"""What a line of a log says of its own occasion."""

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
    return left if _asks(left) else ""


def _asks(text: str) -> bool:
    language = language_of(text)
    return any(asks(sentence.text, language) for sentence in sentences(text))


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
            elif len(paragraph.group()) >= LONG and not _asks(paragraph.group()):
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
    written = [place for place, line in enumerate(lines) if _is_line(line.group())]
    if not written:
        return None
    lines = lines[written[0] : written[-1] + 1]
    return (lines[0].start(), lines[-1].end()) if _is_machine([line.group() for line in lines]) else None


def _is_machine(lines: Sequence[str], *, shown: bool = False) -> bool:
    """Whether most lines are a machine's, or are ``shown`` in a fence. One by itself has to tell of a failure."""
    lines = [line for line in lines if line.strip()]
    if len(lines) == 1:
        line = lines[0][:READ]
        return _is_line(line) and (_FAILURE.search(line) or _LEVEL.search(line)) is not None
    is_sure = shown or any(_MACHINE.match(line[:READ]) for line in lines)
    return is_sure and sum(_is_line(line) for line in lines) >= max(1, MOSTLY * len(lines))


def _is_line(line: str) -> bool:
    """Whether a machine wrote the line: it asks nothing."""
    is_one = _MACHINE.match(line[:READ]) or _WEAK.match(line[:READ])
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
    """What a pasted text is about, in a few words: the last line that tells of a failure (of a trace, that is its
    cause), else the names that stand there most often, else its own topic."""
    lines = [line.strip()[:READ] for line in pasted.split("\n")]
    told = list(filter(_FAILURE.search, lines)) or list(filter(_LEVEL.search, lines))
    if told:
        return " ".join(_bare(told[-1]).split()[:TOLD_WORDS]).strip(" .,;:?!-|[]")
    names = Counter(term.text for term in identifiers(_bare(" ".join(lines))) if not term.text.isupper())
    most = [name for name, _ in names.most_common(TOLD_NAMES)]
    return ", ".join(most or topic(pasted, language_of(pasted), TOLD_NAMES))


def _bare(line: str) -> str:
    return _NOISE.sub(" ", line.translate(_MARKS))
