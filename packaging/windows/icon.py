"""The program's icon in Windows' Settings: a chart with four bars, drawn by this module."""

import struct
import zlib

SIZES = (16, 32, 48, 256)
BACKGROUND = (31, 58, 95, 255)
BARS = ((0.16, 0.45, (126, 200, 227, 255)), (0.35, 0.70, (126, 200, 227, 255)),
        (0.54, 0.35, (126, 200, 227, 255)), (0.73, 0.82, (255, 190, 92, 255)))  # left edge, height, colour
BAR_WIDTH, FOOT, CORNER = 0.12, 0.88, 0.18
CLEAR = (0, 0, 0, 0)


def in_rounded_square(x, y):
    """Whether a point is in a square with sides of length 1 and rounded corners."""
    dx, dy = (max(CORNER - v, v - (1 - CORNER), 0) for v in (x, y))
    return dx * dx + dy * dy <= CORNER * CORNER


def colour_at(x, y):
    if not in_rounded_square(x, y):
        return CLEAR
    for left, height, colour in BARS:
        if left <= x < left + BAR_WIDTH and FOOT - height * (FOOT - 0.12) <= y < FOOT:
            return colour
    return BACKGROUND


def pixels(size):
    """Returns the rows from top to bottom. A pixel is (red, green, blue, opacity)."""
    return [[colour_at((x + 0.5) / size, (y + 0.5) / size) for x in range(size)] for y in range(size)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(size):
    rows = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in pixels(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def bitmap(size):
    """Returns a bitmap in the form that icons use: rows from bottom to top, then an empty mask (opacity replaces it)."""
    header = struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, 0, 0, 0, 0, 0)
    rows = b"".join(bytes((b, g, r, a)) for row in reversed(pixels(size)) for r, g, b, a in row)
    return header + rows + bytes((size + 31) // 32 * 4 * size)


def icon():
    # Older parts of Windows accept PNG only for the largest size.
    images = [png(size) if size == 256 else bitmap(size) for size in SIZES]
    offset = 6 + 16 * len(SIZES)
    entries = b""
    for size, image in zip(SIZES, images):
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(image), offset)
        offset += len(image)
    return struct.pack("<HHH", 0, 1, len(SIZES)) + entries + b"".join(images)
