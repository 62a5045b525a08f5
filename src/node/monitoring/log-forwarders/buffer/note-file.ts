import { open } from "node:fs/promises";
import { isRecord, parseJson } from "../../../../lib/json.ts";

const SLOT_BYTES = 512;
const SLOTS = 2;

/** A small note that is written again and again in place: it needs no room on a full disk once it is there. */
export interface NoteFile {
  /** What was written last and whole; null when nothing was. */
  read(): Record<string, unknown> | null;
  write(note: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

function decodeSlot(bytes: Buffer): { turn: number; note: Record<string, unknown> } | null {
  const [head = "", text = ""] = bytes.toString("utf8").replace(/\0+$/, "").split("\n", 2);
  const [turn = "", sum = ""] = head.split(" ");
  const note = parseJson(text);
  const isWhole = sum === String(Bun.hash.crc32(`${turn} ${text}`)) && isRecord(note);
  return isWhole ? { turn: Number(turn), note } : null;
}

function encodeSlot(turn: number, note: Record<string, unknown>): Buffer {
  const text = JSON.stringify(note);
  const slot = Buffer.alloc(SLOT_BYTES);
  const written = slot.write(`${turn} ${Bun.hash.crc32(`${turn} ${text}`)}\n${text}`);
  if (written >= SLOT_BYTES) throw new Error("the note is too long for its place");
  return slot;
}

/** Opens the note at `path`. It has two places that are written in turn, so that a crash at any byte leaves one of them whole. */
export async function openNoteFile(path: string): Promise<NoteFile> {
  const bytes = Buffer.alloc(SLOT_BYTES * SLOTS);
  // Not "w+": what stands there must not be cut off.
  await (await open(path, "a", 0o600)).close();
  const file = await open(path, "r+");
  const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
  if (bytesRead < bytes.length)
    await file.write(bytes.fill(0, bytesRead), bytesRead, undefined, bytesRead).catch(() => {});
  const slots = [0, SLOT_BYTES].flatMap((start) => decodeSlot(bytes.subarray(start, start + SLOT_BYTES)) ?? []);
  const last = slots.sort((left, right) => right.turn - left.turn)[0] ?? null;
  let turn = last?.turn ?? 0;
  return {
    read: () => last?.note ?? null,
    async write(note) {
      turn += 1;
      await file.write(encodeSlot(turn, note), 0, SLOT_BYTES, (turn % SLOTS) * SLOT_BYTES);
    },
    close: () => file.close(),
  };
}
