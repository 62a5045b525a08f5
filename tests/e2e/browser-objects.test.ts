import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutBucketCorsCommand, S3Client } from "@aws-sdk/client-s3";
import { Client as MinioClient } from "minio";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { openBrowser, type TestBrowser } from "../kit/browser.ts";
import { type Client, setUp } from "../kit/client.ts";
import { enter } from "../kit/dashboard.ts";
import { suite } from "../kit/env.ts";
import { createMinioData } from "../kit/fake-minio.ts";
import { openGarage } from "../kit/garage.ts";
import { look } from "../kit/look.ts";
import { madeBytes } from "../kit/made-bytes.ts";

let node: NodeProcess;
let owner: Client;
let browser: TestBrowser;
let keys: { accessKeyId: string; secretAccessKey: string };
const LONG = "b".repeat(63);

suite("object storage", ["chromium"], () => {
  beforeAll(async () => {
    node = await startNode();
    owner = await setUp(node.url);
    browser = await openBrowser();
    await enter(browser, node.url);
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test("a bucket and a key are made on the screen, and the secret is shown once with lines to paste", async () => {
    const { page } = browser;
    await page.goto(`${node.url}/objects`);
    await page.getByRole("button", { name: "New bucket" }).click();
    await page.getByLabel("Name").fill("photos");
    await page.getByRole("button", { name: "Make bucket" }).click();
    await page.getByRole("table", { name: "Buckets" }).getByText("photos").waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("camera");
    await page.getByLabel("What it may do with photos").selectOption("owner");
    await page.getByRole("button", { name: "Make key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("restic", { exact: true }).click();
    await dialog.getByText(/restic -r s3:http/).waitFor();
    await look(page);
    const lines = (await dialog.locator("pre").textContent()) ?? "";
    keys = {
      accessKeyId: /AWS_ACCESS_KEY_ID=(\S+)/.exec(lines)?.[1] ?? "",
      secretAccessKey: /AWS_SECRET_ACCESS_KEY=(\S+)/.exec(lines)?.[1] ?? "",
    };
    await dialog.getByText("I saved it").click();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText("photos: read, write, own").waitFor();
    await page.getByText(/Listening on port/).waitFor();
    await page.getByRole("button", { name: "Test camera" }).click();
    await page.getByText(/It works: photos was listed/).waitFor();
    expect(browser.complaints).toEqual([]);
  });

  test("an admin switches encryption on and off, and is told what it is good for", async () => {
    const { page } = browser;
    const choice = page.getByRole("switch", { name: /Encrypt what is stored/ });
    await choice.click();
    await page.getByText("All bytes are encrypted").waitFor();
    await page.getByText(/It does not protect/).waitFor();
    await look(page);
    await choice.click();
    await page.getByRole("button", { name: "Switch it off" }).click();
    await page.getByText("All bytes are encrypted").waitFor({ state: "detached" });
    expect(browser.complaints).toEqual([]);
  });

  test("the key works with a client of S3, and what it stores is seen and fetched on the screen", async () => {
    const { url: endpoint } = await owner.ok("GET /api/objects/endpoint");
    const s3 = new Bun.S3Client({ ...keys, endpoint, bucket: "photos", region: "us-east-1" });
    await s3.write("trips/2026/ü & é.txt", "hello");
    const large = new Uint8Array(6 * 1024 * 1024).fill(7);
    const writer = s3.file("large.bin").writer({ partSize: 5 * 1024 * 1024 });
    writer.write(large);
    await writer.end();
    expect(Buffer.compare(new Uint8Array(await s3.file("large.bin").arrayBuffer()), large)).toBe(0);
    expect((await fetch(s3.presign("trips/2026/ü & é.txt"))).status).toBe(200);
    expect((await s3.list({ prefix: "trips/" })).contents?.map(({ key }) => key)).toEqual(["trips/2026/ü & é.txt"]);
    const { page } = browser;
    await page.getByRole("table", { name: "Buckets" }).getByRole("button", { name: "photos", exact: true }).click();
    await page.getByRole("button", { name: "trips/" }).click();
    await page.getByRole("button", { name: "2026/" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download ü & é.txt" }).click();
    expect((await waiting).suggestedFilename()).toBe("ü & é.txt");
    await page.getByLabel("Files to upload").setInputFiles({
      name: `${"n".repeat(80)}.txt`,
      mimeType: "text/plain",
      buffer: Buffer.from("sent"),
    });
    await page.getByRole("button", { name: /^Delete n{80}/ }).waitFor();
    await look(page);
    await page.getByRole("button", { name: /^Delete ü/ }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("ü & é.txt", { exact: true }).waitFor({ state: "detached" });
    expect(await s3.exists(`trips/2026/${"n".repeat(80)}.txt`)).toBe(true);
    expect(browser.complaints).toEqual([]);
  });

  test("a page of another origin stores under every key by a signed link, once the bucket's rules let it", async () => {
    const { url: endpoint } = await owner.ok("GET /api/objects/endpoint");
    const { hostname, port } = new URL(endpoint);
    const { accessKeyId: accessKey, secretAccessKey: secretKey } = keys;
    const signer = new MinioClient({ endPoint: hostname, port: Number(port), useSSL: false, accessKey, secretKey });
    // A key with `..` between slashes is not among them: a browser resolves it in the address before it sends it.
    const names = ['&+-é"/x', "a//b", "a", "a/b", "x".repeat(1_024), "a ?#%", "..x/y..", "ü/𝄞"];
    const links = await Promise.all(
      names.map((name) => signer.presignedPutObject("photos", `cors-${name}`.slice(0, 1_024))),
    );
    const foreign = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response("<!doctype html><title>Another site</title>", { headers: { "content-type": "text/html" } }),
    });
    const visitor = await openBrowser();
    const s3 = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: keys });
    try {
      await visitor.page.goto(foreign.url.href);
      const send = (): Promise<string[]> =>
        visitor.page.evaluate(async (places: string[]) => {
          const said: string[] = [];
          for (const place of places) {
            const sent = fetch(place, {
              method: "PUT",
              body: "from a page",
              headers: { "content-type": "text/x-page" },
            });
            said.push(
              await sent.then(
                (reply) => `${reply.status} ${reply.headers.get("etag")}`,
                () => "refused",
              ),
            );
          }
          return said;
        }, links);
      expect(await send()).toEqual(names.map(() => "refused"));
      const rule = {
        AllowedOrigins: [foreign.url.origin],
        AllowedMethods: ["PUT"],
        AllowedHeaders: ["content-type"],
        ExposeHeaders: ["ETag"],
      };
      await s3.send(new PutBucketCorsCommand({ Bucket: "photos", CORSConfiguration: { CORSRules: [rule] } }));
      const etag = `"${new Bun.CryptoHasher("md5").update("from a page").digest("hex")}"`;
      expect(await send()).toEqual(names.map(() => `200 ${etag}`));
      for (const name of names) {
        const { size, metaData } = await signer.statObject("photos", `cors-${name}`.slice(0, 1_024));
        expect([size, metaData["content-type"]]).toEqual([11, "text/x-page"]);
      }
    } finally {
      s3.destroy();
      await visitor.close();
      await foreign.stop(true);
    }
  });

  test("a bucket becomes a website whose objects end by a rule, and what is stored is checked, on the screen", async () => {
    const { page } = browser;
    await owner.ok("POST /api/objects/buckets", { name: "site", visibility: "private" });
    await page.goto(`${node.url}/objects`);
    await page.getByRole("button", { name: "Settings of site" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/^Everybody may read/).check();
    await dialog.getByLabel(/^Show it as a website/).check();
    await dialog.getByRole("button", { name: "Add a rule" }).click();
    await dialog.getByLabel("Names beginning with").fill("drafts/");
    await dialog.getByLabel("Objects end after").fill("7");
    await look(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const settings = await owner.ok("GET /api/objects/buckets/site/settings");
    expect([settings.visibility, settings.website.index, settings.rules[0].after_days]).toEqual([
      "public",
      "index.html",
      7,
    ]);
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("No damage found").waitFor();
    await page.getByText(/checked, last/).waitFor();
    await look(page);
    expect(browser.complaints).toEqual([]);
  });

  test("a Garage cluster keeps the objects once it was tried out, and this server again afterwards", async () => {
    const garage = await openGarage();
    await garage.clock.advance(Date.now() - garage.clock.now());
    const { page } = browser;
    await page.goto(`${node.url}/objects`);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Garage", { exact: true }).click();
    await dialog.getByLabel("Address of the admin API").fill(garage.place.admin_url);
    await dialog.getByLabel("Admin token", { exact: true }).fill(garage.place.admin_token);
    await dialog.getByLabel("Address of S3").fill(garage.place.endpoint);
    await dialog.getByRole("button", { name: "Test" }).click();
    await dialog.getByText(/The cluster answers with 3 of 3 servers/).waitFor();
    await look(page);
    await dialog.getByRole("button", { name: "Keep them there" }).click();
    await page.getByText("In a Garage cluster").waitFor();
    await page.getByText("No bucket yet").waitFor();
    await page.getByText(/about the store of this server alone/).waitFor();
    await owner.ok("POST /api/objects/buckets", { name: "theirs", visibility: "public" });
    await page.goto(`${node.url}/objects`);
    await page.getByRole("button", { name: "Settings of theirs" }).click();
    await dialog.getByLabel("Size").fill("64");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { quota, website } = await owner.ok("GET /api/objects/buckets/theirs/settings");
    expect([quota.max_bytes, website.index]).toEqual([64 * 1024 * 1024, "index.html"]);
    await look(page);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await dialog.getByText("This server", { exact: true }).click();
    await dialog.getByRole("button", { name: "Keep them here" }).click();
    await page.getByRole("table", { name: "Buckets" }).getByText("photos").waitFor();
    expect(garage.keys.size).toBe(0);
    await garage.close();
    expect(browser.complaints).toEqual([]);
  });

  test("long names leave the page as wide as the window", async () => {
    await owner.ok("POST /api/objects/buckets", { name: LONG, visibility: "public" });
    const grants = [{ bucket: LONG, read: true, write: true, owner: true }];
    await owner.ok("POST /api/objects/access-keys", { name: "k".repeat(64), grants });
    const { page } = browser;
    await page.goto(`${node.url}/objects`);
    await page.getByRole("table", { name: "Buckets" }).getByText(LONG).waitFor();
    await page.getByText("k".repeat(64)).waitFor();
    await look(page);
  });
});

suite("objects of a MinIO", ["chromium"], () => {
  const folder = mkdtempSync(join(tmpdir(), "orrery-minio-"));
  const data = createMinioData(join(folder, "data"));
  const [user, password] = ["backup-admin", "a-long-secret-of-minio"];
  let migrating: NodeProcess;

  beforeAll(async () => {
    data.makeBucket("photos", {
      versioning: "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>",
    });
    for (let index = 0; index < 5; index += 1) data.put("photos", `trips/${index} é.jpg`, madeBytes(index, 200_000));
    data.put("photos", "rotten.jpg", "bytes that a disk changed");
    data.damage("photos", "rotten.jpg");
    const program = join(folder, "minio");
    const script = join(import.meta.dir, "../kit/fake-minio.ts");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`, { mode: 0o755 });
    writeFileSync(
      join(folder, "env"),
      `MINIO_ROOT_USER=${user}\nMINIO_ROOT_PASSWORD=${password}\nMINIO_OPTS="--address :1"\n`,
    );
    migrating = await startNode({
      env: {
        ORRERY_MINIO_DATA: data.folder,
        ORRERY_MINIO_ENV: join(folder, "env"),
        ORRERY_MINIO_BINARY: program,
      },
    });
    owner = await setUp(migrating.url);
    browser = await openBrowser();
    await enter(browser, migrating.url);
  });
  afterAll(async () => {
    await browser?.close();
    await migrating?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test("its program is started, what cannot be read is named, and the rest is here once somebody says so", async () => {
    const { page } = browser;
    await page.goto(`${migrating.url}/objects`);
    await page.getByText("Not brought over").waitFor({ timeout: 60_000 });
    await page.getByText("photos/rotten.jpg").waitFor();
    await page.getByText(/not those of its etag/).waitFor();
    await look(page);
    await page.getByRole("button", { name: "Go on without them" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/stay in the previous store alone/).waitFor();
    await dialog.getByRole("button", { name: "Go on without them" }).click();
    await page.getByText(/5\sobjects in 1\sbucket came over/).waitFor({ timeout: 60_000 });
    await page.getByText(/It keeps versions/).waitFor();
    await page.getByRole("table", { name: "Buckets" }).getByText("photos").waitFor();
    await look(page);
    const { url: endpoint } = await owner.ok("GET /api/objects/endpoint");
    const s3 = new Bun.S3Client({
      accessKeyId: user,
      secretAccessKey: password,
      endpoint,
      bucket: "photos",
      region: "us-east-1",
    });
    expect(Buffer.from(await s3.file("trips/3 é.jpg").arrayBuffer()).equals(madeBytes(3, 200_000))).toBe(true);
    await page.getByRole("button", { name: "Remove the previous store" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("remove");
    await page.getByRole("button", { name: "Remove for good" }).click();
    await page
      .getByRole("dialog")
      .getByText(/in 6 minutes/)
      .waitFor();
    expect(browser.complaints).toEqual([]);
  });
});
