"""What an image's first bytes say about it."""

from __future__ import annotations

import struct
from collections.abc import Callable

_PNG_COLOURS = {0: "grey", 2: "RGB", 3: "palette", 4: "grey and alpha", 6: "RGB and alpha"}
_JPEG_COLOURS = {1: "grey", 3: "colour", 4: "CMYK"}
# Markers that begin a frame: SOF0 to SOF15, without those for tables and extensions that lie between.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WEBP_EXTENDED = 30
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})


def describe_image(data: bytes) -> str | None:
    """Format, dimensions in pixels and colour mode, like `PNG 640x480, 8-bit RGB`; None for what is no such image."""
    for start, describe in _FORMATS.items():
        if data.startswith(start):
            try:
                return describe(data)
            except (struct.error, IndexError):
                return None
    return None


def _png(data: bytes) -> str | None:
    if data[12:16] != b"IHDR":
        return None
    width, height, depth, colour = struct.unpack_from(">IIBB", data, 16)
    return f"PNG {width}x{height}, {depth}-bit {_PNG_COLOURS.get(colour, f'colour type {colour}')}"


def _gif(data: bytes) -> str:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    return f"GIF {width}x{height}, {2 << (flags & 7)} colours" if flags & 0x80 else f"GIF {width}x{height}"


def _jpeg(data: bytes) -> str | None:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            depth, height, width, parts = struct.unpack_from(">BHHB", data, at + 4)
            return f"JPEG {width}x{height}, {depth}-bit {_JPEG_COLOURS.get(parts, f'{parts} components')}"
        # A byte of all ones may fill up before a marker.
        skip = 1 if marker == 0xFF else 2
        at += skip if skip == 1 or marker in _JPEG_BARE else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> str | None:
    kind = data[8:16]
    if kind == b"WEBPVP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return f"WebP {width & 0x3FFF}x{height & 0x3FFF}, lossy"
    if kind == b"WEBPVP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return f"WebP {(bits & 0x3FFF) + 1}x{(bits >> 14 & 0x3FFF) + 1}, lossless"
    if kind == b"WEBPVP8X" and len(data) >= _WEBP_EXTENDED:
        width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
        return f"WebP {width}x{height}, {'with alpha' if data[20] & 0x10 else 'extended'}"
    return None


_FORMATS: dict[bytes, Callable[[bytes], str | None]] = {
    b"\x89PNG\r\n\x1a\n": _png,
    b"GIF87a": _gif,
    b"GIF89a": _gif,
    b"\xff\xd8\xff": _jpeg,
    b"RIFF": _webp,
}
