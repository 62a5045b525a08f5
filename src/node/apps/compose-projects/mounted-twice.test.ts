import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { runWell } from "../../../../tests/kit/run-well.ts";
import type { Layers } from "../../machine/index.ts";

let world: ComposeWorld;
beforeEach(async () => {
  world = await startComposeWorld();
});
afterEach(() => world.stop());

const file = (...paths: string[]) =>
  `services: { a: { image: "a:1", volumes: [${paths.map((path, index) => `"${path}:/d${index}"`).join(", ")}] } }\n`;

/** A line of the table of mounts. */
const mount = (dev: string, root: string, point: string, type = "ext4") => ({ dev, root, point, type, source: "any" });

/** An overlay in it. */
const overlay = (point: string, upper: string | null, ...lowers: string[]) => ({
  ...mount("0:60", "/", point, "overlay"),
  layers: { upper, lowers },
});

/** The table of mounts of the server. */
function mountAt(...mounts: (ReturnType<typeof mount> & { layers?: Layers })[]): void {
  world.node.ctx.host.mounts = () => [mount("8:1", "/", "/"), ...mounts];
}

async function planOf(name: string, text: string) {
  const { body } = await world.call("POST /api/containers/compose/plan", { name, file: text });
  expect(body.problems).toEqual([]);
  const isOne = ({ id }: { id: string }) => /\/(nested|outer)_path:/.test(id);
  return {
    plan: body.hash,
    dangers: body.dangers.filter(isOne),
    all: body.dangers.map(({ id }: { id: string }) => id),
  };
}

const idsOf = async (name: string, text: string): Promise<string[]> =>
  (await planOf(name, text)).dangers.map(({ id }: { id: string }) => id);

async function deploy(name: string, text: string): Promise<void> {
  const { plan, all } = await planOf(name, text);
  const { body } = await world.call("POST /api/containers/compose", { name, file: text, plan, confirmed: all });
  expect((await world.end(body.op_id)).status).toBe("done");
}

describe("one folder under two names of the server is one folder", () => {
  test.each([
    ["a bind mount is written to", [mount("8:1", "/srv/x", "/export")], "/export", "/srv/x/sub"],
    ["a bind mount is in the way", [mount("8:1", "/srv/x", "/export")], "/srv/x", "/export/sub"],
    ["a bind mount shows what lies deeper", [mount("8:1", "/srv/x/deep", "/export")], "/srv/x", "/export/sub"],
    ["it is the bind mount itself", [mount("8:1", "/srv/x/deep", "/export")], "/srv/x", "/export"],
    ["two bind mounts", [mount("8:1", "/srv", "/one"), mount("8:1", "/srv/x", "/two")], "/one/x", "/two/a/b"],
    ["a subvolume is mounted twice", [mount("0:40", "/@m", "/m"), mount("0:40", "/@m", "/n")], "/m/x", "/n/x/sub"],
    ["the top of all subvolumes", [mount("0:40", "/@m", "/m"), mount("0:40", "/", "/all")], "/all", "/m/x"],
    [
      "another disk below what is written to",
      [mount("8:2", "/", "/srv/x/d"), mount("8:2", "/", "/n")],
      "/srv/x",
      "/n/s",
    ],
    ["an overlay is written to", [overlay("/m", "/up", "/low")], "/m", "/up/sub"],
    ["an overlay is in the way", [overlay("/m", "/up", "/low")], "/up/a", "/m/a/b"],
    ["two overlays of one upper folder", [overlay("/m", "/up"), overlay("/n", "/up")], "/m/a", "/n/a/b"],
    [
      "an overlay's upper folder is a mount",
      [overlay("/m", "/disk/up"), mount("8:2", "/", "/disk")],
      "/m",
      "/disk/up/x",
    ],
    [
      "a bind mount of a part of an overlay",
      [overlay("/m", "/up"), { ...overlay("/n", "/up"), root: "/a" }],
      "/n",
      "/m/a/b",
    ],
    ["a blank in its name", [mount("8:1", "/srv/my x", "/export")], "/srv/my x", "/export/sub"],
  ])("%s", async (_, mounts, outer, inner) => {
    mountAt(...mounts);
    await deploy("other", file(outer));
    expect(await idsOf("shop", file(inner))).toEqual([`a/nested_path:${inner}`]);
    await deploy("shop", file(inner));
    expect(await idsOf("third", file(outer))).toEqual([`a/outer_path:${outer}`]);
    // The same within one project.
    expect(
      await idsOf(
        "both",
        `services:\n  a: { image: a, volumes: ["${outer}:/d"] }\n  b: { image: b, volumes: ["${inner}:/d"] }`,
      ),
    ).toContain(`b/nested_path:${inner}`);
  });

  test("what is written to a lower folder of an overlay is seen in it, and the other way round is not", async () => {
    mountAt(overlay("/m", "/up", "/srv/low", "relative"));
    await deploy("other", file("/srv/low/a"));
    const [nested] = (await planOf("shop", file("/m/a/b"))).dangers;
    expect(nested.text).toStartWith("a has /m/a/b, which is /srv/low/a/b and lies in /srv/low/a, where the container");
    expect(await idsOf("shop", file("/up/a/b"))).toEqual([]);
    await deploy("shop", file("/srv/low/a/b/c"));
    expect(await idsOf("third", file("/m/a/b"))).toEqual(["a/nested_path:/m/a/b"]);
  });

  test("an overlay whose folders lie in itself, or in one that lies in it, is a file system like others", async () => {
    mountAt(overlay("/m", "/n/up", "/n"), overlay("/n", "/m/up", "/m"), overlay("/o", "/o/up", "/o/low"));
    await deploy("other", file("/m/a", "/o/a"));
    expect(await idsOf("shop", file("/o/a/b"))).toEqual(["a/nested_path:/o/a/b"]);
  });

  test.each([
    ["the same folder twice", [mount("8:1", "/srv/x", "/export")], "/export", "/srv/x"],
    ["another folder of the same disk", [mount("8:1", "/srv/y", "/export")], "/export", "/srv/x/sub"],
    ["another disk", [mount("8:2", "/srv/x", "/export")], "/export", "/srv/x/sub"],
    ["what lies above a bind mount by that name", [mount("8:1", "/srv/x", "/export/x")], "/export/y", "/srv/x/sub"],
    ["names that only begin alike", [mount("8:1", "/srv/x", "/export")], "/export/su", "/srv/x/sub/a"],
    [
      "NFS, whose table names no folder",
      [mount("0:50", "/", "/m", "nfs4"), mount("0:50", "/", "/n", "nfs4")],
      "/m",
      "/n/x",
    ],
  ])("but not %s", async (_, mounts, outer, inner) => {
    mountAt(...mounts);
    await deploy("other", file(outer));
    expect(await idsOf("shop", file(inner))).toEqual([]);
    await deploy("shop", file(inner));
    expect(await idsOf("third", file(outer))).toEqual([]);
  });

  const mayMount = Bun.which("unshare") !== null && Bun.spawnSync(["unshare", "--mount", "true"]).success;
  test.skipIf(!mayMount)("a real bind mount, by the table of mounts and by the numbers of the folders", async () => {
    const { host } = world.node.ctx;
    const [real, other] = ["real", "other"].map((name) => join(world.node.dataDir, name)) as [string, string];
    mkdirSync(join(real, "sub"), { recursive: true });
    mkdirSync(other);
    await runWell("mount", "--bind", real, other);
    try {
      await deploy("other", file(other));
      const byTable = await idsOf("shop", file(`${real}/sub/new`));
      host.mounts = () => [];
      const byNumber = await idsOf("shop", file(`${real}/sub/new`));
      const ids = [`a/nested_path:${real}/sub/new`];
      expect([byTable, byNumber]).toEqual([ids, ids]);
    } finally {
      await runWell("umount", other);
    }
  });

  test.skipIf(!mayMount)("a real overlay, by what the table says of its folders", async () => {
    const [upper, lower, work, merged] = ["upper", "lower", "work", "merged"].map((name) =>
      join(world.node.dataDir, name),
    ) as [string, string, string, string];
    for (const folder of [join(upper, "sub"), join(lower, "low"), work, merged]) mkdirSync(folder, { recursive: true });
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
    // Not every file system can be one of its folders.
    if (!Bun.spawnSync(["mount", "-t", "overlay", "overlay", "-o", options, merged]).success) return;
    try {
      await deploy("other", file(`${merged}/sub`, `${lower}/low`));
      const paths = [`${upper}/sub/new`, `${merged}/low/new`];
      expect(await idsOf("shop", file(...paths))).toEqual(paths.map((path) => `a/nested_path:${path}`));
    } finally {
      await runWell("umount", merged);
    }
  });

  test("both names are said", async () => {
    mountAt(mount("8:1", "/srv/x", "/export"));
    await deploy("other", file("/export"));
    const [nested] = (await planOf("shop", file("/srv/x/sub/deep"))).dangers;
    expect(nested.text).toStartWith(
      "a has /srv/x/sub/deep, which is /export/sub/deep and lies in /export, where the container other-a-1 of the project other may write: a link",
    );
    await deploy("shop", file("/srv/x/sub/deep"));
    const [outer] = (await planOf("third", file("/export"))).dangers;
    expect(outer.text).toStartWith(
      "a may write to /export, in which lies what others have: /srv/x/sub/deep, which is /export/sub/deep, of the container shop-a-1 of the project shop. A link",
    );
  });

  test("a link on the way is said by both of its names", async () => {
    const { dataDir } = world.node;
    mkdirSync(join(dataDir, "real"));
    mkdirSync(join(dataDir, "x"));
    symlinkSync(join(dataDir, "real"), join(dataDir, "x/link"));
    mountAt(mount("8:1", join(dataDir, "x"), "/export"));
    await deploy("other", file("/export"));
    const [nested] = (await planOf("shop", file(join(dataDir, "x/link/sub")))).dangers;
    expect(nested.text).toContain(`, which is /export/link/sub and lies in /export, `);
    symlinkSync(join(dataDir, "x/link"), join(dataDir, "short"));
    const [further] = (await planOf("shop", file(join(dataDir, "short/sub")))).dangers;
    expect(further.text).toContain(
      `short/sub, on the way to which ${join(dataDir, "x/link")} is /export/link and lies in /export, `,
    );
  });

  test("what has the plain name too is told by that, as it was", async () => {
    mountAt(mount("8:1", "/srv/x", "/export"));
    await deploy("other", file("/export", "/srv/x"));
    const [nested, ...more] = (await planOf("shop", file("/srv/x/sub"))).dangers;
    expect(more).toEqual([]);
    expect(nested.text).toStartWith("a has /srv/x/sub, which lies in /srv/x, where the container");
  });

  test("it is asked for at the next start of what is there", async () => {
    mountAt(mount("8:1", "/srv/x", "/export"));
    await deploy("shop", file("/srv/x/sub"));
    await deploy("other", file("/export"));
    expect((await world.call("POST /api/containers/compose/shop/restart")).body).toMatchObject({
      code: "compose_unconfirmed",
      params: { ids: ["a/nested_path:/srv/x/sub"] },
    });
  });

  test("who may write to all of our data folder by another name has this node anyway", async () => {
    mountAt(mount("8:1", world.node.dataDir, "/export"));
    await deploy("other", file("/export"));
    expect(await idsOf("shop", file("./data"))).toEqual([]);
    await deploy("other", file("/export/compose"));
    expect(await idsOf("shop", file("./data"))).toEqual(["a/nested_path:./data"]);
  });
});
