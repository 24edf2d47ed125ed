"""Questions over documents that ask for a list: all of it is told, but for those that choose some of its things."""

import asyncio
from typing import Any

import pytest

from tests.documents.test_documents import DATA, asked
from tests.graph.house import ingest

LISTS: dict[str, list[tuple[str, list[str], list[str]]]] = {
    "software": [
        ("Which alerts are there?", ["queue_age_high", "partition_missing", "cert_expiry", "FW-5031"], []),
        ("What commands does skiff have?", ["send", "tail", "replay", "forward", "doctor"], []),
        ("Which exit codes does skiff have?", ["Success", "Bad arguments", "expired", "not found", "Partial"], []),
        ("What are the steps for failing over a region?", ["Freeze deploys", "replica lag", "Point DNS"], []),
        ("Which commands does skiff have for replaying?", ["skiff replay"], ["skiff doctor"]),
    ],
    "company": [
        ("Which error codes can the API return?", ["invalid_key", "not_found", "rate_limited", "overloaded"], []),
        ("What does the dispatcher depend on?", ["Kafka", "PostgreSQL", "Redis", "Vault"], []),
        ("Which alerts does the dispatcher have?", ["DispatcherLagHigh", "DispatcherDiskFull"], []),
        ("What severities are there?", ["SEV1", "SEV2", "SEV3", "SEV4"], []),
        ("Which scopes allow reading events?", ["events:read"], ["endpoints:write"]),
        ("Which fields are required when I publish an event?", ["Field: type", "Field: data"], ["Field: topic"]),
        ("Which dependencies are owned by the Platform team?", ["Kafka", "Redis"], ["Vault"]),
    ],
    "institutions": [
        ("What parts does the Aquilon pump have?", ["Syringe clamp", "Drive head", "Nurse-call socket"], []),
        ("What do the status lights of the pump mean?", ["Standby", "Pre-alarm", "docking station"], []),
        ("Which container is for broken glass?", ["W5"], ["W1"]),
    ],
    "notices": [
        ("What are the rules of the camp?", ["Fires only", "not for drinking", "Drones", "Quiet from"], []),
        ("Which settings does Nightjar have?", ["parallel_streams", "bandwidth_mbit", "alert_after_failures"], []),
    ],
}


@pytest.mark.parametrize("folder", LISTS)
def test_what_is_asked_for_as_a_list_is_told_as_a_whole(folder: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    data_dir = tmp_path_factory.mktemp(folder)
    ingest(data_dir, DATA / folder)
    questions: list[dict[str, Any]] = [
        {"question": question, "has": has, "lacks": lacks} for question, has, lacks in LISTS[folder]
    ]
    for one, state in asyncio.run(asked(data_dir, questions)):
        answer = state.answer or ""
        assert [word for word in one["has"] if word not in answer] == [], one["question"]
        assert [word for word in one["lacks"] if word in answer] == [], one["question"]
