"""What is pasted with a question is set apart from the words that ask, and told in brackets where they point to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.pasted import LONG, apart, sought_in, subject_of, told_in, without_pasted

LOG = """2026-11-02 10:14:07,113 ERROR dispatcher.worker Failed to deliver event 8812: ReadTimeout after 10.0s
Traceback (most recent call last):
  File "/srv/dispatcher/worker.py", line 214, in deliver
    response = await self.client.post(url, content=body, timeout=self.timeout)
httpx.ReadTimeout: the server did not answer in time"""
TIMEOUT = "httpx.ReadTimeout: the server did not answer in time"
JAVA = """Exception in thread "main" java.lang.IllegalStateException: queue closed
\tat com.acme.Main.run(Main.java:12)
Caused by: java.io.IOException: disk full
\tat com.acme.Disk.write(Disk.java:31)"""
NODE = """Error: Cannot find module 'gate'
    at Function.Module._resolveFilename (module.js:336:15)
    at async open (/app/gate.js:3:5)
    at /app/main.js:1:2"""
YAML = """worker:
  concurrency: 40
  retry_limit: 12
  visibility_timeout: 30"""
PODS = """NAME     READY   STATUS             RESTARTS   AGE
api-0    0/1     CrashLoopBackOff   12         3h"""
MINUTES = (
    "The meeting on Monday decided that the migration moves to May, since the audit takes longer than planned. " * 4
)


@pytest.mark.parametrize(
    ("request_", "read"),
    [
        pytest.param(f"Why does this fail?\n\n{LOG}", f"Why does this ({TIMEOUT}) fail?", id="a log below"),
        pytest.param(f"{LOG}\n\nhow do I fix this?", f"how do I fix this ({TIMEOUT})?", id="a log above"),
        pytest.param(
            f"Why does this fail?\n{LOG}\nHow often is a job retried?",
            f"Why does this ({TIMEOUT}) fail?\nHow often is a job retried?",
            id="between two questions, without empty lines",
        ),
        pytest.param(
            f"What does this error mean?\n{JAVA}",
            "What does this error (java.io.IOException: disk full) mean?",
            id="a trace's cause comes last",
        ),
        pytest.param(
            f"Why does this fail?\n{NODE}", "Why does this (Error: Cannot find module 'gate') fail?", id="of a script"
        ),
        pytest.param(
            f"Is this config right?\n```yaml\n{YAML}\n```",
            "Is this config (retry_limit, visibility_timeout) right?",
            id="settings in a fence",
        ),
        pytest.param(
            f"Requirements:\n- runs on ARM\n\nWhy does this fail?\n{LOG}",
            f"Requirements:\n- runs on ARM\nWhy does this ({TIMEOUT}) fail?",
            id="a list announced by another colon",
        ),
        pytest.param(
            "Is this allowed?\n```\nResources:\n  Retries of Team\n```",
            "Is this (retries, team, resources) allowed?",
            id="anything in a fence below a question",
        ),
        pytest.param(
            f"kubectl says:\n{PODS}\n\nWhat should I do?",
            "kubectl says (CrashLoopBackOff).\nWhat should I do?",
            id="announced by a colon",
        ),
        pytest.param(
            "$ skiff deploy\nerror: manifest rejected: missing field owner\nWhy?",
            "Why (error: manifest rejected: missing field owner)?",
            id="a question with no words of its own",
        ),
        pytest.param(
            'What does this response mean?\n{"error": {"code": "rate_limited", "retry_after": 30}}',
            "What does this response (error: code: rate_limited, retry_after: 30) mean?",
            id="JSON loses the marks that would make phrases",
        ),
        pytest.param(
            "O que significa este erro?\npsycopg2.errors.UniqueViolation: duplicate key value",
            "O que significa este erro (psycopg2.errors.UniqueViolation: duplicate key value)?",
            id="in Portuguese",
        ),
        pytest.param(
            "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve\n\nhow do I fix this",
            "how do I fix this (ERESOLVE unable to resolve)",
            id="what each line repeats is left off",
        ),
        pytest.param(
            f"How often is a failed job retried?\n\n{LOG}", "How often is a failed job retried?", id="stands alone"
        ),
        pytest.param(LOG, TIMEOUT, id="nothing but a log"),
        pytest.param(
            f"Summarise this:\n\n{MINUTES}",
            "Summarise this (monday, migration, meeting, decided).",
            id="long prose that is pointed to",
        ),
    ],
)
def test_what_is_pasted_is_told_in_a_few_words(request_: str, read: str) -> None:
    assert without_pasted(request_) == read


HELD = "2026-11-02 10:14:07 [dispatcher.gate] DEBUG: Held back parcel for 'img.acme.com': <PUT https://img.acme.com/7>"
LOADED = """2026-11-02 10:14:07 [dispatcher.main] INFO: Loaded plugins:
['dispatcher.plugins.Counts',
 'dispatcher.plugins.Console']"""
REFUSED = """Traceback (most recent call last):
  File "/srv/dispatcher/flags.py", line 21, in flag
    return int(got)
  File "/srv/dispatcher/flags.py", line 40, in read
    raise _Refused(
dispatcher.flags._Refused: Values that a flag may have are 0/1, on/off,
'yes'/'no'"""
REFUSAL = "dispatcher.flags._Refused: Values that a flag may have are"
VALUES = f"{REFUSAL} 0/1, on/off, 'yes'/'no'"


@pytest.mark.parametrize(
    ("pasted", "told", "sought"),
    [
        (
            HELD,
            "dispatcher.gate Held back parcel for 'img.acme.com': <PUT",
            "dispatcher.gate Held back parcel for",
        ),
        (
            f"{LOG.partition('Trace')[0]}{HELD}",
            "dispatcher.worker Failed to deliver event 8812: ReadTimeout after 10.0s",
            "dispatcher.worker Failed to deliver event ReadTimeout after",
        ),
        (
            "2026-11-02 10:14:07 [disk] WARNING: Only 3 GB are left in /var/lib/dispatcher/data\n"
            "2026-11-02 10:14:08 [main] INFO: Closed",
            "disk Only 3 GB are left in",
            "disk Only GB are left in",
        ),
        (
            "2026-11-02 10:14:07 [main] INFO: Opened\n2026-11-02 10:14:08 [main] INFO: Closed",
            "main Opened; main Closed",
            "main Opened; main Closed",
        ),
        (
            "/srv/dispatcher/flags.py:12: FlagWarning: flags.old is going, take flags.new\n  warnings.warn(",
            "FlagWarning: flags.old is going, take flags.new",
            "FlagWarning: flags.old is going, take flags.new",
        ),
        ("DEBUG: Held back parcel 7", "Held back parcel 7", "Held back parcel"),
        (
            f"{HELD}\n{{'count/ERROR': 1,\n 'held': 1}}",
            "dispatcher.gate Held back parcel for 'img.acme.com': <PUT",
            None,
        ),
        (REFUSED, VALUES, f"{REFUSAL} on/off, 'yes'/'no'"),
        (f"{REFUSED}\n{{'errors/dispatcher.ReadTimeout': 3,\n 'held': 1}}", VALUES, None),
        (f"{LOG}\n\nDuring handling of the above exception, another exception occurred:\n\n{REFUSED}", VALUES, None),
    ],
    ids=[
        "what a log says",
        "an error",
        "a warning",
        "two messages",
        "a warning with its line",
        "without a time",
        "counts",
        "a trace",
        "a trace before counts",
        "two traces",
    ],
)
def test_the_message_of_what_is_pasted_is_told_and_searched_for(pasted: str, told: str, sought: str | None) -> None:
    asked = "The list of hosts is ['acme.com']. Why are the pictures not delivered?"
    for request in (f"{asked}\n\n{pasted}", f"{pasted}\n\n{asked}", f"{asked}\n```\n{pasted}\n```"):
        assert apart(request).asked == asked
        assert told_in(request) == told
    assert sought is None or sought_in(told) == sought


def test_nothing_is_told_where_nothing_is_pasted() -> None:
    assert told_in("How often is a failed job retried?") == sought_in("") == ""


@pytest.mark.parametrize(
    "pasted",
    [
        LOADED,
        REFUSED,
        "\n".join(line.strip() for line in REFUSED.split("\n")[:-1]),
        REFUSED.rpartition("\ndispatcher")[0],
        REFUSED.replace("_Refused: Values", "gate.shut: Values"),
        "\n".join(f"> {line}" for line in REFUSED.split("\n")),
    ],
    ids=["a list below a message", "a trace", "without margins", "cut off", "an error in small letters", "cited"],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_what_a_machine_wrote_stays_together(pasted: str, between: str) -> None:
    found = apart(f"Why is the flag not read?{between}{pasted}{between}How do I set it?")
    assert " ".join(found.asked.split()) == "Why is the flag not read? How do I set it?"
    assert found.pasted.strip() == pasted


def test_what_a_person_writes_below_a_trace_is_asked() -> None:
    below = "We run it in a container.\nlinux, as it happens"
    assert apart(f"Why?\n{LOG}\n{below}").asked == f"Why?\n{below}"


@pytest.mark.parametrize(
    "request_",
    [
        "How often is a failed job retried?",
        "Compare these:\n- SQLite\n- Postgres\n- MySQL",
        "Which plan fits?\n1. must have SSO\n2. at most 100 euros\n3. data in the EU",
        "We have ten machines.\nOur CTO wants SQLite.\n\nShould we switch to Postgres?",
        "Language: English\nBudget: 100 euros\n\nWhich plan fits?",
        "What is `retry_limit = 12` for?",
        'What does {"error": "rate_limited"} mean?',
        f"{MINUTES}\n\nShould we tell customers about the audit?",
        f"Is this so?\n\n{MINUTES[: LONG - 1].strip()}",
        f"Tell me: {MINUTES}",
        "```\nHow often is a failed job retried?\n```",
        "I need:\nfast search;\ncheap hosting;\ngood documents.\n\nWhich plan fits?",
        "Preciso de:\n- busca rápida;\n- hospedagem barata;\n\nQual plano serve?",
        "Which room fits?\nbudget: 500\nguests: 12\nnights: 3",
        "ERROR 1045 (28000): Access denied for user root, how do I fix it",
        "They want to cancel.\nContract: 2024-03-01\nSeats: 12\n\nCan they?",
        "The wrong hosts:\n['acme.com',\n 'acme.org']\nWhich are right?",
        "10:14:07 is when it stopped.\n\nWhy?",
    ],
    ids=["plain", "a list", "numbered", "a scene", "conditions", "code in a line", "JSON in a line", "a long scene",
         "prose too short", "one paragraph", "a question in a fence",
         "a list with semicolons", "in Portuguese", "what is wanted", "a failure in one line",
         "a person's fields", "a list without a log", "a time"],
)  # fmt: skip
def test_a_request_without_anything_pasted_is_itself(request_: str) -> None:
    assert without_pasted(request_) == request_
    assert apart(request_).pasted == ""


def test_lines_stand_where_they_stand_in_the_request() -> None:
    request = f"Two logs.\n\n{LOG}\n\nand\n\n```\n{JAVA}\n```\nWhy does this fail?"
    pasted = apart(request).pasted.split("\n")
    lines = request.split("\n")
    for line in (*LOG.split("\n"), *JAVA.split("\n")):
        assert pasted.index(line) == lines.index(line)
    assert "```" not in pasted


@given(st.text(alphabet="ab:=?{}`\n -.E|\t0", max_size=300))
def test_every_line_is_asked_or_pasted(request: str) -> None:
    found = apart(request)
    told = {line.strip() for line in f"{found.asked}\n{found.pasted}".split("\n")}
    assert all(line.strip() in told for line in request.split("\n") if line.strip() and "```" not in line)


HTTP = """HTTP/1.1 200 OK
Date: Mon, 02 Nov 2026 10:00:00 GMT
Cache-Control: max-age=60
ETag: W/"abc1\""""
PYTEST = """>       result = deliver()
E       RuntimeError: the loop is closed

tests/test_main.py:41: RuntimeError"""


@pytest.mark.parametrize("pasted", [HTTP, PYTEST])
def test_a_message_of_http_and_what_pytest_shows_are_pasted(pasted: str) -> None:
    found = apart(f"What is wrong with this?\n\n{pasted}")
    assert found.asked == "What is wrong with this?"
    assert "".join(found.pasted.split()) == "".join(pasted.split())


def test_a_person_s_lines_are_not_taken_for_fields_of_http() -> None:
    asked = "Note: it fails on Mondays.\nProblem: nobody knows the port.\nWhich port is it?"
    assert apart(asked).pasted == ""


GITLEAKS = """\
[gitleaks] 2026-11-30T10:11:12Z WRN leaks found: 1
Finding:     SECRET=abc
RuleID:      aws-access-token
File:        deploy/env.sh
"""


@pytest.mark.parametrize(
    ("pasted", "told"),
    [
        (
            'ts=2026-11-29T08:14:03.1Z level=error caller=a.go:1 msg="Failed" err="no fallback protocol is set"',
            "no fallback protocol is set",
        ),
        ('{"ts": "2026-11-29T08:14:03Z", "level": "error", "msg": "no route to host"}', "no route to host"),
        (GITLEAKS, "leaks found: 1"),
    ],
)
def test_a_log_of_keys_and_values_is_told_by_its_error_or_its_message(pasted: str, told: str) -> None:
    found = apart(f"Why is that?\n\n{pasted}")
    assert found.asked == "Why is that?"
    assert subject_of(found.pasted) == told
