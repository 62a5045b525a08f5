import { kernelFail } from "../../../kernel/http/errors.ts";
import { DAV_PATH, fail } from "./contract.ts";

/** Names on the way to a file or folder, from the top down. */
export type Names = readonly string[];

/** Far above what folders go deep: what is longer leads nowhere. */
const MAX_NAMES = 200;

/** The names that a path spells. Slashes at the end and double ones say nothing. Throws `invalid_request`. */
export function namesOf(path: string): Names {
  const parts = path.split("/").filter((part) => part !== "");
  const invalid = (reason: string) => kernelFail("invalid_request", { field: "path", reason });
  if (parts.length > MAX_NAMES) throw invalid("has too many folders");
  return parts.map((part) => {
    let name: string;
    try {
      name = decodeURIComponent(part);
    } catch {
      throw invalid("is not valid percent-encoding");
    }
    // A slash within a name would be one between names to whoever reads it next.
    if (name.includes("/") || name.includes("\0")) throw invalid("holds a slash or a zero within a name");
    return name;
  });
}

/** The part of a path below the Drive's address; null for one that lies elsewhere. */
export function belowDrive(path: string): string | null {
  if (path !== DAV_PATH && !path.startsWith(`${DAV_PATH}/`)) return null;
  return path.slice(DAV_PATH.length);
}

/** The address of a place, as answers name it. */
export const hrefOf = (names: Names, isFolder: boolean): string =>
  `${DAV_PATH}/${names.map(encodeURIComponent).join("/")}${isFolder && names.length > 0 ? "/" : ""}`;

/** Host and port alone; a port that goes without saying is left out. */
const hostOf = (scheme: string, host: string): string | null =>
  URL.canParse(`${scheme}//${host}/`) ? new URL(`${scheme}//${host}/`).host : null;

/** Whether an address names the host that a request was sent to, whatever the way there: a proxy in between may speak TLS. */
function isOwn(address: URL, headers: Headers): boolean {
  const own = [headers.get("host"), headers.get("x-forwarded-host")];
  return own.some((host) => host !== null && hostOf(address.protocol, host) === address.host);
}

/** What an address, whole or from the first slash on, names of this Drive. Throws `invalid_request`, `dav_other_server`, `dav_outside`. */
export function readAddress(field: string, text: string | null, headers: Headers): Names {
  const base = "http://orrery.invalid";
  const isPath = text?.startsWith("/") === true && !text.startsWith("//");
  if (text === null || text.length > 16_384 || !URL.canParse(text, isPath ? base : undefined))
    throw kernelFail("invalid_request", { field, reason: "must be the address of a place in this Drive" });
  const address = new URL(text, isPath ? base : undefined);
  if (!isPath && (!/^https?:$/.test(address.protocol) || !isOwn(address, headers))) throw fail("dav_other_server");
  const below = belowDrive(address.pathname);
  if (below === null) throw fail("dav_outside", { path: `${DAV_PATH}/` });
  return namesOf(below);
}
