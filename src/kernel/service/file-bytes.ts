import * as fs from "node:fs";

const COPY_BYTES = 1 << 20;

/** A file that is being written. */
export interface GrowingFile {
  /** Adds to its end. Throws what the system says, such as ENOSPC. */
  append(bytes: Uint8Array): Promise<void>;
  /** Empties it. */
  restart(): Promise<void>;
  /** Forces it to the disk and closes it. */
  finish(): Promise<void>;
  /** Closes it as it is. */
  leave(): Promise<void>;
}

/** What a path holds at this moment, without waiting for anybody and without following it elsewhere. */
function openPlain(path: string, maxBytes: number): { fd: number; size: number } {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stats = fs.fstatSync(fd);
  if (stats.isFile() && stats.size <= maxBytes) return { fd, size: stats.size };
  fs.closeSync(fd);
  throw new Error(`${path} is not a plain file of at most ${maxBytes} bytes`);
}

/** Copies exactly `size` bytes; a file that has become shorter gives a shorter copy. */
function copyBytes(from: number, path: string, size: number): void {
  const to = fs.openSync(path, "wx", 0o600);
  const buffer = Buffer.alloc(COPY_BYTES);
  try {
    for (let left = size; left > 0; ) {
      const count = fs.readSync(from, buffer, 0, Math.min(left, buffer.length), null);
      if (count === 0) return;
      for (let done = 0; done < count; ) done += fs.writeSync(to, buffer, done, count - done);
      left -= count;
    }
  } finally {
    fs.closeSync(to);
  }
}

/** Copies what is a plain file of at most `maxBytes` at this moment into a new file. Throws when it is not. */
export function copyPlain(from: string, to: string, maxBytes: number): void {
  const { fd, size } = openPlain(from, maxBytes);
  try {
    copyBytes(fd, to, size);
  } finally {
    fs.closeSync(fd);
  }
}

/** An empty file to be written part by part. */
export async function createFile(path: string, mode: number): Promise<GrowingFile> {
  const file = await fs.promises.open(path, "w", mode);
  let position = 0;
  return {
    async append(bytes) {
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position);
        done += bytesWritten;
        position += bytesWritten;
      }
    },
    async restart() {
      await file.truncate(0);
      position = 0;
    },
    async finish() {
      await file.sync();
      await file.close();
    },
    leave: () => file.close(),
  };
}
