import { createHttpClient } from "../../src/node/backups/engine/http-client.ts";
import { openSftp } from "../../src/node/backups/engine/sftp.ts";
import type { S3Place, SftpPlace, WebdavPlace } from "../../src/node/backups/engine/target.ts";
import { createTestNode, type TestNode } from "./node-app.ts";
import { makeScratch } from "./scratch.ts";

/** Questions over HTTP, put again without a pause where that may help. */
export const hastyClient = (ownPorts: readonly number[] = []) =>
  createHttpClient(
    { now: Date.now, monotonic: () => 0, sleep: async () => {}, after: () => () => {}, every: () => () => {} },
    ownPorts,
  );

/** Names of files that are new, one after the other. */
export function freshNames(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `new-${count}`;
  };
}

/** A folder of the WebDAV server of the kit, or of another that asks for no password. */
export const davPlace = (url: string): WebdavPlace => ({
  type: "webdav",
  url,
  username: "ada",
  password: "moon",
  own_ports: [],
});

/** An empty folder of the SFTP server of the kit at that port; its key is the one that it shows, where none is named. */
export async function sftpPlace(port: number, more: Partial<SftpPlace> = {}): Promise<SftpPlace> {
  const place: SftpPlace = {
    type: "sftp",
    host: "127.0.0.1",
    port,
    path: `${makeScratch("sftp")}/`,
    username: "ada",
    password: "moon",
    private_key: "",
    host_key: "",
    own_ports: [],
    ...more,
  };
  if (more.host_key !== undefined) return place;
  // What is shown at the first try is what gets pinned.
  const { message } = await openSftp(place, () => "new")
    .list("packs")
    .then(
      () => ({ message: "no question" }),
      (error: Error) => error,
    );
  return { ...place, host_key: message.match(/SHA256:[\w+/]+/)?.[0] ?? message };
}

/** A node whose object store has the bucket `copies`. */
export interface BucketNode {
  node: TestNode;
  /** The bucket, for a key that reads and, if asked for, writes. */
  place(name: string, write: boolean): Promise<S3Place>;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startBucketNode(): Promise<BucketNode> {
  const node = createTestNode({ s3_listen: "127.0.0.1:0" });
  node.ctx.objects.start?.();
  const post = async (path: string, body: object) => (await node.call(`POST ${path}`, { as: "admin", body })).body;
  await post("/api/objects/buckets", { name: "copies" });
  return {
    node,
    async place(name, write) {
      const grants = [{ bucket: "copies", read: true, write, owner: false }];
      const { access_key, secret_key } = await post("/api/objects/access-keys", { name, grants });
      await node.ctx.objects.settled();
      const endpoint: string = (await node.call("GET /api/objects/endpoint", { as: "admin" })).body.url;
      const where = { endpoint, region: "us-east-1", bucket: "copies", prefix: "here/" };
      return { type: "s3", ...where, access_key, secret_key, own_ports: [] };
    },
    async stop() {
      await node.ctx.objects.stop();
      await node.ctx.objectStore.stop();
      node.close();
    },
  };
}
