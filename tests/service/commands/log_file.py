"""Builds perfmon's binary logs for tests of the executable, as docs/blg.md describes them."""

import struct

LIBRARY = bytes.fromhex("b33b3f933e940d499ced3cbb14c14479")
BUFFER = 65536
RAW, RATE, TEXT = 0x00010100, 0x10410400, 0x00000B00


def utf16(text):
    return text.encode("utf-16-le") + b"\0\0"


def listed(path_elements, kind, ticks_per_second=10, parent=None):
    """An entry of a counter list: (machine, object, instance or None, counter)."""
    machine, name, instance, counter = path_elements
    strings, offsets = b"", []
    for text in (machine, name, instance, parent, counter):
        offsets.append(0xFFFFFFFF if text is None else len(strings))
        strings += b"" if text is None else utf16(text)
    strings += b"\0" * (-(52 + len(strings)) % 8)
    flags = 0x20000001 if instance == "*" else 0x20000000
    head = struct.pack("<IIIIQi", 52 + len(strings), flags, 0, kind, ticks_per_second, 0)
    places = struct.pack("<6I", offsets[0], offsets[1], offsets[2], offsets[3], 0, offsets[4])
    return head + places + strings


def item(kind, body):
    return b"BL\x03" + bytes([kind]) + struct.pack("<I", 8 + len(body)) + body


def value(first, second=0, status=0, time=0):
    return item(1, struct.pack("<IQIQQII", status, time, 0, first, second, 1, 0))


def values(instances, time=0):
    """[(name, first, second)]"""
    entries, names = b"", b""
    for name, first, second in instances:
        entries += struct.pack("<IIQQ", 24 + 24 * len(instances) + len(names), 0, first, second)
        names += utf16(name)
    size = 24 + len(entries) + len(names)
    return item(2, struct.pack("<IIIIQ", size, len(instances), 0, 0, time) + entries + names)


def sample(*items):
    body = b"".join(items)
    return b"BL\x03\0" + struct.pack("<I", 8 + len(body)) + body


class Log:
    """Records in the order of the calls, all in one buffer."""

    def __init__(self, time=131246415908740000):
        self.time = time
        self.events = b""

    def record(self, kind, content):
        event = struct.pack("<HBBB11xQ", 72 + len(content), 0x0A, 0xC0, kind, self.time)
        event += LIBRARY + struct.pack("<24xII", 1, 1) + content
        self.events += event + b"\0" * (-len(event) % 8)
        return self

    def counters(self, *entries):
        return self.record(32, struct.pack("<II", 0x6FF, 0x20008) + b"".join(entries))

    def sample(self, *items):
        self.record(34, sample(*items))
        self.time += 10_000_000
        return self

    def write(self, path):
        filled = 72 + len(self.events)
        header = bytearray(72)
        struct.pack_into("<II", header, 0, BUFFER, filled)
        struct.pack_into("<I", header, 48, filled)
        path.write_bytes((bytes(header) + self.events).ljust(BUFFER, b"\xff"))
        return path
