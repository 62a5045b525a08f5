import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { freeBytesNow } from "../host/space.ts";
import { copyPlain, createFile, type GrowingFile } from "./file-bytes.ts";

/** What is known about a path without following links. */
export interface FileFacts {
  kind: "file" | "directory" | "link" | "other";
  /** Permission bits. */
  mode: number;
  size: number;
  uid: number;
}

/** Files of the host. Every change is complete or not there at all, also after a power cut. */
export interface HostFiles {
  /** Text of a file; null when there is none. */
  read(path: string): string | null;
  readBytes(path: string): Uint8Array | null;
  stat(path: string): FileFacts | null;
  /** Where a link points; null when it is no link. */
  target(path: string): string | null;
  /** Sorted names in a folder; empty when there is none. */
  list(path: string): string[];
  /** SHA-256 of a file as hex; null when there is none. */
  sha256(path: string): Promise<string | null>;
  write(path: string, content: string, mode: number): void;
  copy(from: string, to: string, mode: number): void;
  /**
   * As `copy`, of a file that somebody who is not trusted may change meanwhile: throws unless it is a plain file (no link,
   * no pipe) of at most `maxBytes`.
   */
  copyPlain(from: string, to: string, mode: number, maxBytes: number): void;
  /** An empty new file to be written part by part. It counts only when `finish` has been called. */
  create(path: string, mode: number): Promise<GrowingFile>;
  /** Forces a file that somebody else wrote (SQLite) to the disk, and gives it to the user whose folder it is in. */
  sync(path: string): void;
  makeDirectory(path: string, mode: number): void;
  link(path: string, target: string): void;
  move(from: string, to: string): void;
  /** Removes a file, a link or an empty folder; nothing happens when it is gone. */
  remove(path: string): void;
  removeTree(path: string): void;
  /** Bytes that root may still write on the file system of `path` (or its nearest parent). */
  freeBytes(path: string): number;
  /** The path as this process has to open it. */
  real(path: string): string;
}

/** Makes a rename survive a power cut. */
function syncFolder(path: string): void {
  const fd = fs.openSync(path, "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Gives what root makes to the user whose folder it is in; the service could not use it otherwise. */
function handOver(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(dirname(path));
  if (uid !== 0) fs.lchownSync(path, uid, gid);
}

function syncFile(path: string, mode: number | null): void {
  const fd = fs.openSync(path, "r+");
  try {
    if (mode !== null) fs.fchmodSync(fd, mode);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function kindOf(stats: fs.Stats): FileFacts["kind"] {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "directory";
  return stats.isFile() ? "file" : "other";
}

/** What `read` gives; null when there is no such thing. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EINVAL") return null;
    throw error;
  }
}

/** The files below `root`; anything but `/` is for tests. */
export function createHostFiles(root: string): HostFiles {
  const real = (path: string) => (root === "/" ? path : join(root, path));
  /** Lets `make` build the new thing under another name and then takes the place of the old one in one step. */
  function replace(path: string, make: (temporary: string) => void): void {
    const temporary = `${path}.new`;
    fs.rmSync(temporary, { force: true });
    make(temporary);
    handOver(temporary);
    fs.renameSync(temporary, path);
    syncFolder(dirname(path));
  }

  return {
    real,
    read: (path) => ifThere(() => fs.readFileSync(real(path), "utf8")),
    readBytes: (path) => ifThere(() => fs.readFileSync(real(path))),
    stat: (path) =>
      ifThere(() => {
        const stats = fs.lstatSync(real(path));
        return { kind: kindOf(stats), mode: stats.mode & 0o7777, size: stats.size, uid: stats.uid };
      }),
    target: (path) => ifThere(() => fs.readlinkSync(real(path))),
    list: (path) => (ifThere(() => fs.readdirSync(real(path))) ?? []).sort(),
    async sha256(path) {
      if (!fs.existsSync(real(path))) return null;
      const hash = createHash("sha256");
      for await (const chunk of fs.createReadStream(real(path), { highWaterMark: 1 << 20 })) hash.update(chunk);
      return hash.digest("hex");
    },
    write: (path, content, mode) =>
      replace(real(path), (temporary) => {
        fs.writeFileSync(temporary, content, { mode: 0o600 });
        syncFile(temporary, mode);
      }),
    copy: (from, to, mode) =>
      replace(real(to), (temporary) => {
        fs.copyFileSync(real(from), temporary);
        syncFile(temporary, mode);
      }),
    copyPlain: (from, to, mode, maxBytes) =>
      replace(real(to), (temporary) => {
        copyPlain(real(from), temporary, maxBytes);
        syncFile(temporary, mode);
      }),
    create: (path, mode) => createFile(real(path), mode),
    sync(path) {
      syncFile(real(path), null);
      handOver(real(path));
    },
    makeDirectory(path, mode) {
      fs.mkdirSync(real(path), { recursive: true, mode });
      fs.chmodSync(real(path), mode);
      handOver(real(path));
      syncFolder(dirname(real(path)));
    },
    link: (path, target) => replace(real(path), (temporary) => fs.symlinkSync(target, temporary)),
    move(from, to) {
      fs.renameSync(real(from), real(to));
      syncFolder(dirname(real(to)));
    },
    remove(path) {
      const stats = ifThere(() => fs.lstatSync(real(path)));
      if (stats?.isDirectory()) fs.rmdirSync(real(path));
      if (stats && !stats.isDirectory()) fs.unlinkSync(real(path));
    },
    removeTree: (path) => fs.rmSync(real(path), { recursive: true, force: true }),
    freeBytes(path) {
      let place = real(path);
      while (!fs.existsSync(place)) place = dirname(place);
      return freeBytesNow(place);
    },
  };
}
