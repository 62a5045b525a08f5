import { expect, test } from "bun:test";
import { davPlace, freshNames, hastyClient, sftpPlace } from "../../../../tests/kit/backup-places.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { startOddS3Server } from "../../../../tests/kit/odd-s3-server.ts";
import { startOddSftpServer } from "../../../../tests/kit/odd-sftp-server.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { callsOfPool } from "./disk-calls.ts";
import { openLocalFolder } from "./local-folder.ts";
import { openOtherNode } from "./other-node.ts";
import { hasRepository } from "./repository.ts";
import { openS3 } from "./s3.ts";
import { openSftp } from "./sftp.ts";
import type { S3Place, Target } from "./target.ts";
import { openWebdav } from "./webdav.ts";

const NO_END = { code: "target_refused", message: "The listing of the target has no end." };

/** What became of it by now. */
const stateOf = (task: Promise<unknown>): Promise<unknown> =>
  Promise.race([
    task.then(
      () => "done",
      ({ code }: { code?: string }) => code,
    ),
    Bun.sleep(0).then(() => "waiting"),
  ]);

test("a WebDAV server whose folders have no end is given up on", async () => {
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked += 1;
      const { pathname } = new URL(request.url);
      const folders = Array.from(
        { length: 101 },
        (_, at) => `<response><href>${pathname}f${at}/</href><collection/></response>`,
      );
      return new Response(`<multistatus>${folders.join("")}</multistatus>`, { status: 207 });
    },
  });
  const target = openWebdav(davPlace(`http://127.0.0.1:${server.port}/dav/`), hastyClient(), freshNames());
  await expect(target.list("packs")).rejects.toMatchObject(NO_END);
  expect(asked).toBe(100);
  await server.stop(true);
});

test("a bucket whose listing goes on and names nothing is given up on", async () => {
  const server = startOddS3Server();
  const target = openS3({ ...server.input, prefix: "", own_ports: [] }, hastyClient(), createFakeClock());
  expect(await target.list("packs")).toEqual([]);
  server.listNothing();
  await expect(target.list("packs")).rejects.toMatchObject(NO_END);
  expect(server.asked()).toBeLessThan(110);
  await server.stop();
});

test("an SFTP server whose folders have no end is given up on", async () => {
  const server = await startOddSftpServer();
  const target = openSftp(await sftpPlace(server.port), freshNames());
  expect(await target.list("packs")).toEqual([]);
  server.listForEver();
  await expect(target.list("packs")).rejects.toMatchObject(NO_END);
  await server.stop();
});

test("an SFTP server that answers nothing any more is given up on, one that is slow is not", async () => {
  const server = await startOddSftpServer();
  const clock = createFakeClock();
  const target = openSftp(await sftpPlace(server.port), freshNames(), null, clock);
  await target.write("packs/one", Buffer.from("1"));
  server.fallSilent("snapshots");
  const listing = target.list("snapshots");
  await server.untilSilent;
  await clock.advance(119_000);
  // An answer to something else: the line is alive.
  expect((await target.list("packs")).length).toBe(1);
  await clock.advance(2000);
  expect(await stateOf(listing)).toBe("waiting");
  await clock.advance(120_000);
  await expect(listing).rejects.toMatchObject({ code: "target_away" });
  // The next question makes another connection.
  expect((await target.list("packs")).length).toBe(1);
  await server.stop();
});

/** Each kind of target that speaks HTTP, with a server that gives one answer to all. */
async function withOdd(answer: () => Response, use: (target: Target, type: string) => Promise<void>): Promise<void> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const url = `http://127.0.0.1:${server.port}`;
  const keys = { access_key: "a", secret_key: "s", region: "r", own_ports: [] };
  const s3: S3Place = { type: "s3", endpoint: url, bucket: "b", prefix: "", ...keys };
  try {
    await use(openS3(s3, hastyClient(), createFakeClock()), "s3");
    await use(openWebdav(davPlace(`${url}/dav/`), hastyClient(), freshNames()), "webdav");
    await use(openOtherNode({ type: "node", url, key: "k", own_ports: [] }, hastyClient()), "node");
  } finally {
    await server.stop(true);
  }
}

/** A body that goes on and on. */
const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });

test("a body without end is read as far as it may reach: a document to its limit, a refusal to its first words", async () => {
  await withOdd(
    () => new Response(endless()),
    async (target) => {
      await expect(target.read("config.json", undefined, 1_000)).rejects.toMatchObject({ code: "target_refused" });
      await expect(hasRepository(target)).rejects.toMatchObject({ code: "target_refused" });
    },
  );
  await withOdd(
    () => new Response(endless(), { status: 400 }),
    async (target) => {
      await expect(target.read("config.json")).rejects.toMatchObject({ code: "target_refused" });
      await expect(target.list("packs")).rejects.toMatchObject({ code: "target_refused" });
    },
  );
});

test("of a server that answers with all of a file, a piece is held and no more", async () => {
  await withOdd(
    () => new Response(endless()),
    async (target, type) => {
      const piece = target.read("packs/one", { at: 100_000_000, length: 3 });
      if (type === "node") await expect(piece).rejects.toMatchObject({ code: "target_refused" });
      else expect(await piece).toEqual(Buffer.from("   "));
    },
  );
});

test("a list of another server is read name by name, and is none when anything else is in it", async () => {
  const list = async (text: string) => {
    let found: unknown;
    await withOdd(
      () => new Response(text),
      async (target, type) => {
        if (type === "node") found = await target.list("packs").catch(({ code }) => code);
      },
    );
    return found;
  };
  expect(await list("[]")).toEqual([]);
  const two = '[{"name":"packs/b","size":2},{"name":"packs/a","size":1}]';
  expect(await list(two)).toEqual([
    { name: "packs/a", size: 1 },
    { name: "packs/b", size: 2 },
  ]);
  expect(await list(`[{"name":"packs/${"n".repeat(300)}","size":2}]`)).toEqual([]);
  const none = [
    "",
    "{}",
    "[{}]",
    "[",
    `${two},`,
    two.slice(0, -1),
    two.replace("2},", "2}"),
    two.replace("2}", "2.5}"),
  ];
  for (const text of none) expect([text, await list(text)]).toEqual([text, "target_refused"]);
});

test("a folder of more files than any repository has is given up on", async () => {
  const names = Array.from({ length: 1_000_001 }, (_, at) => `f${at}`);
  const root = makeScratch("odd-folder");
  const file = await callsOfPool.lstat(import.meta.path);
  const calls = { ...callsOfPool, readdir: async () => names, lstat: async () => file };
  const target = openLocalFolder(root, null, calls);
  await target.write("packs/one", Buffer.from("1"));
  await expect(target.list("packs")).rejects.toMatchObject(NO_END);
});
