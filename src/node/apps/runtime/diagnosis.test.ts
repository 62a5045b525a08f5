import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { explainSilence, viewHost } from "./diagnosis.ts";
import { createWire } from "./engine-wire.ts";

const SOCKET = "/var/run/docker.sock";

test.each([
  [
    { hasSocket: false, mayUseSocket: false, hasProgram: false, isRefused: false },
    "missing",
    "apt-get install docker.io",
  ],
  [
    { hasSocket: false, mayUseSocket: false, hasProgram: true, isRefused: true },
    "unreachable",
    "systemctl start docker",
  ],
  [{ hasSocket: true, mayUseSocket: false, hasProgram: true, isRefused: true }, "unreachable", "usermod -aG docker"],
  [
    { hasSocket: true, mayUseSocket: true, hasProgram: true, isRefused: true },
    "unreachable",
    "systemctl status docker",
  ],
  // What was removed leaves its socket file.
  [{ hasSocket: true, mayUseSocket: true, hasProgram: false, isRefused: true }, "missing", "apt-get install docker.io"],
  // A socket that was mounted into a container, whose engine is slow.
  [{ hasSocket: true, mayUseSocket: true, hasProgram: false, isRefused: false }, "unreachable", "systemctl status"],
])("%o is %s and says %s", (host, state, remedy) => {
  const status = explainSilence(SOCKET, host, "connection refused");
  expect(status.state).toBe(state as never);
  expect(status.next_step).toContain(remedy);
});

test("a socket file that nobody listens at is told from an engine that is slow", async () => {
  const folder = makeScratch("stale-socket");
  const [made, stale] = [join(folder, "made.sock"), join(folder, "docker.sock")];
  const asked: Socket[] = [];
  const server = createServer((socket) => void asked.push(socket));
  await new Promise<void>((resolve) => void server.listen(made, resolve));
  renameSync(made, stale);
  const ask = () => createWire(stale, "").call("GET", "/version", { timeoutMs: 50 });
  const slow: unknown = await ask().catch((error: unknown) => error);
  expect(viewHost(stale, slow)).toMatchObject({ hasSocket: true, isRefused: false });
  for (const socket of asked) socket.destroy();
  await new Promise((resolve) => void server.close(resolve));
  const refused: unknown = await ask().catch((error: unknown) => error);
  expect(viewHost(stale, refused)).toMatchObject({ hasSocket: true, isRefused: true });
});
