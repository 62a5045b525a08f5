import { isRecord } from "../../client/problem.ts";
import { type Connection, type Hearing, lost, type TerminalNews } from "./connection.ts";

/** Bytes that either side may send before the other gives credit for more, and what each frame costs besides. */
const windowBytes = 262_144;
const frameCost = 32;
const pieceBytes = 16_384;

/**
 * Talks to a terminal of a node; what is typed waits while the program does not read it, and the program waits while what it says is not
 * on the screen.
 */
export function openCreditSocket(url: string, { tell, show }: Hearing): Connection {
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
    if (data instanceof ArrayBuffer) return show(new Uint8Array(data), take(data.byteLength));
    const word: unknown = JSON.parse(String(data));
    if (!isRecord(word)) return;
    if (word["type"] === "credit") {
      credit += Number(word["bytes"]) || 0;
      pump();
      return;
    }
    const news = readNews(word);
    if (news !== null) tell(news);
  };
  socket.onclose = () => tell(lost());
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

function readNews(word: Record<string, unknown>): TerminalNews | null {
  const { type, reason } = word;
  // A node records nothing of itself.
  if (type === "ready") return { is: "ready", recorded: false };
  if (type === "warning") return { is: "warning", reason: String(reason) };
  if (type === "exit") return { is: "over", words: wordsOfExit(word["exit_code"]) };
  if (type !== "ended") return null;
  // What others could read over the shoulder goes with a terminal that nobody sits at.
  return { is: "over", words: String(word["message"]), hide: reason === "idle" || reason === "access_ended" };
}

const wordsOfExit = (code: unknown): string =>
  typeof code !== "number" || code === 0 ? "The shell has ended." : `The shell has ended with exit code ${code}.`;
