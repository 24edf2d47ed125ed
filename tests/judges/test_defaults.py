"""A default that is asked for is told as one, of the thing that is asked about."""

import pytest

from calibrant.judges.free.answering.defaults import tells_default
from calibrant.judges.free.evidence.query import prepare


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("What is the default of max_shards?", "It is unlikely that `max_shards` should exceed the default.", False),
        ("What is the default of max_shards?", "The default values for `capacity: 100` limit max_shards.", False),
        ("What is the default of max_shards?", "`max_shards` defaults to 50.", True),
        ("What is the default of max_shards?", "max_shards: 50 by default", True),
        ("What is the default of max_shards?", "Field: `max_shards`; Default: 50; Required: No", True),
        ("What is the default of max_shards?", "def run(capacity=100, max_shards=50)", True),
        ("What does min_backoff default to?", "min_backoff: The interval is doubled up to `max_backoff`.", False),
        ("What does min_backoff default to?", "min_backoff is 30 ms.", True),
        ("What is the default timeout of a request?", 'requests > encoding: "gzip"', False),
        ("What is the default timeout of a request?", "The timeout of a request is 5 s.", True),
        ("What is the default log level?", "The log level is `info`.", True),
        ("What is the default log level?", "The log level is set by the flag.", False),
        ("What is the default value of the retry middleware's jitter?", "Field: timeout; Default: 0", False),
        ("What is the default value of the retry middleware's jitter?", "Field: jitter; Default: 0", True),
        ("What is the default number of workers?", "Setting: workers; Default: 4", True),
        ("What is the default TTL of the cookie?", "The default cookie name is `_1d5`.", False),
        ("Qual é o padrão de max_shards?", "Não convém que max_shards exceda o padrão.", False),
        ("Qual é o padrão de max_shards?", "Por padrão, max_shards tem 50.", True),
        ("Can a guest open the gate by default?", "Empty keys: off by default.", False),
        ("Can a guest open the gate by default?", "Guests: on by default.", True),
        ("Are failed jobs retried by default?", "Jobs run again on failure: 3 times by default.", True),
        ("Can I open it by default?", "Opening is off by default.", True),
        ("Um hóspede pode abrir o portão por padrão?", "Sem chave: desligado por padrão.", True),
        ("O hóspede pode abrir o portão por padrão?", "Sem chave: desligado por padrão.", False),
        ("Which port is used by default?", "The port is taken from the file.", True),
        ("How often is a job retried?", "The default is told elsewhere.", True),
    ],
)
def test_a_default_is_told(question: str, text: str, told: bool) -> None:
    assert tells_default(prepare(question), text) is told
