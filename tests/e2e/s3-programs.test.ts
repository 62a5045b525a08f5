import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { setUp } from "../kit/client.ts";
import { mountingTest, suite } from "../kit/env.ts";
import { madeBytes } from "../kit/made-bytes.ts";
import { envOf } from "../kit/s3-key-clients.ts";

const MIB = 1024 * 1024;
/** Names of files that have tripped programs; a folder and what lies in it among them. */
const NAMES = ['&+-é"', "a b%20c", "#?;:@=$,!'()", "ü𝄞", "folder/x", "folder/y/z"];

const suitable = (bytes: number) => madeBytes(3, bytes);

suite("programs that speak S3", ["s3_programs"], () => {
  let node: NodeProcess;
  let endpoint: string;
  let host: string;
  let keys: { access_key: string; secret_key: string };
  let work: string;
  let tree: string;

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), "orrery-s3-programs-"));
    node = await startNode();
    const owner = await setUp(node.url);
    const buckets = ["boto", "aws", "rclone", "restic", "s3cmd", "mounted"];
    for (const name of buckets) await owner.ok("POST /api/objects/buckets", { name, visibility: "private" });
    const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
    keys = await owner.ok("POST /api/objects/access-keys", { name: "programs", grants });
    ({ url: endpoint } = await owner.ok("GET /api/objects/endpoint"));
    ({ host } = new URL(endpoint));
    tree = join(work, "tree");
    for (const name of NAMES) {
      mkdirSync(join(tree, name, ".."), { recursive: true });
      writeFileSync(join(tree, name), suitable(1000 + name.length));
    }
    writeFileSync(join(tree, "empty"), "");
    writeFileSync(join(tree, "large"), suitable(18 * MIB + 7));
  });
  afterAll(async () => {
    await node?.dispose();
    rmSync(work, { recursive: true, force: true });
  });

  async function attempt(argv: string[], env: Record<string, string> = {}) {
    const child = Bun.spawn(argv, {
      cwd: work,
      env: { ...envOf({ keys, work }), ...env },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { out, err, code };
  }

  async function run(argv: string[], env: Record<string, string> = {}): Promise<string> {
    const { out, err, code } = await attempt(argv, env);
    if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}: ${err}${out}`);
    return out;
  }

  /** Every file below a folder, with what is in it, as one comparable text. */
  const contentsOf = (folder: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .toSorted()
        .map((path) => [path.slice(folder.length + 1), Bun.hash(readFileSync(path)).toString(36)]),
    );

  test("boto3 stores, reads, lists, copies, signs links and removes, large ones in parts", async () => {
    const out = await run(["python3", join(import.meta.dir, "../kit/boto.py"), endpoint, "boto", join(tree, "large")]);
    expect(JSON.parse(out)).toEqual({
      keys: 6,
      read: "all",
      parts: expect.any(Number),
      large: 18 * MIB + 7,
      range: 100,
      link: 200,
      twice: "PreconditionFailed",
      copied: true,
      left: 0,
    });
  });

  test("awscli copies a tree there and back, lists it, and removes it", async () => {
    const aws = (...argv: string[]) => run(["aws", "--endpoint-url", endpoint, ...argv]);
    const back = join(work, "aws-back");
    await aws("s3", "sync", tree, "s3://aws/t");
    expect((await aws("s3", "ls", "--recursive", "s3://aws/t/")).trim().split("\n")).toHaveLength(NAMES.length + 2);
    await aws("s3", "sync", "s3://aws/t", back);
    expect(contentsOf(back)).toEqual(contentsOf(tree));
    expect(await aws("s3", "sync", tree, "s3://aws/t")).toBe("");
    const link = (await aws("s3", "presign", "s3://aws/t/folder/x")).trim();
    expect((await fetch(link)).status).toBe(200);
    await aws("s3", "mv", "s3://aws/t/large", "s3://aws/moved");
    await aws("s3", "rm", "--recursive", "s3://aws/");
    expect((await attempt(["aws", "--endpoint-url", endpoint, "s3", "ls", "s3://aws/"])).out).toBe("");
  });

  test("rclone copies, checks every byte, moves and deletes", async () => {
    const env = {
      RCLONE_CONFIG_O_TYPE: "s3",
      RCLONE_CONFIG_O_PROVIDER: "Other",
      RCLONE_CONFIG_O_ENDPOINT: endpoint,
      RCLONE_CONFIG_O_ACCESS_KEY_ID: keys.access_key,
      RCLONE_CONFIG_O_SECRET_ACCESS_KEY: keys.secret_key,
    };
    const rclone = (...argv: string[]) => run(["rclone", "--retries", "1", ...argv], env);
    await rclone("copy", "--s3-upload-cutoff", "6M", "--s3-chunk-size", "5M", tree, "o:rclone/t");
    await rclone("check", "--download", tree, "o:rclone/t");
    await rclone("check", tree, "o:rclone/t");
    await rclone("moveto", "o:rclone/t/large", "o:rclone/t/moved");
    await rclone("delete", "--include", "folder/**", "o:rclone/t");
    expect((await rclone("lsf", "-R", "--files-only", "o:rclone/t")).trim().split("\n")).toHaveLength(NAMES.length);
    await rclone("purge", "o:rclone/t");
  });

  test("restic backs up, reads all of it back, forgets and restores", async () => {
    const env = { RESTIC_PASSWORD: "long enough", RESTIC_REPOSITORY: `s3:${endpoint}/restic/repo` };
    const restic = (...argv: string[]) => run(["restic", "--no-cache", ...argv], env);
    const back = join(work, "restic-back");
    if ((await attempt(["restic", "--no-cache", "cat", "config"], env)).code !== 0) await restic("init");
    await restic("backup", tree);
    await restic("backup", tree);
    await restic("check", "--read-data");
    await restic("forget", "--keep-last", "1", "--prune");
    await restic("restore", "latest", "--target", back);
    expect(contentsOf(join(back, tree))).toEqual(contentsOf(tree));
  });

  test("s3cmd puts, lists, gets and removes, large ones in parts", async () => {
    const config = join(work, "s3cfg");
    const settings = {
      access_key: keys.access_key,
      secret_key: keys.secret_key,
      host_base: host,
      host_bucket: host,
      use_https: "False",
      bucket_location: "us-east-1",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(config, `[default]\n${lines.join("\n")}\n`, { mode: 0o600 });
    const s3cmd = (...argv: string[]) => run(["s3cmd", "-c", config, "--no-progress", ...argv]);
    const back = join(work, "s3cmd-back");
    mkdirSync(back, { recursive: true });
    await s3cmd("sync", "--multipart-chunk-size-mb=5", `${tree}/`, "s3://s3cmd/t/");
    expect((await s3cmd("ls", "-r", "s3://s3cmd/t/")).trim().split("\n")).toHaveLength(NAMES.length + 2);
    await s3cmd("sync", "s3://s3cmd/t/", `${back}/`);
    expect(contentsOf(back)).toEqual(contentsOf(tree));
    await s3cmd("del", "-r", "-f", "s3://s3cmd/t/");
    expect(await s3cmd("ls", "-r", "s3://s3cmd/")).toBe("");
  });

  mountingTest("a bucket that s3fs has mounted is a folder", async () => {
    const place = join(work, "mounted");
    const secret = join(work, "s3fs-secret");
    mkdirSync(place, { recursive: true });
    writeFileSync(secret, `${keys.access_key}:${keys.secret_key}\n`, { mode: 0o600 });
    await run(["s3fs", "mounted", place, "-o", `url=${endpoint},use_path_request_style,passwd_file=${secret}`]);
    try {
      mkdirSync(join(place, "folder"));
      writeFileSync(join(place, "folder/one"), suitable(70_000));
      writeFileSync(join(place, "large"), suitable(18 * MIB));
      renameSync(join(place, "folder/one"), join(place, "folder/zwei é"));
      expect(readdirSync(place).toSorted()).toEqual(["folder", "large"]);
      expect(readdirSync(join(place, "folder"))).toEqual(["zwei é"]);
      expect(Bun.hash(readFileSync(join(place, "folder/zwei é")))).toBe(Bun.hash(suitable(70_000)));
      expect(Bun.hash(readFileSync(join(place, "large")))).toBe(Bun.hash(suitable(18 * MIB)));
      rmSync(join(place, "folder"), { recursive: true });
      expect(readdirSync(place)).toEqual(["large"]);
    } finally {
      await run(["fusermount", "-u", "-z", place]);
    }
  });
});
