import { AGENT_PATHS, SESSION_PROTOCOL } from "../../src/shared/agent-protocol/index.ts";
import { type AgentConnection, connectAgent } from "./agent-client.ts";
import { until } from "./until.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into frames freely
type Frame = any;

/** A session as bytes, without the node's own client. */
export interface RawSession extends AgentConnection {
  /** Frames so far; lines that only say that somebody is there are left out. */
  frames(): Frame[];
  /** Empty lines so far. */
  keepAlives(): number;
  /** Resolves with the first frame that fits, once it is there. */
  frame(fits: (frame: Frame) => boolean): Promise<Frame>;
  /** Sends a heartbeat and gives what comes back under its number. */
  beat(id: number, heartbeat: unknown): Promise<Frame>;
}

export const UPGRADE = `GET ${AGENT_PATHS.control} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: ${SESSION_PROTOCOL}\r\n\r\n`;
const HEAD_END = "\r\n\r\n";

/** Connects and asks for a session; resolves once the panel has answered. */
export async function openRawSession(options: Parameters<typeof connectAgent>[0]): Promise<RawSession> {
  const connection = await connectAgent(options);
  connection.raw(UPGRADE);
  await until(() => connection.received().includes(HEAD_END), { everyMs: 2, what: "the answer to the upgrade" });
  const lines = () => {
    const text = connection.received();
    const whole = text.slice(text.indexOf(HEAD_END) + HEAD_END.length);
    return whole.slice(0, whole.lastIndexOf("\n") + 1).split("\n");
  };
  const frames = () =>
    lines()
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const frame = (fits: (frame: Frame) => boolean) =>
    until(() => frames().find(fits), { everyMs: 2, what: "a frame of the panel" });
  return {
    ...connection,
    frames,
    frame,
    keepAlives: () => lines().filter((line) => line === "").length - 1,
    beat(id, heartbeat) {
      connection.raw(`${JSON.stringify({ kind: "heartbeat", id, heartbeat })}\n`);
      return frame((found) => found.id === id);
    },
  };
}
