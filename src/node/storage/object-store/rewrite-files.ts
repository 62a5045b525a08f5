import type { Database } from "bun:sqlite";
import * as fs from "node:fs";
import { join } from "node:path";
import type { Work } from "./apply-operation.ts";
import { addGarbage, type BlobRow, deleteGarbage, findBlob } from "./catalogue-store.ts";
import type { Layout } from "./layout.ts";
import { aboutBlob } from "./records.ts";
import { findOtherFile, lowerLeft, setFileSealed } from "./sealing-store.ts";
import { syncFolder } from "./segment-log.ts";
import { framesAt, startOfFrame, VAULT_HEAD_BYTES, type Vault } from "./vault.ts";

/** How much one step reads, so that changes do not wait long, and how much at a time. */
const STEP_BYTES = 16 * 1024 * 1024;
const READ_BYTES = startOfFrame(16);

interface Own {
  db: Database;
  layout: Layout;
  vault: Vault;
  commit<T>(change: (work: Work) => T): T;
}

/** Writes large blobs anew, encrypted or no more, one after the other. */
export interface FileRewriter {
  /** A bounded step; false when there are none left. */
  step(on: boolean): boolean;
  /** Whether it wrote any since it began with the first. */
  hasWritten(): boolean;
  /** Gives up the one that is underway, and begins with the first. */
  restart(): void;
}

/** One that is being written anew. */
interface Underway {
  blob: BlobRow;
  from: number;
  into: number;
  path: string;
  at: number;
  /** Turns what was read at a place into what is to be written there; null where it cannot be read. */
  turn(at: number, length: number): Uint8Array[] | null;
  end(): Uint8Array[];
}

export function createFileRewriter({ db, layout, vault, commit }: Own): FileRewriter {
  let after = "";
  let hasWritten = false;
  let underway: Underway | null = null;

  function close(): void {
    if (underway === null) return;
    fs.closeSync(underway.from);
    fs.closeSync(underway.into);
    fs.rmSync(underway.path, { force: true });
    underway = null;
  }

  function restart(): void {
    close();
    after = "";
    hasWritten = false;
  }

  function readAt(file: number, at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    let got = 0;
    for (let more = -1; got < length && more !== 0; got += more)
      more = fs.readSync(file, bytes, got, length - got, at + got);
    return bytes.subarray(0, got);
  }

  function turnOf(blob: BlobRow, from: number): Pick<Underway, "turn" | "end"> | null {
    if (blob.sealed === 0) {
      const sealer = vault.sealer(aboutBlob(blob.id));
      // One that is cut short is damaged either way; the check of all bytes names it then as now.
      return { turn: (at, length) => sealer.add(readAt(from, at, length)), end: () => sealer.end() };
    }
    const opener = vault.opener(aboutBlob(blob.id), blob.size, readAt(from, 0, VAULT_HEAD_BYTES));
    if (opener === null) return null;
    return {
      turn(at, length) {
        const frames = framesAt(blob.size, at, length);
        const bytes = opener.open(frames, readAt(from, frames.offset, frames.bytes));
        return bytes === null ? null : [bytes];
      },
      end: () => [],
    };
  }

  /** Opens the next one; those whose bytes cannot be read stay as they are. */
  function open(on: boolean): Underway | null {
    for (;;) {
      const blob = findOtherFile(db, after, on);
      if (blob === null) return null;
      after = blob.id;
      if (!fs.existsSync(layout.blob(blob))) continue;
      const from = fs.openSync(layout.blob(blob), "r");
      const turned = turnOf(blob, from);
      if (turned === null) {
        fs.closeSync(from);
        continue;
      }
      const path = join(layout.incoming, `${blob.id}.anew`);
      const into = fs.openSync(path, "w", 0o600);
      return { blob, from, into, path, at: 0, ...turned };
    }
  }

  function write(file: number, parts: readonly Uint8Array[]): void {
    for (const part of parts)
      for (let done = 0; done < part.length; ) done += fs.writeSync(file, part, done, part.length - done);
  }

  /** Puts the new file beside the old one, then lets the catalogue name it in its place. */
  function finish({ blob, into, path, end }: Underway, on: boolean): void {
    write(into, end());
    fs.fdatasyncSync(into);
    const anew = { id: blob.id, sealed: on ? 1 : 0 };
    fs.renameSync(path, layout.blob(anew));
    syncFolder(layout.blobFolder(blob.id));
    commit(() => {
      const row = findBlob(db, blob.id);
      if (row?.segment !== null || row.sealed !== blob.sealed) {
        // It was removed meanwhile, or is stored elsewhere by now.
        addGarbage(db, layout.blob(anew));
        return;
      }
      setFileSealed(db, blob.id, anew.sealed);
      addGarbage(db, layout.blob(blob));
      deleteGarbage(db, layout.blob(anew));
      lowerLeft(db, blob.size);
    });
  }

  return {
    step(on) {
      underway ??= open(on);
      if (underway === null) return false;
      try {
        const one = underway;
        const { blob } = one;
        for (let read = 0; read < STEP_BYTES && one.at < blob.size; ) {
          const length = Math.min(READ_BYTES, blob.size - one.at);
          const parts = one.turn(one.at, length);
          if (parts === null) {
            close();
            return true;
          }
          write(one.into, parts);
          one.at += length;
          read += length;
        }
        if (one.at < blob.size) return true;
        finish(one, on);
        hasWritten = true;
        close();
        return true;
      } catch (error) {
        restart();
        throw error;
      }
    },
    hasWritten: () => hasWritten,
    restart,
  };
}
