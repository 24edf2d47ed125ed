"""Texts of other kinds than Wikipedia's for the reader to learn from: stories, abstracts, pages of offices and manuals.

People marked what answers, or wrote an answer whose words a sentence of the page says too.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibrant.evals import scifact
from calibrant.evals.data import lines_of
from calibrant.evals.fitting.data import Item, mentions, passage
from calibrant.evals.halves import HELD_OUT, half_of
from calibrant.judges.free.words.text import content_words, sentences

SAID = 0.6
"""Share of a sentence's words that a written answer says too, where the sentence is counted as its source."""
FEWEST = 4
"""Words of a question that stands alone, and of a sentence that is compared."""
LONGEST_TITLE = 120
"""Characters of a first line that is a title."""
_LEANS = re.compile(
    r"\b(?:he|she|it|they|him|her|his|their|them|its|this|that|these|those|there|one|else|other|both|so)\b",
    re.IGNORECASE,
)
"""Words that mean what was said before."""


def stories(root: Path) -> Iterator[Item]:
    """Questions over stories and news, where people marked what answers; those that lean on an earlier one are left."""
    data = json.loads((root / "abg_coqa" / "coqa_abg_val.json").read_text(encoding="utf-8"))["data"]
    seen = set()
    for row in data:
        for turn in [*row["history_turns"], row["target_turn"]]:
            start = row["story"].find(turn["rationale"])
            if (row["story"], turn["question"]) in seen or start < 0 or not _stands_alone(turn["question"]):
                continue
            seen.add((row["story"], turn["question"]))
            spans = ((start, start + len(turn["rationale"])),)
            yield Item("stories", row["story"], turn["question"], (passage(row["story"]),), True, spans)


def several(root: Path) -> Iterator[Item]:
    """Questions with documents that answer them, rightly or not, and noise."""
    for row in lines_of(root / "ramdocs" / "RAMDocs_first250.jsonl"):
        for document in row["documents"]:
            is_noise, evidence = document["type"] == "noise", (passage(document["text"]),)
            spans = () if is_noise else mentions(document["text"], [document["answer"]])
            if spans or is_noise:
                yield Item("ramdocs", row["question"], row["question"], evidence, not is_noise, spans)


def abstracts(root: Path) -> Iterator[Item]:
    """Claims, with the sentences of abstracts that people found to bear on them. Of what evals split by the claim or by
    the abstract, only what is in one half by both."""
    for one in scifact.rationales(root):
        sides = {half_of("scifact", key) == HELD_OUT for key in (one.claim, one.abstract.id)}
        if one.label != scifact.NOTHING and len(sides) == 1:
            spans = tuple(span for text in one.sentences for span in mentions(one.abstract.text, [text]))
            yield Item("scifact", one.claim, one.claim, (one.abstract,), True, spans)


def pages(root: Path) -> Iterator[Item]:
    """Last turns of conversations about pages of an office, a cloud's manual, a forum. The source of what people
    answered is the sentence that says the same words."""
    for row in _conversations(root / "mtrag"):
        asked, told = (row[side][-1]["text"] for side in ("input", "targets"))
        if not _stands_alone(asked):
            continue
        said = set(content_words(told))
        for held in row["contexts"]:
            title, line, text = held["text"].strip().partition("\n")
            title, text = (title, text) if line and len(title) < LONGEST_TITLE else ("", held["text"])
            spans = tuple((one.start, one.end) for one in sentences(text) if _says(one.text, said))
            if spans:
                yield Item("mtrag", row["key"], asked, (passage(text, title),), True, spans)


def _conversations(folder: Path) -> Iterator[dict[str, Any]]:
    for row in lines_of(folder / "reference.jsonl"):
        if row["Collection"] != "clapnq":  # some of its questions are that set's too
            yield row | {"key": row["conversation_id"]}
    data = json.loads((folder / "reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    texts = {document["document_id"]: document for document in data["documents"]}
    for task in data["tasks"]:
        if "clapnq" in task["Collection"]:
            continue
        contexts = [texts[held["document_id"]] for held in task["contexts"]]
        yield task | {"key": task["task_id"].split("<")[0], "contexts": contexts}


def _stands_alone(question: str) -> bool:
    return len(question.split()) >= FEWEST and not _LEANS.search(question)


def _says(sentence: str, said: set[str]) -> bool:
    held = set(content_words(sentence))
    return len(held) >= FEWEST and len(held & said) >= SAID * len(held)
