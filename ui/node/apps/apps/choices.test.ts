import { expect, test } from "bun:test";
import { changeOf, choicesOf, cpusFault, faultsOf, memoryFault, portChoices, portFault } from "./choices.ts";

const port = (container: number, host: number, protocol: "tcp" | "udp" = "tcp", bind = "0.0.0.0") => ({
  service: "web",
  container,
  protocol,
  host,
  bind,
  purpose: container === 53 ? "DNS" : "Web",
});
const app = {
  ports: [port(80, 8080, "tcp", "127.0.0.1"), port(53, 53), port(53, 53, "udp")],
  inputs: { TITLE: "Mine", NAGS: "true" },
  limits: { web: { memory_mb: 64, cpus: null }, db: { memory_mb: null, cpus: 2 } },
};

test("only what differs is asked for", () => {
  const before = choicesOf(app);
  expect(changeOf(before, before)).toEqual({});
  expect(changeOf(before, { ...before, inputs: { ...before.inputs, NAGS: true } })).toEqual({});
  const after = {
    inputs: { ...before.inputs, TITLE: "Ours", PASSWORD: "new" },
    ports: { ...before.ports, "web:80": "9090" },
    reach: { ...before.reach, "web:80": "lan" as const },
    memory: { ...before.memory, web: "128" },
    cpus: { ...before.cpus, db: "" },
  };
  expect(changeOf(before, after)).toEqual({
    inputs: { TITLE: "Ours", PASSWORD: "new" },
    ports: { "web:80": 9090 },
    reach: { "web:80": "lan" },
    limits: { web: { memory_mb: 128 }, db: {} },
  });
});

test("TCP and UDP of one number are one choice", () => {
  expect(portChoices(app)).toEqual([
    { key: "web:80", label: "Web" },
    { key: "web:53", label: "DNS" },
  ]);
});

test("figures that cannot be are refused before they are sent", () => {
  expect(["80", "65535"].map(portFault)).toEqual([null, null]);
  for (const text of ["", "0", "65536", "8e1", "-1", "80.5"]) expect(portFault(text)).not.toBeNull();
  expect(["", "6", "4096"].map(memoryFault)).toEqual([null, null, null]);
  for (const text of ["5", "1.5", "many"]) expect(memoryFault(text)).not.toBeNull();
  expect(["", "0.5", "2"].map(cpusFault)).toEqual([null, null, null]);
  for (const text of ["0", "-1", "x"]) expect(cpusFault(text)).not.toBeNull();
  expect(faultsOf(choicesOf(app))).toEqual([]);
});
