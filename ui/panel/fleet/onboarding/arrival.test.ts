import { expect, test } from "bun:test";
import { agentAddress, arrivalOf, forNetcat } from "./arrival.ts";

test("a heartbeat names its node, with or without an envelope", () => {
  const node = { id: "n1", hostname: "atlas", version: "1.2.0" };
  expect(arrivalOf(node)).toEqual(node);
  expect(arrivalOf({ connected: true, instance: { ...node, version: null } })).toEqual({ ...node, version: null });
  for (const other of [null, "timeout", {}, { id: 3, hostname: "x" }, { instance: {} }])
    expect(arrivalOf(other)).toBeNull();
});

test("the line says which address the server has to reach", () => {
  const line = (url: string): string => `orrery-node connect --panel ${url} --token t --pin p`;
  expect(agentAddress(line("https://panel.example.org:8443"))).toBe("panel.example.org:8443");
  expect(agentAddress(line("https://panel.example.org"))).toBe("panel.example.org:443");
  expect(agentAddress("orrery-node connect t")).toBeNull();
  expect(forNetcat("panel.example.org:8443")).toBe("panel.example.org 8443");
  expect(forNetcat(agentAddress(line("https://[2001:db8::1]:8443")) ?? "")).toBe("2001:db8::1 8443");
});
