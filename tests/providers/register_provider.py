#!/usr/bin/env python3
"""Registers a V1 performance extension DLL in a Wine prefix, as lodctr does on Windows.

Wine's lodctr does nothing, so this script reads the .ini and its symbol file, assigns the next free indices to the
provider, writes its Performance key, and adds its names and help texts to perfc009.dat and perfh009.dat. If it runs again
with the same files, it changes nothing and does not start Wine. With changed files, it keeps the indices if the number of
symbols is the same. On Windows, use lodctr itself (see README.md).
"""

import argparse
import configparser
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LANGUAGE = "009"  # whose texts are registered; those of an .ini in other languages are only checked
BASE_INDEX = 1847  # the last index of Windows' own counters; other providers' indices follow
PERFLIB = r"Software\Microsoft\Windows NT\CurrentVersion\Perflib"
SERVICES = r"System\CurrentControlSet\Services"
EVENT_SOURCES = rf"{SERVICES}\EventLog\Application"
ALL_EVENT_TYPES = 7  # errors, warnings, information


class Failure(Exception):
    """An error message for the user."""


# --- the provider's install files ---


class Provider:
    """The contents of an .ini and its symbol file: names and help texts by offset."""

    def __init__(self, ini_path):
        ini = configparser.ConfigParser(delimiters="=", interpolation=None, strict=True)
        ini.optionxform = str
        try:
            ini.read_string(read_text(ini_path), str(ini_path))
            self.driver = ini["info"]["drivername"]
            symbol_path = ini_path.parent / ini["info"]["symbolfile"]
            self.offsets = read_symbols(symbol_path)
            texts = dict(ini["text"])
            objects = dict(ini["objects"]) if ini.has_section("objects") else {}
        except (configparser.Error, KeyError) as error:
            raise Failure(f"{ini_path}: {error}") from error
        languages = dict(ini["languages"]) if ini.has_section("languages") else {LANGUAGE: ""}
        self.texts = {language: {"NAME": {}, "HELP": {}} for language in languages}
        for key, text in texts.items():
            symbol, language, kind = self.split_key(ini_path, key)
            self.texts[language][kind][self.offsets[symbol]] = text
        for language, kinds in self.texts.items():
            missing = [s for s, n in self.offsets.items() if n not in kinds["NAME"] or n not in kinds["HELP"]]
            if missing:
                raise Failure(f"{ini_path}: these symbols lack a name or a help text for language {language}: {', '.join(missing)}")
        if LANGUAGE not in self.texts:
            raise Failure(f"{ini_path}: [languages] lacks {LANGUAGE}, English")
        self.names, self.helps = self.texts[LANGUAGE]["NAME"], self.texts[LANGUAGE]["HELP"]
        self.objects = sorted(self.offsets[self.split_key(ini_path, key)[0]] for key in objects)
        self.span = max(self.offsets.values()) + 2
        self.fingerprint = hashlib.sha256(
            ini_path.read_bytes() + b"\0" + symbol_path.read_bytes()).hexdigest()

    def split_key(self, ini_path, key):
        match = re.fullmatch(r"(\w+)_([0-9A-Fa-f]{3})_(NAME|HELP)", key)
        if not match or match[1] not in self.offsets or match[2] not in self.texts:
            raise Failure(f"{ini_path}: '{key}' is not <symbol>_<language>_NAME or _HELP"
                          " of a symbol in the symbol file and a language in [languages]")
        return match[1], match[2], match[3]


def read_text(path):
    data = path.read_bytes()
    return data.decode("utf-16" if data[:2] == b"\xff\xfe" else "cp1252")


def read_symbols(path):
    symbols = {name: int(number) for name, number in
               re.findall(r"^\s*#define\s+(\w+)\s+(\d+)\s*$", read_text(path), re.MULTILINE)}
    offsets = sorted(symbols.values())
    if offsets != list(range(0, 2 * len(offsets), 2)):
        raise Failure(f"{path}: the symbols' offsets must be 0, 2, 4, ...")
    return symbols


# --- the prefix: registry file and name tables ---


class Prefix:
    def __init__(self, path):
        self.path = path
        self.system32 = path / "drive_c/windows/system32"

    def windows_path(self, path):
        """Returns a path as Windows programs in this prefix see it."""
        best = None
        for drive in (self.path / "dosdevices").glob("?:"):
            root = drive.resolve()
            if path.is_relative_to(root) and (best is None or len(root.parts) > len(best[1].parts)):
                best = (drive.name.upper(), root)
        letter, root = best or ("Z:", pathlib.Path("/"))  # in a new prefix, Z: is the root
        return letter + "\\" + str(path.relative_to(root)).replace("/", "\\")

    def registry_file(self):
        return self.path / "system.reg"

    def saved_values(self, key):
        """Returns the DWORDs and strings of a key as wineserver last saved them, seconds after a change."""
        try:
            text = self.registry_file().read_text("utf-8", "replace")
        except FileNotFoundError:
            return {}
        header = "[" + key.replace("\\", "\\\\").lower() + "]"
        start = text.lower().find("\n" + header)
        if start < 0:
            return {}
        body = text[start + 1:].split("\n\n", 1)[0]
        values = {name: int(number, 16) for name, number in
                  re.findall(r'^"([^"]+)"=dword:([0-9a-f]{8})$', body, re.MULTILINE)}
        values.update((name, string.replace("\\\\", "\\")) for name, string in
                      re.findall(r'^"([^"]+)"="(.*)"$', body, re.MULTILINE))
        return values

    def import_registry(self, sections):
        lines = ["Windows Registry Editor Version 5.00", ""]
        for key, values in sections:
            lines.append(f"[{key}]")
            lines += [f'"{name}"={reg_literal(value)}' for name, value in values.items()]
            lines.append("")
        with tempfile.NamedTemporaryFile(suffix=".reg") as file:
            file.write(b"\xff\xfe" + "\r\n".join(lines + [""]).encode("utf-16-le"))
            file.flush()
            self.run_wine("reg", "import", "Z:" + file.name.replace("/", "\\"))

    def run_wine(self, *command):
        environment = dict(os.environ, WINEPREFIX=str(self.path))
        environment.setdefault("WINEDEBUG", "-all")
        environment.setdefault("WINEDLLOVERRIDES", "mscoree,mshtml,winewayland.drv=")
        try:
            # Output goes to a file because services that Wine starts would keep a pipe open.
            with tempfile.TemporaryFile() as output:
                result = subprocess.run(["wine", *command], env=environment, timeout=300,
                                        stdin=subprocess.DEVNULL, stdout=output, stderr=output)
                output.seek(0)
                text = output.read().decode("utf-8", "replace").strip()
        except FileNotFoundError as error:
            raise Failure("wine is not installed") from error
        except subprocess.TimeoutExpired as error:
            raise Failure(f"wine {' '.join(command)} is still running after 300 s") from error
        if result.returncode != 0:
            raise Failure(f"wine {' '.join(command)} failed with exit code {result.returncode}: {text}")

    def read_table(self, letter):
        """Returns the texts in perfc009.dat or perfh009.dat, by index."""
        try:
            data = (self.system32 / f"perf{letter}{LANGUAGE}.dat").read_bytes()
        except FileNotFoundError:
            return {1: str(BASE_INDEX)} if letter == "c" else {}
        strings = data.decode("utf-16-le").split("\0")
        return {int(index): text for index, text in zip(strings[0::2], strings[1::2]) if index}

    def write_table(self, letter, table):
        path = self.system32 / f"perf{letter}{LANGUAGE}.dat"
        stream = "".join(f"{index}\0{text}\0" for index, text in sorted(table.items())) + "\0"
        scratch = path.with_suffix(".new")
        scratch.write_bytes(stream.encode("utf-16-le"))
        os.replace(scratch, path)  # readers see the old table or the new one


def reg_literal(value):
    if isinstance(value, int):
        return f"dword:{value:08x}"
    if isinstance(value, list):  # REG_MULTI_SZ
        strings = "".join(string + "\0" for string in value) + "\0"
        return "hex(7):" + ",".join(f"{byte:02x}" for byte in strings.encode("utf-16-le"))
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


# --- registration ---


class Registration:
    """One service in one prefix, and a note there of its last registration."""

    def __init__(self, prefix, service):
        self.prefix, self.service = prefix, service
        self.key = rf"{SERVICES}\{service}\Performance"
        self.linkage = rf"{SERVICES}\{service}\Linkage"
        self.event_source = rf"{EVENT_SOURCES}\{service}"
        self.note_path = prefix.path / f"registered-{service}.json"

    def note(self):
        try:
            return json.loads(self.note_path.read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {}

    def saved_since_note(self):
        """Whether wineserver has saved the registry since the note was written. It saves it seconds after a change."""
        registry = self.prefix.registry_file()
        return registry.exists() and registry.stat().st_mtime_ns > self.note_path.stat().st_mtime_ns

    def range(self):
        """Returns the first index and the number of indices that are registered, or None."""
        note = self.note()
        if "unregistered" in note and not self.saved_since_note():
            return None
        values = {"First Counter": note.get("first"), "Last Help": note.get("last")}
        if None in values.values():
            values = self.prefix.saved_values(self.key)
        if "First Counter" not in values or "Last Help" not in values:
            return None
        return values["First Counter"], values["Last Help"] - values["First Counter"] + 1

    def first_index(self, provider):
        current = self.range()
        if current and current[1] == provider.span:
            return current[0]
        note = self.note()
        if "unregistered" in note and not self.saved_since_note():
            last_help = note["unregistered"]
        else:
            last_help = self.prefix.saved_values(PERFLIB).get("Last Help", BASE_INDEX)
        tables = [*self.prefix.read_table("c"), *self.prefix.read_table("h")]
        return (max([BASE_INDEX, last_help, *tables]) + 2) // 2 * 2  # names have even indices

    def is_current(self, wanted_note, provider):
        if self.note() != wanted_note:
            return False
        tables = self.prefix.read_table("c"), self.prefix.read_table("h")
        first = wanted_note["first"]
        if any(tables[0].get(first + n) != t for n, t in provider.names.items()) or \
           any(tables[1].get(first + 1 + n) != t for n, t in provider.helps.items()):
            return False
        # What wineserver saved after the note must agree with it.
        if not self.saved_since_note():
            return True
        saved = self.prefix.saved_values(self.key)
        return saved.get("First Counter") == first and saved.get("Library") == wanted_note["library"]

    def register(self, provider, library, functions, options):
        first = self.first_index(provider)
        last_help = first + provider.span - 1
        note = {"fingerprint": provider.fingerprint, "library": library, "functions": functions,
                **options, "first": first, "last": last_help}
        if self.is_current(note, provider):
            return note, False
        names, helps = self.tables_without()
        names.update((first + n, text) for n, text in provider.names.items())
        helps.update((first + 1 + n, text) for n, text in provider.helps.items())
        performance = {
            "Library": library, "Open": functions[0], "Collect": functions[1], "Close": functions[2],
            "First Counter": first, "Last Counter": last_help - 1,
            "First Help": first + 1, "Last Help": last_help,
            "Collect Supports Metadata": 1,
            "Object List": " ".join(str(first + n) for n in provider.objects)}
        perflib = {"Last Counter": max(names), "Last Help": max(helps)}
        if options["supports_metadata"] is not None:
            perflib["Supports Metadata"] = options["supports_metadata"]
        sections = [(self.key, performance), (PERFLIB, perflib)]
        if options["devices"]:
            sections.append((self.linkage, {"Export": options["devices"]}))
        if options["events"]:
            sections.append((self.event_source,
                             {"EventMessageFile": library, "TypesSupported": ALL_EVENT_TYPES}))
        # Removes these two keys of an earlier registration first.
        removed = [(rf"-HKEY_LOCAL_MACHINE\{key}", {}) for key in (self.linkage, self.event_source)]
        self.prefix.import_registry(
            removed + [(rf"HKEY_LOCAL_MACHINE\{key}", values) for key, values in sections])
        self.save(names, helps)
        self.note_path.write_text(json.dumps(note, indent=1) + "\n")
        return note, True

    def unregister(self):
        if self.range() is None:
            return False
        names, helps = self.tables_without()
        last_help = max([BASE_INDEX, *helps])
        self.prefix.import_registry([
            (rf"-HKEY_LOCAL_MACHINE\{SERVICES}\{self.service}", {}),
            (rf"-HKEY_LOCAL_MACHINE\{self.event_source}", {}),
            (rf"HKEY_LOCAL_MACHINE\{PERFLIB}",
             {"Last Counter": max([BASE_INDEX - 1, *names]), "Last Help": last_help})])
        self.save(names, helps)
        # Until wineserver has saved the registry, only this note shows that the indices are free again.
        self.note_path.write_text(json.dumps({"unregistered": last_help}) + "\n")
        return True

    def tables_without(self):
        """Returns the name and help tables without the texts of an earlier registration."""
        first, span = self.range() or (0, 0)
        return [{index: text for index, text in self.prefix.read_table(letter).items()
                 if not first <= index < first + span} for letter in "ch"]

    def save(self, names, helps):
        self.prefix.write_table("c", names)
        self.prefix.write_table("h", helps)


@contextlib.contextmanager
def locked(path):
    """Prevents two runs at the same time for one prefix."""
    path.mkdir(parents=True, exist_ok=True)
    with open(path / ".register.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], epilog=__doc__.split("\n\n")[1],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", metavar="DIR", required=True,
                        help="the Wine prefix, which is created if it does not exist")
    parser.add_argument("--ini", metavar="FILE", help="the provider's .ini file; its symbol file is beside it")
    parser.add_argument("--dll", metavar="FILE", help="the provider's DLL, which is not copied")
    parser.add_argument("--service", metavar="NAME", help="name of the service (default: the drivername in the .ini)")
    parser.add_argument("--functions", metavar="OPEN,COLLECT,CLOSE",
                        default="OpenSysPerf,CollectSysPerf,CloseSysPerf",
                        help="the DLL's exported functions (default: %(default)s)")
    parser.add_argument("--supports-metadata", type=int, choices=(0, 1), metavar="0|1",
                        help="also set Perflib's value 'Supports Metadata' (default: leave it unchanged)")
    parser.add_argument("--device", metavar="NAME", dest="devices", action="append", default=[],
                        help="device name for the value 'Export' of the Linkage key, which Open receives; may be repeated")
    parser.add_argument("--events", action="store_true",
                        help="register the DLL, which contains the texts of its events, as a source of the event log")
    parser.add_argument("--unregister", action="store_true", help="remove the registration instead")
    arguments = parser.parse_args()
    if not arguments.unregister and not (arguments.ini and arguments.dll):
        parser.error("--ini and --dll are required")
    if arguments.unregister and not (arguments.ini or arguments.service):
        parser.error("--unregister requires --service or --ini")
    if len(arguments.functions.split(",")) != 3:
        parser.error("--functions requires three names")
    return arguments


def main():
    arguments = parse_arguments()
    try:
        provider = Provider(pathlib.Path(arguments.ini).resolve()) if arguments.ini else None
        prefix = Prefix(pathlib.Path(arguments.prefix).resolve())
        service = arguments.service or provider.driver
        with locked(prefix.path):
            registration = Registration(prefix, service)
            if arguments.unregister:
                print(f"{service}: " + ("unregistered" if registration.unregister() else "was not registered"))
                return 0
            dll = pathlib.Path(arguments.dll).resolve(strict=True)
            options = {"supports_metadata": arguments.supports_metadata,
                       "devices": arguments.devices, "events": arguments.events}
            note, changed = registration.register(provider, prefix.windows_path(dll),
                                                  arguments.functions.split(","), options)
            print(f"{service}: {'registered' if changed else 'already registered'}"
                  f" with indices {note['first']} to {note['last']}")
        return 0
    except (Failure, OSError) as error:
        print(f"register_provider: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
