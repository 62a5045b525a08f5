import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { endChromium } from "../kit/browser.ts";
import { setUp } from "../kit/client.ts";
import { mountingTest, suite } from "../kit/env.ts";
import { callsOf, KEY_CLIENTS } from "../kit/s3-key-clients.ts";
import { textsIn } from "../kit/s3-suite.ts";

/** Keys that have tripped others, by what the table calls them. Both `a` and `a/b` are there in the end. */
const KEYS: Record<string, string> = {
  a: "a",
  "a/b": "a/b",
  "a//b": "a//b",
  "//": "//",
  '&+-é"/': '&+-é"/',
  "1,024 bytes": "x".repeat(1_024),
  "..": "..",
  "a/../b": "a/../b",
};

const FOLDER = "a slash at its end makes it a folder";
const DOTS = "it resolves the dots before it sends them";
const SLASHES = "it takes two slashes for one";
/** What clients cannot by themselves, whoever answers; all else is to work, and what works after all is to leave this list. */
const LIMITS: Record<string, Record<string, string>> = {
  "Bun.S3Client": { "//": "it takes no key of slashes alone", '&+-é"/': "it leaves out a slash at the end" },
  rclone: { "a//b": SLASHES, "//": FOLDER, '&+-é"/': FOLDER, "..": DOTS, "a/../b": DOTS },
  restic: { "a//b": SLASHES, "//": SLASHES, "1,024 bytes": "it adds names of its own to the key", "a/../b": DOTS },
  s3cmd: { "//": FOLDER, '&+-é"/': FOLDER },
  s3fs: {
    "a/b": "a file is no folder, too",
    "a//b": "a file is no folder, too",
    "//": FOLDER,
    '&+-é"/': FOLDER,
    "1,024 bytes": "names of files have 255 bytes",
    "..": DOTS,
    "a/../b": DOTS,
  },
  "page + CORS": { "..": DOTS, "a/../b": DOTS },
};
/** The key of a repository is where it is; to make one takes seconds, so each of them is tried by `npm run test:s3` alone. */
const OF_RESTIC = process.env["S3_KEYS"] === "all" ? Object.keys(KEYS) : ['&+-é"/'];

const bucketOf = (client: string) => client.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

suite("programs that speak S3, and keys that trip", ["s3_programs", "rclone", "chromium"], () => {
  let node: NodeProcess;
  let endpoint: string;
  let keys: { access_key: string; secret_key: string };
  const work = mkdtempSync(join(tmpdir(), "orrery-s3-keys-"));

  beforeAll(async () => {
    node = await startNode();
    const owner = await setUp(node.url);
    const buckets = Object.keys(KEY_CLIENTS).map(bucketOf);
    for (const name of buckets) await owner.ok("POST /api/objects/buckets", { name, visibility: "private" });
    const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
    keys = await owner.ok("POST /api/objects/access-keys", { name: "clients", grants });
    ({ url: endpoint } = await owner.ok("GET /api/objects/endpoint"));
  });
  afterAll(async () => {
    await endChromium();
    await node?.dispose();
    rmSync(work, { recursive: true, force: true });
  });

  /** `yes` where the client stored under that very key and read it back; what it did where not. */
  async function tryKeys(client: string): Promise<Record<string, string>> {
    const place = { endpoint, bucket: bucketOf(client), keys, work: join(work, bucketOf(client)) };
    mkdirSync(place.work);
    const calls = callsOf(place);
    const list = async () => textsIn((await calls("GET", place.bucket)).text, /<Key>([^<]*)</g);
    const used = await KEY_CLIENTS[client]?.(place);
    if (used === undefined) throw new Error(`there is no ${client}`);
    const cells: Record<string, string> = {};
    try {
      for (const [name, key] of Object.entries(KEYS)) {
        if (client === "restic" && !OF_RESTIC.includes(name)) continue;
        const before = new Set(await list());
        const body = `body of ${name}`;
        try {
          await used.put(key, body);
          const made = (await list()).filter((one) => !before.has(one));
          const isRight = made.includes(client === "restic" ? `${key.replace(/\/$/, "")}/config` : key);
          const read = isRight ? await used.get(key) : "";
          if (!isRight) cells[name] = `stored as ${made.map((one) => one.slice(0, 20)).join(" ")}`;
          else cells[name] = client === "restic" || read === body ? "yes" : `read ${read.slice(0, 40)}`;
        } catch (error) {
          cells[name] = `${error instanceof Error ? error.message : error}`;
        }
      }
    } finally {
      await used.close?.();
    }
    return cells;
  }

  const rows: string[][] = [["", ...Object.keys(KEYS)]];
  const notes = new Set<string>();
  afterAll(() => {
    const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
    const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
    process.stdout.write(`\n${[...lines, ...notes].join("\n")}\n\n`);
  });

  for (const client of Object.keys(KEY_CLIENTS)) {
    const testOf = client === "s3fs" ? mountingTest : test;
    testOf(`${client} stores and reads under each key but those that it cannot send`, async () => {
      const cells = await tryKeys(client);
      const limits = LIMITS[client] ?? {};
      for (const [name, reason] of Object.entries(limits)) notes.add(`${client}, ${name}: ${reason}`);
      rows.push([
        client,
        ...Object.keys(KEYS).map((name) => (cells[name] === undefined ? "-" : cells[name] === "yes" ? "yes" : "no")),
      ]);
      const wrong = Object.entries(cells).filter(([name, cell]) => (cell === "yes") === (limits[name] !== undefined));
      expect(wrong).toEqual([]);
    });
  }
});
