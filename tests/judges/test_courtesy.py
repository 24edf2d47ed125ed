"""What asks nothing of the sources, and what only looks like it."""

import json
from pathlib import Path

import pytest

from calibrant.judges.free.request.courtesy import Courtesy, Said, courtesy
from calibrant.state.task import EN, PT, Language

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("text", "said", "language"),
    [
        ("hello!", Said.GREETING, EN),
        ("Hi there :)", Said.GREETING, EN),
        ("Hi, what can you do?", Said.GREETING, EN),
        ("How are you?", Said.GREETING, EN),
        ("thanks, that helps", Said.THANKS, EN),
        ("OK, thank you very much for your help!", Said.THANKS, EN),
        ("No, thanks.", Said.THANKS, EN),
        ("thanks, that answers my question", Said.THANKS, EN),
        ("Thanks, that's what I needed", Said.THANKS, EN),
        ("ok thanks, got what I needed", Said.THANKS, EN),
        ("That was exactly what I was looking for, thank you!", Said.THANKS, EN),
        ("That’s all I wanted to know", Said.THANKS, EN),
        ("perfect, thanks for explaining", Said.THANKS, EN),
        ("Thanks for clarifying that", Said.THANKS, EN),
        ("thank you for the explanation", Said.THANKS, EN),
        ("Cheers \N{THUMBS UP SIGN}", Said.THANKS, EN),
        ("\N{PERSON WITH FOLDED HANDS} thanks", Said.THANKS, EN),
        ("makes sense, thanks", Said.THANKS, EN),
        ("Bye-bye!", Said.FAREWELL, EN),
        ("That’s all for now and have a nice day", Said.FAREWELL, EN),
        ("what can you do?", Said.ABOUT, EN),
        ("Who are you?", Said.ABOUT, EN),
        ("Great, got it.", Said.AGREED, EN),
        ("yes", Said.AGREED, EN),
        ("Cool", Said.AGREED, EN),
        ("Yes, please!", Said.AGREED, EN),
        ("Nope, never mind.", Said.AGREED, EN),
        ("Sorry!", Said.AGREED, EN),
        ("Sim, claro", Said.AGREED, PT),
        ("Olá!", Said.GREETING, PT),
        ("Bom dia, tudo bem?", Said.GREETING, PT),
        ("Muito obrigada pela ajuda!", Said.THANKS, PT),
        ("tchau", Said.FAREWELL, PT),
        ("O que você pode fazer?", Said.ABOUT, PT),
        ("Faz sentido.", Said.AGREED, PT),
        ("Certo, entendi.", Said.AGREED, PT),
        ("Obrigadíssima, era isso mesmo!", Said.THANKS, PT),
        ("Ajudou imenso, obrigado", Said.THANKS, PT),
        ("Obrigado na mesma.", Said.THANKS, PT),
        ("Grato pela resposta", Said.THANKS, PT),
        ("Fixe, obrigado!", Said.THANKS, PT),
        ("muito obrigado, era isso", Said.THANKS, PT),
        ("perfeito, obrigado pela explicação", Said.THANKS, PT),
        ("Obrigada pelos esclarecimentos!", Said.THANKS, PT),
        ("obrigado, era só isto", Said.THANKS, PT),
        ("Obrigado pela sua atenção", Said.THANKS, PT),
        ("Isso responde à minha pergunta, obrigado", Said.THANKS, PT),
        ("Era só o que precisava de saber", Said.THANKS, PT),
        ("Era só isto", Said.FAREWELL, PT),
        ("É tudo, até já", Said.FAREWELL, PT),
        ("Bom fim de semana!", Said.FAREWELL, PT),
        ("Em que me podes ajudar?", Said.ABOUT, PT),
        ("Quem és?", Said.ABOUT, PT),
        ("Percebido, excelente", Said.AGREED, PT),
        ("Já percebi", Said.AGREED, PT),
    ],
)
def test_what_is_said_to_whoever_is_there(text: str, said: Said, language: Language) -> None:
    assert courtesy(text, EN) == courtesy(text, PT) == Courtesy(said, language)


def test_words_of_both_languages_are_of_the_one_spoken() -> None:
    assert courtesy("ok", PT) == Courtesy(Said.AGREED, PT)
    assert courtesy("ok", EN) == Courtesy(Said.AGREED, EN)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks to whom was the bridge built?",
        "hello world in C",
        "Is it okay to bring a dog?",
        "What can you do with a day pass?",
        "What can you do there?",
        "And what can you do?",
        "Can you help me with the travel rules?",
        "Who are you supposed to ask?",
        "Hello! What is the hotel limit?",
        "That's all the leave I get?",
        "Great?",
        "that helps?",
        "for that?",
        "Good Friday",
        "help me",
        "sorry?",
        "hello()",
        "hello.py",
        "--help",
        '"Help!"',
        "Thanks for the memories lyrics",
        "Thanks for the answer, but is it paid?",
        "Thanks for the tip. Refunds",
        "Thanks for what?",
        "that's what I needed to know about leave",
        "that answers my question about leave",
        "that answers it?",
        "what I needed",
        "got all the receipts I needed",
        "got it working",
        "Obrigado a quem?",
        "Obrigado pela lei",
        "obrigado pelo regulamento",
        "obrigado por contrato",
        "obrigado por não responder",
        "era isso antes de 2020",
        "era o que queria saber sobre férias",
        "responde à minha pergunta sobre férias",
        "isto",
        "ajuda de custo",
        "please",
        "and",
        "?",
        "",
        "hello " * 30,
    ],
)
def test_what_asks_something_is_none(text: str) -> None:
    assert courtesy(text, EN) is courtesy(text, PT) is None


def test_no_question_of_ours_is_taken_for_one() -> None:
    documents = json.loads((TESTS / "documents/data/questions.json").read_text(encoding="utf-8"))
    gate = json.loads((TESTS / "gate/data/requests.json").read_text(encoding="utf-8"))
    asked = [one["question"] for questions in documents.values() for one in questions]
    asked += [one["request"] for one in gate]
    assert len(asked) > 300
    assert [text for text in asked if courtesy(text, EN) or courtesy(text, PT)] == []
