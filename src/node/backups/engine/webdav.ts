import { EngineFailure } from "./failure.ts";
import type { HttpClient, HttpReply, HttpRequest } from "./http-client.ts";
import { assertName, byName, INCOMING, isRepositoryName, ownName } from "./names.ts";
import { checkCount, elementsOf, pieceOf, rangeHeader, sizeIn, textIn } from "./reply-bytes.ts";
import type { Listing, Target, WebdavPlace } from "./target.ts";

const LISTED = Buffer.from(
  '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/></prop></propfind>',
);

/** Folders below one another that are looked into. */
const DEEPEST = 4;

function explain({ status }: HttpReply, name: string): EngineFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401) return new EngineFailure("target_refused", "The server does not know this user and password.");
  if (status === 403) return new EngineFailure("target_refused", `The user may not do that with ${name}.`);
  if (status === 404) return new EngineFailure("target_missing", `There is no ${name}.`);
  if (status === 409) return new EngineFailure("target_refused", "There is no folder at that address. Make it first.");
  if (status === 412) return new EngineFailure("target_exists", `There is a ${name} already.`);
  if (status === 507 || status === 413) return new EngineFailure("target_full", "The server has no room for it.");
  if (status >= 300 && status < 400)
    return new EngineFailure("target_refused", "The server sends us to another address. Give that one.");
  return new EngineFailure("target_refused", `The server answered ${name} with ${status}. Is it a WebDAV server?`);
}

const isMissing = (error: unknown): boolean => error instanceof EngineFailure && error.code === "target_missing";

/** A repository in a folder of a WebDAV server. */
export function openWebdav(place: WebdavPlace, http: HttpClient, makeName: () => string): Target {
  const authorization = `Basic ${Buffer.from(`${place.username}:${place.password}`).toString("base64")}`;
  const root = new URL(place.url);
  const urlOf = (name: string): string => new URL(name, root).href;
  const made = new Set<string>();

  async function send(name: string, request: Omit<HttpRequest, "url">): Promise<HttpReply> {
    const headers = { ...request.headers, authorization };
    return await http.send({ ...request, url: urlOf(name), headers });
  }

  async function request(name: string, asked: Omit<HttpRequest, "url">): Promise<HttpReply> {
    const reply = await send(name, asked);
    const failure = explain(reply, name);
    if (failure) throw failure;
    return reply;
  }

  async function makeFolder(folder: string): Promise<void> {
    if (folder === "" || made.has(folder)) return;
    await makeFolder(folder.split("/").slice(0, -1).join("/"));
    const reply = await send(`${folder}/`, { method: "MKCOL" });
    // That is the answer for one that is there.
    const failure = reply.status === 405 ? null : explain(reply, folder);
    if (failure) throw failure;
    made.add(folder);
  }

  async function removeFile(name: string): Promise<void> {
    await request(name, { method: "DELETE" }).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  /** What lies in a folder and below it: repositories are two folders deep. */
  async function listBelow(folder: string, listing: Listing): Promise<Listing> {
    const below: string[] = [];
    for (const response of elementsOf(await readFolder(folder), "response")) {
      const name = nameIn(response, folder);
      const isFolder = name !== null && /<(?:[\w.-]{1,30}:)?collection[\s/>]/.test(response);
      listing.named += 1;
      listing.folders += isFolder ? 1 : 0;
      checkCount(listing.named, listing.folders);
      if (isFolder) below.push(name);
      else if (name !== null) listing.files.push({ name, size: sizeIn(response, "getcontentlength") });
    }
    for (const name of below) if (name.split("/").length <= DEEPEST) await listBelow(name, listing);
    return listing;
  }

  /** What the server says of a folder; nothing where there is none. */
  async function readFolder(folder: string): Promise<string> {
    const headers = { depth: "1", "content-type": "application/xml" };
    try {
      return (await request(`${folder}/`, { method: "PROPFIND", headers, body: LISTED })).body.toString();
    } catch (error) {
      if (isMissing(error)) return "";
      throw error;
    }
  }

  /** The name of what lies in a folder; an address that leads out of it is none of ours. */
  function nameIn(response: string, folder: string): string | null {
    const start = new URL(`${folder}/`, root).pathname;
    const href = textIn(response, "href");
    const path = URL.canParse(href, root.href) ? new URL(href, root).pathname : "";
    const last = path.startsWith(start) ? path.slice(start.length).replace(/\/$/, "") : "";
    const name = `${folder}/${last}`;
    return last === "" || last.includes("/") || !isRepositoryName(name) ? null : ownName(name);
  }

  return {
    async write(name, bytes) {
      assertName(name);
      await makeFolder(name.split("/").slice(0, -1).join("/"));
      await makeFolder(INCOMING);
      // A file that is still coming in must not be seen under its name; moving it there replaces nothing.
      const fresh = `${INCOMING}/${makeName()}`;
      await request(fresh, { method: "PUT", body: bytes });
      const reply = await send(fresh, { method: "MOVE", headers: { destination: urlOf(name), overwrite: "F" } });
      const failure = explain(reply, name);
      if (!failure) return;
      if (reply.wasRepeated && ["target_exists", "target_missing"].includes(failure.code)) {
        const there = await this.read(name).catch(() => null);
        if (there && Buffer.from(bytes).equals(there)) return;
      }
      await removeFile(fresh);
      throw failure;
    },
    async read(name, range, most) {
      assertName(name);
      const asked = { method: "GET", headers: rangeHeader(range), takes: range ?? most };
      return pieceOf(await request(name, asked), name, range);
    },
    async list(folder) {
      assertName(folder);
      return (await listBelow(folder, { files: [], named: 0, folders: 0 })).files.sort(byName);
    },
    async remove(name) {
      assertName(name);
      await removeFile(name);
    },
    warnings: () => http.warnings(),
  };
}
