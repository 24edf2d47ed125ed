"""Two answers that are answers by their scores, in whatever words: what they disagree in, and how that is told."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from calibrant.judges.free.comparing.rivals import LIKELY, Comparison, compare_answers
from calibrant.judges.free.comparing.same_case import answer_of
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.free.synthesis.witnesses import witnesses
from calibrant.judges.free.words.text import Sentence, sentences_of
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, Conflict, ConflictKind, Span
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Question

BACKUPS = "How long are database backups kept?"
KEPT = "The nightly database dumps stay on the storage box for 90 days."
HELD = "Our nightly dumps of the database are held for six weeks, older ones do not exist anywhere."


def page(name: str, text: str, heading: str = "") -> Evidence:
    return Evidence(id=name, text=text, title=name, source="k", url=f"file:///{name}", locator=Locator(heading=heading))


def compared(question: str, first: str, second: str, *, likely: bool = True) -> Comparison:
    """``above | text`` of each side: what stands before the bar is the heading."""
    pages = [page(name, text, above) for name, (above, _, text) in zip("ab", map(_parts, (first, second)), strict=True)]
    return compare_answers(question, *(answer_of(one.text, one) for one in pages), likely=likely)


def _parts(said: str) -> tuple[str, str, str]:
    above, bar, text = said.rpartition(" | ")
    return above, bar, text


@pytest.mark.parametrize(
    ("question", "first", "second", "values"),
    [
        (BACKUPS, KEPT, HELD, ("90 days", "six weeks")),
        (
            "How many guests can I bring with my full membership?",
            "With a full membership you can bring up to three guests per visit.",
            "A member may bring no more than two guests per visit.",
            ("three", "two"),
        ),
        (
            "How much may a hotel cost?",
            "Hotels may cost 120 euros a night.",
            "Up to 140 euros.",
            ("120 euros", "140 euros"),
        ),
        (
            "How cold does the fridge have to be?",
            "What: Fridge; Limit: 2 °C at most",
            "That fridge may go up to 7 degrees, as long as it isn't warmer we are good.",
            ("2 °C", "7 degrees"),
        ),
        (
            "After how long is the secondary paged?",
            "If the primary does not acknowledge within 15 minutes, the secondary is paged.",
            "The primary has half an hour to acknowledge a page, after that the secondary is paged.",
            ("15 minutes", "half an hour"),
        ),
        (
            "When do lessons start?",
            "Teaching begins at 8:10 sharp.",
            "The first lesson starts at half past eight.",
            ("8:10", "half past eight"),
        ),
        (
            "How loud is the D40 on high fan speed?",
            "At only 39 dB on the high fan speed the D40 is hardly noticed.",
            "Noise, high fan speed; D20: 38 dB; D40: 44 dB",
            ("39", "44"),
        ),
        (
            "How much does an adult pay for a swim?",
            "Swim; Adult: £6.20; Child: £3.80",
            "Adults pay £5.80, children £3.80.",
            ("6.20", "5.80"),
        ),
        (
            "What is the default timeout of the client?",
            "If you pass nothing else, a request is aborted after 30 seconds.",
            "Option: timeout; Default: 120; Meaning: seconds after which a request is aborted",
            ("30 seconds", "120"),
        ),
        (
            "How many delivery attempts are made?",
            "Setting: max_attempts; Default: 5; Notes: Delivery attempts before it gives up",
            "The dispatcher makes up to eight delivery attempts.",
            ("5", "eight"),
        ),
        (
            "Which Python version is required?",
            "Requires Python 3.9 or newer.",
            "You need Python 3.11+.",
            ("3.9", "3.11"),
        ),
        (
            "Which Python version is required?",
            "At least Python 3.9 is required.",
            "You need Python 3.11+.",
            ("3.9", "3.11"),
        ),
        (
            "Which tool do we use for database migrations?",
            "Migrations of our database are done with Flyway.",
            "The schema evolves through Liquibase change sets.",
            ("Flyway", "Liquibase"),
        ),
        (
            "Where does the all-hands meeting take place?",
            "The all-hands takes place in the canteen every first Monday.",
            "Every month there is an all-hands meeting in the large auditorium.",
            ("canteen", "large auditorium"),
        ),
        ("In which city is the mill?", "The mill is in Leith.", "The mill is in Ripon.", ("Leith", "Ripon")),
        (
            "Where are leaks reported?",
            "Leaks are told in #pumps.",
            "Tell of leaks in #deck-crew.",
            ("#pumps", "#deck-crew"),
        ),
        ("On which floor is it?", "It is on the third floor.", "It is on the fifth floor.", ("third", "fifth")),
        (
            "Who approves expenses?",
            "Expenses must be approved by the head of finance.",
            "Ask your department director for approval first.",
            ("head of finance", "department director"),
        ),
        (
            "Which day is storytime?",
            "Storytime for children up to five: Tuesdays at 10:30 in the corner.",
            "Children's storytime is on Thursday mornings at 10:30.",
            ("Tuesdays", "Thursday"),
        ),
        (
            "How many days after neutering is the check?",
            "Bring your pet back 10 days after the operation.",
            "Check after neutering: put it in 14 days after the operation, with a nurse, 10 minutes.",
            ("10 days", "14 days"),
        ),
        (
            "Who teaches the course?",
            "Six Mondays from 18:30 to 20:30, taught by Marta Wilk.",
            "Jonas Reed teaches the six evenings.",
            ("Marta Wilk", "Jonas Reed"),
        ),
    ],
)
def test_what_two_likely_answers_disagree_in(question: str, first: str, second: str, values: tuple[str, str]) -> None:
    told = compared(question, first, second)
    assert told.opposed is not None
    assert told.opposed.values == values
    back = compared(question, second, first).opposed
    assert back is not None
    assert back.values == values[::-1]


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (BACKUPS, KEPT, "The dumps of the database are held for three months, that is 90 days."),
        ("What is the highest temperature?", "Value: 50 °C", "It takes as much as 122 °F."),
        ("How much memory does it need?", "not less than 2 GB of memory", "2 GB of RAM is the minimum."),
        ("How long does the lamp last?", "The lamp lasts about 8 hours.", "It lasts 8.5 hours."),
        ("When does it close?", "It closes at 20:00.", "Somebody picks up until 8 in the evening."),
        ("When does it close?", "It closes at noon.", "Open until 12:00."),
        ("How many muffins does one batch make?", "A batch makes four dozen.", "One batch: 48 muffins"),
        ("How long is the compressor covered?", "Three years on the D40, the compressor for five.", "Five years."),
        ("What is a pitch per night?", "Pitch; per night: 14", "A pitch is still €14; our neighbours ask 18 by now."),
        ("How many people does the hall seat?", "The hall is 4 m high.", "The stage is 1.2 m high."),
        ("Which version of Node is needed?", "You need Node 18 or a later version.", "The job builds with Node 20."),
        ("Qual a utilidade da balsa?", 'A balsa é conhecida como "velha".', "Com a balsa de Aveiro leva-se o gado."),
        ("Quem é o presidente?", "Segundo o primeiro diretor, é o Rui.", "Cabe ao presidente da Comissão ler isto."),
        ("Em que a oficina se concentra?", "Ela se concentra nos barcos pequenos.", "Ela atua em diversos setores."),
        ("Who approves it?", "Ada Krell approves it.", "Above 50 euros it is approved by Hans Dorn."),
        ("Where is the kitchen?", "It is in the canteen.", "You find it behind the canteen."),
        ("Which tool do we use?", "We use Flyway.", "It is done with Flyway."),
        ("Who approves it?", "The head of finance approves it.", "Ask the head of finance."),
        ("Which Brahma hens are on offer?", "Birch is on offer in Ripon.", "Willow is on offer in Ripon."),
        ("Which regattas take place in Leith?", "The Tern Cup is in Leith.", "Leith has the Skua Series."),
        # What the question names is told of something else.
        (
            "How long are logs stored in production?",
            "In production we hold logs for 90 days.",
            "Logs go away after 7 days here.",
        ),
    ],
)
def test_likely_answers_that_may_both_be_right(question: str, first: str, second: str) -> None:
    assert compared(question, first, second).opposed is None
    assert compared(question, second, first).opposed is None


def test_in_other_words_than_the_questions_it_stays_unclear_whether_one_case_is_meant() -> None:
    told = compared("How much is corkage?", "Corkage is 25 euros.", "We charge 18 euros for your own bottle.")
    assert told.opposed is not None
    assert told.opposed.scope == "unclear"
    plain = compared("How much is corkage?", "Corkage is 25 euros.", "Corkage is 18 euros.")
    assert plain.opposed is not None
    assert plain.opposed.scope == "same"


def test_nothing_is_known_of_what_is_worded_otherwise_and_has_no_such_score() -> None:
    assert compared("How much is corkage?", "Corkage is 25 euros.", "18 euros for your own bottle.", likely=False) == (
        Comparison(apart=True)
    )


# Witnesses


QUESTION = Question(id="q1", text=BACKUPS)
PAGES = page("concept", KEPT), page("runbook", HELD)


def own_claim(addresses: float = 0.95) -> Claim:
    span = Span(evidence_id="concept", quote=KEPT, start=0, end=len(KEPT))
    return Claim(id="c1", text=KEPT, spans=(span,), confidence=0.9, question_id="q1", addresses=addresses)


def heard(
    score: float, by_model: Sequence[str] = (), addresses: float = 0.95, *, others: Sequence[str] = (HELD,)
) -> tuple[Claim, ...]:
    """What is heard where the sentences of the other document have this ``score``."""
    runbook = page("runbook", " ".join(others))

    def answers(question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Evidence, Sentence]]:
        return [(score, item, sentence) for item in evidence for sentence in sentences_of(item)]

    evidence = (PAGES[0], runbook)
    rate = SufficiencyJudge(None).rate
    return witnesses((own_claim(addresses),), (QUESTION,), evidence, rate, answers, by_model=set(by_model))


@pytest.mark.parametrize(("score", "is_heard"), [(LIKELY - 0.01, False), (LIKELY, True), (0.8, True)])
def test_a_likely_answer_is_heard_from_its_score_on(score: float, is_heard: bool) -> None:
    assert bool(heard(score)) is is_heard


def test_one_that_is_unclear_is_as_sure_as_it_answers() -> None:
    (one,) = heard(0.57)
    assert one.text == HELD
    assert one.addresses == pytest.approx(0.57)
    assert one.confidence == pytest.approx(0.9 * 0.57 / 0.95)


def test_of_a_document_its_best_answer_alone_is_compared_so() -> None:
    assert heard(0.8, others=("They are big.", HELD)) == ()


def test_a_claim_that_a_model_chose_or_that_hardly_answers_is_not_opposed_so() -> None:
    assert heard(0.8, by_model=("c1",)) == ()
    assert heard(0.8, addresses=LIKELY - 0.01) == ()


def test_what_differs_under_a_condition_is_heard_however_little_the_claim_answers() -> None:
    said = "Database backups are kept for 90 days."
    span = Span(evidence_id="concept", quote=said, start=0, end=len(said))
    claim = Claim(id="c1", text=said, spans=(span,), confidence=0.9, question_id="q1")
    other = page("runbook", "If nobody objects, database backups are kept for 30 days.")

    def answers(question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Evidence, Sentence]]:
        return [(0.8, item, sentence) for item in evidence for sentence in sentences_of(item)]

    evidence = (page("concept", said), other)
    (one,) = witnesses((claim,), (QUESTION,), evidence, SufficiencyJudge(None).rate, answers)
    assert one.confidence == pytest.approx(0.9)


# Conflicts


OURS, THEIRS = "Corkage is 25 euros.", "We charge 18 euros for your own bottle."


def conflicts(*, settled: Sequence[str] = (), addresses: float = 0.6) -> Sequence[Conflict]:
    """What is found where two documents are cited for the price of corkage."""
    pages = page("menu", OURS), page("parties", THEIRS)
    claims = (
        Claim(id=name, text=one.text, spans=(Span(evidence_id=one.id, quote=one.text, start=0, end=len(one.text)),),
              confidence=0.9, question_id="q1", addresses=score)
        for name, one, score in zip(("c1", "w1"), pages, (0.9, addresses), strict=True)
    )  # fmt: skip
    question = Question(id="q1", text="How much is corkage?")
    given = ToReconcile(
        claims=tuple(claims), evidence=pages, questions=(question,), settled=(frozenset(settled),), threshold=0.5
    )
    return ConflictJudge().free(given).value


def test_two_likely_answers_are_told_as_differing() -> None:
    (found,) = conflicts()
    assert found.kind is ConflictKind.AMBIGUITY
    assert {found.first.id, found.second.id} == {"c1", "w1"}
    assert found.explanation == 'They may speak of different cases: "25 euros" against "18 euros".'


@pytest.mark.parametrize(
    "asked", [{"addresses": LIKELY - 0.01}, {"settled": ("c1",)}], ids=["one is unlikely", "a model has chosen"]
)  # fmt: skip
def test_others_are_not(asked: Mapping[str, Any]) -> None:
    assert conflicts(**asked) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A mooring line holds for 60 days.", "A tug should be held at the line for 70 days, since the tide turns."),
        ("O cabo segura 60 dias.", "Um rebocador deve ficar preso ao cabo por 70 dias."),
    ],
)
def test_what_one_of_others_should_do_is_another_case(first: str, second: str) -> None:
    question = "How long does a mooring line hold?" if first.startswith("A") else "Por quantos dias o cabo segura?"
    assert compared(question, first, second).opposed is None
