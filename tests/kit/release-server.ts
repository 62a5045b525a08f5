import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeReleaseList } from "../../src/kernel/service/release-list.ts";
import { sha256Hex } from "../../src/lib/digest.ts";

/** A place that holds releases. */
export interface ReleaseServer {
  base: string;
  /** The maker's key. */
  key: KeyObject;
  /** Paths asked for so far, with the range where one was. */
  asked: string[];
  /** Puts a release there, for every kind of processor, and returns its files by name, for a test to spoil; `stated` is what the list calls it. */
  add(version: string, program: string | Uint8Array, stated?: string): Map<string, Uint8Array>;
  /** Cuts the next so many answers for programs after these bytes. */
  cut: { times: number; after: number };
  /** Lets the next so many answers be 503. */
  busy: { times: number };
  close(): void;
}

const NAMES = ["linux-x64", "linux-x64-baseline", "linux-arm64"].map((target) => `orrery-node-${target}`);

/** Starts one on a loopback address. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const releases = new Map<string, Map<string, Uint8Array>>();
  const asked: string[] = [];
  const cut = { times: 0, after: 0 };
  const busy = { times: 0 };
  const server = createServer((request, reply) => {
    const [, version = "", name = ""] = decodeURIComponent(request.url ?? "").split("/");
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    asked.push(from > 0 ? `${name} from ${from}` : name);
    if (busy.times > 0) {
      busy.times -= 1;
      return void reply.writeHead(503).end();
    }
    const bytes = releases.get(version)?.get(name);
    if (!bytes) return void reply.writeHead(404).end();
    const etag = `"${sha256Hex(bytes)}"`;
    const start = from > 0 && request.headers["if-range"] === etag ? from : 0;
    const headers = { etag, "content-length": bytes.length - start };
    if (start > 0)
      reply.writeHead(206, { ...headers, "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` });
    else reply.writeHead(200, headers);
    if (cut.times > 0 && name.startsWith("orrery-")) {
      cut.times -= 1;
      return void reply.write(bytes.subarray(start, start + cut.after), () => reply.socket?.destroy());
    }
    reply.end(bytes.subarray(start));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    key: publicKey,
    asked,
    cut,
    busy,
    add(version, program, stated = version) {
      const bytes = Buffer.from(program);
      const facts = { program: "orrery-node", version: stated, sha256: sha256Hex(bytes) };
      const targets = NAMES.map((name) => ({ ...facts, name, target: name.slice(facts.program.length + 1) }));
      const sums = Buffer.from(writeReleaseList(targets));
      const files = new Map<string, Uint8Array>([
        ...NAMES.map((name) => [name, bytes] as const),
        ["SHA256SUMS", sums],
        ["SHA256SUMS.sig", sign(null, sums, privateKey)],
      ]);
      releases.set(version, files);
      return files;
    },
    close: () => server.close(),
  };
}
