"""The quality report (spec 4): how much of what was fetched is of use, why the rest is not, how to search better.

A passage is verified when it meets all of the task's must-haves, none of its must-nots, and counts towards a success
criterion. The reasons for rejection come from those conditions and from the words that tell rejected passages from
verified ones: no subject is known beforehand.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from calibrant.judges.free.evidence.attributes import has_attribute, language, place, titled_row
from calibrant.judges.free.request.conditions import is_search
from calibrant.judges.free.words.text import STOP_WORDS, content_words, stem, stems, tokens
from calibrant.state.answer import QualityReport, Rejection
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Attribute, Criterion, Language, Task

_EXAMPLES = 3
_REASONS = 3
"""Reasons that a refinement aims at."""
_PER_REASON = 3
_POSITIVE = 4
_LEVELS = 3
"""Keywords, then kind of source, then domains (spec 4, "multi-level refinement")."""
_ALTERNATIVES = frozenset(["domain", "source", "year", "author", "collection"])
"""Kinds of which a passage has one value: several must-haves of one of them are alternatives."""


@dataclass(frozen=True)
class _Sorted:
    """The passages by fate; ``rejected`` holds each with the label of its reason."""

    verified: tuple[Evidence, ...]
    rejected: tuple[tuple[Evidence, str], ...]


def quality_report(
    task: Task,
    evidence: Sequence[Evidence],
    *,
    threshold: float = 0.3,
    retry: int = 0,
    worked_before: Sequence[Refinement] = (),
) -> QualityReport:
    """What was fetched, verified and rejected, and below ``threshold`` the refinement for the next try.

    ``retry`` counts the refinements already made: each one goes a level further. ``worked_before`` are refinements that
    helped against the same kind of rejection, the best first: it starts where that one did.
    """
    passages = tuple({item.id: item for item in evidence}.values())
    if not _has_conditions(task) or not passages:
        count = len(passages)
        return QualityReport(fetched=count, verified=0 if _has_conditions(task) else count, threshold=threshold)
    fates = _sort(task, passages)
    report = QualityReport(
        fetched=len(passages),
        verified=len(fates.verified),
        rejected=len(fates.rejected),
        breakdown=_breakdown(fates.rejected),
        score=len(fates.verified) / len(passages),
        threshold=threshold,
    )
    if report.meets_threshold:
        return report
    level = max([_level(retry, passages), *(one.level for one in worked_before[:1])])
    return report.replace(refinement=_refinement(task, fates, report, level, worked_before))


def _level(retry: int, passages: Sequence[Evidence]) -> int:
    """A level further with each retry. Where one source alone was asked, there is no other kind: domains are next."""
    alone = len({item.source for item in passages}) == 1
    return min(_LEVELS, retry + 1 + (retry >= 1 and alone))


def meeting(task: Task, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The passages that meet the task's conditions: the LLM-free tier quotes those. All of them where none does:
    conditions may have been read wrongly, and the report says how few meet them."""
    passages = tuple(evidence)
    return (_sort(task, passages).verified if _has_conditions(task) else ()) or passages


def readable(task: Task, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The passages that meet the task's conditions, but need not have a phrase that it quotes: who made the song "Love
    Incredible" stands beside its title, and whose company that is on another page. A model puts the two together."""
    others = tuple(wanted for wanted in task.must_have if wanted.kind != "phrase")
    return meeting(task.replace(must_have=others), evidence)


def threshold_of(task: Task, default: float, by_domain: Mapping[str, float]) -> float:
    """The least share of verified passages for a task, else ``default``: the strictest of the domains that it belongs
    to (a topic word, the query type, a knowledge base or a source that it is limited to)."""
    places = [attribute.value for attribute in task.must_have if attribute.kind in _ALTERNATIVES]
    exact = {task.query_type.value, *(name.lower() for name in (*task.filters.collections, *places))}
    topic = {stem(word, task.language) for word in task.topic}
    own = [
        threshold
        for name, threshold in by_domain.items()
        if name.lower() in exact or stem(name.lower(), task.language) in topic
    ]
    return max(own, default=default)


def _has_conditions(task: Task) -> bool:
    return bool(task.must_have or task.must_not or _countable(task))


def states_conditions(task: Task) -> bool:
    """Whether the request states what may count, and does not only quote what it asks about, such as an error."""
    only_quotes = not task.must_not and not _countable(task) and all(one.kind == "phrase" for one in task.must_have)
    return not only_quotes or is_search(task.text, task.language)


def _countable(task: Task) -> tuple[Criterion, ...]:
    """Criteria on passages. "An answer to this part" is one on the answer: every passage found was found for it."""
    asked = {task.text, task.original, *(question.text for question in task.questions)}
    return tuple(criterion for criterion in task.criteria if criterion.what not in asked)


def _missing(task: Task, item: Evidence) -> Attribute | None:
    """The first must-have that the passage does not meet."""
    for wanted in task.must_have:
        rivals = [other for other in task.must_have if other.kind == wanted.kind]
        options = rivals if wanted.kind in _ALTERNATIVES else [wanted]
        if not any(has_attribute(item, option) for option in options):
            return wanted
    return None


def _countable_stems(task: Task, passages: Sequence[Evidence]) -> tuple[frozenset[str], ...]:
    """For each criterion the stems of what it counts, besides the topic that all share. What no passage says at all
    ("three offers") is what the request calls them, and tells none from another."""
    held = frozenset[str]().union(*map(titled_row, passages))
    topic = {stem(word, task.language) for word in task.topic}
    wanted = [{stem(word, task.language) for word in content_words(one.what)} for one in _countable(task)]
    return tuple(frozenset(words - topic or words) for words in wanted if words & held)


def _counts(item: Evidence, countable: Sequence[frozenset[str]]) -> bool:
    """Whether the passage has a word of what any criterion counts."""
    return not countable or any(not words.isdisjoint(titled_row(item)) for words in countable)


def _sort(task: Task, passages: Sequence[Evidence]) -> _Sorted:
    """Verified and rejected, each rejected passage with one label."""
    countable = _countable_stems(task, passages)
    unwanted: dict[str, list[str]] = {}
    others, verified = [], []
    for item in passages:
        labels = [attribute.value for attribute in task.must_not if has_attribute(item, attribute)]
        if labels:
            unwanted[item.id] = labels
        elif _missing(task, item) is not None or not _counts(item, countable):
            others.append(item)
        else:
            verified.append(item)
    common = Counter(label for labels in unwanted.values() for label in labels)
    label_of = {key: max(labels, key=lambda label: (common[label], label)) for key, labels in unwanted.items()}
    label_of |= _named_by_words(task, others, verified)
    rejected = tuple((item, label_of[item.id]) for item in passages if item.id in label_of)
    return _Sorted(tuple(verified), rejected)


def _named_by_words(task: Task, others: Sequence[Evidence], verified: Sequence[Evidence]) -> dict[str, str]:
    """Labels for passages that lack something: the word that most of them share and no verified one has.

    The rest, which share nothing, are named by what they lack.
    """
    known = _known_stems(task, verified)
    words_of = {item.id: _telling(item, known) for item in others}
    label_of: dict[str, str] = {}
    left = {item.id for item in others}
    while left:
        counts = Counter(root for key in left for root in words_of[key])
        root, count = max(counts.items(), key=lambda pair: (pair[1], _weight(pair[0], left, words_of), pair[0]),
                          default=("", 0))  # fmt: skip
        if count < 2:
            break
        group = {key for key in left if root in words_of[key]}
        label = Counter(words_of[key][root][0] for key in group).most_common(1)[0][0]
        label_of |= dict.fromkeys(group, label)
        left -= group
    return label_of | {item.id: _lacks(task, item) for item in others if item.id in left}


def _weight(root: str, left: Iterable[str], words_of: Mapping[str, Mapping[str, tuple[str, int]]]) -> int:
    """How often the word is used: what a passage is about, it says more than once and in its title."""
    return sum(words_of[key][root][1] for key in left if root in words_of[key])


def _lacks(task: Task, item: Evidence) -> str:
    missing = _missing(task, item)
    wanted = missing.value if missing is not None else _countable(task)[0].what
    return f"{'sem' if task.language is Language.PORTUGUESE else 'no'} {wanted}"


def _known_stems(task: Task, verified: Sequence[Evidence]) -> frozenset[str]:
    """Stems that tell nothing: the task's own, and those of verified passages."""
    own = [task.text, *task.topic, *(attribute.value for attribute in task.must_have)]
    own += [criterion.what for criterion in task.criteria]
    found = {root for text in own for root in stems(text, task.language)}
    return frozenset(found.union(*(_telling(item, frozenset()) for item in verified)))


def _telling(item: Evidence, known: frozenset[str]) -> dict[str, tuple[str, int]]:
    """Stem -> (the word, how often it stands there) for the content words; the title counts twice."""
    own = language(item)
    words = [token.word for text in (item.title, item.title, item.text) for token in tokens(text)]
    kept = [word for word in words if len(word) > 3 and word.isalpha() and word not in STOP_WORDS[own]]
    found: dict[str, tuple[str, int]] = {}
    for word in kept:
        root = stem(word, own)
        if root not in known:
            found[root] = (min(word, found.get(root, (word, 0))[0], key=len), found.get(root, (word, 0))[1] + 1)
    return found


def _breakdown(rejected: Sequence[tuple[Evidence, str]]) -> tuple[Rejection, ...]:
    """Reasons with counts and examples, most frequent first."""
    counts = Counter(label for _, label in rejected)
    return tuple(
        Rejection(
            reason=label,
            count=count,
            examples=tuple(item.id for item, own in rejected if own == label)[:_EXAMPLES],
        )
        for label, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


def _refinement(
    task: Task, fates: _Sorted, report: QualityReport, level: int, worked_before: Sequence[Refinement]
) -> Refinement:
    """What to change next: keywords always, kinds of source from level 2 on, domains at level 3."""
    dominant = report.breakdown[:_REASONS]
    known = _known_stems(task, fates.verified)
    helped = worked_before[:1]
    avoided = [word for one in helped for word in one.negative if stem(word, task.language) not in known]
    named = ", ".join(f"{entry.reason} ({entry.count} of {report.fetched})" for entry in dominant)
    learnt = "; begins with what helped before" if helped else ""
    return Refinement(
        reason=f"High rejection rate: {named}{learnt}",
        positive=unique((*_positive(task, fates), *(word for one in helped for word in one.positive))),
        negative=unique((*_negative(task, fates, [entry.reason for entry in dominant]), *avoided)),
        sources=_best_first(fates, lambda item: item.source, [name for one in worked_before for name in one.sources])
        if level >= 2
        else (),
        domains=_best_first(fates, place, [name for one in worked_before for name in one.domains])
        if level >= 3
        else (),
        level=level,
    )


def _negative(task: Task, fates: _Sorted, reasons: Sequence[str]) -> tuple[str, ...]:
    """For each reason the words that most of its passages share and no verified one has."""
    known = _known_stems(task, fates.verified)
    found: list[str] = []
    for reason in reasons:
        told = [_telling(item, known) for item, label in fates.rejected if label == reason]
        counts = Counter(root for words in told for root in words)
        frequent = [root for root, count in counts.items() if count >= max(2, 0.6 * len(told))]
        frequent.sort(key=lambda root: (-counts[root], -sum(words.get(root, ("", 0))[1] for words in told), root))
        named = [reason] if _is_avoidable(task, reason) else []
        found += [*named, *(_word(root, told) for root in frequent)][:_PER_REASON]
    return unique(found)


def _is_avoidable(task: Task, reason: str) -> bool:
    """Whether a reason names something to avoid; "no price" names something to find."""
    typed = {attribute.value: attribute.kind for attribute in task.must_not}
    return typed.get(reason, "keyword") in ("keyword", "phrase") and not reason.startswith(("no ", "sem "))


def _word(root: str, told: Sequence[Mapping[str, tuple[str, int]]]) -> str:
    return min((words[root][0] for words in told if root in words), key=lambda word: (len(word), word))


def _positive(task: Task, fates: _Sorted) -> tuple[str, ...]:
    """The must-haves that most rejected passages lack, then the words that only verified passages share."""
    wordy = [attribute for attribute in task.must_have if attribute.kind not in ("domain", "source", "year", "since")]
    lacking = [
        attribute.value.split("|")[0]
        for attribute in wordy
        if 2 * sum(not has_attribute(item, attribute) for item, _ in fates.rejected) > len(fates.rejected)
    ]
    rejected = frozenset(root for item, _ in fates.rejected for root in _telling(item, frozenset()))
    told = [_telling(item, rejected) for item in fates.verified]
    counts = Counter(root for words in told for root in words)
    frequent = [root for root, count in counts.items() if count >= 2 and 2 * count >= len(told)]
    frequent.sort(key=lambda root: (-counts[root], root))
    said = {word for value in lacking for word in value.split()}
    telling = [word for root in frequent if (word := _word(root, told)) not in said]
    return unique((*lacking, *telling))[:_POSITIVE]


def _best_first(fates: _Sorted, key: Callable[[Evidence], str], known: Sequence[str]) -> tuple[str, ...]:
    """Values of ``key`` by the share of their passages that were verified, then what worked before."""
    good = Counter(key(item) for item in fates.verified if key(item))
    bad = Counter(key(item) for item, _ in fates.rejected)
    ranked = sorted(good, key=lambda name: (-good[name] / (good[name] + bad[name]), -good[name], name))
    return unique((*ranked, *known))
