#!/usr/bin/env python3
"""Reads an Orrery backup without Orrery; docs/backup-format.md says how it is built.

    restore.py REPOSITORY                   lists the backups
    restore.py REPOSITORY BACKUP FOLDER     writes all of one into an empty folder

The passphrase or the recovery key is asked for, or taken from ORRERY_BACKUP_KEY. Databases and files come out as they
are, volumes of apps as tar archives. Needs Python 3.8, its package `cryptography`, and either its package `zstandard` or
the program `zstd`.
"""
import base64
import getpass
import hashlib
import hmac
import json
import os
import re
import sqlite3
import struct
import subprocess
import sys
import unicodedata

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE, ID, ENTRY, END = 12, 32, 40, 8


class Damaged(Exception):
    pass


def unzip(data):
    try:
        import zstandard
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except ImportError:
        return subprocess.run(["zstd", "-d", "-c", "-q"], input=data, stdout=subprocess.PIPE, check=True).stdout


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def decrypt(key, bound_to, sealed):
    try:
        return AESGCM(key).decrypt(sealed[:NONCE], sealed[NONCE:], bound_to)
    except (InvalidTag, ValueError):
        return None


def open_key(config, typed):
    plain = re.sub("[^A-Z0-9]", "", typed.upper())
    for one in config["keys"]:
        salt = base64.b64decode(one["salt"])
        if one["kind"] == "kit":
            wrapping = mac(salt, ("orrery-backup kit " + plain).encode())
        else:
            wrapping = hashlib.scrypt(unicodedata.normalize("NFC", typed).encode(), salt=salt, n=one["n"], r=one["r"],
                                      p=one["p"], maxmem=64 * 1024 * 1024, dklen=32)
        bound_to = (config["id"] + " " + one["kind"]).encode()
        key = decrypt(wrapping, bound_to, base64.b64decode(one["wrapped"]))
        if key is not None:
            return key
    sys.exit("This is neither the passphrase nor the recovery key of this repository.")


class Repository:
    def __init__(self, root, typed):
        self.root = root
        with open(os.path.join(root, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        if config.get("format") != "orrery-backup" or config.get("version") != 1:
            sys.exit("This script reads version 1 of orrery-backup.")
        key = open_key(config, typed)
        self.id_key = mac(key, b"orrery-backup chunk id")
        self.secret = mac(key, b"orrery-backup encryption")
        self.places = {}
        for folder, _, names in os.walk(os.path.join(root, "packs")):
            for name in names:
                if not name.startswith("."):
                    self.read_index(os.path.join(folder, name))

    def read_index(self, path):
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            if size < END:
                return print("damaged:", path, file=sys.stderr)
            file.seek(size - END)
            length, magic = struct.unpack(">I4s", file.read(END))
            start = size - END - length
            table = None
            if magic == b"ORP1" and start >= 0:
                file.seek(start)
                table = decrypt(self.secret, b"pack index", file.read(length))
        if table is None or len(table) % ENTRY:
            return print("damaged:", path, file=sys.stderr)
        for row in range(0, len(table), ENTRY):
            self.places[table[row:row + ID]] = (path,) + struct.unpack(">II", table[row + ID:row + ENTRY])

    def chunk(self, name):
        if name not in self.places:
            raise Damaged("a part is missing: " + name.hex())
        path, at, length = self.places[name]
        with open(path, "rb") as file:
            file.seek(at)
            plain = decrypt(self.secret, name, file.read(length))
        if plain is None:
            raise Damaged("a part is damaged: " + path)
        data = unzip(plain[1:]) if plain[0] == 1 else plain[1:]
        if not hmac.compare_digest(mac(self.id_key, data), name):
            raise Damaged("a part is not what it was: " + path)
        return data

    def snapshots(self):
        folder = os.path.join(self.root, "snapshots")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return [name for name in names if not name.startswith(".")]

    def snapshot(self, name):
        with open(os.path.join(self.root, "snapshots", name), "rb") as file:
            plain = decrypt(self.secret, ("snapshot " + name).encode(), file.read())
        if plain is None:
            raise Damaged("the description of " + name + " is damaged")
        return json.loads(unzip(plain))

    def stream(self, part):
        digest = hashlib.sha256()
        for listed in part["list"]:
            ids = self.chunk(bytes.fromhex(listed))
            for at in range(0, len(ids), ID):
                data = self.chunk(ids[at:at + ID])
                digest.update(ids[at:at + ID] if part["kind"] == "blobs" or part.get("sum") == "ids" else data)
                yield data
        if digest.hexdigest() != part["sha256"]:
            raise Damaged(part["name"] + " is not what it was")


def plain_name(text):
    return re.sub("[^A-Za-z0-9._-]", "_", text).lstrip(".") or "_"


def restore_blobs(repository, part, index, folder):
    """Cuts a stream of many files at the places that its index says; each goes where the object store looks for it."""
    stream = repository.stream(part)
    rows = sqlite3.connect(index).execute("SELECT id, chunks FROM stream_files ORDER BY first, chunks")
    for name, chunks in rows:
        inside = os.path.join(folder, plain_name(re.sub("[.]sealed$", "", name)[-2:]))
        os.makedirs(inside, mode=0o700, exist_ok=True)
        with open(os.open(os.path.join(inside, plain_name(name)), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for _ in range(chunks):
                file.write(next(stream))
    for _ in stream:
        raise Damaged(part["name"] + " does not fit its index")


def restore(repository, name, folder):
    snapshot = repository.snapshot(name)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.listdir(folder):
        sys.exit(folder + " is not empty.")
    apps = {app["id"]: app["name"] for app in snapshot["apps"]}
    failed = 0
    # What says where files are comes before what holds them.
    for part in sorted(snapshot["parts"], key=lambda part: part["kind"] == "blobs"):
        # Only names of the node's own parts have slashes.
        steps = part["name"].split("/") if part["app"] is None else [part["name"]]
        inside = os.path.join(folder, plain_name(apps.get(part["app"], "node")), *map(plain_name, steps[:-1]))
        os.makedirs(inside, mode=0o700, exist_ok=True)
        path = os.path.join(inside, plain_name(steps[-1]) + (".tar" if part["kind"] == "volume" else ""))
        try:
            if part["kind"] == "blobs":
                restore_blobs(repository, part, path + ".db", path)
                print(path)
                continue
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for data in repository.stream(part):
                    file.write(data)
            print(path)
        except Damaged as error:
            failed += 1
            if os.path.exists(path):
                os.replace(path, path + ".damaged")
            print("damaged:", path, "-", error, file=sys.stderr)
    with open(os.path.join(folder, "backup.json"), "w", encoding="utf-8") as file:
        json.dump(snapshot, file, indent=2)
    sys.exit(1 if failed else 0)


def main():
    if len(sys.argv) not in (2, 4) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    typed = os.environ.get("ORRERY_BACKUP_KEY") or getpass.getpass("Passphrase or recovery key: ")
    repository = Repository(sys.argv[1], typed)
    if len(sys.argv) == 4:
        restore(repository, sys.argv[2], sys.argv[3])
    for name in repository.snapshots():
        try:
            snapshot = repository.snapshot(name)
            size = sum(part["size"] for part in snapshot["parts"])
            print(name, snapshot["created_at"], snapshot["node"]["name"], size, "bytes", len(snapshot["apps"]), "apps")
        except Damaged as error:
            print(name, "damaged:", error, file=sys.stderr)


main()
