import { afterAll, beforeAll, expect, test } from "bun:test";
import { type DavNode, lockInfo, openDavNode } from "../../../../tests/kit/dav-node.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { seeded } from "../../../../tests/kit/seeded.ts";
import { minutes } from "../../../lib/duration.ts";

/** Another one is tried with `DAV_SEED=7`, more of it with `PROPERTY_RUNS=50`. */
const SEED = Number(Bun.env["DAV_SEED"] ?? 1);
const OPERATIONS = runs(400);

let world: DavNode;
beforeAll(async () => {
  world = await openDavNode();
});
afterAll(() => world.close());

/** A lock as it should be. */
interface Lock {
  token: string;
  path: string;
  isDeep: boolean;
  isShared: boolean;
  until: number;
}

const random = seeded(SEED);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
const PATHS = ["/a", "/a/b", "/a/b/c", "/a/d", "/e"];
const FOLDERS = new Set(["/a", "/a/b"]);
const there = new Set<string>();
let locks: Lock[] = [];

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
const isUnder = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const now = () => world.node.clock.now();
const live = () => locks.filter(({ until }) => until > now());
/** Locks that hold at a path: on it, or deep above. */
const at = (path: string) => live().filter((lock) => lock.path === path || (lock.isDeep && isUnder(path, lock.path)));
/** Locks that hold for what lies directly in the folder of a path. */
const around = (path: string) => {
  const parent = parentOf(path);
  return live().filter((lock) => (lock.path === parent && parent !== "") || (lock.isDeep && isUnder(path, lock.path)));
};
const under = (path: string) => live().filter((lock) => isUnder(lock.path, path));

/** Whether somebody gets through who shows these tokens: all that are exclusive, one of the shared ones on a thing. */
const opens = (held: readonly Lock[], shown: readonly string[]): boolean =>
  held.every(
    (lock) =>
      shown.includes(lock.token) ||
      (lock.isShared && held.some((other) => other.path === lock.path && shown.includes(other.token))),
  );

/** Tokens to show with a request, and the header that says so. */
function someTokens(): { shown: string[]; headers: Record<string, string> } {
  const shown = locks.filter(() => random() < 0.4).map(({ token }) => token);
  if (shown.length === 0) return { shown, headers: {} };
  const isBroken = random() < 0.1;
  const lists = `${shown.map((token) => `(<${token}>)`).join(" ")} (${isBroken ? "" : "Not "}<DAV:no-lock>)`;
  return { shown, headers: { if: lists } };
}

/** Whether one of the lists holds at that path: a token that is shown and holds there, or the last one, which always does. */
const isMet = (path: string, shown: readonly string[], headers: Record<string, string>): boolean =>
  headers["if"] === undefined ||
  headers["if"].includes("(Not <DAV:no-lock>)") ||
  at(path).some(({ token }) => shown.includes(token));

const operations = {
  async put() {
    const path = pick(PATHS.filter((each) => !FOLDERS.has(each)));
    const { shown, headers } = someTokens();
    const isNew = !there.has(path);
    const { status } = await world.dav(`PUT ${path}`, { headers, body: `${random()}` });
    if (parentOf(path) !== "" && !there.has(parentOf(path))) return expect([path, status]).toEqual([path, 409]);
    if (!isMet(path, shown, headers)) return expect(status).toBe(412);
    const held = [...at(path), ...(isNew ? around(path) : [])];
    if (!opens(held, shown)) return expect([path, status]).toEqual([path, 423]);
    expect([path, status]).toEqual([path, isNew ? 201 : 204]);
    there.add(path);
  },
  async mkcol() {
    const path = pick([...FOLDERS]);
    const { shown, headers } = someTokens();
    const { status } = await world.dav(`MKCOL ${path}`, { headers });
    if (there.has(path)) return expect(status).toBe(405);
    if (parentOf(path) !== "" && !there.has(parentOf(path))) return expect(status).toBe(409);
    if (!isMet(path, shown, headers)) return expect(status).toBe(412);
    if (!opens([...at(path), ...around(path)], shown)) return expect([path, status]).toEqual([path, 423]);
    expect([path, status]).toEqual([path, 201]);
    there.add(path);
  },
  async remove() {
    const path = pick(PATHS);
    if (random() < 0.5) return;
    const { shown, headers } = someTokens();
    const { status } = await world.dav(`DELETE ${path}`, { headers });
    if (!there.has(path)) return expect(status).toBe(404);
    if (!isMet(path, shown, headers)) return expect(status).toBe(412);
    if (!opens([...at(path), ...around(path), ...under(path)], shown))
      return expect([path, status]).toEqual([path, 423]);
    expect([path, status]).toEqual([path, 204]);
    for (const each of PATHS) if (each === path || isUnder(each, path)) there.delete(each);
    locks = locks.filter((lock) => lock.path !== path && !isUnder(lock.path, path));
  },
  async lock() {
    const path = pick(PATHS);
    if (!there.has(path) && FOLDERS.has(path)) return;
    const [isShared, isDeep] = [random() < 0.5, random() < 0.5];
    const { shown, headers } = someTokens();
    const isNew = !there.has(path);
    const depth = isDeep ? "infinity" : "0";
    const { status, headers: answered } = await world.dav(`LOCK ${path}`, {
      headers: { ...headers, depth, timeout: "Second-600" },
      body: lockInfo(isShared ? "shared" : "exclusive"),
    });
    if (parentOf(path) !== "" && !there.has(parentOf(path))) return expect([path, status]).toEqual([path, 409]);
    if (!isMet(path, shown, headers)) return expect(status).toBe(412);
    const blocked = isNew && !opens(around(path), shown);
    const others = [...at(path), ...(isDeep ? under(path) : [])];
    if (blocked || others.some((other) => !isShared || !other.isShared))
      return expect([path, status]).toEqual([path, 423]);
    expect([path, status]).toEqual([path, isNew ? 201 : 200]);
    there.add(path);
    const token = (answered.get("lock-token") ?? "").slice(1, -1);
    locks.push({ token, path, isDeep, isShared, until: now() + minutes(10) });
  },
  async refresh() {
    const lock = locks.length === 0 ? null : pick(locks);
    const path = pick(PATHS);
    if (lock === null) return;
    const { status } = await world.dav(`LOCK ${path}`, { headers: { if: `(<${lock.token}>)`, timeout: "Second-600" } });
    if (!there.has(path)) return expect(status).toBe(404);
    const isHeld = at(path).includes(lock);
    expect([path, status]).toEqual([path, isHeld ? 200 : 412]);
    if (isHeld) lock.until = now() + minutes(10);
  },
  async unlock() {
    const lock = locks.length === 0 ? null : pick(locks);
    const path = pick(PATHS);
    if (lock === null) return;
    const { status } = await world.dav(`UNLOCK ${path}`, { headers: { "lock-token": `<${lock.token}>` } });
    if (!there.has(path)) return expect(status).toBe(404);
    const isHeld = at(path).includes(lock);
    expect([path, status]).toEqual([path, isHeld ? 204 : 409]);
    if (isHeld) locks = locks.filter((each) => each !== lock);
  },
  async wait() {
    world.node.clock.jump(minutes(Math.ceil(random() * 3)));
  },
};

test("locks of every kind let through and keep out whom they should, however they follow each other", async () => {
  const kinds = Object.values(operations);
  for (let done = 0; done < OPERATIONS; done += 1) await pick(kinds)();
  expect(there.size + locks.length).toBeGreaterThan(0);
});
