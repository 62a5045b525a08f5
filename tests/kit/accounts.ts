import { Secret, TOTP } from "otpauth";
import type { Role } from "../../src/node/access.ts";
import { FOR_PROGRAM } from "../../src/shared/password/index.ts";
import { ARGON } from "../../src/shared/password/messages.ts";
import type { Answer, TestNode } from "./node-app.ts";

export const PASSWORD = "a long enough phrase";

/** Configuration under which `from("10.0.0.7")` comes from that address, and no rate limit of requests is met. */
export const MANY_ADDRESSES = { trusted_proxies: "127.0.0.1", anonymous_rate: "1000000", session_rate: "1000000" };

/** Headers of a request from `ip`, on a node made with `MANY_ADDRESSES`. */
export const from = (ip: string): Record<string, string> => ({ "x-forwarded-for": ip });

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

/** An account with a real password. */
export function addAccount(node: TestNode, username: string, role: Role = "admin") {
  return node.ctx.users.create({ username, password: PASSWORD, role, whose: FOR_PROGRAM });
}

/** Makes comparing an account's password take six times as long, so that something surely happens meanwhile. */
export async function slowDown(node: TestNode, username: string, password: string): Promise<void> {
  const hash = await Bun.password.hash(password, { ...ARGON, timeCost: 6 * ARGON.timeCost });
  node.ctx.db.raw.query("UPDATE users SET password_hash = ? WHERE username = ?").run(hash, username);
}

/** Signs in with the password and returns the answer. */
export function logIn(node: TestNode, username: string, headers: Record<string, string> = {}): Promise<Answer> {
  return node.call("POST /api/auth/login", { body: { username, password: PASSWORD }, headers });
}

/** The code an app would show now, or `steps` half minutes later. */
export function totpCode(node: TestNode, secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: node.clock.now() + steps * 30_000 });
}

/** Turns TOTP on for a signed-in account and returns the secret; the clock moves past the code that was used. */
export async function turnTotpOn(node: TestNode, token: string): Promise<string> {
  const { body } = await node.call("POST /api/auth/totp/enable", { headers: bearer(token) });
  const code = totpCode(node, body.secret);
  await node.call("POST /api/auth/totp/verify", { headers: bearer(token), body: { code } });
  await node.clock.advance(60_000);
  return body.secret;
}

/** Cookies of an answer by name. */
export function cookiesOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(headers.getSetCookie().map((line) => (line.split(";")[0] ?? "").split("=", 2)));
}
