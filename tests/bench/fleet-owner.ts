import { systemClock } from "../../src/lib/clock.ts";
import { openData } from "../../src/panel/open-data.ts";
import { FOR_PROGRAM, hashPassword } from "../../src/shared/password/index.ts";
import { SEED_TENANT } from "../kit/seed-fleet.ts";
import type { Running } from "./programs.ts";

const EMAIL = "ada@example.org";
const PASSWORD = "correct horse battery";

/** Gives the workspace of a seeded fleet an owner. */
export async function addOwner(folder: string): Promise<void> {
  const { db, samplesDb } = await openData({ data_dir: folder, database_url: "" }, systemClock);
  const sql =
    "INSERT INTO accounts (id, email, display_name, password_hash, created_at) VALUES ('acc_ada', ?, 'Ada', ?, 0)";
  await db.run(sql, [EMAIL, await hashPassword(PASSWORD, FOR_PROGRAM)]);
  await db.run(
    `INSERT INTO members (tenant_id, id, account_id, role, created_at) VALUES (?, 'mem_ada', 'acc_ada', 'org_owner', 0)`,
    [SEED_TENANT],
  );
  await samplesDb.close();
  await db.close();
}

/** The token of that owner. */
export async function signIn(panel: Running): Promise<string> {
  const answer = await fetch(`${panel.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Asks the panel as the owner; throws for what is refused. */
export async function ask<Answer>(panel: Running, path: string, token: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${panel.url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}
