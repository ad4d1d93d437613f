"""Images are described from their first bytes; whatever is no whole header is no image."""

from __future__ import annotations

import struct

import pytest

from ledgergate.report.images import describe_image


def png(colour: int, depth: int = 8) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIBBBBB", 13, b"IHDR", 640, 480, depth, colour, 0, 0, 0)


def jpeg(*before: bytes, parts: int = 3, marker: int = 0xC0) -> bytes:
    return b"\xff\xd8" + b"".join(before) + struct.pack(">BBHBHHB", 0xFF, marker, 17, 8, 480, 640, parts)


def webp(kind: bytes, body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body)) + b"WEBP" + kind + struct.pack("<I", len(body)) + body


APP0 = b"\xff\xe0\x00\x10" + b"JFIF\0" + b"\0" * 9
IMAGES = [
    (png(2), "PNG 640x480, 8-bit RGB"),
    (png(6, 16), "PNG 640x480, 16-bit RGB and alpha"),
    (png(0, 1), "PNG 640x480, 1-bit grey"),
    (png(3), "PNG 640x480, 8-bit palette"),
    (png(9), "PNG 640x480, 8-bit colour type 9"),
    (b"GIF87a" + struct.pack("<HHBBB", 640, 480, 0xF7, 0, 0), "GIF 640x480, 256 colours"),
    (b"GIF89a" + struct.pack("<HHBBB", 640, 480, 0, 0, 0), "GIF 640x480"),
    (jpeg(APP0), "JPEG 640x480, 8-bit colour"),
    (jpeg(APP0, b"\xff\xc4\x00\x04ab", b"\xff\xff", parts=1, marker=0xC2), "JPEG 640x480, 8-bit grey"),
    (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640, 480 | 0x4000)), "WebP 640x480, lossy"),
    (webp(b"VP8L", b"\x2f" + struct.pack("<I", 639 | 479 << 14)), "WebP 640x480, lossless"),
    (webp(b"VP8X", b"\x10\0\0\0" + b"\x7f\x02\0" + b"\xdf\x01\0"), "WebP 640x480, with alpha"),
]


@pytest.mark.parametrize(("data", "described"), IMAGES, ids=[described for _, described in IMAGES])
def test_what_the_header_says(data: bytes, described: str) -> None:
    assert describe_image(data) == described
    assert describe_image(data + b"more") == described


@pytest.mark.parametrize("data", [data for data, _ in IMAGES])
def test_a_header_that_is_cut_short_is_no_image(data: bytes) -> None:
    found = {describe_image(data[:length]) for length in range(len(data))}
    assert len(found - {None}) <= 1
    assert describe_image(data[:10]) is None


@pytest.mark.parametrize("data", [b"", b"text", b"RIFF\0\0\0\0WAVEfmt ", b"\xff\xd8\xffnothing", b"GIF90a" + b"\0" * 9])
def test_other_files(data: bytes) -> None:
    assert describe_image(data) is None
