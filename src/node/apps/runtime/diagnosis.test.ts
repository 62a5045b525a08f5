import { expect, test } from "bun:test";
import { explainSilence } from "./diagnosis.ts";

const SOCKET = "/var/run/docker.sock";

test.each([
  [{ hasSocket: false, mayUseSocket: false, hasProgram: false }, "missing", "apt-get install docker.io"],
  [{ hasSocket: false, mayUseSocket: false, hasProgram: true }, "unreachable", "systemctl start docker"],
  [{ hasSocket: true, mayUseSocket: false, hasProgram: true }, "unreachable", "usermod -aG docker"],
  [{ hasSocket: true, mayUseSocket: true, hasProgram: true }, "unreachable", "systemctl status docker"],
])("%o is %s and says %s", (host, state, remedy) => {
  const status = explainSilence(SOCKET, host, "connection refused");
  expect(status.state).toBe(state as never);
  expect(status.next_step).toContain(remedy);
});
