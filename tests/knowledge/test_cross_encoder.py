"""An adapter on a model's file: what it changes is found by its values, either way round, or refused."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from calibrant.retrievers.cross_encoder import MAX_TOKENS, MiniLMPairs
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Adapter, LowRank

WORDS = {"[CLS]": 0, "[SEP]": 1, "[UNK]": 2, "who": 3, "sings": 4, "ada": 5, "does": 6}
DICE = np.random.default_rng(1)
Floats = NDArray[np.float32]
TABLE: Floats = DICE.normal(size=(len(WORDS), 4)).astype(np.float32)
TYPES: Floats = DICE.normal(size=(2, 4)).astype(np.float32)
MATRIX: Floats = DICE.normal(size=(4, 3)).astype(np.float32)


def write(folder: Path, kept_as: str = "plain") -> tuple[Path, Path]:
    """A model that adds what stands for a token and for its text, and multiplies by a matrix, which is kept plainly,
    turned, or with another matrix beside it in one; and its tokenizer."""
    matrix = {"plain": MATRIX, "turned": MATRIX.T, "joined": np.hstack([MATRIX[:, ::-1] + 1, MATRIX])}[kept_as]
    kept = [("table", TABLE), ("types", TYPES), ("onnx::MatMul_9", matrix)]
    made = helper.make_node("Gemm", ["flat", "onnx::MatMul_9"], ["all"], transB=int(kept_as == "turned"))
    chosen = helper.make_node("Gather", ["all", "last"], ["product"], axis=1)
    product = [made, chosen]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Gather", ["types", "token_type_ids"], ["texts"]),
        helper.make_node("Add", ["words", "texts"], ["sum"]),
        helper.make_node("Reshape", ["sum", "rows"], ["flat"]),
        *product,
        helper.make_node("Shape", ["input_ids"], ["size"]),
        helper.make_node("Concat", ["size", "three"], ["shape"], axis=0),
        helper.make_node("Reshape", ["product", "shape"], ["last_hidden_state"]),
    ]
    sizes = [("rows", [-1, 4]), ("three", [3]), ("last", [-3, -2, -1])]
    graph = helper.make_graph(
        nodes, "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"])
         for name in ("input_ids", "attention_mask", "token_type_ids")],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "t", 3])],
        [*(numpy_helper.from_array(np.ascontiguousarray(array), name) for name, array in kept),
         *(numpy_helper.from_array(np.array(size, dtype=np.int64), name) for name, size in sizes)],
    )  # fmt: skip
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 0), ("[SEP]", 1)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder / "model.onnx", folder / "tokenizer.json"


def adapter(first: Sequence[float]) -> Adapter:
    left, right = np.ones((4, 1), np.float32), np.array([[1.0, 2.0, 3.0]], np.float32)
    return Adapter("test", "test", (LowRank(tuple(first), left, right),))


@pytest.mark.parametrize("kept_as", ["plain", "turned", "joined"])
def test_the_change_is_added_to_the_matrix_that_it_knows(tmp_path: Path, kept_as: str) -> None:
    pairs = MiniLMPairs.open(*write(tmp_path, kept_as), adapter(MATRIX[0].tolist()))
    (found,) = pairs.encode_pairs("who sings", ["ada does"])
    changed = MATRIX + np.array([[1.0, 2.0, 3.0]] * 4)
    assert found.offsets == ((0, 3), (4, 8))
    assert np.allclose(found.vectors, (TABLE[[5, 6]] + TYPES[1]) @ changed, atol=1e-5)
    assert np.allclose(found.whole, (TABLE[0] + TYPES[0]) @ changed, atol=1e-5)


def test_a_pair_reads_the_same_whatever_is_read_beside_it(tmp_path: Path) -> None:
    pairs = MiniLMPairs.open(*write(tmp_path), adapter(MATRIX[0].tolist()))
    texts = ["ada", "", "ada does sing " * 40, "does ada"]
    together = pairs.encode_pairs("who", texts)
    alone = [pairs.encode_pairs("who", [text])[0] for text in texts]
    assert [one.offsets for one in together] == [one.offsets for one in alone]
    assert all(np.allclose(a.vectors, b.vectors, atol=1e-6) for a, b in zip(together, alone, strict=True))


def test_a_long_text_is_cut_and_the_question_is_not(tmp_path: Path) -> None:
    pairs = MiniLMPairs.open(*write(tmp_path), adapter(MATRIX[0].tolist()))
    (found,) = pairs.encode_pairs("who sings", ["ada " * 1000])
    assert len(found.offsets) == MAX_TOKENS - len(["[CLS]", "who", "sings", "[SEP]", "[SEP]"])


def test_an_adapter_of_other_weights_is_refused(tmp_path: Path) -> None:
    model, tokenizer = write(tmp_path)
    with pytest.raises(ConfigurationError, match="does not belong to this embedding model"):
        MiniLMPairs.open(model, tokenizer, adapter([9.0, 9.0, 9.0]))


def test_a_first_text_of_nothing_but_signs_leaves_room_for_the_second(tmp_path: Path) -> None:
    model = MiniLMPairs.open(*write(tmp_path), adapter(MATRIX[0].tolist()))
    (read,) = model.encode_pairs("a?" * MAX_TOKENS, ["ada sings"])
    assert len(read.offsets) == 2
