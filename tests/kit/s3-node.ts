import { createHmac } from "node:crypto";
import type { TestNode } from "./node-app.ts";
import { createSignedCalls, type SignedCalls } from "./signed-calls.ts";
import { closeStorageNode, openStorageNode } from "./storage-node.ts";

/** A node whose object store listens, with buckets and a key that may do everything with each. */
export interface S3Node {
  node: TestNode;
  url: string;
  s3: SignedCalls;
  /** Fields of a form that may send what `conditions` say, signed. */
  signForm(
    conditions: readonly unknown[],
    minutes?: number,
    /** Changes the policy before it is signed. */
    change?: (policy: Record<string, unknown>) => Record<string, unknown>,
  ): Record<string, string>;
  close(): Promise<void>;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Starts one; a bucket named `open…` is public. */
export async function openS3Node(buckets: readonly string[], config: Record<string, string> = {}): Promise<S3Node> {
  const node = openStorageNode(config);
  node.ctx.objects.start?.();
  for (const name of buckets) {
    const body = { name, visibility: name.startsWith("open") ? "public" : "private" };
    await node.call("POST /api/objects/buckets", { as: "admin", body });
  }
  const grants = buckets.map((bucket) => ({ bucket, read: true, write: true, owner: true }));
  const { body: keys } = await node.call("POST /api/objects/access-keys", {
    as: "admin",
    body: { name: "test", grants },
  });
  await node.ctx.objects.settled();
  const { url } = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body;
  return {
    node,
    url,
    s3: createSignedCalls(url, keys, node.clock.now),
    signForm(conditions, minutes = 10, change = (policy) => policy) {
      const date = new Date(node.clock.now()).toISOString().replace(/[-:]|\.\d{3}/g, "");
      const day = date.slice(0, 8);
      const about = {
        "x-amz-algorithm": "AWS4-HMAC-SHA256",
        "x-amz-credential": `${keys.access_key}/${day}/us-east-1/s3/aws4_request`,
        "x-amz-date": date,
      };
      const expiration = new Date(node.clock.now() + minutes * 60_000).toISOString();
      const own = Object.entries(about).map(([name, value]) => ({ [name]: value }));
      const said = change({ expiration, conditions: [...own, ...conditions] });
      const policy = Buffer.from(JSON.stringify(said)).toString("base64");
      const key = hmac(hmac(hmac(hmac(`AWS4${keys.secret_key}`, day), "us-east-1"), "s3"), "aws4_request");
      return { ...about, policy, "x-amz-signature": hmac(key, policy).toString("hex") };
    },
    close: () => closeStorageNode(node),
  };
}
