"""TLS, client certificates and passwords, as a real Prometheus and openssl meet them.

A test class derives from Trial and from unittest.TestCase, and has start(arguments): it starts `run` with these and
returns the URLs that the program prints, and a function that returns its log; path(file): a file as the program knows
it; and check(arguments): the exit code and output of `check-config` with these.
"""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request

from servers import Prometheus, free_port, wait_until

# Of "secret", with a low cost.
USERS = "basic_auth_users: {alice: '$2y$04$kHGICsKM44Fi4UMxvAelHO7XxYOFMXIoO1SviAMTzI0dRp7slNiv.'}\n"
REFERENCE = "reference/web-config"


def openssl(folder, *arguments):
    subprocess.run(["openssl", *map(str, arguments)], cwd=folder, check=True, capture_output=True)


# `x509` gives no certificate a time that is over: a day in the past is refused since OpenSSL 3.6.
AUTHORITY = """[ca]
default_ca = authority
[authority]
certificate = ca.crt
private_key = ca.key
database = issued
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
[names]
commonName = supplied
"""


def make_expired(folder):
    (folder / "authority").write_text(AUTHORITY)
    (folder / "issued").touch()
    openssl(folder, "ca", "-batch", "-config", "authority", "-notext", "-in", "expired.csr", "-out", "expired.crt",
            "-startdate", "20200101000000Z", "-enddate", "20200102000000Z", "-extfile", "names")


def make_certificates(folder):
    """Two authorities, each with a client; a server, another key for it, and an expired client of the first authority."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    for name in ("ca", "other_ca"):
        openssl(folder, "req", "-x509", *curve, "-keyout", f"{name}.key", "-out", f"{name}.crt", "-subj", f"/CN={name}",
                "-days", "30", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    # Since 3.13, Python refuses authorities without their usage, and certificates that don't say by which key they are signed.
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nauthorityKeyIdentifier=keyid\n")
    for name in ("server", "server2", "client", "other_client", "expired"):
        openssl(folder, "req", *curve, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}")
    make_expired(folder)
    for name, authority, days in (("server", "ca", 30), ("server2", "ca", 60), ("client", "ca", 30), ("other_client", "other_ca", 30)):
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.crt", "-CAkey", f"{authority}.key",
                "-CAcreateserial", "-days", days, "-out", f"{name}.crt", "-extfile", "names")


def replace(file, text):
    fresh = file.with_suffix(".fresh")
    fresh.write_text(text)
    fresh.replace(file)


class Trial:
    def prepare(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        make_certificates(self.folder)

    def tls(self, **more):
        return json.dumps({"tls_server_config": {"cert_file": "server.crt", "key_file": "server.key"} | more})

    def serve(self, **web):
        """Starts the program with one address for each name; returns their URLs."""
        listen = []
        for name, text in web.items():
            (self.folder / f"{name}.yml").write_text(text)
            listen.append({"address": "127.0.0.1", "port": free_port(), "web_config_file": f"{name}.yml"})
        config = self.folder / "exporter.yaml"
        config.write_text(json.dumps({"listen": listen, "interval": "1s", "countersets": ["System"]}))
        urls, self.log = self.start("run", "--config", self.path(config))
        self.assertEqual(len(urls), len(web))
        return [urllib.parse.urlsplit(url) for url in urls]

    def job(self, url, *, scheme="https", authority="ca", client=None, password=None):
        keys = {"static_configs": [{"targets": [url.netloc]}], "scheme": scheme}
        if scheme == "https":
            keys["tls_config"] = {"ca_file": str(self.folder / f"{authority}.crt")}
            if client:
                keys["tls_config"] |= {"cert_file": str(self.folder / f"{client}.crt"),
                                       "key_file": str(self.folder / f"{client}.key")}
        if password:
            keys["basic_auth"] = {"username": "alice", "password": password}
        return keys

    def scrape(self, jobs):
        if not shutil.which("prometheus"):
            self.skipTest("NO PROMETHEUS: prometheus is not in PATH; scripts/test provides it")
        prometheus = Prometheus(self.folder, jobs)
        self.addCleanup(prometheus.close)
        return prometheus

    def page(self, url, authority="ca.crt", client=None):
        context = ssl.create_default_context(cafile=self.folder / authority)
        if client:
            context.load_cert_chain(self.folder / f"{client}.crt", self.folder / f"{client}.key")
        with urllib.request.urlopen(f"https://{url.netloc}/metrics", context=context, timeout=30) as answer:
            return answer.read().decode()

    def failures(self, url, **how):
        """How many handshakes have failed, by reason."""
        found = re.findall(r'tls_handshake_failures_total\{reason="(\w+)"\} (\d+)', self.page(url, **how))
        return {reason: int(count) for reason, count in found}

    def s_client(self, url, *arguments, send=""):
        return subprocess.run(["openssl", "s_client", "-connect", url.netloc, *arguments], cwd=self.folder, input=send,
                              text=True, capture_output=True, timeout=60)

    def test_prometheus_with_a_client_certificate(self):
        verify = {"client_auth_type": "RequireAndVerifyClientCert", "client_ca_file": "clients.crt"}
        shutil.copy(self.folder / "ca.crt", self.folder / "clients.crt")
        [url] = self.serve(mutual=self.tls(**verify))
        self.assertEqual(url.scheme, "https")
        prometheus = self.scrape({
            "good": self.job(url, client="client"), "none": self.job(url), "other": self.job(url, client="other_client"),
            "expired": self.job(url, client="expired"), "plain": self.job(url, scheme="http"),
            "untrusting": self.job(url, authority="other_ca", client="client")})
        # In the words of a Go server's clients.
        missing, unknown = "remote error: tls: certificate required", "remote error: tls: unknown certificate authority"
        prometheus.wait_for({"good": "", "none": missing, "other": unknown,
                             "expired": "remote error: tls: expired certificate",
                             "plain": "HTTP status 400", "untrusting": "x509"})
        # Whom the new authority hasn't signed is refused from then on.
        replace(self.folder / "clients.crt", (self.folder / "other_ca.crt").read_text())
        prometheus.wait_for({"good": unknown, "other": "", "none": missing})
        failures = self.failures(url, client="other_client")
        self.assertGreater(failures["client_certificate"], 0)
        self.assertGreater(failures["plain_http"], 0)

    def test_a_client_that_is_refused_is_told_why(self):
        [url] = self.serve(web=self.tls(client_auth_type="RequireAndVerifyClientCert", client_ca_file="ca.crt"))
        def told(version, client):
            shown = ("-cert", f"{client}.crt", "-key", f"{client}.key") if client else ()
            return self.s_client(url, version, "-ign_eof", *shown, send="GET / HTTP/1.0\r\n\r\n").stderr
        for version, missing in (("-tls1_2", "alert handshake failure"), ("-tls1_3", "alert certificate required")):
            self.assertIn(missing, told(version, None))
            self.assertIn("alert unknown ca", told(version, "other_client"))
            self.assertIn("alert certificate expired", told(version, "expired"))
            self.assertNotIn("alert", told(version, "client"))
        self.assertEqual(self.failures(url, client="client")["client_certificate"], 6)

    def test_prometheus_with_a_password(self):
        url, plain = self.serve(locked=self.tls()[:-1] + ", " + USERS.strip().replace(
            "basic_auth_users: {alice: '", '"basic_auth_users": {"alice": "').replace("'}", '"}}'), open="")
        self.assertEqual((url.scheme, plain.scheme), ("https", "http"))
        prometheus = self.scrape({"good": self.job(url, password="secret"), "none": self.job(url),
                                  "wrong": self.job(url, password="Secret"), "open": self.job(plain, scheme="http")})
        prometheus.wait_for({"good": "", "open": "", "none": "401", "wrong": "401"})

    def test_a_password_that_takes_for_ever_to_compare_holds_up_neither_a_reload_nor_a_stop(self):
        """What one hash costs would take days. The stop is what each test ends with."""
        [url] = self.serve(web=USERS.replace("$2y$04$", "$2y$31$"))
        def ask(password, port=url.port):
            client = http.client.HTTPConnection(url.hostname, port, timeout=30)
            self.addCleanup(client.close)
            client.request("GET", "/-/healthy", headers={
                "Authorization": "Basic " + base64.b64encode(f"alice:{password}".encode()).decode()})
            return client
        ask("secret")
        wait_until(lambda: ask("another").getresponse().status == 429, "the first one is compared")
        config = self.folder / "exporter.yaml"
        port = free_port()
        replace(self.folder / "web.yml", USERS)
        replace(config, config.read_text().replace(str(url.port), str(port)))
        def is_let_in():
            with contextlib.suppress(OSError):
                return ask("secret", port).getresponse().status == 200
        wait_until(is_let_in, "the new address has another hash")

    def test_files_that_change_are_read_again(self):
        [url] = self.serve(web=self.tls())
        host, port = url.hostname, url.port
        served = lambda: ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, port)))
        of = lambda name: ssl.PEM_cert_to_DER_cert((self.folder / f"{name}.crt").read_text())
        self.assertEqual(served(), of("server"))
        # The key doesn't fit until both are replaced: the old pair is kept.
        replace(self.folder / "server.crt", (self.folder / "server2.crt").read_text())
        wait_until(lambda: "is not the key of the certificate in" in self.log(), "the new certificate is refused")
        self.assertRegex(self.page(url), r"(?m)^winperf_exporter_config_last_reload_successful 0")
        replace(self.folder / "server.key", (self.folder / "server2.key").read_text())
        wait_until(lambda: served() == of("server2"), "the new certificate is served")
        self.assertRegex(self.page(url), r"(?m)^winperf_exporter_config_last_reload_successful 1")
        web = self.folder / "web.yml"
        replace(web, web.read_text().replace("cert_file", "cert_filse"))
        wait_until(lambda: "unknown key \"cert_filse\"" in self.log(), "the new file is refused")
        self.assertEqual(served(), of("server2"))
        replace(web, "")
        wait_until(lambda: "; restart the program to apply this" in self.log(), "TLS is not given up")
        self.assertEqual(served(), of("server2"))
        # A file with a name of its own may come last.
        replace(web, self.tls(cert_file="new.crt", key_file="new.key"))
        (self.folder / "new.crt").write_text((self.folder / "server.crt").read_text())
        wait_until(lambda: "new.key" in self.log(), "the key is missing")
        replace(self.folder / "new.key", (self.folder / "server.key").read_text())
        wait_until(lambda: served() == of("server"), "the key has arrived")
        for secret in ("PRIVATE KEY", (self.folder / "server.key").read_text().splitlines()[1]):
            self.assertNotIn(secret, self.log())

    def test_a_certificate_that_has_expired_is_a_warning(self):
        expired = self.tls(cert_file="expired.crt", key_file="expired.key")
        alone = self.folder / "alone.yml"
        alone.write_text(expired)
        code, said = self.check("--web.config.file", self.path(alone))
        self.assertEqual(code, 0)
        self.assertRegex(said, r"expired\.crt: the certificate of CN=expired expired on \d{4}-\d\d-\d\d \d\d:\d\d UTC: ")
        self.serve(web=self.tls())
        self.assertNotIn("the certificate of", self.log())
        replace(self.folder / "web.yml", expired)
        wait_until(lambda: "the certificate of CN=expired expired on" in self.log(), "the log warns")

    def test_old_versions_and_renegotiation_are_refused(self):
        [url] = self.serve(web=self.tls())
        for version in ("-tls1", "-tls1_1"):
            result = self.s_client(url, version, "-cipher", "ALL:@SECLEVEL=0")
            self.assertNotIn("BEGIN CERTIFICATE", result.stdout)
            self.assertIn("alert protocol version", result.stderr, "which only the server sends")
        self.assertEqual(self.failures(url)["version"], 2)
        for version in ("-tls1_2", "-tls1_3"):
            self.assertIn("BEGIN CERTIFICATE", self.s_client(url, version).stdout, version)
        self.assertRegex(self.s_client(url, "-tls1_2", send="R\n").stderr, "(?i)no renegotiation")
        self.assertIn("Reused, TLSv1.2", self.s_client(url, "-tls1_2", "-reconnect").stdout)

    def test_hostile_clients_are_closed_and_counted_while_others_are_served(self):
        flooded, other = self.serve(web=self.tls(), other=self.tls())
        served = threading.Event()
        def flood(record):
            while not served.is_set():
                with contextlib.suppress(OSError), socket.create_connection((flooded.hostname, flooded.port), 60) as client:
                    while not served.is_set():
                        client.sendall(record * 10_000)
        # Warnings, and changes of the cipher, which mean nothing.
        floods = [threading.Thread(target=flood, args=(record,))
                  for record in (b"\x15\x03\x03\x00\x02\x01\x5a", b"\x14\x03\x03\x00\x01\x01")]
        slow = socket.create_connection((flooded.hostname, flooded.port), 60)
        self.addCleanup(slow.close)
        for thread in floods:
            thread.start()
        try:
            def end_of_slow():
                """A byte now and then, until it has had its time."""
                with contextlib.suppress(OSError):
                    slow.send(b"\x16")
                counts = self.failures(flooded)
                return counts["protocol"] and counts["timeout"]
            slow.send(b"\x16\x03\x01\x01\x00")
            wait_until(end_of_slow, "both are counted")
            self.assertIn("winperf_exporter_build_info", self.page(other))
        finally:
            served.set()
            for thread in floods:
                thread.join()

    def test_every_file_of_exporter_toolkit_is_judged_as_its_name_says(self):
        root = os.environ.get("WINPERF_CAPTURES")
        reference = pathlib.Path(root).parent / REFERENCE if root else pathlib.Path("nowhere")
        if not reference.is_dir():
            self.skipTest("NO REFERENCE: exporter-toolkit's test configurations are not on this machine")
        for name in ("client_selfsigned.pem", "client2_selfsigned.pem", "tls-ca-chain.pem"):
            shutil.copy(self.folder / "ca.crt", self.folder / name)
        # They load: the first has the content of one that is called good, the second refuses the client,
        # the third is about HTTP/2.
        good = {"web_config_auth_clientCAs_missing.bad.yml", "web_config_auth_client_san.bad.yaml",
                "web_config_noAuth_noHTTP2Cipher.bad.yml", "web_config_empty.yml",
                "web_config_rate_limiter_one_second.yaml"}
        files = sorted(file for file in reference.iterdir() if file.suffix in (".yml", ".yaml"))
        self.assertGreater(len(files), 20)
        for file in files:
            copy = self.folder / file.name
            shutil.copy(file, copy)
            code, output = self.check("--web.config.file", self.path(copy))
            wanted = 0 if ".good." in file.name or file.name in good else 2
            self.assertEqual(code, wanted, f"{file.name}: {output}")
            if code:
                self.assertRegex(output, rf"(?i){re.escape(file.name)}|server|somefile", file.name)
