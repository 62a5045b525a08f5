import { expect, test } from "bun:test";
import { connect } from "node:net";
import { NODE_BINARY, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { sendRaw } from "../kit/raw-http.ts";
import { fuzzHeads } from "../kit/request-heads.ts";
import { until } from "../kit/until.ts";

const PATHS = ["/", "/apps", "/api/health", "/api/none", "/api/auth/me", "/api/audit", "/api/v1/nodes", "/index.html"];

/** A connection that begins with a text and then sends a byte a second, or nothing at all. */
function holdOpen(port: number, beginning: string): { isClosed(): boolean } {
  const socket = connect(port, "127.0.0.1", () => socket.write(beginning));
  const drip = setInterval(() => beginning !== "" && socket.write("a"), 1_000);
  socket.on("error", () => {}).on("close", () => clearInterval(drip));
  return { isClosed: () => socket.closed };
}

for (const binary of [NODE_BINARY, PANEL_BINARY]) {
  test(`${binary.split("/").at(-1)} as it is released has no page of errors with its source in it`, async () => {
    const program = await startNode({ binary });
    try {
      const port = Number(new URL(program.url).port);
      // What is silent, and what drips a head without end: bytes win no time. Both programs listen alike.
      const beginnings = binary === PANEL_BINARY ? ["", "GET / HTTP/1.1\r\nHost: a\r\nX-Drip: "] : [];
      const waiting = beginnings.map((beginning) => holdOpen(port, beginning));
      const { wrong } = await fuzzHeads(port, PATHS, { runs: 400, seed: 1 });
      expect(wrong).toEqual([]);
      const { status, body } = await sendRaw(port, "GET /api/audit?limit=-1 HTTP/1.1\r\nHost: a b\r\n\r\n");
      expect([status, JSON.parse(body).code]).toEqual([400, "invalid_request"]);
      expect((await sendRaw(port, "GET /api/audit?limit=-1 HTTP/1.0\r\n\r\n")).status).toBe(400);
      await until(() => waiting.every(({ isClosed }) => isClosed()), {
        timeoutMs: 40_000,
        what: "the end of idle connections",
      });
    } finally {
      await program.dispose();
    }
  });
}
