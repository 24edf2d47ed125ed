"""Questions and answers as pages have them: whatever marks the questions, one asked in their words is answered."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.documents.test_documents import asked, outcome
from tests.graph.house import ingest

PAGE = (
    ("Can a subscriber read old messages again?", "Yes, with `--from`, as far back as retention goes."),
    ("How large may a message be?", "At most 256 KB, headers included. Larger ones are refused with status 413."),
    ("Is there exactly-once delivery?", "No. We decided against it: the cost in throughput was about 40 %."),
    ("How do I rotate the token?", "Create a new one with `orbit token create`, then remove the old one."),
    ("Who may read the audit log?", "Administrators and auditors."),
)
QUESTIONS = [
    {"question": "How large may a message be?", "holds": ["256 KB"]},
    {"question": "How do I rotate the token?", "holds": ["orbit token create"]},
    {"question": "Who may read the audit log?", "holds": ["Administrators and auditors"]},
    {"question": "Is there exactly-once delivery?", "holds": ["We decided against it"]},
]
FORMS: dict[str, Callable[[str, str], str]] = {
    "headings": lambda question, answer: f"## {question}\n\n{answer}\n\n",
    "bold": lambda question, answer: f"**{question}** {answer}\n\n",
    "bold, apart": lambda question, answer: f"**{question}**\n\n{answer}\n\n",
    "marked": lambda question, answer: f"Q: {question}\nA: {answer}\n\n",
    "marked, bold": lambda question, answer: f"**Q: {question}**\n\nA: {answer}\n\n",
    "paragraphs": lambda question, answer: f"{question} {answer}\n\n",
    "list": lambda question, answer: f"- {question} {answer}\n",
    "numbered": lambda question, answer: f"1. **{question}**\n   {answer}\n",
    "table": lambda question, answer: f"| {question} | {answer} |\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_question_of_the_page_is_answered_as_the_page_answers_it(form: str, tmp_path: Path) -> None:
    head = "| Question | Answer |\n| --- | --- |\n" if form == "table" else ""
    page = tmp_path / "faq.md"
    page.write_text("# Orbit: questions\n\n" + head + "".join(FORMS[form](*one) for one in PAGE), encoding="utf-8")
    ingest(tmp_path / "data", page)
    ended = asyncio.run(asked(tmp_path / "data", QUESTIONS))
    assert [outcome(one, state) for one, state in ended] == ["right"] * len(QUESTIONS)
    assert "256 KB" not in (ended[1][1].answer or "")  # the page answers other questions too
