import type { BucketFacts } from "../../object-store/index.ts";
import { readWebsite, type Website } from "../website.ts";
import { type Asked, answerEmpty, answerXml, findOpen, needBucket, needSigned } from "./asked.ts";
import { saveSettings } from "./bucket-requests.ts";
import { S3Problem } from "./problem.ts";
import { readObject } from "./read-object.ts";
import { readText, SMALL_TEXT_BYTES } from "./read-text.ts";
import { header, unescapeBytes } from "./wire.ts";
import { branch, childrenOf, leaf, parseXml, textOf, xmlDocument } from "./xml.ts";

const encoder = new TextEncoder();

/** Keeps how a bucket answers as a website; it does once the bucket is public. */
export async function putWebsite(asked: Asked): Promise<void> {
  needBucket(asked, "owner");
  const root = parseXml(await readText(asked, "owner", SMALL_TEXT_BYTES));
  if (root.name !== "WebsiteConfiguration") throw new S3Problem("MalformedXML");
  if (root.children.some(({ name }) => name === "RedirectAllRequestsTo" || name === "RoutingRules"))
    throw new S3Problem("NotImplemented", "Websites of this store do not redirect.");
  const [index] = childrenOf(root, "IndexDocument");
  const [error] = childrenOf(root, "ErrorDocument");
  const suffix = index === undefined ? null : textOf(index, "Suffix");
  if (suffix === null) throw new S3Problem("MalformedXML");
  if (suffix === "" || suffix.includes("/"))
    throw new S3Problem("InvalidArgument", "The IndexDocument Suffix is not well formed.");
  const website: Website = { index: suffix, error: error === undefined ? null : textOf(error, "Key") };
  if (website.error === "" || Buffer.byteLength(suffix + (website.error ?? "")) > 1_024)
    throw new S3Problem("InvalidArgument", "The name of a document is not well formed.");
  await saveSettings(asked, { website: JSON.stringify(website) });
}

/** How a bucket answers as a website. */
export function getWebsite(asked: Asked): void {
  needSigned(asked);
  const website = readWebsite(needBucket(asked, "owner").website);
  if (website === null) throw new S3Problem("NoSuchWebsiteConfiguration");
  const index = branch("IndexDocument", leaf("Suffix", website.index));
  const error = website.error === null ? "" : branch("ErrorDocument", leaf("Key", website.error));
  answerXml(asked, xmlDocument("WebsiteConfiguration", index, error));
}

interface Site {
  bucket: BucketFacts;
  website: Website;
  /** What of the path names the object. */
  key: Uint8Array;
  /** What stands before the key in addresses. */
  base: string;
}

/** The website that a visitor without a signature asks for: by the bucket in the path, or by the host where a bucket has its name. */
function findSite({ world, wire, signed }: Asked): Site | null {
  if (signed !== null || (wire.method !== "GET" && wire.method !== "HEAD")) return null;
  const host = (header(wire, "host") ?? "").toLowerCase().replace(/:\d+$/, "");
  const own = /\.[a-z]/.test(host) ? publicSite(findOpen(world, host)) : null;
  if (own !== null) return { ...own, key: unescapeBytes(wire.canonicalPath).slice(1), base: "/" };
  const named = wire.bucket === null ? null : publicSite(findOpen(world, wire.bucket));
  if (named === null) return null;
  return { ...named, key: wire.key ?? new Uint8Array(), base: `/${named.bucket.name}/` };
}

function publicSite(bucket: BucketFacts | null): Pick<Site, "bucket" | "website"> | null {
  const website = bucket?.visibility === "public" ? readWebsite(bucket.website) : null;
  return bucket === null || website === null ? null : { bucket, website };
}

/** Answers a visitor of a website. False where none is asked for. */
export async function answerVisitor(asked: Asked): Promise<boolean> {
  const site = findSite(asked);
  if (site === null) return false;
  const { bucket, website, key, base } = site;
  const isThere = (name: Uint8Array): boolean => asked.world.objectStore.findObject(bucket.id, name) !== null;
  const answer = (name: Uint8Array, status: 200 | 404): Promise<void> => {
    const wire = { ...asked.wire, bucket: bucket.name, key: name };
    return readObject({ ...asked, wire }, { status, hasOwnHost: base === "/" });
  };
  // Addresses inside of a page are read from its folder, so one without the slash at its end leads to the one with it.
  const isBare = base !== "/" && key.length === 0 && !asked.wire.canonicalPath.endsWith("/");
  const index = Buffer.concat([key, encoder.encode(website.index)]);
  if (isBare) return lead(asked, `${asked.wire.canonicalPath}/`);
  if (key.length === 0 || key.at(-1) === 0x2f) {
    if (isThere(index)) return await answer(index, 200).then(() => true);
  } else {
    if (isThere(key)) return await answer(key, 200).then(() => true);
    if (isThere(Buffer.concat([key, encoder.encode(`/${website.index}`)])))
      return lead(asked, `${asked.wire.canonicalPath}/`);
  }
  const error = website.error === null ? null : encoder.encode(website.error);
  if (error === null || !isThere(error)) throw new S3Problem("NoSuchKey");
  await answer(error, 404);
  return true;
}

function lead(asked: Asked, path: string): true {
  // Two slashes at the beginning would name another host.
  answerEmpty(asked, 302, { location: path.replace(/^\/+/, "/") });
  return true;
}
