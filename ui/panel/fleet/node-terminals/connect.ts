import { isRecord } from "../../../client/problem.ts";
import { type Connect, type Hearing, lost, socketUrl, type TerminalNews } from "../../../parts/terminal/connection.ts";
import { api } from "../../client/api.ts";

/** Of what is pasted: a frame may have 64 KB. */
const PIECE_CHARACTERS = 8_000;

/** Terminals on a node: in an app of it, or of the server itself where none is named. */
export const connectTo =
  (id: string, app: string | null): Connect =>
  async ({ columns, rows }, hearing) => {
    const { ticket, ws_path } = await api("POST /api/fleet/instances/{id}/terminal/ticket", {
      path: { id },
      body: app === null ? {} : { app },
    });
    const query = `?ticket=${encodeURIComponent(ticket)}&cols=${columns}&rows=${rows}`;
    return talkOver(new WebSocket(socketUrl(ws_path + query)), hearing);
  };

function talkOver(socket: WebSocket, { tell, show }: Hearing) {
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) return show(new Uint8Array(data), () => {});
    const word: unknown = JSON.parse(String(data));
    const news = isRecord(word) ? readNews(word) : null;
    if (news !== null) tell(news);
  };
  socket.onclose = () => tell(lost());
  const isOpen = (): boolean => socket.readyState === WebSocket.OPEN;
  return {
    type(text: string) {
      for (let at = 0; at < text.length && isOpen(); at += PIECE_CHARACTERS)
        socket.send(new TextEncoder().encode(text.slice(at, at + PIECE_CHARACTERS)));
    },
    resize(cols: number, rows: number) {
      if (isOpen()) socket.send(JSON.stringify({ type: "resize", cols, rows }));
    },
    close: () => socket.close(),
  };
}

function readNews(word: Record<string, unknown>): TerminalNews | null {
  const { type, reason } = word;
  if (type === "ready") return { is: "ready", recorded: word["recorded"] === true };
  if (type === "warning") return { is: "warning", reason: String(reason) };
  if (type === "error") return { is: "over", words: String(word["error"]) };
  if (type !== "exit") return null;
  // What others could read over the shoulder goes with a terminal that nobody sits at.
  const hide = reason === "idle" || reason === "access_ended";
  return { is: "over", words: ENDS[String(reason)] ?? "The shell has ended.", hide };
}

const ENDS: Record<string, string> = {
  idle: "Nothing was typed for 15 minutes, so the terminal was closed.",
  too_long: "A terminal stays open for 2 hours at most, so it was closed.",
  access_ended: "Your session or your role has ended, so the terminal was closed.",
};
