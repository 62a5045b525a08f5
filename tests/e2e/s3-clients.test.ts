import { afterAll, beforeAll, expect, test } from "bun:test";
import { Readable } from "node:stream";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Client as MinioClient } from "minio";
import { type NodeProcess, startNode } from "../kit/binary.ts";
import { setUp, signIn } from "../kit/client.ts";

/** Keys that have tripped others; more of them, client by client, in s3-keys.test.ts. */
const KEYS = ['&+-é"/x', "a//b", "a", "a/b", "x".repeat(1_024), "a ?#%", "~*'()!", "ü/𝄞"];

let node: NodeProcess;
let endpoint: string;
let keys: { accessKeyId: string; secretAccessKey: string };

beforeAll(async () => {
  node = await startNode();
  const owner = await setUp(node.url);
  const buckets = ["aws", "minio", "bun"];
  for (const name of buckets) await owner.ok("POST /api/objects/buckets", { name, visibility: "private" });
  const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
  const made = await owner.ok("POST /api/objects/access-keys", { name: "clients", grants });
  keys = { accessKeyId: made.access_key, secretAccessKey: made.secret_key };
  ({ url: endpoint } = await owner.ok("GET /api/objects/endpoint"));
});
afterAll(() => node?.dispose());

test("the AWS SDK stores, reads, lists, copies and removes every key, with its own sums", async () => {
  const s3 = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: keys });
  const Bucket = "aws";
  for (const Key of KEYS) {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: `body of ${Key}`, Metadata: { who: "me" } }));
    const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
    expect([await Body?.transformToString(), Metadata]).toEqual([`body of ${Key}`, { who: "me" }]);
  }
  const listed = await s3.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1_000 }));
  expect(listed.Contents?.map(({ Key }) => Key).toSorted()).toEqual(KEYS.toSorted());
  const CopySource = `${Bucket}/${encodeURIComponent(KEYS[0] ?? "")}`;
  await s3.send(new CopyObjectCommand({ Bucket, Key: "copy", CopySource }));
  const { ContentLength } = await s3.send(new HeadObjectCommand({ Bucket, Key: "copy" }));
  expect(ContentLength).toBe(Buffer.byteLength(`body of ${KEYS[0]}`));
  await expect(
    s3.send(new PutObjectCommand({ Bucket, Key: "copy", Body: "again", IfNoneMatch: "*" })),
  ).rejects.toMatchObject({ name: "PreconditionFailed" });
  const about = await s3.send(
    new GetObjectAttributesCommand({ Bucket, Key: "copy", ObjectAttributes: ["ETag", "ObjectSize", "Checksum"] }),
  );
  expect([about.ObjectSize, about.Checksum?.ChecksumCRC32]).toEqual([ContentLength, expect.any(String)]);
  const { Versions } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: "copy" }));
  expect(Versions).toMatchObject([{ Key: "copy", VersionId: "null", IsLatest: true, Size: ContentLength }]);
  const Objects = [...KEYS, "copy"].map((Key) => ({ Key }));
  const { Deleted } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toHaveLength(KEYS.length + 1);
  s3.destroy();
});

test("the MinIO client stores and reads every key, large ones in parts, and sends a form", async () => {
  const { hostname, port } = new URL(endpoint);
  const minio = new MinioClient({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: keys.accessKeyId,
    secretKey: keys.secretAccessKey,
    region: "us-east-1",
    partSize: 5 * 1024 * 1024,
  });
  for (const key of KEYS) {
    await minio.putObject("minio", key, `body of ${key}`);
    const parts: Buffer[] = [];
    for await (const part of await minio.getObject("minio", key)) parts.push(Buffer.from(part));
    expect(Buffer.concat(parts).toString()).toBe(`body of ${key}`);
  }
  const pieces = Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024, 7));
  const length = 11 * 1024 * 1024;
  const { etag } = await minio.putObject("minio", "large", Readable.from(pieces), length);
  expect([(await minio.statObject("minio", "large")).size, etag]).toEqual([
    length,
    expect.stringMatching(/^[0-9a-f]{32}-[2-9]$/),
  ]);
  await minio.setObjectTagging("minio", "large", { colour: "blue" });
  expect(await minio.getObjectTagging("minio", "large")).toEqual([{ Key: "colour", Value: "blue" }]);
  await minio.setBucketLifecycle("minio", {
    Rule: [{ ID: "logs", Status: "Enabled", Filter: { Prefix: "logs/" }, Expiration: { Days: 30 } }],
  });
  expect(JSON.stringify(await minio.getBucketLifecycle("minio"))).toContain("logs/");
  const policy = minio.newPostPolicy();
  policy.setBucket("minio");
  policy.setKeyStartsWith("form/");
  policy.setContentLengthRange(1, 1_000);
  policy.setExpires(new Date(Date.now() + 60_000));
  const { postURL, formData } = await minio.presignedPostPolicy(policy);
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...formData, key: "form/a" })) form.append(name, String(value));
  form.append("file", new File(["from a form"], "a.txt"));
  expect((await fetch(postURL, { method: "POST", body: form })).status).toBe(204);
  expect((await minio.statObject("minio", "form/a")).size).toBe(11);
});

test("the client of Bun stores and reads every key, and its links work", async () => {
  const s3 = new Bun.S3Client({ ...keys, endpoint, bucket: "bun", region: "us-east-1" });
  for (const key of KEYS) {
    await s3.write(key, `body of ${key}`);
    expect(await s3.file(key).text()).toBe(`body of ${key}`);
    expect(await (await fetch(s3.presign(key))).text()).toBe(`body of ${key}`);
  }
});

test("the end of an upload can be said again after the node was killed, and is the same", async () => {
  const open = () => new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials: keys });
  const where = { Bucket: "aws", Key: "in parts" };
  let s3 = open();
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ ...where, ChecksumAlgorithm: "CRC32" }));
  const { ETag, ChecksumCRC32 } = await s3.send(
    new UploadPartCommand({ ...where, UploadId, PartNumber: 1, Body: "all of it", ChecksumAlgorithm: "CRC32" }),
  );
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ChecksumCRC32 }] };
  const end = () => s3.send(new CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload }));
  const first = await end();
  s3.destroy();
  await node.kill();
  node = await startNode({ dataDir: node.dataDir });
  ({ url: endpoint } = await (await signIn(node.url)).ok("GET /api/objects/endpoint"));
  s3 = open();
  const { $metadata: _, Location: __, ...again } = await end();
  expect(again).toEqual({
    Bucket: first.Bucket,
    Key: first.Key,
    ETag: first.ETag,
    ChecksumCRC32: first.ChecksumCRC32,
    ChecksumType: "COMPOSITE",
  });
  const { Body } = await s3.send(new GetObjectCommand(where));
  expect(await Body?.transformToString()).toBe("all of it");
  s3.destroy();
});
