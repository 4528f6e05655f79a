"""Writes a recording of one large object with made-up values, which the exporter replays: any number of series."""

import os
import pathlib
import struct

OBJECT, FIRST_COUNTER, COUNTERS = 9000, 9002, 20
PERF_COUNTER_LARGE_RAWCOUNT = 0x00010100
CLOCKS = {"time": 10_000_000, "frequency": 10_000_000}
HEADER = 88  # of the block, without the system's name
UNIX_EPOCH_IN_FILETIME = 116_444_736_000_000_000


def name_table():
    words = ["1", "1847"]
    for index, name in [(OBJECT, "Load"), *((FIRST_COUNTER + 2 * i, f"Load Counter {i:02}") for i in range(COUNTERS))]:
        words += [str(index), name]
    return ("\0".join(words) + "\0\0").encode("utf-16-le")


def instance(number, sample):
    name = f"instance {number:05}\0".encode("utf-16-le")
    name += bytes(-(24 + len(name)) % 8)
    head = struct.pack("<IIIiII", 24 + len(name), 0, 0, -1, 24, 2 * 15)
    values = struct.pack(f"<{COUNTERS}Q", *(1_000_000 + number + sample * (i % 2) for i in range(COUNTERS)))
    return head + name + struct.pack("<II", 8 + len(values), 0) + values


def counter(number):
    return struct.pack("<IIIIIiIIII", 40, FIRST_COUNTER + 2 * number, 0, 0, 0, 0, 100,
                       PERF_COUNTER_LARGE_RAWCOUNT, 8, 8 + 8 * number)


def block(instances, sample):
    """One V1 block: its header, the object type, the counters' definitions, the instances."""
    definitions = b"".join(counter(i) for i in range(COUNTERS))
    body = b"".join(instance(i, sample) for i in range(instances))
    object_type = struct.pack("<IIIIIIIIIiiIqq", 64 + len(definitions) + len(body), 64 + len(definitions), 64, OBJECT, 0,
                              0, 0, 100, COUNTERS, 0, instances, 0, CLOCKS["time"], CLOCKS["frequency"])
    time = UNIX_EPOCH_IN_FILETIME + (1_700_000_000 + sample) * 10_000_000
    system_name = "LOAD\0".encode("utf-16-le")
    system_name += bytes(-(HEADER + len(system_name)) % 8)
    header_length = HEADER + len(system_name)
    header = "PERF".encode("utf-16-le") + struct.pack(
        "<IIIIIIi8H4xqqqII", 1, 1, 1, header_length + len(object_type) + len(definitions) + len(body), header_length, 1, 1,
        2023, 11, 2, 14, 22, 13, 20, 0, CLOCKS["time"] + sample * 10_000_000, CLOCKS["frequency"], time, 10, HEADER)
    return header + system_name + object_type + definitions + body


def write(folder, series, samples):
    """Samples differ from the one before in half of their values; the files of two of them are enough."""
    folder = pathlib.Path(folder)
    (folder / "counter-009.bin").write_bytes(name_table())
    for sample in range(samples):
        path = folder / f"sample-{sample:04}.perf"
        if sample < 2:
            path.write_bytes(block(series // COUNTERS, sample))
        else:
            os.link(folder / f"sample-{sample % 2:04}.perf", path)
