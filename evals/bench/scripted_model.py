"""What the scripted model says to each judgement. It is no language model: it picks sentences by shared words.

It reads the prompts as ``judges/model/prompts`` write them, and all that it says stands in their passages.
"""

import re
from collections.abc import Callable
from typing import Any

from calibrant.evals.bench.manual import terms

Json = dict[str, Any]

_PASSAGE = re.compile(r'<passage id="(S\d+)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)
_CLAIM = re.compile(r'<claim id="(C\d+)"[^>]*>\n(.*?)\n</claim>', re.DOTALL)
_PART = re.compile(r", (?:and )?(?=how |which )")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]")


def reply_to(request: Json) -> Json:
    """The structured reply to a chat completion request, by the name of its schema."""
    name = request["response_format"]["json_schema"]["name"]
    prompt = str(request["messages"][-1]["content"])
    return _REPLIES[name](prompt)


def _block(prompt: str, tag: str) -> str:
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", prompt, re.DOTALL)
    return found[1] if found else ""


def _share(wanted: str, text: str) -> float:
    words = terms(wanted)
    return len(words & terms(text)) / len(words) if words else 0.0


def _telling(prompt: str, wanted: str, least: float) -> list[tuple[str, str]]:
    """The best sentence of each passage that shares enough words with ``wanted``, best first, with the passage's id."""
    rows = [
        max((_share(wanted, sentence), sid, sentence.strip()) for sentence in _SENTENCE.findall(text) or [text])
        for sid, text in _PASSAGE.findall(prompt)
    ]
    return [(sid, sentence) for share, sid, sentence in sorted(rows, reverse=True) if share >= least]


def _understand(prompt: str) -> Json:
    request = _block(prompt, "request")
    parts = [f"{part[0].upper()}{part[1:]}?" for part in _PART.split(request.rstrip("?"))]
    return {
        "request": request, "query_type": "factual", "questions": parts, "assumptions": [], "risks": [],
        "criteria": [], "time_sensitive": False, "vague": False, "wording": "",
    }  # fmt: skip


def _plan(prompt: str) -> Json:
    task = _block(prompt, "task")
    questions = re.findall(r"^Question: (.*)$", task, re.MULTILINE) or [task.splitlines()[0]]
    steps = [{"question": question, "queries": [question], "after": []} for question in questions[:6]]
    plans = [
        {"name": name, "rationale": "It asks for what the task names.", "sources": [], "risks": [], "issues": [],
         "steps": each}
        for name, each in (("in order", steps), ("backwards", steps[::-1]), ("first things only", steps[:3]))
    ]  # fmt: skip
    return {"plans": plans}


def _suffice(prompt: str) -> Json:
    asked = re.findall(r"^(Q\d+)\. (.*)$", _block(prompt, "questions"), re.MULTILINE)
    return {"parts": [_part(prompt, number, question) for number, question in asked]}


def _part(prompt: str, number: str, question: str) -> Json:
    sid, quote = next(iter(_telling(prompt, question, 0.6)), ("", ""))
    missing = "" if sid else question
    return {
        "question": number,
        "answerable": bool(sid),
        "sources": [sid] if sid else [],
        "quote": quote,
        "missing": missing,
    }


def _answer(prompt: str) -> Json:
    question = _block(prompt, "question")
    asked = re.findall(r"^- (.*)$", _block(prompt, "questions"), re.MULTILINE) or [question]
    told = [one for part in asked for one in _telling(prompt, part, 0.6)[:1]]
    rows = [{"text": text, "sources": [sid], "quote": text} for sid, text in told]
    return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": "" if rows else question}


def _distil(prompt: str) -> Json:
    rows = _telling(prompt, _block(prompt, "request"), 0.3)[:5]
    return {
        "items": [{"kind": "insight", "text": text, "source": sid, "quote": text, "language": ""} for sid, text in rows]
    }


def _score(prompt: str) -> Json:
    complete = round(4 * _share(_block(prompt, "question"), _block(prompt, "response")))
    return {
        "completeness": complete, "consistency": 4, "specificity": 4, "grounding": 4, "hedging": 4, "reason": "",
    }  # fmt: skip


def _support(prompt: str) -> Json:
    return {"verdicts": [_verdict(prompt, cid, text) for cid, text in _CLAIM.findall(prompt)]}


def _verdict(prompt: str, cid: str, text: str) -> Json:
    quote = next((sentence for _, sentence in _telling(prompt, text, 0.7)), "")
    return {"claim": cid, "verdict": "supported" if quote else "unverified", "quote": quote, "reason": "", "holds": ""}


def _reconcile(prompt: str) -> Json:
    pairs = re.findall(r'<pair id="(P\d+)"[^>]*>', prompt)
    return {"pairs": [{"pair": pair, "kind": "none", "explanation": ""} for pair in pairs]}


def _compose(prompt: str) -> Json:
    return {"sentences": [{"text": text, "claims": [cid]} for cid, text in _CLAIM.findall(prompt)[:8]]}


_REPLIES: dict[str, Callable[[str], Json]] = {
    "understand": _understand, "plan": _plan, "suffice": _suffice, "answer": _answer, "distil": _distil,
    "score": _score, "support": _support, "reconcile": _reconcile, "compose": _compose,
}  # fmt: skip
