import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { heartbeatBody, registerBody } from "../../../tests/kit/agent-panel.ts";
import { HeartbeatInput, RegisterInput } from "./index.ts";

const { metrics } = heartbeatBody();

test.each([
  ["cpu_percent", 1e7],
  ["memory_percent", 1e308],
  ["net_in", 1e300],
  ["net_out", -1],
])("%s of %p is no figure that a fleet can be summed up with", (name, value) => {
  expect(Value.Check(HeartbeatInput, heartbeatBody())).toBe(true);
  expect(Value.Check(HeartbeatInput, heartbeatBody({ metrics: { ...metrics, [name]: value } }))).toBe(false);
});

test("whole numbers are those that a table can hold", () => {
  const app = { app_id: "a", name: "a", status: "running", image: "a", cpu_percent: 1, mem_bytes: 1, restart_count: 1 };
  expect(Value.Check(HeartbeatInput, heartbeatBody({ apps: [app] }))).toBe(true);
  expect(Value.Check(HeartbeatInput, heartbeatBody({ apps: [{ ...app, mem_bytes: 1e300 }] }))).toBe(false);
  expect(Value.Check(HeartbeatInput, heartbeatBody({ uptime_seconds: 2 ** 53 }))).toBe(false);
});

test("a node's name for itself and its version turn no text around them and hide nothing", () => {
  for (const name of ["hostname", "version"])
    for (const text of ["a\u202eb", "a\nb", "\u200b", " "]) {
      expect(Value.Check(RegisterInput, registerBody("token", "csr", { [name]: text }))).toBe(false);
      expect(Value.Check(HeartbeatInput, heartbeatBody({ [name]: text }))).toBe(false);
    }
  expect(Value.Check(HeartbeatInput, heartbeatBody({ hostname: "größe-1 (büro)" }))).toBe(true);
});

test("a node does not register with a NUL in what it tells", () => {
  expect(Value.Check(RegisterInput, registerBody("token", "csr"))).toBe(true);
  for (const name of ["hostname", "version", "hardware_fingerprint"])
    expect(Value.Check(RegisterInput, registerBody("token", "csr", { [name]: "a\u0000b" }))).toBe(false);
});
