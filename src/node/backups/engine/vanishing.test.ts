import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { startApache } from "../../../../tests/bench/web-servers.ts";
import { davPlace, freshNames, hastyClient, sftpPlace, startBucketNode } from "../../../../tests/kit/backup-places.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { backUp, makeRandom, randomBytes, readAll, same } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { hasSftpServer, startSftpServer } from "../../../../tests/kit/sftp-server.ts";
import { type Relay, startPortRelay } from "../../../../tests/kit/socket-relay.ts";
import { startWebdavServer } from "../../../../tests/kit/webdav-server.ts";
import { days } from "../../../lib/duration.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { openOtherNode } from "./other-node.ts";
import { prune } from "./prune.ts";
import { createRepository, openRepository } from "./repository.ts";
import { openS3 } from "./s3.ts";
import { openSftp } from "./sftp.ts";
import { listSnapshots } from "./snapshot.ts";
import type { Target } from "./target.ts";
import { openWebdav } from "./webdav.ts";

/** More of them by hand: `BACKUP_KILLS=50` cuts nearly every question off. */
const CUTS = Number(Bun.env["BACKUP_KILLS"] ?? 3);

/** A target whose server can go and come back. */
interface Mortal extends Relay {
  target: Target;
  cutAtAnswer(): void;
}

const mortals = new Map<string, Mortal>();
const ends: (() => unknown)[] = [];

/** A disk is there or not, and leaves an empty folder where it was mounted; there is no answer of it that could get lost. */
function mortalDisk(): Mortal {
  const path = makeScratch("vanishing");
  const away = `${path}.away`;
  const cut = async () => {
    renameSync(path, away);
    mkdirSync(path);
  };
  return {
    target: openLocalFolder(path),
    cut,
    cutAtAnswer: () => void cut(),
    async mend() {
      if (!existsSync(away)) return;
      rmSync(path, { recursive: true });
      renameSync(away, path);
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

async function overPort(port: number, open: (relayed: number) => Target | Promise<Target>): Promise<Mortal> {
  const relay = await startPortRelay(port);
  ends.push(() => relay.cut());
  return { ...relay, target: await open(relay.port) };
}

/** Apache gives up its rights, so its folder has to be open to others. */
async function startOpenApache() {
  const work = makeScratch("apache");
  chmodSync(work, 0o711);
  return await startApache(work, false);
}

async function openSender(port: number, keeper: ReturnType<typeof createTestNode>): Promise<Target> {
  const body = { name: "atlas", quota_bytes: 64 * 1024 ** 2, append_only: false, expires_in_days: null };
  const { key } = (await keeper.call("POST /api/backup/drop-offs", { as: "admin", body })).body;
  return openOtherNode({ type: "node", url: `http://127.0.0.1:${port}`, key, own_ports: [] }, hastyClient());
}

beforeAll(async () => {
  mortals.set("local", mortalDisk());
  const bucket = await startBucketNode();
  const place = await bucket.place("backups", true);
  const s3At = (port: number) => ({ ...place, endpoint: `http://127.0.0.1:${port}` });
  mortals.set(
    "s3",
    await overPort(portOf(place.endpoint), (port) => openS3(s3At(port), hastyClient(), bucket.node.clock)),
  );
  const dav = Bun.which("apache2") === null ? startWebdavServer() : await startOpenApache();
  const davAt = (port: number) => davPlace(dav.url.replace(/:\d+/, `:${port}`));
  mortals.set(
    "webdav",
    await overPort(portOf(dav.url), (port) => openWebdav(davAt(port), hastyClient(), freshNames())),
  );
  const keeper = createTestNode({ session_rate: "1000000" });
  const listening = keeper.listen();
  mortals.set("node", await overPort(listening.port, (port) => openSender(port, keeper)));
  ends.push(
    bucket.stop,
    () => dav.stop(),
    listening.stop,
    () => keeper.close(),
  );
  if (!hasSftpServer()) return;
  const ssh = await startSftpServer();
  mortals.set("sftp", await overPort(ssh.port, async (port) => openSftp(await sftpPlace(port), freshNames())));
  ends.push(ssh.stop);
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Does some work with a target that goes at the `at`-th question, before it or when it is done; how many were asked. */
async function cutAt(mortal: Mortal, at: number, how: "before" | "answer", work: (target: Target) => Promise<unknown>) {
  let count = 0;
  const meet = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (count++ === at) {
      if (how === "before") await mortal.cut();
      else mortal.cutAtAnswer();
    }
    return await ask();
  };
  const { target } = mortal;
  const code = await work({
    write: (name, bytes) => meet(() => target.write(name, bytes)),
    read: (...asked) => meet(() => target.read(...asked)),
    list: (folder) => meet(() => target.list(folder)),
    remove: (name) => meet(() => target.remove(name)),
    warnings: () => target.warnings(),
  }).then(
    () => "done",
    ({ code: said, message }: { code?: string; message: string }) => said ?? message,
  );
  await mortal.mend();
  return { count, code };
}

/** What all people are told that a target is away, or that nothing lies there any more: both are tried again by themselves. */
const AWAY = ["target_away", "target_missing", "repository_missing"];

test.each([["local"], ["s3"], ["webdav"], ["node"], ...(hasSftpServer() ? [["sftp"]] : [])])(
  "a target of the type %s that vanishes in the middle of a restore or a prune is said to be away; when it is back, all is whole and both go on",
  async (type) => {
    const mortal = mortals.get(type);
    if (!mortal) throw new Error("no such target");
    const { target } = mortal;
    const random = makeRandom(5);
    const key = await createRepository(target, "KIT", null);
    const kept = [randomBytes(random, 40_000), randomBytes(random, 3000)];
    let now = 0;
    let made = 0;
    await backUp(target, key, "bak_keep", kept, now);
    const restore = (from: Target) => readAll(from, key, "bak_keep");
    const tidy = (forgotten: string[]) => async (at: Target) => {
      const lease = await takeLease(at, "tidy", () => now);
      await prune(at, await openRepository(at, key, lease), lease, forgotten, now);
      await lease.release();
    };
    /** Makes a backup that is to go, of which nothing is needed after that. */
    const makeOld = async () => {
      const id = `bak_${made++}`;
      await backUp(target, key, id, [randomBytes(random, 5000)], now);
      return id;
    };
    const works = {
      restore: async () => restore,
      prune: async () => tidy([await makeOld()]),
    };
    for (const [name, begin] of Object.entries(works)) {
      const { count, code } = await cutAt(mortal, Number.NaN, "before", await begin());
      expect([name, code]).toEqual([name, "done"]);
      const cuts = Math.min(CUTS, count);
      for (let cut = 0; cut < cuts; cut += 1) {
        now += days(8);
        const at = Math.floor(((cut + 0.5) * count) / cuts);
        const met = await cutAt(mortal, at, cut % 2 === 0 ? "before" : "answer", await begin());
        expect([name, at, AWAY.includes(met.code) ? "away" : met.code]).toEqual([name, at, "away"]);
        for (const id of await listSnapshots(target))
          expect([name, at, id, (await readAll(target, key, id)).length]).toEqual([
            name,
            at,
            id,
            id === "bak_keep" ? 2 : 1,
          ]);
        expect(same(await restore(target), kept)).toBe(true);
      }
    }
    // What was cut off is gone on with: nothing of what was to go is left, and nothing of what was on its way.
    await tidy((await listSnapshots(target)).filter((id) => id !== "bak_keep"))(target);
    now += days(8);
    await tidy([])(target);
    expect(await listSnapshots(target)).toEqual(["bak_keep"]);
    expect((await target.list("packs")).length).toBe(1);
    expect(await target.list("incoming")).toEqual([]);
    expect(same(await restore(target), kept)).toBe(true);
  },
);
