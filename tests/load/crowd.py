"""Hostile clients in processes of their own, all of one address: what they ask for, how often, and what they got."""

import collections
import contextlib
import multiprocessing
import queue
import re
import selectors
import socket
import ssl
import threading
import time

TIMEOUT = 10
LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")


def connect(address, source, timeout=TIMEOUT):
    return socket.create_connection(address, timeout, (source, 0))


class Asker:
    """A connection that asks again as soon as it has its whole answer, and connects again when it is closed."""

    def __init__(self, address, source, requests, outcomes):
        self.address, self.source, self.requests, self.outcomes = address, source, requests, outcomes
        self.connection = None

    def begin(self, selector):
        self.connection = connect(self.address, self.source)
        self.connection.setblocking(False)
        selector.register(self.connection, selectors.EVENT_READ, self)
        self.ask()

    def ask(self):
        self.head, self.left = b"", None
        self.connection.send(next(self.requests))

    def end(self, selector):
        selector.unregister(self.connection)
        self.connection.close()

    def go_on(self, buffer):
        """False if the server has closed the connection."""
        count = self.connection.recv_into(buffer)
        if not count:
            return False
        if self.left is None:
            self.head += bytes(buffer[:count])
            end = self.head.find(b"\r\n\r\n")
            if end < 0:
                return True
            length = LENGTH.search(self.head)
            self.left = int(length.group(1)) - (len(self.head) - end - 4) if length else 0
            self.outcomes[self.head[9:12].decode()] += 1
        else:
            self.left -= count
        if self.left <= 0:
            self.ask()
        return True


def ask_on_many(address, source, make_requests, count, stop, results):
    """So many connections, each of which asks without a pause."""
    outcomes, buffer = collections.Counter(), memoryview(bytearray(1 << 18))
    askers = [Asker(address, source, make_requests(number), outcomes) for number in range(count)]
    waiting = collections.deque(askers)
    with selectors.DefaultSelector() as selector:
        while not stop.is_set():
            for _ in range(min(len(waiting), 20)):
                asker = waiting.popleft()
                try:
                    asker.begin(selector)
                except OSError:
                    waiting.append(asker)
            for key, _ in selector.select(0.2):
                try:
                    goes_on = key.data.go_on(buffer)
                except BlockingIOError:
                    continue
                except OSError:
                    goes_on = False
                if not goes_on:
                    outcomes["closed"] += 1
                    key.data.end(selector)
                    waiting.append(key.data)
    results.put(dict(outcomes))


def at_a_rate(act, a_second, stop, results, threads=16):
    """Acts so often a second, as far as the server and this machine let it."""
    outcomes, lock = collections.Counter(), threading.Lock()

    def work(number):
        due = time.monotonic() + number / a_second
        while not stop.wait(max(0, due - time.monotonic())):
            due = max(due + threads / a_second, time.monotonic() - 1)
            try:
                outcome = act()
            except OSError:
                outcome = "failed"
            with lock:
                outcomes[outcome] += 1

    workers = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    results.put(dict(outcomes))


def shake_hands(address, source, a_second, stop, results):
    """Whole handshakes, none of which goes on with an earlier session."""
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE

    def act():
        with connect(address, source) as connection, trust.wrap_socket(connection):
            return "handshake"

    at_a_rate(act, a_second, stop, results)


def guess(address, source, credentials, a_second, stop, results):
    """`credentials`: of a guess, by its number."""
    numbers = iter(range(10**9))

    def act():
        request = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic " + credentials(next(numbers)) + b"\r\n\r\n"
        with connect(address, source) as connection:
            connection.sendall(request)
            return connection.recv(4096)[9:12].decode() or "closed"

    at_a_rate(act, a_second, stop, results)


class Crowd:
    """One kind of them, until finish(), which returns what they got."""

    def __init__(self, target, *arguments):
        self.stop, self.results = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=target, args=(*arguments, self.stop, self.results), daemon=True)
        self.process.start()

    def finish(self):
        self.stop.set()
        outcomes = {}
        with contextlib.suppress(queue.Empty):
            outcomes = self.results.get(timeout=3 * TIMEOUT)
        self.process.join(TIMEOUT)
        self.process.kill()
        return outcomes
