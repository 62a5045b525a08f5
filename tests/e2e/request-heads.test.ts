import { expect, test } from "bun:test";
import { NODE_BINARY, PANEL_BINARY, startNode } from "../kit/binary.ts";
import { sendRaw } from "../kit/raw-http.ts";
import { fuzzHeads } from "../kit/request-heads.ts";

const PATHS = ["/", "/apps", "/api/health", "/api/none", "/api/auth/me", "/api/audit", "/api/v1/nodes", "/index.html"];

for (const binary of [NODE_BINARY, PANEL_BINARY]) {
  test(`${binary.split("/").at(-1)} as it is released has no page of errors with its source in it`, async () => {
    const program = await startNode({ binary });
    try {
      const port = Number(new URL(program.url).port);
      const { wrong } = await fuzzHeads(port, PATHS, { runs: 400, seed: 1 });
      expect(wrong).toEqual([]);
      const { status, body } = await sendRaw(port, "GET /api/audit?limit=-1 HTTP/1.1\r\nHost: a b\r\n\r\n");
      expect([status, JSON.parse(body).code]).toEqual([400, "invalid_request"]);
      expect((await sendRaw(port, "GET /api/audit?limit=-1 HTTP/1.0\r\n\r\n")).status).toBe(400);
    } finally {
      await program.dispose();
    }
  });
}
