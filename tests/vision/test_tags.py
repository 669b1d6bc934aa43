"""The tag: seven characters, a check character that catches every slip, codes that lie far apart."""

import random

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from assistant.layout import (
    TAG_DIGITS,
    TAG_LENGTH,
    TAG_NUMBERS,
    LayoutError,
    check_character,
    compose_payload,
    is_own_payload,
    piece_number,
)
from vision.primitives import Drawing, modules
from vision.tags import (
    MARKER_COUNT,
    MARKER_MODULES,
    QR_MODULES,
    closest_codes,
    code_distances,
    marker_matrix,
    qr_matrix,
)

QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
BODIES = st.text(TAG_DIGITS, min_size=TAG_LENGTH - 1, max_size=TAG_LENGTH - 1)


def changed(text: str, place: int, character: str) -> str:
    return text[:place] + character + text[place + 1 :]


def swapped(text: str, place: int) -> str:
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def test_payload_has_game_copy_piece_and_check() -> None:
    payload = compose_payload("R", "0A", 36 * 36 + 2 * 36 + 35)
    assert payload[:6] == "R0A12Z"
    assert payload[6] == check_character("R0A12Z")
    assert is_own_payload(payload)


def test_every_single_error_is_caught_at_every_place_and_for_every_character() -> None:
    rng = random.Random(7)
    for _ in range(40):
        body = "".join(rng.choices(TAG_DIGITS, k=TAG_LENGTH - 1))
        tag = body + check_character(body)
        for place in range(TAG_LENGTH):
            for character in TAG_DIGITS:
                wrong = changed(tag, place, character)
                assert is_own_payload(wrong) == (wrong == tag)


def test_every_swap_of_two_neighbours_is_caught_for_every_pair_of_characters() -> None:
    # The check is linear: whether a swap is caught depends on its place and its two characters only, so
    # every pair at every place, the check character's included, is all there is to try.
    for place in range(TAG_LENGTH - 2):
        for first in TAG_DIGITS:
            for second in TAG_DIGITS:
                body = changed(changed("R01A7K", place, first), place + 1, second)
                tag = body + check_character(body)
                assert is_own_payload(swapped(tag, place)) == (first == second)
    for last in TAG_DIGITS:
        for before in TAG_DIGITS:
            body = "R01A" + before + last
            tag = body + check_character(body)
            assert is_own_payload(swapped(tag, TAG_LENGTH - 2)) == (tag[-1] == tag[-2])


@given(BODIES, st.integers(0, TAG_LENGTH - 1), st.sampled_from(TAG_DIGITS))
def test_a_changed_character_is_never_ours(body: str, place: int, character: str) -> None:
    tag = body + check_character(body)
    wrong = changed(tag, place, character)
    assert is_own_payload(wrong) == (wrong == tag)


@given(BODIES, st.integers(0, TAG_LENGTH - 2))
def test_swapped_neighbours_are_never_ours(body: str, place: int) -> None:
    tag = body + check_character(body)
    wrong = swapped(tag, place)
    assert is_own_payload(wrong) == (wrong == tag)


@pytest.mark.parametrize("text", ["", "R01005", "r01005r", "R01005RR", "R0100-R", "Ü01005R"])
def test_what_has_another_form_is_not_ours(text: str) -> None:
    assert not is_own_payload(text)


def test_all_faults_of_a_payload_are_named() -> None:
    with pytest.raises(LayoutError) as caught:
        compose_payload("r", "1", TAG_NUMBERS)
    assert len(caught.value.faults) == 3
    assert "box copy is '1'" in str(caught.value)


def test_piece_numbers_are_all_different() -> None:
    assert len({piece_number(index) for index in range(TAG_NUMBERS)}) == TAG_NUMBERS


def test_a_code_is_version_1_level_h_and_reads_back() -> None:
    payload = compose_payload("R", "01", 5)
    matrix = qr_matrix(payload)
    assert len(matrix) == QR_MODULES == len(matrix[0])
    picture = Drawing(16, 16, (modules(matrix, 2, 2, 12),)).raster(8)
    (found,) = zxingcpp.read_barcodes(picture, formats=QR)
    assert found.text == payload
    assert found.ec_level == "H"


def test_a_text_too_long_for_the_code_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit a QR code of version 1, level H"):
        qr_matrix("R" * 11)


def test_a_light_code_is_refused() -> None:
    with pytest.raises(ValueError, match="printed dark on white"):
        modules(qr_matrix("R01005R"), 0, 0, 12, dark="#FFFFFF")


def test_distances_are_those_of_the_modules() -> None:
    payloads = [compose_payload("R", "01", piece_number(k)) for k in range(12)]
    apart = code_distances(payloads)
    first, second = (np.array(qr_matrix(payload)) for payload in payloads[:2])
    assert apart[0, 1] == apart[1, 0] == np.count_nonzero(first != second)
    assert not apart.diagonal().any()
    assert closest_codes(payloads)[0] == apart[apart > 0].min()
    with pytest.raises(ValueError, match="two codes"):
        closest_codes(payloads[:1])


def test_markers_are_those_of_the_dictionary() -> None:
    matrix = marker_matrix(0)
    assert len(matrix) == MARKER_MODULES
    assert all(matrix[0])
    assert all(row[0] for row in matrix)
    inner = ["".join("0" if dark else "1" for dark in row[1:-1]) for row in matrix[1:-1]]
    assert inner == ["1011", "0101", "0011", "0010"]
    with pytest.raises(ValueError, match="not in DICT_4X4_50"):
        marker_matrix(MARKER_COUNT)
