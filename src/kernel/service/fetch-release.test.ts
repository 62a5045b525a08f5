import { afterEach, beforeEach, expect, test } from "bun:test";
import { createFakeClock, type FakeClock, passing } from "../../../tests/kit/fake-clock.ts";
import { type ReleaseServer, startReleaseServer } from "../../../tests/kit/release-server.ts";
import { createTempHost, type TempHost } from "../../../tests/kit/temp-host.ts";
import { FetchFailed, fetchRelease } from "./fetch-release.ts";
import type { Host } from "./host.ts";
import { assetName, createReleaseDownloads, parseReleaseBase } from "./release-base.ts";

const FOLDER = "/var/lib/orrery-node/update/release";
let temp: TempHost;
let server: ReleaseServer;
let said: string[];
let clock: FakeClock;
beforeEach(async () => {
  temp = createTempHost();
  server = await startReleaseServer();
  said = [];
  clock = passing(createFakeClock());
  temp.host.makeDirectory("/var/lib/orrery-node/update", 0o700);
});
afterEach(() => {
  server.close();
  temp.dispose();
});

async function fetchIt(version: string, host: Host = temp.host, allowed = ["127.0.0.0/8"]): Promise<Error | null> {
  const deps = {
    host,
    clock,
    spec: { name: "orrery-node" },
    downloads: createReleaseDownloads(clock, allowed, new Set()),
    key: server.key,
    say: (text: string) => void said.push(text),
    signal: new AbortController().signal,
  };
  return fetchRelease(deps, { base: server.base, version, folder: FOLDER }).then(
    () => null,
    (error: Error) => error,
  );
}
const there = () => temp.host.list("/var/lib/orrery-node/update");

test("a good release is there whole, with its proof", async () => {
  const files = server.add("2.0.0", "x".repeat(3_000_000));
  expect(await fetchIt("2.0.0")).toBeNull();
  expect(there()).toEqual(["release"]);
  expect(temp.host.list(FOLDER)).toEqual(["SHA256SUMS", "SHA256SUMS.sig", "orrery-node"]);
  expect(temp.host.readBytes(`${FOLDER}/SHA256SUMS.sig`)).toEqual(Buffer.from(files.get("SHA256SUMS.sig") ?? ""));
  expect(temp.host.stat(`${FOLDER}/orrery-node`)).toMatchObject({ size: 3_000_000, mode: 0o700 });
  expect(said[0]).toBe("Fetching 2.0.0");
  expect(said.at(-1)).toMatch(/^Fetching 2\.0\.0: [0-9]0 % of 3 MB$/);
});

test("what is cut goes on where it stopped", async () => {
  server.add("2.0.0", "x".repeat(3_000));
  server.cut.times = 2;
  server.cut.after = 1_000;
  expect(await fetchIt("2.0.0")).toBeNull();
  const name = assetName(temp.host, { name: "orrery-node" });
  expect(server.asked.slice(2)).toEqual([`${name}`, `${name} from 1000`, `${name} from 2000`]);
  expect(temp.host.read(`${FOLDER}/orrery-node`)).toBe("x".repeat(3_000));
});

test("a line that never holds is given up, and nothing stays", async () => {
  server.add("2.0.0", "x".repeat(3_000));
  server.cut.times = 99;
  const error = await fetchIt("2.0.0");
  expect(error).toBeInstanceOf(FetchFailed);
  expect(error?.message).toContain("nothing was changed");
  expect(error?.message).toContain("ORRERY_RELEASE_BASE");
  expect(server.asked.slice(2)).toHaveLength(6);
  expect(there()).toEqual([]);
});

test("a place that is busy is asked again, one that has it not is not", async () => {
  server.add("2.0.0", "works");
  server.busy.times = 2;
  expect(await fetchIt("2.0.0")).toBeNull();
  const asked = server.asked.length;
  expect(await fetchIt("3.0.0")).toBeInstanceOf(FetchFailed);
  expect(server.asked.length - asked).toBe(1);
});

test("after half an hour it is given up, and what was left by a crash is gone", async () => {
  server.add("2.0.0", "x".repeat(3_000_000));
  temp.host.makeDirectory(FOLDER, 0o700);
  temp.host.write(`${FOLDER}/left`, "by a crash", 0o600);
  // Every part takes longer than all may take.
  const slow: Host = {
    ...temp.host,
    async create(path, mode) {
      const file = await temp.host.create(path, mode);
      return { ...file, append: () => clock.advance(30 * 60_000) };
    },
  };
  const error = await fetchIt("2.0.0", slow);
  expect(error).toBeInstanceOf(FetchFailed);
  expect(error?.message).toBe("2.0.0 was not fetched within 30 minutes; nothing was changed");
  expect(there()).toEqual([]);
});

test.each<[string, (files: Map<string, Uint8Array>) => void, string]>([
  ["a changed program", (files) => each(files, (bytes) => Buffer.concat([bytes, Buffer.from("!")])), "SHA-256 differs"],
  [
    "a changed list",
    (files) => files.set("SHA256SUMS", Buffer.from("0  orrery-node-linux-x64\n")),
    "not from the maker",
  ],
  ["another signature", (files) => files.set("SHA256SUMS.sig", Buffer.alloc(64)), "not from the maker"],
  ["a signature of another length", (files) => files.set("SHA256SUMS.sig", Buffer.alloc(3)), "not from the maker"],
  ["a list without end", (files) => files.set("SHA256SUMS", Buffer.alloc(100_000)), "larger than 65536"],
])("%s is refused and nothing stays", async (_case, spoil, reason) => {
  const files = server.add("2.0.0", "works");
  spoil(files);
  expect((await fetchIt("2.0.0"))?.message).toContain(reason);
  expect(there()).toEqual([]);
});

function each(files: Map<string, Uint8Array>, change: (bytes: Uint8Array) => Uint8Array): void {
  for (const [name, bytes] of files) if (name.startsWith("orrery-")) files.set(name, change(bytes));
}

test("an older release under the name of a newer one is refused before it is fetched, and so is a list without versions", async () => {
  server.add("2.0.0", "works", "1.9.0");
  expect((await fetchIt("2.0.0"))?.message).toContain("/2.0.0 holds release 1.9.0, not 2.0.0; nothing was changed");
  expect(server.asked).toEqual(["SHA256SUMS", "SHA256SUMS.sig"]);
  expect(there()).toEqual([]);
});

test("the program is not fetched before its list is proved", async () => {
  server.add("2.0.0", "works").set("SHA256SUMS.sig", Buffer.alloc(64));
  await fetchIt("2.0.0");
  expect(server.asked).toEqual(["SHA256SUMS", "SHA256SUMS.sig"]);
});

test("no room is said, before the first byte and in the middle", async () => {
  server.add("2.0.0", "x".repeat(3_000));
  expect((await fetchIt("2.0.0", { ...temp.host, freeBytes: () => 1_000 }))?.message).toContain("free disk space");
  const full: Host = {
    ...temp.host,
    async create(path, mode) {
      const file = await temp.host.create(path, mode);
      return { ...file, append: () => Promise.reject(Object.assign(new Error("no room"), { code: "ENOSPC" })) };
    },
  };
  expect((await fetchIt("2.0.0", full))?.message).toContain("free disk space");
  expect(there()).toEqual([]);
});

test("a release that is not there, a place that is not allowed and what is no version are said", async () => {
  expect((await fetchIt("2.0.0"))?.message).toContain("answered with 404");
  expect((await fetchIt("2.0.0", temp.host, []))?.message).toContain("ORRERY_RELEASE_ALLOW_CIDRS");
  for (const text of ["../1.0.0", "", ".", "1/2", "x".repeat(65)])
    expect((await fetchIt(text))?.message).toContain("is not a version");
  expect(server.asked).toEqual(["SHA256SUMS"]);
});

test("the build is chosen by the processor", () => {
  const host = (cpu: string): Host => ({ ...temp.host, read: () => cpu });
  const spec = { name: "orrery-panel" };
  expect(assetName(host("flags : sse4 avx2 bmi\n"), spec, "x64")).toBe("orrery-panel-linux-x64");
  expect(assetName(host("flags : sse4 avx\n"), spec, "x64")).toBe("orrery-panel-linux-x64-baseline");
  expect(assetName(host(""), spec, "arm64")).toBe("orrery-panel-linux-arm64");
  expect(assetName(host(""), spec, "riscv64")).toBeNull();
});

test("a base is an address without anything secret in it", () => {
  expect(parseReleaseBase("https://example.org/orrery//")).toBe("https://example.org/orrery");
  for (const text of ["", "example.org", "ftp://example.org", "https://a:b@example.org", "https://example.org/?a=b"])
    expect(() => parseReleaseBase(text)).toThrow("must look like");
});
