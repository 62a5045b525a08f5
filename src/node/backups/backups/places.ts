import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { sealRows } from "../../../kernel/seal.ts";
import { isSystemPath } from "../../machine/system-folders.ts";
import { checkUrl, type TargetPlace } from "../engine/index.ts";
import { fail, type TargetInput } from "./contract.ts";
import type { Own } from "./needs.ts";
import type { TargetRow } from "./store.ts";

const PLACE = "backup place";
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^([A-Za-z0-9][A-Za-z0-9._-]*\/)*$/;
const REGION = /^[a-z0-9-]+$/;
const USUAL_REGION = "us-east-1";

type Ports = Pick<Own, "ownPorts"> & { objects: Pick<Own["objects"], "port"> };

/** Folders of backups must not lie in the data of the node. */
interface DataFolder {
  config: Pick<Own["config"], "data_dir">;
}

/** Ports that no target may have. That of the object store may be one: it says that it is the same machine. */
export function closedPorts({ ownPorts, objects }: Ports): number[] {
  return [...ownPorts].filter((port) => port !== objects.port());
}

/** The folder as it really is. Throws what `refuse` makes of the reason why it can hold no backups. */
export function checkFolder({ config }: DataFolder, path: string, refuse: (reason: string) => Error): string {
  if (!isAbsolute(path)) throw refuse("give the whole path, beginning with a slash.");
  const real = findFolder(path);
  if (real === null) throw refuse("there is no such folder. Make it, or mount the disk, then try again.");
  const isBelow = (folder: string) => real === folder || real.startsWith(`${folder}${sep}`);
  if (isSystemPath(real)) throw refuse("that is a folder of the system.");
  if (isBelow(resolve(config.data_dir)))
    throw refuse("it lies in the folder that is backed up, and would be lost with it.");
  return real;
}

/** Throws `backup_target_path`. */
const folderOf = (own: DataFolder, path: string): string =>
  checkFolder(own, path, (reason) => fail("backup_target_path", { path, reason }));

/** Null where there is no folder at that path. */
function findFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

type Field =
  | "endpoint"
  | "bucket"
  | "access_key"
  | "secret_key"
  | "url"
  | "host"
  | "path"
  | "username"
  | "password"
  | "key";

const wrong = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

function need(input: TargetInput, field: Field): string {
  const value = input[field]?.trim() ?? "";
  if (value === "") throw wrong(field, `is needed for a target of the type ${input.type}`);
  return value;
}

/** An address that may be called, without what does not belong there. Throws `invalid_request`. */
function needAddress(own: Ports, input: TargetInput, field: "endpoint" | "url"): URL {
  const typed = need(input, field);
  try {
    checkUrl(typed, closedPorts(own));
  } catch (error) {
    throw wrong(field, error instanceof Error ? error.message : String(error));
  }
  const url = new URL(typed);
  if (url.search !== "" || url.hash !== "") throw wrong(field, "must not have a question mark or a hash");
  return url;
}

function makeS3(own: Ports, input: TargetInput): TargetPlace {
  const endpoint = needAddress(own, input, "endpoint").href.replace(/\/+$/, "");
  const bucket = need(input, "bucket");
  if (!BUCKET.test(bucket)) throw wrong("bucket", "must be 3 to 63 small letters, digits, dots and dashes");
  const typed = (input.prefix ?? "").replaceAll(/^\/+|\/+$/g, "");
  const prefix = typed === "" ? "" : `${typed}/`;
  if (!PREFIX.test(prefix)) throw wrong("prefix", "may have letters, digits, dots, dashes and slashes");
  const region = input.region?.trim() || USUAL_REGION;
  if (!REGION.test(region)) throw wrong("region", "must be small letters, digits and dashes");
  const keys = { access_key: need(input, "access_key"), secret_key: need(input, "secret_key") };
  return { type: "s3", endpoint, region, bucket, prefix, ...keys, own_ports: closedPorts(own) };
}

/** Names and addresses; brackets belong to neither. */
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$|^[0-9a-fA-F:]+$/;
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;
/** A key as the other server makes it: the name of the place, and what is random. */
const KEY = /^odk_(\w{1,60})_[A-Za-z0-9-]{43}$/;
const SSH_PORT = 22;

function makeSftp(own: Ports, input: TargetInput): TargetPlace {
  const host = need(input, "host");
  if (!HOST.test(host)) throw wrong("host", "must be the name or the address of a server");
  const port = input.port ?? SSH_PORT;
  const own_ports = closedPorts(own);
  try {
    checkUrl(`https://${host.includes(":") ? `[${host}]` : host}:${port}/`, own_ports);
  } catch (error) {
    throw wrong("host", error instanceof Error ? error.message : String(error));
  }
  const folder = need(input, "path").replace(/\/+$/, "");
  if (folder.split("/").includes("..")) throw wrong("path", "must not lead upwards");
  const host_key = input.host_key?.trim() ?? "";
  if (host_key !== "" && !FINGERPRINT.test(host_key)) throw wrong("host_key", "must be a fingerprint such as SHA256:…");
  const private_key = input.private_key ?? "";
  const password = private_key.trim() === "" ? need(input, "password") : "";
  const username = need(input, "username");
  return { type: "sftp", host, port, path: `${folder}/`, username, password, private_key, host_key, own_ports };
}

function makeWebdav(own: Ports, input: TargetInput): TargetPlace {
  const url = `${needAddress(own, input, "url").href.replace(/\/+$/, "")}/`;
  const credentials = { username: need(input, "username"), password: need(input, "password") };
  return { type: "webdav", url, ...credentials, own_ports: closedPorts(own) };
}

function makeNode(own: Ports, input: TargetInput): TargetPlace {
  const url = needAddress(own, input, "url").origin;
  const key = need(input, "key");
  if (!KEY.test(key)) throw wrong("key", "is none: the other server shows it when it makes a place for backups");
  return { type: "node", url, key, own_ports: closedPorts(own) };
}

/** What was asked for as a place. Throws `backup_target_path` and `invalid_request`. */
export function makePlace(own: Ports & DataFolder, input: TargetInput): TargetPlace {
  switch (input.type) {
    case "local":
      return { type: "local", path: folderOf(own, input.path ?? "") };
    case "s3":
      return makeS3(own, input);
    case "sftp":
      return makeSftp(own, input);
    case "webdav":
      return makeWebdav(own, input);
    case "node":
      return makeNode(own, input);
  }
}

/** Where it is, for people; no two targets have the same. */
export function describePlace(place: TargetPlace): string {
  if (place.type === "local") return place.path;
  if (place.type === "node") return `${place.url}/#${KEY.exec(place.key)?.[1] ?? ""}`;
  if (place.type === "sftp") return `sftp://${place.username}@${place.host}:${place.port}${place.path}`;
  return place.type === "s3" ? `${place.endpoint}/${place.bucket}/${place.prefix}` : place.url;
}

/** What is kept of the place of a target, if that is no folder. */
export function sealPlace({ seal }: Pick<Own, "seal">, id: string, place: TargetPlace): string | null {
  return place.type === "local" ? null : sealRows(seal, PLACE).seal(id, JSON.stringify(place));
}

/** The place of a target, as the engine wants it now. */
export function openPlace(own: Own, row: TargetRow): TargetPlace {
  if (row.place === null) return { type: "local", path: row.path };
  const place: Exclude<TargetPlace, { type: "local" }> = JSON.parse(sealRows(own.seal, PLACE).open(row.id, row.place));
  return { ...place, own_ports: closedPorts(own) };
}
