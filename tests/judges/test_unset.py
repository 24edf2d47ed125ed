"""What says that nothing is set is read as "by default"; what happens if one does nothing is another question."""

import pytest

from calibrant.judges.free.request.understand import understand
from calibrant.judges.free.request.unset import by_default
from calibrant.judges.given import ToUnderstand


@pytest.mark.parametrize(
    ("request_text", "read"),
    [
        ("What log level do I get if I configure nothing?", "What log level do I get by default?"),
        ("rateLimit: what is burst if I don't set it?", "rateLimit: what is burst by default?"),
        ("How wide is it, unless I change it?", "How wide is it by default?"),
        ("How big may a body be unless I say otherwise?", "How big may a body be by default?"),
        ("Which TLS version is the minimum out of the box?", "Which TLS version is the minimum by default?"),
        ("Which port is used, unless configured otherwise?", "Which port is used by default?"),
        ("Qual é a porta se eu não configurar nada?", "Qual é a porta por padrão?"),
        ("What is the timeout if I don't set it, and who sets it?", "What is the timeout by default, and who sets it?"),
    ],
)
def test_what_is_not_set_has_its_default(request_text: str, read: str) -> None:
    assert by_default(request_text) == read
    task = understand(ToUnderstand(text=request_text)).value
    assert (task.text, task.original) == (read, request_text)


@pytest.mark.parametrize(
    "request_text",
    [
        "What happens if I don't change it?",
        "What if I don't set it?",
        "How long is it valid if I don't set the token?",
        "If I change nothing, how long is it?",
        "What do I pay if I do nothing?",
        "Which features are in the box?",
        "Who is told if the level is set?",
    ],
)
def test_what_speaks_of_something_else_stays(request_text: str) -> None:
    assert by_default(request_text) == request_text
