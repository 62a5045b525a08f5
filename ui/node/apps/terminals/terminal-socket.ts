import { isRecord } from "../../../client/problem.ts";

/** Bytes that either side may send before the other gives credit for more, and what each frame costs besides. */
const windowBytes = 262_144;
const frameCost = 32;
const pieceBytes = 16_384;

/** What the server tells beside what the program says. */
export type TerminalWord =
  | { type: "ready" }
  | { type: "warning"; reason: string }
  | { type: "exit"; exit_code: number | null }
  | { type: "ended"; reason: string; message: string }
  /** The connection is gone, whoever closed it. */
  | { type: "closed" };

export interface TerminalSocket {
  type(text: string): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

interface Options {
  url: string;
  /** `taken` is called once they are on the screen, which lets the program go on. */
  onBytes: (bytes: Uint8Array, taken: () => void) => void;
  onWord: (word: TerminalWord) => void;
}

/** Talks to a terminal on the server; what is typed waits while the program does not read it. */
export function openTerminalSocket({ url, onBytes, onWord }: Options): TerminalSocket {
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  let credit = windowBytes;
  let shown = 0;
  let waiting: Uint8Array<ArrayBuffer>[] = [];

  const say = (value: object): number => {
    const text = JSON.stringify(value);
    if (socket.readyState !== WebSocket.OPEN) return 0;
    socket.send(text);
    return text.length;
  };
  const pump = (): void => {
    while (socket.readyState === WebSocket.OPEN) {
      const next = waiting[0];
      if (next === undefined || next.byteLength + frameCost > credit) return;
      credit -= next.byteLength + frameCost;
      socket.send(next);
      waiting.shift();
    }
  };
  const take = (count: number) => (): void => {
    shown += count;
    if (shown < windowBytes / 4) return;
    say({ type: "credit", bytes: shown });
    shown = 0;
  };
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) return onBytes(new Uint8Array(data), take(data.byteLength));
    const word: unknown = JSON.parse(String(data));
    if (!isRecord(word)) return;
    if (word["type"] === "credit") {
      credit += Number(word["bytes"]) || 0;
      pump();
    } else if (isWord(word)) onWord(word);
  };
  socket.onclose = () => onWord({ type: "closed" });
  return {
    type(text) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) waiting.push(bytes.subarray(at, at + pieceBytes));
      pump();
    },
    resize(columns, rows) {
      credit -= frameCost + say({ type: "resize", columns, rows });
    },
    close() {
      waiting = [];
      socket.close();
    },
  };
}

type Told = Exclude<TerminalWord, { type: "closed" }>;

function isWord(word: unknown): word is Told {
  return isRecord(word) && ["ready", "warning", "exit", "ended"].includes(String(word["type"]));
}
