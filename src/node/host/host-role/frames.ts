/** What goes over the socket of the host role: one JSON object a line, a question one way, then events the other way. */
import { type Static, Type } from "@sinclair/typebox";
import { nestingOf, parseJson } from "../../../lib/json.ts";

/** Longest lines in bytes: a question names a few packages; an answer tells their versions. */
export const FRAME_BYTES = { question: 16_384, event: 262_144 } as const;
/** No question nests deeper than the list in its input. */
const DEEPEST = 4;

const strict = { additionalProperties: false };

/** The one question of a connection. */
export const QuestionFrame = Type.Object(
  {
    /** Version of the program that asks; the host role is always of the same one. */
    version: Type.String({ maxLength: 100 }),
    verb: Type.String({ maxLength: 100 }),
    by: Type.String({ maxLength: 100 }),
    input: Type.Unknown(),
  },
  strict,
);
export type QuestionFrame = Static<typeof QuestionFrame>;

/** Bytes that either side of a talk may send before the other gives credit for more, and those of one frame. */
export const TALK_WINDOW = 262_144;
export const TALK_PIECE = { asker: 8_192, role: 65_536 } as const;
const Credit = Type.Integer({ minimum: 1, maximum: TALK_WINDOW });

/** What else comes from whoever asked, while a verb that talks is at work. */
export const TalkFrame = Type.Union([
  Type.Object({ say: Type.Literal("bytes"), bytes: Type.String({ maxLength: 12_000 }) }, strict),
  Type.Object(
    {
      say: Type.Literal("size"),
      columns: Type.Integer({ minimum: 1, maximum: 500 }),
      rows: Type.Integer({ minimum: 1, maximum: 300 }),
    },
    strict,
  ),
  Type.Object({ say: Type.Literal("credit"), bytes: Credit }, strict),
]);
export type TalkFrame = Static<typeof TalkFrame>;

/** What is answered: `begun` at once, lines while it runs, and at the end `output` or `error`. */
export const EventFrame = Type.Union([
  Type.Object({ event: Type.Literal("begun") }, strict),
  Type.Object({ event: Type.Literal("line"), line: Type.String() }, strict),
  /** Of a talk: the program runs, what it says, and how much more of what is said to it may come. */
  Type.Object({ event: Type.Literal("opened") }, strict),
  Type.Object({ event: Type.Literal("bytes"), bytes: Type.String() }, strict),
  Type.Object({ event: Type.Literal("credit"), bytes: Credit }, strict),
  Type.Object({ event: Type.Literal("done"), output: Type.Unknown() }, strict),
  Type.Object(
    {
      event: Type.Literal("failed"),
      code: Type.String(),
      params: Type.Record(Type.String(), Type.Unknown()),
    },
    strict,
  ),
  /** It is of another version, and leaves: ask again. */
  Type.Object({ event: Type.Literal("leaving") }, strict),
]);
export type EventFrame = Static<typeof EventFrame>;

export const writeFrame = (frame: QuestionFrame | TalkFrame | EventFrame): string => `${JSON.stringify(frame)}\n`;

/** What a line says; null for what is no JSON, or nests deeper than any of ours. */
export function readFrame(line: string): unknown {
  return nestingOf(line) > DEEPEST ? null : parseJson(line);
}

/** Cuts bytes into lines of at most `maxBytes`; holds no more than one. */
export function createLineCutter(maxBytes: number): { add(chunk: Uint8Array): string[] | "too long" } {
  let rest = Buffer.alloc(0);
  return {
    add(chunk) {
      const lines: string[] = [];
      let bytes = Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n")) {
        if (end > maxBytes) return "too long";
        lines.push(bytes.toString("utf8", 0, end));
        bytes = bytes.subarray(end + 1);
      }
      if (bytes.length > maxBytes) return "too long";
      rest = Buffer.from(bytes);
      return lines;
    },
  };
}
