"""What a round of a retrieval may still do: queries not sent yet, pages not read yet, the time left."""

import re
from collections.abc import Iterable, Sequence

from calibrant.judges.free.evidence.leading_names import leads_somewhere
from calibrant.judges.free.words.terms import identifiers, names, topic
from calibrant.judges.free.words.text import content_words, language_of
from calibrant.nodes.retrieval.channels import RetrieveView
from calibrant.nodes.work import Work
from calibrant.retrievers.pages import to_read
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import RetrievalRequest

ROUND_SHARE = 0.6
"""Of the time left, for the searches of a round after which there may be a deeper one."""

MOST_SUBJECTS = 2
"""Names of a question that go into a query which has none of them."""

MOST_CONTEXT = 200
"""Characters of a request's context that go into a query."""


def candidates(state: RetrieveView) -> tuple[str, ...]:
    """Everything that was not sent yet and could be, best first: what a model names as missing, names that lead on
    from what was found, and what is asked and missing. For a question of one part the last two take turns: either may
    be what is missing."""
    named, leads, asked = (unsent(queries, state) for queries in (named_in(state), leads_of(state), _asked(state)))
    first = 1 if len(state.wanted.questions) < 2 else len(leads)
    return _without_reorderings((*named, *leads[:first], *asked[:1], *leads, *asked))


def named_in(state: RetrieveView) -> tuple[str, ...]:
    """What a model that has read the passages of earlier rounds has named as missing."""
    standing = state.standing
    return unique((*standing.sufficiency.named, *standing.named_before)) if standing else ()


def is_named(query: str, state: RetrieveView) -> bool:
    """Whether ``query`` looks for what a model named as missing, in two words or more: its words are the documents',
    while the question's may be quite others ("rolled out" for a deployment)."""
    named = (one.strip(" ?.") for one in (*state.wanted.named, *named_in(state)))
    return any(one in query for one in named if len(content_words(one)) > 1)


def _without_reorderings(queries: Iterable[str]) -> tuple[str, ...]:
    """``queries`` without those that have the words of an earlier one in another order: a source finds the same."""
    once: dict[frozenset[str], str] = {}
    for query in queries:
        once.setdefault(_words(query), query)
    return tuple(once.values())


def _words(query: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", query.lower()))


def _asked(state: RetrieveView) -> tuple[str, ...]:
    """The phase's own queries, the parts, what is still missing, then what there is room for."""
    request = state.wanted
    lacking = state.standing.sufficiency.missing if state.standing else ()
    # Where no single word of a part is missing, the whole part is named as missing.
    missing = tuple(one for one in lacking if one not in request.questions)
    weak = _weak_parts(state)
    refined = request.refinement.positive if request.refinement else ()
    return unique(
        (
            *(f"{request.query} {' '.join(refined)}" if refined else "",),
            *request.queries,
            *request.questions,
            request.query,
            *(f"{request.query} {request.context[:MOST_CONTEXT]}" if request.context else "",),
            *(f"{part} {' '.join(missing[:3])}" for part in weak if missing),
            *((" ".join(missing),) if missing else ()),
            *request.background,
        )
    )


def kept_home(queries: Iterable[str], state: RetrieveView, work: Work) -> frozenset[str]:
    """Those of ``queries`` that only sources of this machine are asked: they name what nobody has asked about and no
    public passage names, but one of the user's own does. Whoever keeps a search engine is not to learn of it."""
    request = state.wanted
    asked = " ".join((request.query, *request.questions, request.context)).casefold()
    own, public = list[str](), list[str]()
    for item in (*request.held, *state.found.values()):
        (public if work.is_remote(item) else own).append(f"{item.title}\n{item.text}".casefold())

    def is_private(name: str) -> bool:
        said = name.casefold()
        return said not in asked and any(said in text for text in own) and not any(said in text for text in public)

    leads = leads_of(state)
    return frozenset(query for query in queries if any(map(is_private, [query] if query in leads else _names(query))))


def common_words(queries: Iterable[str], state: RetrieveView) -> frozenset[str]:
    """Those of ``queries`` that are a lead of one word which the passages also write small, such as a heading
    "Scaling": to a service that knows the whole world it is no name."""
    texts = [item.text for item in (*state.wanted.held, *state.found.values())]
    leads, asked = leads_of(state), _words(state.wanted.query)
    single = [query for query in queries if query in leads and " " not in query and not _words(query) <= asked]
    return frozenset(name for name in single if any(_stands_small(name, text) for text in texts))


def _stands_small(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w/.-]){re.escape(name.lower())}(?![\w/-])", text) is not None


def with_subject(query: str, asked: str) -> str:
    """``query``, and behind it what the question ``asked`` is about, if it says nothing of that: in a knowledge base
    "DNS" means what its documents are about, on the web anything."""
    subject = _subjects(asked)[:MOST_SUBJECTS] or topic(asked, language_of(asked), MOST_SUBJECTS)
    about = {word for one in subject for word in _words(one)}
    return query if about & _words(query) else " ".join((query, *subject))


def _subjects(asked: str) -> list[str]:
    """The names of what is ``asked`` that say what it is about, none a part of one before it."""
    found = [name for name in _names(asked) if leads_somewhere(name)]
    return [name for place, name in enumerate(found) if not any(name in other for other in found[:place])]


def _names(query: str) -> list[str]:
    return [term.text for term in (*names(query), *identifiers(query))]


def leads_of(state: RetrieveView) -> dict[str, float]:
    """Names that lead on from the passages of the last round, most promising first, each with its strength."""
    return state.standing.leads if state.standing else {}


def _weak_parts(state: RetrieveView) -> tuple[str, ...]:
    """The parts of the question whose best passage is weakest, weakest first."""
    if state.standing is None:
        return ()
    scored = zip(state.standing.sufficiency.parts, state.wanted.questions, strict=False)
    return tuple(part for score, part in sorted(scored, key=lambda pair: pair[0]) if score < 0.9)


def unsent(queries: Iterable[str], state: RetrieveView) -> tuple[str, ...]:
    """Those of ``queries`` whose words were not sent yet in this run, in whatever order."""
    sent = {_words(query) for query in (*state.wanted.tried, *(hits.query for hits in state.hits))}
    return tuple(query for query in queries if query.strip() and _words(query) not in sent)


def known_ids(state: RetrieveView, query: str = "") -> tuple[str, ...]:
    """The passages that nobody needs to return again, to ``query``: what a model has not read may be what it lacks, and
    was found for other words."""
    request = state.wanted
    known = request.read if is_named(query, state) else request.known
    return unique((*known, *(item.id for item in request.held), *state.found))


def reads_pages(work: Work) -> bool:
    """Whether this run may fetch pages."""
    return work.deps.read_page is not None and work.context.switches.pages


def kept_so_far(state: RetrieveView) -> list[Evidence]:
    """The passages that the last round kept, best first."""
    found = state.found
    return [found[eid] for eid in (state.standing.kept if state.standing else ()) if eid in found]


def pages_unread(state: RetrieveView, kept: Sequence[Evidence]) -> list[Evidence]:
    """Of ``kept``, one result a page whose full text nobody has read."""
    read = {hits.page for hits in state.hits} | {item.url for hits in state.hits if hits.page for item in hits.evidence}
    return [item for item in to_read(kept) if item.url not in read]


def seconds_for(state: RetrieveView, depth: int, work: Work) -> float:
    """What one search of this round may take: a slow source must not take the time of the deeper rounds."""
    request = state.wanted
    share = 1.0 if depth == request.limits.depth or request.power.depth else ROUND_SHARE
    return seconds_left(request, work, reading_time(state)) * share


def reading_time(state: RetrieveView) -> float:
    """Seconds in which a model has read what this retrieval found."""
    return state.standing.waited if state.standing else 0.0


def seconds_left(request: RetrievalRequest, work: Work, waited: float) -> float:
    """Until the deadline: the retrieval's own limit, to which the time does not count in which a model was ``waited``
    for, or what the run had left when it asked."""
    limit = request.began + request.limits.seconds + waited
    return max(0.0, min(limit, request.allowance.seconds) - work.ledger.seconds_spent)
