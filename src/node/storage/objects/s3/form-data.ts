import { S3Problem } from "./problem.ts";

/** A form as a browser sends it: its fields, and the file, whose bytes come while they are read. */
export interface Form {
  /** By small names; the bytes of each. */
  fields: ReadonlyMap<string, Buffer>;
  /** Null where there is none. */
  file: { name: string; bytes: AsyncGenerator<Uint8Array> } | null;
}

/** What may stand before the file. */
const MAX_FIELDS = 100;
const MAX_FIELDS_BYTES = 64 * 1024;

const LINE = Buffer.from("\r\n");
const HEAD_END = Buffer.from("\r\n\r\n");

/** Bytes that are read up to a mark. */
function createReader(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let held = Buffer.alloc(0);

  async function more(): Promise<void> {
    const next = await iterator.next();
    if (next.done === true) throw new S3Problem("MalformedPOSTRequest");
    held = held.length === 0 ? Buffer.from(next.value) : Buffer.concat([held, next.value]);
  }

  return {
    /** All up to the mark, which is passed over. Throws for more than `most` bytes. */
    async until(mark: Buffer, most: number): Promise<Buffer> {
      for (let from = 0; ; ) {
        const at = held.indexOf(mark, from);
        if (at > most || (at === -1 && held.length > most + mark.length)) throw new S3Problem("MalformedPOSTRequest");
        if (at !== -1) {
          const found = held.subarray(0, at);
          held = held.subarray(at + mark.length);
          return found;
        }
        from = Math.max(0, held.length - mark.length + 1);
        await more();
      }
    },
    /** The same as it comes, however much it is. */
    async *pass(mark: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = held.indexOf(mark);
        const safe = at === -1 ? Math.max(0, held.length - mark.length + 1) : at;
        if (safe > 0) yield held.subarray(0, safe);
        held = held.subarray(at === -1 ? safe : at + mark.length);
        if (at !== -1) return;
        await more();
      }
    },
  };
}

/** The value of a parameter in a header such as Content-Disposition. */
function parameterOf(text: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, "i").exec(text);
  if (found === null) return null;
  return found[1]?.replace(/\\(.)/g, "$1") ?? found[2] ?? "";
}

/** Reads a form up to its file, which comes last. Throws MalformedPOSTRequest. */
export async function readForm(type: string, source: AsyncIterable<Uint8Array>): Promise<Form> {
  const boundary = parameterOf(type, "boundary");
  if (!/^multipart\/form-data\s*;/i.test(type) || boundary === null || !/^[\x21-\x7e ]{1,70}$/.test(boundary))
    throw new S3Problem("MalformedPOSTRequest");
  const reader = createReader(source);
  const mark = Buffer.from(`\r\n--${boundary}`);
  const fields = new Map<string, Buffer>();
  let left = MAX_FIELDS_BYTES;
  await reader.until(mark.subarray(LINE.length), left);
  for (let count = 0; count < MAX_FIELDS; count += 1) {
    if ((await reader.until(LINE, 2)).toString("latin1") === "--") return { fields, file: null };
    const head = (await reader.until(HEAD_END, left)).toString("utf8");
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
    const name = parameterOf(disposition, "name")?.toLowerCase();
    if (name === undefined) throw new S3Problem("MalformedPOSTRequest");
    if (name === "file") {
      const file = parameterOf(disposition, "filename") ?? "";
      return { fields, file: { name: file.replace(/^.*[/\\]/, ""), bytes: reader.pass(mark) } };
    }
    const value = Buffer.from(await reader.until(mark, left));
    left -= head.length + value.length;
    if (left < 0 || fields.has(name)) throw new S3Problem("MalformedPOSTRequest");
    fields.set(name, value);
  }
  throw new S3Problem("MalformedPOSTRequest");
}
