import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { dav } from "../../access.ts";
import { DRIVE } from "../object-migration/contract.ts";

/** Below this address programs find the Drive of whoever the password is of. */
export const DAV_PATH = "/dav/drive";

/** Methods that read, and those that change something. */
export const READING = ["OPTIONS", "GET", "PROPFIND"] as const;
export const CHANGING = ["PUT", "DELETE", "MKCOL", "COPY", "MOVE", "PROPPATCH", "LOCK", "UNLOCK"] as const;
export type DavMethod = (typeof READING)[number] | (typeof CHANGING)[number];

export const fail = defineErrors({
  dav_xml_invalid: [400, "The XML of this request cannot be read: {reason}. It is the program's fault that sent it."],
  dav_incomplete: [
    400,
    "Of {expected} bytes that were announced {received} came, so nothing was stored. Send the file again.",
  ],
  dav_infinite_depth: [403, "A folder is listed one level at a time. Ask with the header Depth: 0 or Depth: 1."],
  dav_same_place: [403, "Source and destination are the same place. Choose another one."],
  dav_outside: [403, "The destination lies outside of the Drive. Choose a place below {path}."],
  dav_property_protected: [403, "This property follows from the file itself and cannot be set."],
  dav_not_found: [404, "There is no file or folder at this address. Load the folder again."],
  dav_exists: [405, "There is a file or folder at this address already. Choose another name."],
  dav_is_folder: [405, "A folder is at this address, which cannot take the bytes of a file. Choose another name."],
  dav_no_parent: [409, "The folder that this would lie in does not exist. Make it first."],
  dav_lock_elsewhere: [409, "There is no such lock at this address. It ended, or is on another file."],
  dav_precondition: [412, "What the request expects does not hold: somebody changed it meanwhile. Load it again."],
  dav_destination_taken: [412, "There is something at the destination, and the request says not to replace it."],
  dav_body_unknown: [415, "This request takes no body of that kind. Send none, or plain bytes."],
  dav_locked: [423, "A program has locked this. Close it there, or wait until the lock ends."],
  dav_other_server: [
    502,
    "The destination is on another server, to which this one does not copy. Choose a place here.",
  ],
  dav_property_limit: [
    507,
    "A file or folder keeps at most {limit} properties of programs, of {size_bytes} bytes together, and all of a Drive {drive_bytes}. Remove some first.",
  ],
  dav_lock_limit: [507, "Programs hold {limit} locks here, the most there can be. Close some of them first."],
});

type Access = {
  access: ReturnType<typeof dav>;
  parse: "none";
  query: "any";
  detail: ReturnType<typeof answersAs>["detail"];
};
const reads = (): Access => ({
  access: dav("viewer", DRIVE),
  parse: "none",
  query: "any",
  ...answersAs("application/xml"),
});
const changes = (): Access => ({
  access: dav("member", DRIVE),
  parse: "none",
  query: "any",
  ...answersAs("application/xml"),
});

/** Each method, at the Drive itself and at all that is in it. */
export const davRoutes: Readonly<Record<string, Access>> = Object.fromEntries(
  [DAV_PATH, `${DAV_PATH}/*`].flatMap((path) => [
    ...READING.map((method) => [`${method} ${path}`, reads()] as const),
    ...CHANGING.map((method) => [`${method} ${path}`, changes()] as const),
  ]),
);
