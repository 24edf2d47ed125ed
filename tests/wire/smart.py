"""A script that answers every judgement sensibly by reading its prompt: whole runs and benchmarks go against it.

It is no language model: it picks sentences by shared words. What it says is always in the passages, in our id scheme.
"""

import json
import re

from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, Handler, Script

_PASSAGE = re.compile(r'<passage id="(S\d+)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)
_CLAIM = re.compile(r'<claim id="(C\d+)"[^>]*>\n(.*?)\n</claim>', re.DOTALL)
_CALL = re.compile(r'<call id="(K\d+)"([^>]*)>\n(.*?)\n</call>', re.DOTALL)
_PAIR = re.compile(r'<pair id="(P\d+)"[^>]*>\n1\. (.*?)\n2\. (.*?)\n</pair>', re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*[.!?]?")
_SILENT = frozenset(
    re.findall(
        r"\w+",
        """
        a an the of in on at to for and or is are was were be do does did how what which who when where why it its with
        by from as that this can o os as um uma de da do em no na para e ou que qual quais como quando onde por com se
        """,
    )
)


def smart(**changes: Handler) -> Script:
    """The script; ``changes`` replaces entries."""
    return {**_HANDLERS, **changes}


def block(text: str, tag: str) -> str:
    """What stands between ``<tag>`` and its end in a prompt."""
    found = re.search(rf"<{tag}[^>]*>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return found.group(1) if found else ""


def terms(text: str) -> set[str]:
    """The telling words, cut to their first letters so that endings do not matter."""
    return {word[:6] for word in re.findall(r"\w+", text.lower()) if word not in _SILENT}


def sentences(text: str) -> list[str]:
    """The sentences of a passage, verbatim."""
    found = (match.group().strip(" …") for match in _SENTENCE.finditer(text))
    return [sentence for sentence in found if len(sentence.split()) > 2]


def share(wanted: str, text: str) -> float:
    """How much of ``wanted`` is in ``text``, 0..1."""
    words = terms(wanted)
    return len(words & terms(text)) / len(words) if words else 0.0


def passages_in(call: Call) -> list[tuple[str, str]]:
    """The passages of a prompt with their ids."""
    return [(sid, text) for sid, text in _PASSAGE.findall(call.user)]


def found(call: Call, wanted: str, least: float) -> list[tuple[str, str]]:
    """The best sentence of each passage that says enough of ``wanted``, best first, with the passage's id."""
    rows = []
    for sid, text in passages_in(call):
        scored = [(share(wanted, sentence), sentence) for sentence in sentences(text)]
        score, sentence = max(scored, default=(0.0, ""), key=lambda row: row[0])
        if score >= least:
            rows.append((score, sid, sentence))
    return [(sid, sentence) for _, sid, sentence in sorted(rows, key=lambda row: -row[0])]


def understand(call: Call) -> Json:
    request = block(call.user, "request")
    parts = [part.strip() for part in re.findall(r"[^?]+\?", request)] or [request]
    lowered = request.lower()
    kind = "operational" if re.search(r"\bstatus\b|\bprogress\b", lowered) else "factual"
    kind = "decision" if re.search(r"\bshould\b|\bor\b|\bversus\b|\bbetter\b", lowered) else kind
    return {
        "request": request, "query_type": kind, "questions": parts[:5], "assumptions": [], "risks": [], "criteria": [],
        "time_sensitive": "latest" in lowered, "vague": len(terms(request)) < 2, "wording": "",
    }  # fmt: skip


def plan(call: Call) -> Json:
    task = block(call.user, "task")
    questions = re.findall(r"^Question: (.*)$", task, re.MULTILINE) or [task.splitlines()[0]]
    sources = re.findall(r"^- (\S+)$", block(call.user, "sources"), re.MULTILINE)
    count = int((re.search(r"Give (?:up to )?(\d+)", call.system) or ["", "1"])[1])
    tools = "tool" in str(call.schema)
    plans = [_one_plan(number, questions, sources, tools) for number in range(count)]
    return {"plans": plans}


def _one_plan(number: int, questions: list[str], sources: list[str], tools: bool) -> Json:
    steps = [
        {"question": q, "queries": [q, " ".join(sorted(terms(q)))][: 1 + number], "after": [],
         **({"tool": "", "arguments": ""} if tools else {})}
        for q in questions[:6]
    ]  # fmt: skip
    preferred = sources[number - 1 : number] if number else []
    name = f"{'Direct' if not number else 'Wider'} search {number + 1}"
    return {
        "name": name, "rationale": "The question names what to search for.", "sources": preferred, "risks": [],
        "issues": [], "steps": steps,
    }  # fmt: skip


def fill(call: Call) -> Json:
    return {"calls": [_filled(call, *found) for found in _CALL.findall(call.user)]}


def _filled(call: Call, key: str, attributes: str, held: str) -> Json:
    """The call with what an earlier result has under a name that it awaits, and with a path that a person gives."""
    arguments = json.loads(held)
    results = " ".join(re.findall(r"<result [^>]*>\n(.*?)\n</result>", call.user, re.DOTALL))
    awaited = re.search(r'not_known_yet="([^"]*)"', attributes)
    for name in awaited[1].split(", ") if awaited else ():
        if value := re.search(rf'"{name}": ("[^"]*"|[\d.]+)', results):
            arguments[name] = json.loads(value[1])
    path = re.search(r"(?:\w+/)+[\w.]+\w", block(call.user, "guidance"))
    arguments |= {name: path[0] for name, value in arguments.items() if path and path[0].endswith(str(value))}
    return {"call": key, "arguments": json.dumps(arguments), "drop": False, "reason": ""}


def suffice(call: Call) -> Json:
    questions = re.findall(r"^(Q\d+)\. (.*)$", block(call.user, "questions"), re.MULTILINE)
    return {"parts": [_part(call, qid, text) for qid, text in questions]}


def _part(call: Call, qid: str, text: str) -> Json:
    held = found(call, text, 0.6)
    sid, quote = held[0] if held else ("", "")
    sources = [sid] if sid else []
    return {
        "question": qid,
        "answerable": bool(held),
        "sources": sources,
        "quote": quote,
        "missing": "" if held else text,
    }


def answer(call: Call) -> Json:
    question = block(call.user, "question")
    parts = re.findall(r"^- (.*)$", block(call.user, "questions"), re.MULTILINE)
    told = [one for part in parts for one in found(call, part, 0.5)[:1]] or found(call, question, 0.5)[:3]
    rows = [{"text": text, "sources": [sid], "quote": text} for sid, text in told]
    return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": "" if rows else question}


def distil(call: Call) -> Json:
    rows = found(call, block(call.user, "request"), 0.2)[:5]
    items = [{"kind": "insight", "text": text, "source": sid, "quote": text, "language": ""} for sid, text in rows]
    return {"items": items}


def score(call: Call) -> Json:
    response, question = block(call.user, "response"), block(call.user, "question")
    grounded = all(share(sentence, call.user.partition("<passages>")[2]) > 0.8 for sentence in sentences(response))
    return {
        "completeness": round(4 * share(question, response)), "consistency": 4, "specificity": 3,
        "grounding": 4 if grounded else 1, "hedging": 3, "reason": "",
    }  # fmt: skip


def support(call: Call) -> Json:
    return {"verdicts": [_verdict(call, cid, text) for cid, text in _CLAIM.findall(call.user)]}


def _verdict(call: Call, cid: str, text: str) -> Json:
    held = found(call, text, 0.7)
    verdict, quote = ("supported", held[0][1]) if held else ("unverified", "")
    return {
        "claim": cid,
        "verdict": verdict,
        "quote": quote,
        "reason": "the words are there" if held else "not stated",
        "holds": "",
    }


def reconcile(call: Call) -> Json:
    return {"pairs": [_pair(pid, first, second) for pid, first, second in _PAIR.findall(call.user)]}


def _pair(pid: str, first: str, second: str) -> Json:
    differ = set(re.findall(r"\d+", first)) != set(re.findall(r"\d+", second))
    negated = len(re.findall(r"\b(?:not|never|não|nunca)\b", f"{first} ".lower())) != len(
        re.findall(r"\b(?:not|never|não|nunca)\b", f"{second} ".lower())
    )
    kind = "contradiction" if negated else "inconsistency" if differ else "none"
    return {"pair": pid, "kind": kind, "explanation": "" if kind == "none" else "They differ.", "in_force": ""}


def compose(call: Call) -> Json:
    return {"sentences": [{"text": text, "claims": [cid]} for cid, text in _CLAIM.findall(call.user)[:8]]}


_HANDLERS: dict[str, Handler] = {
    "understand": understand, "plan": plan, "fill": fill,
    "suffice": suffice, "answer": answer, "distil": distil, "score": score,
    "support": support, "reconcile": reconcile, "compose": compose,
}  # fmt: skip
