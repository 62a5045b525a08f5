import { expect, test } from "bun:test";
import { davPlace, freshNames, hastyClient, sftpPlace } from "../../../../tests/kit/backup-places.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { startOddSftpServer } from "../../../../tests/kit/odd-sftp-server.ts";
import { openSftp } from "./sftp.ts";
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
