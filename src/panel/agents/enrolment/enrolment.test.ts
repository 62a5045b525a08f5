import { beforeEach, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { makeNodeKey } from "../../../../tests/kit/agent-client.ts";
import { registerBody } from "../../../../tests/kit/agent-panel.ts";
import { createTestAuthority } from "../../../../tests/kit/authority.ts";
import { createMemoryFleet } from "../../../../tests/kit/enrolment.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { days, hours } from "../../../lib/duration.ts";
import { registerNode, renewNode } from "./index.ts";

let clock: ReturnType<typeof createFakeClock>;
let fleet: ReturnType<typeof createMemoryFleet>;
beforeEach(async () => {
  clock = createFakeClock();
  fleet = createMemoryFleet(await createTestAuthority(clock), clock);
});

const FROM = { address: "192.0.2.1" };
const register = (token: string, more: Record<string, unknown> = {}, csr = makeNodeKey().csr) =>
  registerNode(fleet.deps, registerBody(token, csr, more), FROM);
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    (error) => (error instanceof AppError ? error.code : String(error)),
  );
const identityOf = (nodeId: string) => {
  const row = fleet.node(nodeId);
  return { nodeId, tenantId: row?.tenantId ?? "", serial: row?.certificate.serial ?? "" };
};

test("fifty at once with one token: one of them is enrolled", async () => {
  const token = fleet.addToken("ten_a");
  const codes = await Promise.all(
    Array.from({ length: 50 }, (_, i) => codeOf(register(token, { instance_id: `node-${i}` }))),
  );
  expect(codes.filter((code) => code === "ok")).toHaveLength(1);
  expect(codes.filter((code) => code === "token_refused")).toHaveLength(49);
  expect(fleet.nodes()).toHaveLength(1);
  expect(fleet.events()).toHaveLength(1);
});

test("the workspace comes from the token and the certificate says so", async () => {
  const reply = await register(fleet.addToken("ten_a"));
  expect(new X509Certificate(reply.signed_certificate).subjectAltName).toContain("/tenant/ten_a/node/node-1");
  expect(reply).toMatchObject({ license_token: "license-ten_a", cert_expires_at: "2026-04-01T00:00:00.000Z" });
  expect(fleet.node("node-1")?.secret).toBe(reply.cp_node_secret);
});

test("an expired token enrols nobody", async () => {
  const token = fleet.addToken("ten_a", { lifetimeMs: hours(1) });
  clock.jump(hours(1));
  expect(await codeOf(register(token))).toBe("token_refused");
});

test("a node of another workspace is refused without a word of whose it is, and the token stays good", async () => {
  await register(fleet.addToken("ten_a"));
  const token = fleet.addToken("ten_b");
  const refusal = await register(token).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 409, code: "node_elsewhere", params: {} });
  expect(fleet.uses(token)).toBe(0);
  expect(fleet.node("node-1")?.tenantId).toBe("ten_a");
  expect(fleet.events()).toHaveLength(1);
});

test("a request that is no good does not use the token up", async () => {
  const token = fleet.addToken("ten_a");
  expect(await codeOf(register(token, {}, "nonsense"))).toBe("invalid_csr");
  expect(fleet.uses(token)).toBe(0);
});

test("two nodes cannot share a key", async () => {
  const { csr } = makeNodeKey();
  await register(fleet.addToken("ten_a"), {}, csr);
  const token = fleet.addToken("ten_a");
  expect(await codeOf(register(token, { instance_id: "clone" }, csr))).toBe("key_in_use");
  expect(fleet.uses(token)).toBe(0);
  await register(token, { instance_id: "clone" });
  expect(await codeOf(renewNode(fleet.deps, { csr }, identityOf("clone")))).toBe("key_in_use");
});

test("registering again replaces certificate and secret, and tells about other hardware", async () => {
  const first = await register(fleet.addToken("ten_a"));
  const old = fleet.node("node-1");
  const again = await register(fleet.addToken("ten_a"));
  expect(again.cp_node_secret).not.toBe(first.cp_node_secret);
  expect(fleet.nodes()).toHaveLength(1);
  expect(fleet.node("node-1")?.certificate.serial).not.toBe(old?.certificate.serial);
  await register(fleet.addToken("ten_a"), { hardware_fingerprint: "other" });
  clock.jump(days(91));
  await register(fleet.addToken("ten_a"), { hardware_fingerprint: "third" });
  const told = fleet.events().map((event) => (event.kind === "reregistered" ? event.hardware : event.kind));
  expect(told).toEqual(["registered", "same_hardware", "other_hardware_while_alive", "other_hardware"]);
});

test("only the certificates of now renew", async () => {
  await register(fleet.addToken("ten_a"));
  const former = identityOf("node-1");
  const renewed = await renewNode(fleet.deps, { csr: makeNodeKey().csr }, former);
  expect(new X509Certificate(renewed.signed_certificate).subjectAltName).toContain("/tenant/ten_a/node/node-1");
  expect(fleet.node("node-1")?.certificate.serial).toBe(former.serial);
  await register(fleet.addToken("ten_a"));
  expect(await codeOf(renewNode(fleet.deps, { csr: makeNodeKey().csr }, former))).toBe("node_deleted");
  fleet.deleteNode("node-1");
  expect(await codeOf(renewNode(fleet.deps, { csr: makeNodeKey().csr }, identityOf("node-1")))).toBe("node_deleted");
});
