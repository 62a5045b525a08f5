import { Database } from "bun:sqlite";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { systemClock } from "../../src/lib/clock.ts";
import { createAgentClient, fetchPinnedRoot } from "../../src/shared/agent-client/index.ts";
import type { HeartbeatInput } from "../../src/shared/agent-protocol/index.ts";
import { makeNodeKey } from "./agent-client.ts";
import { heartbeatBody, registerBody } from "./agent-panel.ts";
import type { NodeProcess } from "./binary.ts";

/** Somebody with an account on the panel. */
export interface Visitor {
  name: string;
  email: string;
  password: string;
}

/** Fills the panel's sign-in page and sends it. */
export async function enterPanel(page: Page, { email, password }: Visitor): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Passphrase", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Makes one account a member of the workspace that another one's is in, without an invitation. Gives the member's id. */
export function addMember(panel: Pick<NodeProcess, "dataDir">, tenantId: string, email: string, role: string): string {
  const db = new Database(join(panel.dataDir, "panel.db"));
  const id = `mem_${randomUUID()}`;
  db.run("PRAGMA busy_timeout = 5000");
  db.run(
    "INSERT INTO members (tenant_id, id, account_id, role, created_at) SELECT ?, ?, id, ?, ? FROM accounts WHERE email = ?",
    [tenantId, id, role, Date.now(), email],
  );
  db.close();
  return id;
}

/** Does what a server does that is given the printed line: checks the pin, registers, sends its first heartbeat. */
export async function runConnectLine(
  line: string,
  hostname: string,
  heartbeat: Record<string, unknown> = {},
  clockAheadMs = 0,
): Promise<string> {
  const option = (name: string): string => new RegExp(`--${name} (\\S+)`).exec(line)?.[1] ?? "";
  const { hostname: host, port } = new URL(option("panel"));
  const endpoint = { host, port: Number(port) };
  const { keyPem, csr } = makeNodeKey();
  const instance_id = `${hostname}-1`;
  const ca = await fetchPinnedRoot(systemClock, endpoint, option("pin"), 5_000);
  const client = createAgentClient(systemClock, endpoint, { ca, credential: null }, { connectMs: 5_000 });
  try {
    const hardware_fingerprint = heartbeat["hardware_fingerprint"] ?? hostname;
    const facts = { instance_id, hostname, hardware_fingerprint };
    const reply = await client.register(registerBody(option("token"), csr, facts));
    const credential = { certificate: reply.signed_certificate, key: keyPem };
    client.use({ ca: reply.ca_certificate, credential });
    const beat: HeartbeatInput = { ...heartbeatBody({ hostname, hardware_fingerprint, ...heartbeat }), status: "ok" };
    await client.heartbeat({ ...beat, sent_at: new Date(Date.now() + clockAheadMs).toISOString() });
  } finally {
    client.close();
  }
  return instance_id;
}
