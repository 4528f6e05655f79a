#!/usr/bin/env python3
"""Stands for the program in tests of the selftest: the real one, behind something that is wrong.

    stand_in.py EXECUTABLE FAULT WORD...

Faults of `run`, without TLS a proxy before the real server:
    silent            says nothing and ends with exit code 3
    dead_address      says an address where nothing listens
    stubborn          doesn't end after Ctrl-C
    bad_exit          ends with exit code 3
    twice             a series is on the page twice
    no_gzip           never compresses
    no_openmetrics    answers in the text format
    bad_json          /api/v1/workers is cut
    no_reload         reads another configuration file
    no_passwords      reads a web configuration without users
    no_tls            reads a web configuration without a certificate
    old_restarts      the counts of restarted workers never change; like the next three, in the server's process, the proxy its child
    parted            once the worker `registry` has ended it has no process, as if its providers were parted
    old_process       it has the process that has ended
    lost_counterset   a counterset isn't read any more once a worker has ended
    page=TEXT         what / answers
Faults of other commands: no_certificate, no_hash, no_worker (they end with exit code 1).
"""

import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

EXECUTABLE, FAULT, WORDS = sys.argv[1], sys.argv[2], sys.argv[3:]


BESIDE = ("old_restarts", "parted", "old_process", "lost_counterset")
FIRST = {}  # the first process of the worker `registry`


def value_of(option):
    return pathlib.Path(WORDS[WORDS.index(option) + 1])


def changed(path, answer, body):
    if path == "/metrics" and FAULT == "twice":
        line = re.search(rb"(?m)^winperf_exporter_build_info.*\n", body)[0]
        return body.replace(line, line + line)
    if path == "/metrics" and FAULT == "old_restarts":
        return re.sub(rb"(?m)^(winperf_exporter_worker_restarts_total\S*) .*$", rb"\1 0", body)
    if path == "/metrics" and FAULT == "lost_counterset" and re.search(rb"(?m)^winperf_exporter_worker_restarts_total\S* [1-9]", body):
        return re.sub(rb'(?m)^(winperf_exporter_counterset_success\{counterset="Memory"\}) 1$', rb"\1 0", body)
    if path == "/api/v1/workers" and FAULT in ("parted", "old_process"):
        document = json.loads(body)
        for worker in document["workers"]:
            process = worker["process_id"]
            if worker["worker"] == "registry" and process and FIRST.setdefault("process", process) != process:
                worker["process_id"] = FIRST["process"] if FAULT == "old_process" else None
        return json.dumps(document).encode()
    if path == "/api/v1/workers" and FAULT == "bad_json":
        return body[:-3]
    if path == "/" and FAULT.startswith("page="):
        return FAULT.partition("=")[2].encode()
    return body


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    port = None

    def answer(self):
        fields = dict(self.headers)
        if FAULT in ("no_gzip", "twice", *BESIDE) or (self.path == "/" and FAULT.startswith("page=")):
            fields["Accept-Encoding"] = "identity"
        if FAULT == "no_openmetrics":
            fields.pop("Accept", None)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        fields["Host"] = f"127.0.0.1:{self.port}"
        connection.request(self.command, self.path, headers=fields)
        answer = connection.getresponse()
        body = changed(self.path, answer, answer.read())
        self.send_response(answer.status)
        for name in ("Content-Type", "Content-Encoding"):
            if answer.getheader(name):
                self.send_header(name, answer.getheader(name))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


def end_of(server, signal_number):
    server.send_signal(signal_number)
    return server.wait()


def serve_beside(words):
    """Becomes the server, with a proxy as its child, which ends after it."""
    reading, writing = os.pipe()
    server = os.getpid()
    if os.fork():
        os.dup2(writing, 1)
        os.execv(EXECUTABLE, [EXECUTABLE, *words])
    os.close(writing)
    front = start_front(os.fdopen(reading).readline())
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    while os.getppid() == server:
        signal.sigtimedwait([signal.SIGINT], 0.2)
    front.server_close()
    return 0


def start_front(line):
    """Listens, and says where, once the server has said so in this line."""
    Proxy.port = int(re.search(r":(\d+)/?$", line.strip())[1])
    front = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    front.daemon_threads = True
    threading.Thread(target=front.serve_forever, daemon=True).start()
    print(f"listening on http://127.0.0.1:{front.server_port}/", flush=True)
    return front


def serve_before(server):
    """Serves what the server serves, until a signal; returns its exit code."""
    line = server.stdout.readline()
    if not line:
        return server.wait()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # in the server's process it isn't blocked
    start_front(line)
    while server.poll() is None and (signal.sigtimedwait([signal.SIGINT], 1) is None or FAULT == "stubborn"):
        pass
    code = end_of(server, signal.SIGINT)
    return 3 if FAULT == "bad_exit" else code


def run():
    words = list(WORDS)
    if FAULT == "silent":
        return 3
    if FAULT == "dead_address":
        print("listening on http://127.0.0.1:1/", flush=True)
        threading.Event().wait()
    if FAULT == "no_reload":
        other = value_of("--config").with_suffix(".other")
        shutil.copy(value_of("--config"), other)
        words[words.index("--config") + 1] = str(other)
    if "--web.config.file" in words:
        web = value_of("--web.config.file")
        text = web.read_text()
        if FAULT == "no_passwords":
            web.write_text(re.sub(r"(?ms)^basic_auth_users:.*", "", text))
        if FAULT == "no_tls":
            web.write_text(re.sub(r"(?ms)^tls_server_config:.*?(?=^basic)", "", text))
        os.execv(EXECUTABLE, [EXECUTABLE, *words])
    if FAULT in BESIDE:
        return serve_beside(words)
    server = subprocess.Popen([EXECUTABLE, *words], stdout=subprocess.PIPE, text=True)
    return serve_before(server)


def main():
    if WORDS[0] == "run" and FAULT:
        return run()
    if WORDS[0] == "worker" and FAULT == "no_worker":
        return 1
    if WORDS[:2] in (["config", "self-signed"], ["config", "hash-password"]):
        if FAULT == {"self-signed": "no_certificate", "hash-password": "no_hash"}[WORDS[1]]:
            print("winperf_exporter: no randomness", file=sys.stderr)
            return 1
    os.execv(EXECUTABLE, [EXECUTABLE, *WORDS])


if __name__ == "__main__":
    sys.exit(main())
