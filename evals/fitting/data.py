"""The question sets that sufficiency and extraction are fitted on, as ``Item``s."""

import csv
import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrant.evals import questions
from calibrant.evals.data import lines_of
from calibrant.evals.halves import HELD_OUT, half_of, number_of
from calibrant.state.evidence import Evidence

NEAR = 20
"""How many of the passages most like a question are looked through for one that does not answer it."""
MANY = 2000
"""Questions of a large set that are enough to measure on. The models are fitted on all of them."""
CLOSEST = 3
"""Of these one is taken."""
SEVERAL = 5
"""So many passages are what a search finds, where a set has one passage a question."""


@dataclass(frozen=True)
class Item:
    """A question with its passages. ``spans``: where the answer stands in the only passage; None where not known."""

    source: str
    key: str
    question: str
    evidence: tuple[Evidence, ...]
    answerable: bool
    spans: tuple[tuple[int, int], ...] | None = None

    @property
    def half(self) -> str:
        return half_of(self.source, self.key)

    @property
    def is_held_out(self) -> bool:
        return self.half == HELD_OUT


def items(root: Path) -> list[Item]:
    """All sets whole, in a fixed order."""
    english = (*nomiracl(root), *clapnq(root), *qnli(root, None), *squad2(root, None))
    return [*english, *faquad(root), *pira(root), *faquad_several(root), *pira_several(root)]


def nomiracl(root: Path) -> Iterator[Item]:
    """About ten retrieved passages a question; people judged whether any is relevant."""
    for name, answerable in (("relevant", True), ("non_relevant", False)):
        for row in lines_of(root / "nomiracl" / f"{name}.en.test.vanilla_prompt.jsonl"):
            head, contexts = row["prompt"].split("\n\nCONTEXTS:\n", 1)
            question = head.split("QUESTION:\n", 1)[1].strip()
            parts = re.split(r"(?:^|\n\n)\[\d+\] ", contexts.split("\n\nOUTPUT:")[0])[1:]
            found = tuple(passage(text.partition(": ")[2], text.partition(": ")[0]) for text in parts)
            yield Item("nomiracl", row["query_id"], question, found, answerable)


def clapnq(root: Path) -> Iterator[Item]:
    """One Wikipedia passage a question; where it answers, people marked the sentences."""
    for name, answerable in (("answerable", True), ("unanswerable", False)):
        for row in lines_of(root / "clapnq" / f"clapnq_dev_{name}.jsonl"):
            held = row["passages"][0]
            marked = [text for output in row["output"] for text in output["selected_sentences"]]
            spans = tuple(_span(held["text"], text) for text in marked if text in held["text"])
            evidence = (passage(held["text"], held["title"]),)
            yield Item("clapnq", row["id"], row["input"], evidence, answerable, spans)


def qnli(root: Path, count: int | None = MANY) -> Iterator[Item]:
    """A question and a sentence of the paragraph that answers it: is it the one? ``count`` None: all pairs.

    The paragraphs, and many of the questions, are SQuAD's: where SQuAD has one, it is the key, so that both sets have
    it in the same half. Others that share a question or a sentence have one key.
    """
    asked, told = _squad_paragraphs(root)
    with (root / "qnli_en" / "dev.tsv").open(encoding="utf-8") as file:
        rows = sorted(
            csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE), key=lambda row: number_of(row["index"])
        )
    own = [asked.get(row["question"]) or next((it for it in told if row["sentence"] in it), None) for row in rows]
    pairs = [(row["question"], row["sentence"]) for row in rows]
    for row, key in list(zip(rows, _shared(pairs, own), strict=True))[:count]:
        text, answerable = row["sentence"], row["label"] == "entailment"
        spans = ((0, len(text)),) if answerable else ()
        yield Item("qnli", key, row["question"], (passage(text),), answerable, spans)


def _shared(pairs: Sequence[tuple[str, str]], own: Sequence[str | None]) -> list[str]:
    """For each pair its own key, or one for all the pairs that are linked by shared texts: an own one where one of them
    has it."""
    keys = {text: (1, text) for pair in pairs for text in pair}
    before = None
    while before != keys:
        before = dict(keys)
        for pair, key in zip(pairs, own, strict=True):
            least = min(keys[text] for text in pair) if key is None else (0, key)
            keys |= {text: min(keys[text], least) for text in pair}
    return [key or keys[question][1] for (question, _), key in zip(pairs, own, strict=True)]


def _squad_paragraphs(root: Path) -> tuple[dict[str, str], list[str]]:
    """The paragraph of each question of SQuAD, and all paragraphs."""
    paragraphs = [paragraph for _, paragraph in _squad2(root)]
    asked = {row["question"]: paragraph["context"] for paragraph in paragraphs for row in paragraph["qas"]}
    return asked, [paragraph["context"] for paragraph in paragraphs]


def squad2(root: Path, count: int | None = MANY) -> Iterator[Item]:
    """Questions over Wikipedia paragraphs; the unanswerable ones were written to look answerable.

    At least ``count`` of them, paragraph by paragraph; None: all.
    """
    given = 0
    for title, paragraph in sorted(_squad2(root), key=lambda pair: number_of(pair[1]["context"])):
        for found in _squad("squad2", title.replace("_", " "), paragraph):
            yield found
            given += 1
        if count is not None and given >= count:
            return


def _squad2(root: Path) -> list[tuple[str, dict[str, Any]]]:
    """The paragraphs with the titles of their articles."""
    data = json.loads((root / "squad2_dev" / "dev-v2.0.json").read_text(encoding="utf-8"))["data"]
    return [(article["title"], paragraph) for article in data for paragraph in article["paragraphs"]]


def faquad(root: Path) -> Iterator[Item]:
    """Portuguese questions over paragraphs, each asked of its own and of another paragraph of the same text."""
    data = json.loads((root / "faquad_pt" / "train.json").read_text(encoding="utf-8"))["data"]
    for article in data:
        held = article["paragraphs"]
        for place, paragraph in enumerate(held):
            found = list(_squad("faquad", article["title"], paragraph))
            yield from found
            other = held[(place + 1) % len(held)]["context"]
            for item in found if len(held) > 1 else ():
                yield Item("faquad", item.key, item.question, (passage(other, article["title"]),), False, ())


def pira(root: Path) -> Iterator[Item]:
    """Portuguese questions over abstracts, each asked of its own and of the next one."""
    with (root / "pira_pt" / "validation.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["question_pt_origin"] and row["abstract_translated_pt"]]
    for place, row in enumerate(rows):
        other = next(it for it in rows[place + 1 :] + rows if it["abstract"] != row["abstract"])
        for answerable, text in ((True, row), (False, other)):
            evidence = (passage(text["abstract_translated_pt"]),)
            yield Item("pira", row["abstract"][:80], row["question_pt_origin"], evidence, answerable)


def faquad_several(root: Path) -> Iterator[Item]:
    """The questions of ``faquad``, asked of several paragraphs."""
    return several("faquad_several", list(faquad(root)))


def pira_several(root: Path) -> Iterator[Item]:
    """The questions of ``pira``, asked of several abstracts."""
    return several("pira_several", list(pira(root)))


def nq_open(root: Path) -> Iterator[Item]:
    """Questions that people asked a search engine: each of the piece of Wikipedia that answers it, and of the piece
    most like it, among those of the same half, that holds none of its answers. Needs scikit-learn."""
    pairs = list(zip(*questions.nq_open(root), strict=True))
    for is_held_out in (False, True):
        half = [pair for pair in pairs if (half_of("nq_open", pair[1].key) == HELD_OUT) is is_held_out]
        texts = [f"{document.title}\n{document.text}" for document, _ in half]
        for (gold, question), near in zip(half, _near(texts, [one.text for _, one in half]), strict=True):
            if spans := mentions(gold.text, question.answers):
                evidence = (passage(gold.text, gold.title),)
                yield Item("nq_open", question.key, question.text, evidence, True, spans)
            others = (half[place][0] for place in near if not mentions(texts[place], question.answers))
            if other := next(others, None):
                yield Item("nq_open", question.key, question.text, (passage(other.text, other.title),), False, ())


def near_passages(held: Sequence[Item]) -> Iterator[Item]:
    """Each answerable one of a set's, asked of one of the passages most like it, of the same half, that do not hold its
    answer. Needs scikit-learn."""
    dice = random.Random(0)  # noqa: S311 - a choice, no secret
    for item, others in _beside(held):
        if item.spans and others:
            yield Item(item.source, item.key, item.question, (dice.choice(others[:CLOSEST]),), False, ())


def several(source: str, held: Sequence[Item]) -> Iterator[Item]:
    """As a search finds them: each answerable one of a set's, asked of ``SEVERAL`` passages, its own and those most
    like the question that do not hold its answer, and of the latter alone. Needs scikit-learn."""
    for item, others in _beside(held):
        if len(others) >= SEVERAL:
            found = (*item.evidence, *others[: SEVERAL - 1])
            yield Item(source, item.key, item.question, found, True)
            yield Item(source, item.key, item.question, tuple(others[:SEVERAL]), False)


def _beside(held: Sequence[Item]) -> Iterator[tuple[Item, list[Evidence]]]:
    """Each answerable one of a set's with the passages of the same half most like it, but those that hold its answer as
    it is marked, where it is."""
    for is_held_out in (True, False):
        half = [item for item in held if item.is_held_out is is_held_out]
        passages = sorted({one.id: one for item in half for one in item.evidence}.values(), key=lambda one: one.id)
        texts = [f"{one.title}\n{one.text}" for one in passages]
        asked = [item for item in half if item.answerable]
        if not asked:
            continue
        for item, near in zip(asked, _near(texts, [item.question for item in asked]), strict=True):
            own = item.evidence[0]
            answers = {own.text[start:end] for start, end in item.spans or ()}
            others = [passages[at] for at in near if passages[at] != own and not mentions(texts[at], sorted(answers))]
            yield item, others


def _near(texts: Sequence[str], asked: Sequence[str]) -> list[list[int]]:
    """For each question the places of the ``NEAR`` texts that share most of its words by weight."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    weighed = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    likeness = weighed.fit_transform(texts)
    return [
        [int(place) for place in row.argsort()[::-1][:NEAR]]
        for row in (weighed.transform(asked) @ likeness.T).toarray()
    ]


def mentions(text: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the text says one of the answers, whatever the case, each place once and in order."""
    found = (match.span() for answer in answers for match in re.finditer(re.escape(answer), text, re.IGNORECASE))
    return tuple(sorted(set(found)))


def _squad(source: str, title: str, paragraph: dict[str, Any]) -> Iterator[Item]:
    context = paragraph["context"]
    for row in paragraph["qas"]:
        spans = {(it["answer_start"], it["answer_start"] + len(it["text"])) for it in row["answers"]}
        # The paragraph is the key: questions over one paragraph stay in one half.
        yield Item(source, context, row["question"], (passage(context, title),), bool(spans), tuple(sorted(spans)))


def passage(text: str, title: str = "") -> Evidence:
    """The text as a passage whose id is made of it and its title."""
    key = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:16]
    return Evidence(id=key, text=text, title=title, source="knowledge", url=f"https://data.invalid/{key}")


def _span(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)
