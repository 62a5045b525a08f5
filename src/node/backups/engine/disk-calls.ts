import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, unlink } from "node:fs/promises";

/** What is written in one call: whoever wants the processor meanwhile waits for no more than that. */
const BITE_BYTES = 128 * 1024;

/** A file or a folder that is open. */
export interface OpenFile {
  readonly fd: number;
  stat(): Promise<Stats>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  writeFile(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The calls of the system that a folder is read and written with; they throw what the system says. */
export interface DiskCalls {
  open(path: string, flags: number | string, mode?: number): Promise<OpenFile>;
  mkdir(path: string, options: { mode: number }): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  lstat(path: string): Promise<Stats>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** On the runtime's threads, several at a time. */
export const callsOfPool: DiskCalls = { open, mkdir, readdir, lstat, link, rename, unlink };

const openHere = (fd: number): OpenFile => ({
  fd,
  stat: async () => fstatSync(fd),
  read: async (into, offset, length, position) => ({ bytesRead: readSync(fd, into, offset, length, position) }),
  async writeFile(bytes) {
    for (let done = 0; done < bytes.length; )
      done += writeSync(fd, bytes, done, Math.min(BITE_BYTES, bytes.length - done));
  },
  sync: async () => fsyncSync(fd),
  close: async () => closeSync(fd),
});

/**
 * On the calling thread, which waits for each. The runtime's own threads are as urgent as requests are, and in a call of the system
 * nobody takes the processor from them.
 */
export const callsHere: DiskCalls = {
  open: async (path, flags, mode) => openHere(openSync(path, flags, mode)),
  mkdir: async (path, options) => mkdirSync(path, options),
  readdir: async (path) => readdirSync(path),
  lstat: async (path) => lstatSync(path),
  link: async (existing, path) => linkSync(existing, path),
  rename: async (from, to) => renameSync(from, to),
  unlink: async (path) => unlinkSync(path),
};
