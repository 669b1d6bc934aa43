"""How colours look to people with a colour-vision deficiency, and how far apart two colours are.

The matrices are those of Machado, Oliveira and Fernandes (2009) at severity 1, on linear RGB; the distance is
CIEDE2000 (Sharma, Wu and Dalal 2005), for a white of D65.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

SIMULATIONS: dict[str, Array] = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deutan": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}

_TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def rgb(colour: str) -> Array:
    """ "#RRGGBB" as three numbers from 0 to 1."""
    return np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def linear(srgb: Array) -> Array:
    """Linear light of sRGB values from 0 to 1, of any shape."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def seen(srgb: Array, kind: str) -> Array:
    """Linear light (..., 3) of sRGB values (..., 3) as that kind of eye sees them."""
    light: Array = np.clip(linear(srgb) @ SIMULATIONS[kind].T, 0.0, 1.0)
    return light


def contrast(one: Array, other: Array) -> float:
    """Contrast ratio (WCAG 2) of two linear colours."""
    low, high = sorted(float(_TO_XYZ[1] @ light) for light in (one, other))
    return (high + 0.05) / (low + 0.05)


def _lab(light: Array) -> Array:
    ratio = (_TO_XYZ @ light) / _WHITE
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: Array, other: Array) -> float:
    """CIEDE2000 of two linear colours."""
    (l1, a1, b1), (l2, a2, b2) = _lab(one), _lab(other)
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = h2 - h1
    turn = 0.0 if c1 * c2 == 0 else turn - 360 if turn > 180 else turn + 360 if turn < -180 else turn
    dl, dc = l2 - l1, c2 - c1
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        hm = h1 + h2
    elif abs(h1 - h2) <= 180:
        hm = (h1 + h2) / 2
    else:
        hm = (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2
    t = (
        1
        - 0.17 * np.cos(np.radians(hm - 30))
        + 0.24 * np.cos(np.radians(2 * hm))
        + 0.32 * np.cos(np.radians(3 * hm + 6))
        - 0.20 * np.cos(np.radians(4 * hm - 63))
    )
    rotation = -2 * np.sqrt(cm**7 / (cm**7 + 25.0**7))
    rotation *= np.sin(np.radians(60 * np.exp(-(((hm - 275) / 25) ** 2))))
    sl = 1 + 0.015 * (lm - 50) ** 2 / np.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    lightness, chroma, hue = dl / sl, dc / sc, dh / sh
    return float(np.sqrt(lightness**2 + chroma**2 + hue**2 + rotation * chroma * hue))
