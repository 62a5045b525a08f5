import { afterEach, beforeEach, expect, test } from "bun:test";
import { addAccount, bearer } from "../../../tests/kit/accounts.ts";
import type { Answer, TestNode } from "../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../tests/kit/storage-node.ts";
import { toIso } from "../../lib/clock.ts";
import { days, hours, seconds } from "../../lib/duration.ts";

/** Far more than is read ahead, as a film begins. */
const FILE = new Uint8Array(4_000_000).map((_, at) => "....ftypisom".codePointAt(at) ?? at % 251);

let node: TestNode;
let eve: { id: string; session_id: string; headers: Record<string, string> };
let file: { id: string; folder: string };
beforeEach(async () => {
  node = openStorageNode({ anonymous_rate: "1000000", session_rate: "1000000" });
  await node.tokenOf("admin");
  const { id } = await addAccount(node, "eve");
  await signIn(id);
  const folder = (await asEve("POST /api/drive/folders", { name: "Films", parent_id: null })).body.id;
  const body = new FormData();
  body.set("file", new File([FILE], "film"));
  const sent = await fetchAs(`/api/drive/upload?folder_id=${folder}`, eve.headers, { method: "POST", body });
  file = { id: JSON.parse(await sent.text()).id, folder };
});
afterEach(() => closeStorageNode(node));

async function signIn(id: string): Promise<void> {
  const { session_id } = node.ctx.sessions.begin(id, { ip: "127.0.0.1", device: "test" });
  eve = { id, session_id, headers: bearer(await node.ctx.sessions.tokens.sign(id, session_id)) };
}
const asEve = (route: string, body?: unknown) => node.call(route, { headers: eve.headers, body });
const asAdmin = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const fetchAs = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  node.fetch(new Request(`http://localhost${path}`, { ...init, headers: { host: "localhost", ...headers } }));

type Headers = Record<string, string>;

/** A download that began, and how to end the right to it alone. */
interface Begun {
  answer: Response;
  end(): Promise<Answer>;
}

const toSave = async (id: string, headers: Headers = eve.headers): Promise<Response> => {
  const made = await node.call(`GET /api/drive/raw/${id}`, { headers });
  return await fetchAs(made.headers.get("location") ?? "", {});
};
const signOut = () => asEve("POST /api/auth/logout");
async function shared(id: string, below = "/download"): Promise<Begun> {
  const { body } = await asEve(`POST /api/drive/nodes/${id}/share`, { mode: "read" });
  const answer = await fetchAs(`/api${body.path.replace("/s/", "/shares/")}${below}`, {});
  return { answer, end: () => asEve(`DELETE /api/drive/shares/${body.id}`) };
}

const WAYS: Record<string, () => Promise<Begun>> = {
  "a signed address": async () => ({ answer: await toSave(file.id), end: signOut }),
  "an archive by one": async () => ({ answer: await toSave(file.folder), end: signOut }),
  async "one that shows it"() {
    const { body } = await asEve(`GET /api/drive/nodes/${file.id}/view`);
    return { answer: await fetchAs(body.url, {}), end: signOut };
  },
  async "one that an API key made"() {
    const { body } = await asEve("POST /api/keys", { name: "test", scopes: "*" });
    return {
      answer: await toSave(file.id, { "x-api-key": body.key }),
      end: () => asEve(`DELETE /api/keys/${body.id}`),
    };
  },
  "a link": () => shared(file.id),
  "a link to a folder": () => shared(file.folder),
  async "a session"() {
    const path = "/api/objects/buckets/films";
    await asEve("POST /api/objects/buckets", { name: "films" });
    const { body: upload } = await asEve(`POST ${path}/uploads`, { key: "film", type: "" });
    const put = { method: "PUT", body: FILE };
    const part = await fetchAs(`${path}/uploads/${upload.upload_id}?number=1`, eve.headers, put);
    const parts = [{ number: 1, etag: JSON.parse(await part.text()).etag }];
    await wasDone(asEve(`POST ${path}/uploads/${upload.upload_id}/finish`, { key: "film", parts }));
    return { answer: await fetchAs(`${path}/content?key=film`, eve.headers), end: signOut };
  },
  async WebDAV() {
    const { body } = await asEve("POST /api/drive/webdav-passwords", { name: "test" });
    const authorization = `Basic ${btoa(`${body.username}:${body.password}`)}`;
    return {
      answer: await fetchAs("/dav/drive/Films/film", { authorization }),
      end: () => asEve(`DELETE /api/drive/webdav-passwords/${body.id}`),
    };
  },
};

/** Reads a piece of a download, and the rest once something has happened; how much that was, or nothing where it broke off. */
async function readThrough({ body, status }: Response, meanwhile: () => unknown): Promise<number | "cut"> {
  expect(status).toBe(200);
  const reader = body?.getReader();
  let bytes = (await reader?.read())?.value?.length ?? 0;
  expect(bytes).toBeGreaterThan(0);
  await meanwhile();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) bytes += next.value.length;
  } catch {
    return "cut";
  }
  return bytes;
}

const wasDone = async (answer: Promise<Answer> | undefined) => expect((await answer)?.status).toBeLessThan(300);

async function begin(way: string): Promise<Begun> {
  const begun = await WAYS[way]?.();
  if (begun === undefined) throw new Error(`nobody reads by ${way}`);
  return begun;
}

test.each(Object.keys(WAYS))("what is read by %s ends with that", async (way) => {
  const { answer, end } = await begin(way);
  expect(await readThrough(answer, () => wasDone(end()))).toBe("cut");
});

const ENDS: Record<string, () => Promise<Answer>> = {
  "is switched off": () => asAdmin(`PATCH /api/users/${eve.id}`, { disabled: true }),
  "is deleted": () => asAdmin(`DELETE /api/users/${eve.id}?with_belongings=true`),
};
test.each(Object.keys(WAYS).flatMap((way) => Object.keys(ENDS).map((end) => [way, end] as const)))(
  "what is read by %s ends when the account %s",
  async (way, end) => {
    const { answer } = await begin(way);
    expect(await readThrough(answer, () => wasDone(ENDS[end]?.()))).toBe("cut");
  },
);

test("what an admin reads ends when they are one no longer", async () => {
  const { answer } = await begin("a session");
  const lower = () => wasDone(asAdmin(`PATCH /api/users/${eve.id}`, { role: "member" }));
  expect(await readThrough(answer, lower)).toBe("cut");
});

test.each(Object.keys(WAYS))(
  "what is read by %s goes on whatever others lose, and however long it takes",
  async (way) => {
    const { answer } = await begin(way);
    const read = await readThrough(answer, async () => {
      const other = await shared(file.id);
      await other.answer.body?.cancel();
      await wasDone(other.end());
      node.ctx.sessions.begin(eve.id, { ip: "127.0.0.1", device: "other" });
      await asAdmin("POST /api/auth/logout");
      node.ctx.db.tx(() => {
        node.ctx.sessions.lock(eve.session_id);
        node.ctx.bus.emit("session.locked", {
          user_id: eve.id,
          session_id: eve.session_id,
          ip: "127.0.0.1",
          cause: "user",
        });
      });
      await node.clock.advance(hours(2));
    });
    expect(read).toBeGreaterThanOrEqual(FILE.length);
  },
);

test("what is read by a link ends when its time does or the file is no longer in it, and not with the last of its downloads", async () => {
  const beginShared = async (input: object) => {
    const { body } = await asEve(`POST /api/drive/nodes/${file.folder}/share`, { mode: "read", ...input });
    expect(body).toHaveProperty("path");
    return await fetchAs(`/api${body.path.replace("/s/", "/shares/")}/download?node_id=${file.id}`, {});
  };
  const once = await beginShared({ max_downloads: 1 });
  expect(await readThrough(once, () => node.clock.advance(seconds(10)))).toBe(FILE.length);
  const timed = await beginShared({ expires_at: toIso(node.clock.now() + days(1)) });
  expect(await readThrough(timed, () => node.clock.advance(days(1)))).toBe("cut");
  await signIn(eve.id);
  const moved = await beginShared({});
  const moveOut = async () => {
    await wasDone(asEve(`PATCH /api/drive/nodes/${file.id}`, { parent_id: null }));
    await node.clock.advance(seconds(5));
  };
  expect(await readThrough(moved, moveOut)).toBe("cut");
});

test("a signed address leads nowhere once its maker has signed out", async () => {
  const made = await asEve(`GET /api/drive/raw/${file.id}`);
  await signOut();
  expect((await fetchAs(made.headers.get("location") ?? "", {})).status).not.toBe(200);
});
