"""Words for counts, spend, sources and stop reasons: one wording for the live view, plain lines and the answer."""

from textwrap import shorten

from calibrant.state.budget import Spend, StopReason
from calibrant.state.errors import FailureKind
from calibrant.state.evidence import SourceState
from calibrant.state.retrieval import SourceReport, is_bare


def counted(number: int, noun: str) -> str:
    """``1 search``, ``2 searches``, ``2,300 tokens``."""
    plural = noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def in_short(text: str, lines: int = 1) -> str:
    """As much of a long question or query, in so many lines, as tells which one it is: it may have a log below it."""
    return shorten(text, 100 * lines, placeholder=" ...")


def spent(spend: Spend) -> list[str]:
    """What a run spent, most telling first. Rounds where there were more of them than retrievals."""
    rounds = f" in {counted(spend.rounds, 'round')}" if spend.rounds > spend.retrievals else ""
    words = [counted(spend.retrievals, "retrieval") + rounds, counted(spend.searches, "search")]
    words.append(counted(spend.model_calls, "model call"))
    if spend.tokens:
        words.append(counted(spend.tokens, "token"))
    return [*words, *_dollars(spend)]


def spent_briefly(spend: Spend) -> list[str]:
    """The same in a few words, without what is zero."""
    counts = ((spend.retrievals, "retrieval"), (spend.model_calls, "model call"))
    return [counted(number, noun) for number, noun in counts if number] + _dollars(spend)


def _dollars(spend: Spend) -> list[str]:
    if not spend.dollars:
        return []
    return [f"${spend.dollars:.4f}" if spend.dollars < 0.1 else f"${spend.dollars:.2f}"]


_FAILED = {
    FailureKind.TIMEOUT: "timed out",
    FailureKind.LIMITED: "rate-limited",
    FailureKind.REFUSED: "refused",
    FailureKind.MISSING: "missing",
    FailureKind.UNAVAILABLE: "unavailable",
}


def state_of(report: SourceReport) -> str:
    """How a source fared, in one or two words."""
    match report.state:
        case SourceState.OK:
            return counted(report.count, "hit")
        case SourceState.EMPTY:
            return "nothing new" if report.further else "nothing"
        case SourceState.SKIPPED:
            return "nothing to search yet" if is_bare(report) else "skipped"
        case SourceState.LIMITED:
            return "rate-limited"
        case SourceState.FAILED:
            return _FAILED.get(report.failure.kind, "failed") if report.failure else "failed"


_ENDED = {
    StopReason.ANSWERED: "answered",
    StopReason.ABSTAINED: "abstained: the evidence does not carry an answer well enough",
    StopReason.ABORTED: "aborted by you",
    StopReason.COURTESY: "nothing was asked of the sources",
    StopReason.SUFFICIENT: "the evidence suffices",
    StopReason.PLATEAU: "searching deeper added nothing",
    StopReason.EXHAUSTED: "nothing deeper to search",
    StopReason.BUDGET: "the budget is spent; this is what there is",
    StopReason.DEADLINE: "out of time; this is what there is",
    StopReason.FAILED: "failed",
}


def ended(reason: StopReason | None) -> str:
    """Why a run or a retrieval ended, for a reader; None while it has not."""
    return _ENDED[reason] if reason else "not finished"
