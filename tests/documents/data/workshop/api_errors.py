"""Error reference of the Tallyhook API, version 3.

Every answer with a status of 400 or more carries a JSON body with the fields
``code`` (see the classes below), ``detail`` (for people) and ``trace`` (quote it
to support; traces are kept for 14 days).

Base address: https://api.tallyhook.example/v3
Version 2 is switched off on 30 June 2025; until then it answers with the header
``Sunset``. Version 1 is gone.

Rule of thumb: repeat a request on TH-429, TH-503 and TH-504, never on others.
Writing requests should carry an ``Idempotency-Key``. Keys are remembered for 36
hours, and a second request with the same key gets the first answer again.
"""


class TallyhookError(Exception):
    """Base class. ``status`` is the HTTP status, ``retry`` says if it is worth trying again."""
    status = 500
    retry = False


class BadToken(TallyhookError):
    """TH-401. The token is missing, mistyped or out of date.

    Access tokens live for 50 minutes, refresh tokens for 30 days. A refresh token
    can be used once only. If the same refresh token comes a second time, all
    tokens of that client are revoked, because we assume that it was stolen.
    """
    status = 401


class NoScope(TallyhookError):
    """TH-403. The token is good but lacks the scope.

    Reading the plan needs ``plan.read``, changing it ``plan.write``. Customer data
    need ``people.read``, which only a user with the role Manager can grant.
    Revenue is not available through the API at all.
    """
    status = 403


class NotFound(TallyhookError):
    """TH-404. There is no such object, or it belongs to another site.

    We do not say which of the two is the case, so that nobody can find out
    identifiers by guessing. Deleted jobs answer with TH-410 for 90 days first.
    """
    status = 404


class SlotTaken(TallyhookError):
    """TH-409. The slot was booked by somebody else in the meantime.

    The field ``alternatives`` lists up to five free slots within the following
    seven days. To be safe, make a hold first: ``POST /holds`` keeps a slot for 10
    minutes. A client may have no more than 8 holds at a time.
    """
    status = 409


class Gone(TallyhookError):
    """TH-410. The job was deleted less than 90 days ago.

    A manager can restore it in the web interface under *Jobs › Bin*. There is no
    API call for that.
    """
    status = 410


class TooLarge(TallyhookError):
    """TH-413. The body is larger than 6 MB, or a photo larger than 4 MB.

    Batches may hold up to 200 jobs. Split larger ones; order is kept within one
    batch but not across batches.
    """
    status = 413


class Unprocessable(TallyhookError):
    """TH-422. The request is well formed but breaks a rule of the workshop.

    ``rule`` is one of:

    * ``closed_day``: the site is closed that day.
    * ``no_skill``: no mechanic on duty has the skill.
    * ``too_long``: the job is longer than 10 days.
    * ``past``: the start lies more than 5 minutes in the past.
    * ``prepay``: the customer must pay in advance because of no-shows.
    * ``padlock``: the job is locked; unlock it in the web interface.
    """
    status = 422


class SlowDown(TallyhookError):
    """TH-429. Too many requests.

    Apart from the daily allowance of the plan (see the price page) there is a limit
    of 12 requests per second per token, with bursts of up to 40. Wait for as many
    seconds as ``Retry-After`` says. Requests turned down count towards the daily
    allowance as well. The allowance is renewed at midnight UTC.
    """
    status = 429
    retry = True


class Maintenance(TallyhookError):
    """TH-503. Planned maintenance, Sundays between 3:00 and 4:00 UTC at most.

    Reading usually works during that time; writing does not.
    """
    status = 503
    retry = True


class PlannerTimeout(TallyhookError):
    """TH-504. Shuttle did not find a plan within 25 seconds.

    Repeat with ``"effort": "low"``, or ask for fewer days at once: up to 14 days
    are allowed, 5 are recommended.
    """
    status = 504
    retry = True


def backoff(attempt: int) -> int:
    """Seconds to wait before attempt number ``attempt``, counted from 1.

    Doubles from 2 seconds and is capped at 64. Give up after 7 attempts.
    Webhooks that we send to you follow another plan: we try 9 times over 26 hours
    and then switch the webhook off and send a mail to the technical contact.
    """
    return int(min(64, 2**attempt))


#: Webhook signatures: HMAC with SHA-256 over timestamp and body, header
#: ``X-Tally-Sign``. Discard messages whose timestamp is older than 4 minutes.
#: Webhooks are sent from the two addresses 192.0.2.44 and 192.0.2.45.
WEBHOOK_HEADER = "X-Tally-Sign"

#: In the sandbox, the customer number 9000409 always brings forth TH-409,
#: and the sandbox is emptied every Monday at 5:00 UTC.
SANDBOX = "https://sandbox.tallyhook.example/v3"
