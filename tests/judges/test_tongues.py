"""In which language something is said, and when a question and the passages do not go together."""

import pytest

from calibrant.judges.free.evidence.unmentioned import absent
from calibrant.judges.free.words.tongues import is_foreign, is_unknown, tongue
from calibrant.state.evidence import Evidence

GERMAN = "Wie viel bekomme ich für eine Hotelnacht in Österreich erstattet?"
IN_GERMAN = "Die Kosten für ein Hotel werden bis zu 170 Euro erstattet, wenn man eine Rechnung hat."
IN_ENGLISH = "Hotel costs are refunded up to 170 euros a night abroad, and the receipts are handed in."
IN_PORTUGUESE = "As despesas de hotel são reembolsadas até 170 euros por noite no estrangeiro."
TABLE = "office: Vienna; desks: 12"


def passage(text: str) -> Evidence:
    return Evidence(id=text, text=text, title="costs.md", source="knowledge", url="file:///costs.md")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GERMAN, "de"),
        ("Wer leitet das Büro in Wien?", "de"),
        ("Combien de jours de congé ai-je par an ?", "fr"),
        ("¿Quién dirige la oficina de Viena?", "es"),
        ("Chi dirige l'ufficio di Vienna?", "it"),
        ("Wie leidt het kantoor in Wenen?", "nl"),
        ("Ile dostanę za noc w hotelu w Austrii?", "pl"),
        ("Hur mycket får jag tillbaka för en hotellnatt?", "sv"),
        ("Сколько мне вернут за ночь в отеле?", "CYRILLIC"),
        ("酒店费用报销多少？", "CJK"),
        ("ホテル代はいくらまで戻りますか", "CJK"),
        ("How much do I get back for a hotel night in Austria?", "en"),
        ("Can I bring a dog?", "en"),
        ("Quem dirige o escritório de Viena?", "pt"),
        ("hotel costs Vienna", ""),
        ("json.dumps sort_keys", ""),
        (TABLE, ""),
        ("42", ""),
        ("", ""),
    ],
)
def test_the_language_is_told_by_function_words_and_script(text: str, told: str) -> None:
    assert tongue(text) == told
    assert is_unknown(text) is (told not in ("en", "pt", ""))


@pytest.mark.parametrize(
    ("question", "held", "foreign"),
    [
        (GERMAN, [IN_ENGLISH, TABLE], True),
        (GERMAN, [IN_ENGLISH, IN_GERMAN], False),
        (GERMAN, [TABLE], True),
        (GERMAN, [], True),
        ("How much is refunded for a night in a hotel?", [IN_PORTUGUESE], True),
        ("How much is refunded for a night in a hotel?", [IN_PORTUGUESE, IN_ENGLISH], False),
        ("How much is refunded for a night in a hotel?", [], False),
        ("Quem dirige o escritório de Viena?", [TABLE], False),
        ("hotel costs Vienna", [IN_PORTUGUESE], False),
    ],
)
def test_a_question_is_foreign_to_passages_in_other_languages(question: str, held: list[str], foreign: bool) -> None:
    assert is_foreign([question], [passage(text) for text in held]) is foreign


def test_function_words_of_any_language_are_not_named_as_missing() -> None:
    missing = absent([GERMAN], [passage("Ein Hotel in Wien.")])
    assert set(missing) == {"bekomme", "Hotelnacht", "Österreich", "erstattet"}
