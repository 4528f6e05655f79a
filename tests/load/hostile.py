"""Clients of TLS that mean no good: handshakes that never end well, and records without an end."""

import contextlib
import multiprocessing
import re
import socket
import ssl
import subprocess

TIMEOUT = 5


def client_hello():
    """The first record that a client of TLS sends."""
    sent = ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), sent, server_hostname="localhost").do_handshake()
    return sent.read()


# Beginnings of handshakes; the slow one goes on with a byte now and then.
SLOW = "slow hello"
BEGINNINGS = {"truncated hello": client_hello()[:40], SLOW: client_hello()[:5],
              "oversized record": b"\x16\x03\x01\xff\xff" + b"a" * 1000,
              "hello of SSL 3": b"\x16\x03\x00" + client_hello()[3:9] + b"\x03\x00" + client_hello()[11:],
              "plain HTTP": b"GET /metrics HTTP/1.1\r\nHost: load\r\n\r\n"}
# What the server counts them as: with a time, as it can't tell.
REASONS = ("protocol", "version", "plain_http", "timeout")
# The deadline of a request is 10 s, and then a client has a second to read why. Seen twice a second.
MOST_SECONDS = 20

# Records that mean nothing: a warning, and a change of the cipher.
FLOODS = {"alerts": b"\x15\x03\x03\x00\x02\x01\x5a", "cipher changes": b"\x14\x03\x03\x00\x01\x01"}


def flood(address, record, stop):
    while not stop.is_set():
        with contextlib.suppress(OSError), socket.create_connection(address, TIMEOUT) as connection:
            connection.sendall(client_hello())
            while not stop.is_set():
                connection.sendall(record * 10_000)


def renegotiate(address, stop):
    """A line R makes openssl ask for another handshake; it gives up when that is refused."""
    while not stop.is_set():
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["openssl", "s_client", "-tls1_2", "-connect", f"{address[0]}:{address[1]}"], input=b"R\n" * 100,
                           capture_output=True, timeout=TIMEOUT)


class Floods:
    """Processes that open a connection, fill it until the server closes it, and open the next one."""

    def __init__(self, address):
        self.stop = multiprocessing.Event()
        self.processes = [multiprocessing.Process(target=flood, args=(address, record, self.stop)) for record in FLOODS.values()]
        self.processes.append(multiprocessing.Process(target=renegotiate, args=(address, self.stop)))
        for process in self.processes:
            process.start()

    def finish(self):
        self.stop.set()
        for process in self.processes:
            process.join()


def failures(page):
    """How many handshakes have failed, by reason."""
    found = re.findall(rb'winperf_exporter_tls_handshake_failures_total\{reason="(\w+)"\} (\d+)', page)
    return {reason.decode(): int(count) for reason, count in found}
