import { join } from "node:path";
import { sha256Hex } from "../../src/lib/digest.ts";
import { testEnv } from "./env.ts";
import { makeScratch } from "./scratch.ts";

const MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

/** The parts of a manifest that are of use here. */
interface Manifest {
  config: { digest: string };
  layers: { mediaType: string; size: number; digest: string }[];
}

/** An image that is the base of the test images with one more layer. */
interface NewImage {
  name: string;
  tag: string;
  /** The base's own when left out. */
  architecture?: string;
  /** A tar file. */
  layer: string;
  config: Record<string, unknown>;
}

const ask = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, `http://${testEnv().registry}/v2/`), { ...init, headers: { accept: MANIFEST, ...init.headers } });

async function askWell(path: string, init?: RequestInit): Promise<Response> {
  const answer = await ask(path, init);
  if (!answer.ok) throw new Error(`the registry answered ${answer.status} to ${path}: ${await answer.text()}`);
  return answer;
}

/** The digest that the local registry has for an image, or null. */
export async function findImage(name: string, tag: string): Promise<string | null> {
  const { ok, headers } = await ask(`${name}/manifests/${tag}`, { method: "HEAD" });
  return ok ? headers.get("docker-content-digest") : null;
}

async function upload(name: string, digest: string, body: Blob): Promise<void> {
  const begun = await askWell(`${name}/blobs/uploads/`, { method: "POST" });
  const place = new URL(begun.headers.get("location") ?? "");
  place.searchParams.set("digest", digest);
  await askWell(place.href, { method: "PUT", body, headers: { "content-type": "application/octet-stream" } });
}

/**
 * Puts an image into the local registry, its layer as it is: an engine that built, packed and pushed it would take many times as long.
 * Returns its digest.
 */
export async function pushImage({ name, tag, layer, config, ...more }: NewImage): Promise<string> {
  const [, base = "", at = ""] = /^[^/]+\/(.+):[^:@]+@(.+)$/.exec(testEnv().images.base) ?? [];
  const below = (await (await askWell(`${base}/manifests/${at}`)).json()) as Manifest;
  const own = (await (await askWell(`${base}/blobs/${below.config.digest}`)).json()) as {
    architecture: string;
    os: string;
    rootfs: { diff_ids: string[] };
  };
  for (const { digest } of below.layers)
    await askWell(`${name}/blobs/uploads/?mount=${digest}&from=${base}`, { method: "POST" });

  const file = Bun.file(layer);
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const bytes of file.stream()) hasher.update(bytes);
  const diff = `sha256:${hasher.digest("hex")}`;
  await upload(name, diff, file);
  const { os, rootfs } = own;
  const { architecture = own.architecture } = more;
  const whole = { architecture, os, config, rootfs: { type: "layers", diff_ids: [...rootfs.diff_ids, diff] } };
  const blob = new Blob([JSON.stringify(whole)]);
  const configDigest = `sha256:${sha256Hex(Buffer.from(JSON.stringify(whole)))}`;
  await upload(name, configDigest, blob);
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: "application/vnd.docker.container.image.v1+json", size: blob.size, digest: configDigest },
    layers: [
      ...below.layers,
      { mediaType: "application/vnd.docker.image.rootfs.diff.tar", size: file.size, digest: diff },
    ],
  };
  const put = { method: "PUT", body: JSON.stringify(manifest), headers: { "content-type": MANIFEST } };
  const { headers } = await askWell(`${name}/manifests/${tag}`, put);
  return headers.get("docker-content-digest") ?? "";
}

/** Puts an image of nothing but its base into the local registry, another one for each version. Returns its digest. */
export async function pushVersion(name: string, tag: string, version: string, architecture?: string): Promise<string> {
  const layer = join(makeScratch("empty-layer"), "layer.tar");
  // The end of a tar file, which is all there is of one without files.
  await Bun.write(layer, new Uint8Array(1024));
  const config = { Labels: { version } };
  return pushImage({ name, tag, layer, config, ...(architecture === undefined ? {} : { architecture }) });
}

const LIST = "application/vnd.docker.distribution.manifest.list.v2+json";

/** Puts one name for images that are there into the local registry, each for another processor. Returns the digest of the list. */
export async function pushImageList(
  name: string,
  tag: string,
  byArchitecture: Record<string, string>,
): Promise<string> {
  const manifests = await Promise.all(
    Object.entries(byArchitecture).map(async ([architecture, digest]) => {
      const { size } = await (await askWell(`${name}/manifests/${digest}`)).blob();
      return { mediaType: MANIFEST, size, digest, platform: { architecture, os: "linux" } };
    }),
  );
  const body = JSON.stringify({ schemaVersion: 2, mediaType: LIST, manifests });
  const put = { method: "PUT", body, headers: { "content-type": LIST } };
  return (await askWell(`${name}/manifests/${tag}`, put)).headers.get("docker-content-digest") ?? "";
}
