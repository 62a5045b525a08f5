// A node with two accounts, Ada and Eve, and what it takes to bring each way in to the point where it can go wrong.
import { addAccount, bearer, from, logIn, MANY_ADDRESSES, turnTotpOn } from "../kit/accounts.ts";
import { createAuthenticator } from "../kit/authenticator.ts";
import { type Answer, createTestNode } from "../kit/node-app.ts";

export const node = createTestNode(MANY_ADDRESSES);

type Kind = "wrong" | "expired" | "foreign" | "replayed" | "cut";
export interface Case {
  kind: Kind;
  /** Makes the state and the request; whatever it does before it returns is not held against the refusal. */
  prepare(): Promise<{ path?: string; body?: unknown; headers?: Record<string, string> }>;
  status: number;
  /** The code of the error, or null for an answer that is no error. */
  code: string | null;
  /** The status that the answer tells, for polls. */
  state?: string;
}

export const refusal = (kind: Kind, status: number, code: string, prepare: Case["prepare"]): Case => ({
  kind,
  status,
  code,
  prepare,
});
/** A question that is answered, with this status and nothing else. */
export const poll = (kind: Kind, state: string, prepare: Case["prepare"]): Case => ({
  kind,
  status: 200,
  code: null,
  state,
  prepare,
});

let lastIp = 0;
export const nextIp = () => from(`10.1.${(lastIp >> 8) & 255}.${lastIp++ & 255}`);
export const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  node.call(`POST ${path}`, { headers: { ...nextIp(), ...headers }, ...(body === undefined ? {} : { body }) });

await addAccount(node, "ada");
await addAccount(node, "eve");
export const tokenOf = async (name: string): Promise<string> => (await logIn(node, name, nextIp())).body.access_token;
export const ada = async () => ({ ...nextIp(), ...bearer(await tokenOf("ada")) });
export const eve = async () => ({ ...nextIp(), ...bearer(await tokenOf("eve")) });
export const ok = ({ status, body }: Answer): Answer["body"] => {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
};
export const later = async <T>(value: T, ms: number): Promise<T> => {
  await node.clock.advance(ms);
  return value;
};
export const cut = (text: string): string => text.slice(0, -1);

// An account may be asked for five times in ten minutes.
export const approval = async () => {
  await node.clock.advance(121_000);
  return ok(await post("/api/auth/approve/request", { email: "ada" }));
};
export const qr = async () => ok(await post("/api/auth/qr/generate"));
export const invite = async (name: string) =>
  ok(await post("/api/users/invites", { username: name, role: "viewer" }, await ada()));
export const pairing = async () => ok(await post("/api/paired-devices/pairings", undefined, await ada()));
export const locked = async () => {
  const headers = await ada();
  ok(await post("/api/auth/lock", undefined, headers));
  return headers;
};
export const decide = (id: string, code: string, headers: Record<string, string>) => ({
  path: `/api/auth/approve/${id}/decide`,
  body: { approve: true, code },
  headers,
});

/** An account with a second factor, and a login of it that waits for the code. */
let lastTotp = 0;
export async function halfway() {
  const name = `two${lastTotp++}`;
  await addAccount(node, name);
  const secret = await turnTotpOn(node, await tokenOf(name));
  const { temp_token } = (await logIn(node, name, nextIp())).body;
  return { secret, temp_token, name };
}

const key = createAuthenticator();
export const stranger = createAuthenticator();
async function passkeyOf(headers: Record<string, string>): Promise<string> {
  const { session_id, options } = ok(await post("/api/auth/passkeys/register/begin", undefined, headers));
  const credential = key.register(options.publicKey);
  return ok(await post("/api/auth/passkeys/register/finish", { session_id, name: "Key", credential }, headers)).id;
}
export const adasPasskey = await passkeyOf(await ada());
export const passkeyProof = async (by = key) => {
  const { session_id, options } = ok(await post("/api/auth/passkeys/login/begin"));
  return { session_id, credential: by.sign(options.publicKey) };
};
export const registration = async (headers: Record<string, string>) => {
  const { session_id, options } = ok(await post("/api/auth/passkeys/register/begin", undefined, headers));
  return { session_id, name: "New", credential: createAuthenticator().register(options.publicKey) };
};
export const own = async (path: string, as: () => Promise<Record<string, string>>) => ({ path, headers: await as() });
export const adasKey = async () => ok(await post("/api/keys", { name: "test" }, await ada())).id;
export const adasDevice = async () =>
  ok(await post("/api/paired-devices/pair", { code: (await pairing()).code, name: "Phone" })).id;
export const adasSession = async () => {
  const headers = await ada();
  const list = ok(await node.call("GET /api/auth/sessions", { headers }));
  return list.find(({ current }: { current: boolean }) => current).id;
};

const BOOKS = /^(audit|timeline|sqlite)/;

/** All rows but what keeps the books: a refusal is noted there. */
export function rows(): unknown {
  const tables = node.ctx.db.raw
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return tables
    .filter(({ name }) => !BOOKS.test(name))
    .map(({ name }) => [name, node.ctx.db.raw.query(`SELECT * FROM ${name}`).all()]);
}
