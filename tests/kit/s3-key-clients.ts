import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { Client as MinioClient } from "minio";
import { openBrowser } from "./browser.ts";
import { createSignedCalls, type SignedCalls } from "./signed-calls.ts";

/** Where a client is to store, and what it may use on the way. */
export interface ClientPlace {
  endpoint: string;
  bucket: string;
  keys: { access_key: string; secret_key: string };
  /** An empty folder. */
  work: string;
}

/** A program that stores and reads bytes under a key, and says what it cannot by an error. */
export interface KeyClient {
  put(key: string, body: string): Promise<void>;
  get(key: string): Promise<string>;
  close?(): Promise<unknown>;
}

/** Calls by the API of this suite, at this moment. */
export const callsOf = ({ endpoint, keys }: Pick<ClientPlace, "endpoint" | "keys">): SignedCalls =>
  createSignedCalls(endpoint, keys, Date.now);

/** Debian's own, whatever else stands before them on this machine. */
const DEBIAN_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";

/** What these programs find their keys by, and nothing of this machine. */
export const envOf = ({ keys, work }: Pick<ClientPlace, "keys" | "work">): Record<string, string> => ({
  PATH: DEBIAN_PATH,
  HOME: work,
  LANG: "C.UTF-8",
  AWS_ACCESS_KEY_ID: keys.access_key,
  AWS_SECRET_ACCESS_KEY: keys.secret_key,
  AWS_DEFAULT_REGION: "us-east-1",
});

async function run(place: ClientPlace, argv: string[], env: Record<string, string> = {}, input = ""): Promise<string> {
  const { work } = place;
  const child = Bun.spawn(argv, {
    cwd: work,
    env: { ...envOf(place), ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${err}${out}`.trim().split("\n").at(-1));
  return out;
}

function openAwsSdk({ endpoint, bucket: Bucket, keys }: ClientPlace): KeyClient {
  const credentials = { accessKeyId: keys.access_key, secretAccessKey: keys.secret_key };
  const s3 = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  return {
    put: async (Key, Body) => void (await s3.send(new PutObjectCommand({ Bucket, Key, Body }))),
    get: async (Key) => (await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString()) ?? "",
    close: async () => s3.destroy(),
  };
}

function minioOf({ endpoint, keys }: ClientPlace): MinioClient {
  const { hostname, port } = new URL(endpoint);
  return new MinioClient({
    endPoint: hostname,
    port: Number(port),
    useSSL: false,
    accessKey: keys.access_key,
    secretKey: keys.secret_key,
    region: "us-east-1",
  });
}

function openMinio(place: ClientPlace): KeyClient {
  const minio = minioOf(place);
  return {
    put: async (key, body) => void (await minio.putObject(place.bucket, key, body)),
    async get(key) {
      const parts: Buffer[] = [];
      for await (const part of await minio.getObject(place.bucket, key)) parts.push(Buffer.from(part));
      return Buffer.concat(parts).toString();
    },
  };
}

function openBun({ endpoint, bucket, keys }: ClientPlace): KeyClient {
  const who = { accessKeyId: keys.access_key, secretAccessKey: keys.secret_key };
  const s3 = new Bun.S3Client({ ...who, endpoint, bucket, region: "us-east-1" });
  return { put: async (key, body) => void (await s3.write(key, body)), get: (key) => s3.file(key).text() };
}

/** A program in Python that is told one key after the other, since it takes a second to begin. */
function openPython(place: ClientPlace, client: "boto" | "aws"): KeyClient {
  const script = join(import.meta.dir, "s3_keys.py");
  const child = Bun.spawn(["python3", script, client, place.endpoint, place.bucket], {
    env: envOf(place),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let said = "";
  async function ask(question: Record<string, string>): Promise<string> {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    child.stdin.flush();
    while (!said.includes("\n")) said += new TextDecoder().decode((await reader.read()).value);
    const answer: { text?: string; error?: string } = JSON.parse(said.slice(0, said.indexOf("\n")));
    said = said.slice(said.indexOf("\n") + 1);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.text ?? "";
  }
  return {
    put: async (key, body) => void (await ask({ do: "put", key, body })),
    get: (key) => ask({ do: "get", key, body: "" }),
    async close() {
      child.stdin.end();
      await child.exited;
    },
  };
}

function openRclone(place: ClientPlace): KeyClient {
  const env = {
    RCLONE_CONFIG_O_TYPE: "s3",
    RCLONE_CONFIG_O_PROVIDER: "Other",
    RCLONE_CONFIG_O_ENDPOINT: place.endpoint,
    RCLONE_CONFIG_O_ACCESS_KEY_ID: place.keys.access_key,
    RCLONE_CONFIG_O_SECRET_ACCESS_KEY: place.keys.secret_key,
  };
  const at = (key: string) => `o:${place.bucket}/${key}`;
  return {
    put: async (key, body) => void (await run(place, ["rclone", "--retries", "1", "rcat", at(key)], env, body)),
    get: (key) => run(place, ["rclone", "--retries", "1", "cat", at(key)], env),
  };
}

/** What it names its files in a repository is its own; the key is where the repository is. */
function openRestic(place: ClientPlace): KeyClient {
  const to = (key: string) => ({
    RESTIC_PASSWORD: "long enough",
    RESTIC_REPOSITORY: `s3:${place.endpoint}/${place.bucket}/${key}`,
  });
  return {
    put: async (key) => void (await run(place, ["restic", "--no-cache", "init"], to(key))),
    get: (key) => run(place, ["restic", "--no-cache", "cat", "config"], to(key)),
  };
}

function openS3cmd(place: ClientPlace): KeyClient {
  const { host } = new URL(place.endpoint);
  const settings = {
    access_key: place.keys.access_key,
    secret_key: place.keys.secret_key,
    host_base: host,
    host_bucket: host,
    use_https: "False",
    bucket_location: "us-east-1",
  };
  const config = join(place.work, "s3cfg");
  const bytes = join(place.work, "bytes");
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(config, `[default]\n${lines.join("\n")}\n`, { mode: 0o600 });
  const s3cmd = (...argv: string[]) => run(place, ["s3cmd", "-c", config, "--no-progress", ...argv]);
  return {
    async put(key, body) {
      writeFileSync(bytes, body);
      await s3cmd("put", bytes, `s3://${place.bucket}/${key}`);
    },
    async get(key) {
      await s3cmd("get", "--force", `s3://${place.bucket}/${key}`, bytes);
      return readFileSync(bytes, "utf8");
    },
  };
}

async function openS3fs(place: ClientPlace): Promise<KeyClient> {
  const folder = join(place.work, "mounted");
  const secret = join(place.work, "s3fs-secret");
  mkdirSync(folder);
  writeFileSync(secret, `${place.keys.access_key}:${place.keys.secret_key}\n`, { mode: 0o600 });
  const options = `url=${place.endpoint},use_path_request_style,passwd_file=${secret}`;
  await run(place, ["s3fs", place.bucket, folder, "-o", options]);
  // Not joined, which would tidy the name before the file system sees it.
  const at = (key: string) => `${folder}/${key}`;
  return {
    async put(key, body) {
      if (key.includes("/")) mkdirSync(dirname(at(key)), { recursive: true });
      writeFileSync(at(key), body);
    },
    get: async (key) => readFileSync(at(key), "utf8"),
    close: () => run(place, ["fusermount", "-u", "-z", folder]),
  };
}

/** A page of another origin, which stores by a link that somebody signed, once the rules of the bucket let it. */
async function openPage(place: ClientPlace): Promise<KeyClient> {
  const foreign = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response("<!doctype html><title>Another site</title>", { headers: { "content-type": "text/html" } }),
  });
  const methods = "<AllowedMethod>PUT</AllowedMethod><AllowedMethod>GET</AllowedMethod>";
  const rule = `<AllowedOrigin>${foreign.url.origin}</AllowedOrigin>${methods}<AllowedHeader>*</AllowedHeader>`;
  const body = `<CORSConfiguration><CORSRule>${rule}</CORSRule></CORSConfiguration>`;
  await callsOf(place)("PUT", place.bucket, { query: { cors: "" }, body });
  const { page, close } = await openBrowser();
  await page.goto(foreign.url.href);
  const link = (method: string, key: string) => callsOf(place).presign(method, place.bucket, key, 600);
  const send = (method: string, key: string, sent: string | null) =>
    page.evaluate(
      async ([url, how, bytes]) => {
        const reply = await fetch(url ?? "", { method: how ?? "GET", body: bytes ?? null });
        if (!reply.ok) throw new Error(`${reply.status} ${/<Code>(.*?)</.exec(await reply.text())?.[1]}`);
        return await reply.text();
      },
      [link(method, key), method, sent] as const,
    );
  return {
    put: async (key, bytes) => void (await send("PUT", key, bytes)),
    get: (key) => send("GET", key, null),
    async close() {
      await close();
      await foreign.stop(true);
    },
  };
}

/** Each client by its name. */
export const KEY_CLIENTS: Record<string, (place: ClientPlace) => KeyClient | Promise<KeyClient>> = {
  "aws-sdk v3": openAwsSdk,
  "minio-js": openMinio,
  "Bun.S3Client": openBun,
  boto3: (place) => openPython(place, "boto"),
  awscli: (place) => openPython(place, "aws"),
  rclone: openRclone,
  restic: openRestic,
  s3cmd: openS3cmd,
  s3fs: openS3fs,
  "page + CORS": openPage,
};
