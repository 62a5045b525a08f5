import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { seconds } from "../../../lib/duration.ts";
import type { DriveNode } from "./contract.ts";

/** More of them by hand: `DRIVE_OPERATIONS=50000`. */
const OPERATIONS = Number(Bun.env["DRIVE_OPERATIONS"] ?? 300);
const SEED = Number(Bun.env["DRIVE_SEED"] ?? 1);

let node: TestNode;
beforeAll(() => {
  node = openStorageNode();
});
afterAll(() => closeStorageNode(node));

/** A file or folder as it should be. */
interface Thing {
  id: string;
  parent: string | null;
  /** Null for folders. */
  content: string | null;
  name: string;
  isTrashed: boolean;
  isStarred: boolean;
  /** What it held before, the latest first. */
  versions: string[];
}

const things = new Map<string, Thing>();
const random = seeded(SEED);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const NAMES = ["a", "b", "c", "d"];

const above = (id: string | null): Thing[] => {
  const way: Thing[] = [];
  for (let at = id; at !== null; ) {
    const thing = things.get(at) as Thing;
    way.push(thing);
    at = thing.parent;
  }
  return way;
};
const isLive = (id: string | null): boolean => above(id).every(({ isTrashed }) => !isTrashed);
const isFolder = (id: string | null): boolean => id === null || things.get(id)?.content === null;
const named = (parent: string | null, name: string): Thing | undefined =>
  [...things.values()].find((thing) => thing.parent === parent && thing.name === name && !thing.isTrashed);
const childrenOf = (id: string | null): Thing[] => [...things.values()].filter(({ parent }) => parent === id);
const anything = (): Thing | null => (things.size === 0 ? null : pick([...things.values()]));
const anyPlace = (): string | null => (random() < 0.3 ? null : (anything()?.id ?? null));

const call = (route: string, body?: unknown) => node.call(route, { as: "admin", body });
const add = (made: DriveNode, parent: string | null, name: string, content: string | null): void => {
  expect(made).toMatchObject({ parent_id: parent, name, kind: content === null ? "folder" : "file" });
  things.set(made.id, { id: made.id, parent, content, name, isTrashed: false, isStarred: false, versions: [] });
};

/** What the Drive should answer: a code, or nothing where it does as asked. */
type Expected = string | null;
const placeProblem = (place: string | null): Expected => (isLive(place) && isFolder(place) ? null : "drive_not_found");
const nameProblem = (place: string | null, name: string, but = ""): Expected =>
  [undefined, but].includes(named(place, name)?.id) ? null : "drive_name_taken";

async function upload(): Promise<void> {
  const [name, place, mayReplace] = [pick(NAMES), anyPlace(), random() < 0.6];
  const content = `content ${Math.floor(random() * 40)}`;
  const body = new FormData();
  body.set("file", new File([content], name));
  const headers = { authorization: `Bearer ${await node.tokenOf("admin")}`, host: "localhost" };
  const query = `replace=${mayReplace}${place === null ? "" : `&folder_id=${place}`}`;
  const request = new Request(`http://localhost/api/drive/upload?${query}`, { method: "POST", headers, body });
  const answer = JSON.parse(await (await node.fetch(request)).text());
  const found = named(place, name);
  const isReplaced = mayReplace && typeof found?.content === "string";
  const problem = placeProblem(place) ?? (isReplaced ? null : nameProblem(place, name));
  expect(answer.code ?? null).toBe(problem);
  if (problem !== null) return;
  if (found === undefined || found.content === null) return add(answer, place, name, content);
  if (found.content !== content) found.versions.unshift(found.content);
  found.content = content;
}

async function makeFolder(): Promise<void> {
  const [name, place] = [pick(NAMES), anyPlace()];
  const { body } = await call("POST /api/drive/folders", { name, parent_id: place });
  const problem = placeProblem(place) ?? nameProblem(place, name);
  expect(body.code ?? null).toBe(problem);
  if (problem === null) add(body, place, name, null);
}

async function change(thing: Thing): Promise<void> {
  const asked = {
    ...(random() < 0.5 ? { name: pick(NAMES) } : {}),
    ...(random() < 0.6 ? { parent_id: anyPlace() } : {}),
    starred: random() < 0.5,
  };
  const { body } = await call(`PATCH /api/drive/nodes/${thing.id}`, asked);
  const { name = thing.name, parent_id = thing.parent, starred } = asked;
  const isInItself = above(parent_id).some(({ id }) => id === thing.id);
  const problem =
    (isLive(thing.id) ? null : "drive_not_found") ??
    (parent_id === thing.parent ? null : (placeProblem(parent_id) ?? (isInItself ? "drive_into_itself" : null))) ??
    nameProblem(parent_id, name, thing.id);
  expect(body.code ?? null).toBe(problem);
  if (problem === null) Object.assign(thing, { name, parent: parent_id, isStarred: starred });
}

async function copy(thing: Thing): Promise<void> {
  // Copies of folders in folders grow without end.
  if (things.size > 300) return await purge(thing);
  const place = anyPlace();
  const { body } = await call(`POST /api/drive/nodes/${thing.id}/copy`, { parent_id: place });
  const isInItself = above(place).some(({ id }) => id === thing.id);
  const problem =
    (isLive(thing.id) ? null : "drive_not_found") ?? placeProblem(place) ?? (isInItself ? "drive_into_itself" : null);
  expect(body.code ?? null).toBe(problem);
  if (problem !== null) return;
  let name = thing.name;
  for (let count = 2; named(place, name) !== undefined; count += 1) name = `${thing.name} (${count})`;
  add(body, place, name, thing.content);
  await adopt(thing.id, body.id);
}

/** Takes over what a copied folder holds, which must be what the original holds. */
async function adopt(original: string, made: string): Promise<void> {
  if (!isFolder(original)) return;
  const { nodes } = (await call(`GET /api/drive/tree?folder_id=${made}`)).body;
  const inside = childrenOf(original).filter(({ isTrashed }) => !isTrashed);
  expect(nodes.map(({ name }: DriveNode) => name).toSorted()).toEqual(inside.map(({ name }) => name).toSorted());
  for (const child of nodes) {
    const from = inside.find(({ name }) => name === child.name) as Thing;
    add(child, made, child.name, from.content);
    await adopt(from.id, child.id);
  }
}

async function trash(thing: Thing): Promise<void> {
  const { body } = await call(`DELETE /api/drive/nodes/${thing.id}`);
  expect(body.code ?? null).toBe(isLive(thing.id) ? null : "drive_not_found");
  if (isLive(thing.id)) thing.isTrashed = true;
}

async function restore(thing: Thing): Promise<void> {
  const { body } = await call(`POST /api/drive/trash/${thing.id}/restore`);
  const place = isLive(thing.parent) ? thing.parent : null;
  const problem = thing.isTrashed ? nameProblem(place, thing.name) : "drive_not_found";
  expect(body.code ?? null).toBe(problem);
  if (problem === null) Object.assign(thing, { isTrashed: false, parent: place });
}

function forget(id: string): void {
  for (const child of childrenOf(id)) forget(child.id);
  things.delete(id);
}

async function purge(thing: Thing): Promise<void> {
  const { body } = await call(`DELETE /api/drive/trash/${thing.id}`);
  expect(body.code ?? null).toBe(thing.isTrashed ? null : "drive_not_found");
  if (thing.isTrashed) forget(thing.id);
}

async function turnBack(thing: Thing): Promise<void> {
  if (thing.content === null || !isLive(thing.id)) return;
  const { versions } = (await call(`GET /api/drive/nodes/${thing.id}/versions`)).body;
  expect(versions.map(({ sha256 }: { sha256: string }) => sha256)).toEqual(thing.versions.map(sumOf));
  if (versions.length === 0) return;
  const at = Math.floor(random() * versions.length);
  const route = `/api/drive/nodes/${thing.id}/versions/${versions[at].id}`;
  if (random() < 0.4) {
    expect((await call(`DELETE ${route}`)).status).toBe(204);
    thing.versions.splice(at, 1);
    return;
  }
  expect((await call(`POST ${route}/restore`)).status).toBe(200);
  const content = thing.versions[at] as string;
  if (content !== thing.content) thing.versions.unshift(thing.content);
  thing.content = content;
}

const sumOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

async function read(id: string): Promise<string> {
  const { headers } = await call(`GET /api/drive/raw/${id}`);
  const request = new Request(`http://localhost${headers.get("location")}`, { headers: { host: "localhost" } });
  return await (await node.fetch(request)).text();
}

/** Everything there is, compared with what should be, down to the bytes and to what is stored. */
async function compare(): Promise<void> {
  await node.ctx.jobs.run("drive-purge");
  const sums = new Set(
    [...things.values()].flatMap(({ content, versions }) => [content ?? [], versions].flat()).map(sumOf),
  );
  const bucket = node.ctx.objectStore.findBucket("service-drive");
  const none = new Uint8Array();
  const all = { prefix: none, delimiter: none, after: none, limit: 10_000 };
  const { objects } = await node.ctx.objectStore.list(bucket?.id ?? "", all);
  expect(objects.map(({ key }) => Buffer.from(key).toString()).toSorted()).toEqual([...sums].toSorted());
  for (const folder of [null, ...[...things.values()].filter(({ id, content }) => content === null && isLive(id))]) {
    const query = folder === null ? "" : `?folder_id=${folder.id}`;
    const { nodes } = (await call(`GET /api/drive/tree${query}`)).body;
    const wanted = childrenOf(folder?.id ?? null).filter(({ isTrashed }) => !isTrashed);
    expect(nodes.map(({ id }: DriveNode) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    for (const { id, name, sha256, starred } of nodes) {
      const thing = things.get(id) as Thing;
      const wantedSum = thing.content === null ? null : sumOf(thing.content);
      expect({ name, sha256, starred }).toEqual({ name: thing.name, sha256: wantedSum, starred: thing.isStarred });
    }
  }
  for (const { key } of objects) {
    const object = node.ctx.objectStore.findObject(bucket?.id ?? "", key);
    const sum = new Bun.CryptoHasher("sha256");
    const bytes = object && (await node.ctx.objectStore.open(object, { start: 0, length: object.size }));
    for await (const piece of bytes ?? []) sum.update(piece);
    expect(sum.digest("hex")).toBe(Buffer.from(key).toString());
  }
  const live = [...things.values()].filter(({ id, content }) => content !== null && isLive(id));
  if (live.length === 0) return;
  // Requests without a session are counted by the second.
  await node.clock.advance(seconds(1));
  const { id, content } = pick(live);
  expect(await read(id)).toBe(content as string);
}

test("a Drive is what was made of it, whatever was done to it, and stores each content once and no other", async () => {
  const acts = [change, change, copy, trash, restore, restore, purge, turnBack];
  for (let done = 1; done <= OPERATIONS; done += 1) {
    const thing = anything();
    if (thing === null || random() < 0.3) await upload();
    else if (random() < 0.15) await makeFolder();
    else await pick(acts)(thing);
    if (done % 250 === 0 || done === OPERATIONS) await compare();
  }
}, 3_600_000);
