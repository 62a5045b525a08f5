import { kernelFail } from "../../../kernel/http/errors.ts";
import { fail } from "./contract.ts";
import type { Own } from "./needs.ts";

/** A place in a volume of an app, as far as its words can be checked. */
export interface Place {
  app: { id: string; name: string };
  /** Its name in the app, and on the engine. */
  volume: { name: string; source: string };
  /** Names from the top of the volume. */
  parts: readonly string[];
}

const NAME_BYTES = 255;
const MOST_PARTS = 100;

const wrong = (field: string, reason: string) => kernelFail("invalid_request", { field, reason });

/** Throws `invalid_request` for what is not the name of one file: parts of a path are no names. */
export function checkName(name: string, field: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/"))
    throw wrong(field, "must be names of files, without . and .. and without empty ones");
  // The engine passes it on as text that ends there.
  if (name.includes("\0") || !name.isWellFormed()) throw wrong(field, "must be text that can be the name of a file");
  if (Buffer.byteLength(name) > NAME_BYTES) throw wrong(field, `has a name of more than ${NAME_BYTES} bytes`);
  return name;
}

/** The names of a path. Throws `invalid_request`. */
export function partsOf(path: string): string[] {
  const parts = path === "" ? [] : path.split("/");
  if (parts.length > MOST_PARTS) throw wrong("path", `is deeper than ${MOST_PARTS} folders`);
  return parts.map((part) => checkName(part, "path"));
}

/** Finds the place. Throws `app_not_found`, `app_volume_not_found`, `app_files_busy`, `invalid_request`. */
export function findPlace({ apps }: Pick<Own, "apps">, appId: string, volume: string, path: string): Place {
  const parts = partsOf(path);
  const { id, name, work } = apps.get(appId);
  const found = apps.volumesOf(id).find((each) => each.name === volume);
  if (!found) throw fail("app_volume_not_found", { app: name, volume });
  // Its data is copied, switched or taken away meanwhile.
  if (work !== null) throw fail("app_files_busy", { app: name });
  return { app: { id, name }, volume: found, parts };
}

export const pathOf = ({ parts }: Pick<Place, "parts">): string => parts.join("/");

/** The folder that holds it, and its name there. Throws `invalid_request` for the top of the volume. */
export function splitPlace(place: Place): { folder: Place; name: string } {
  const name = place.parts.at(-1);
  if (name === undefined) throw wrong("path", "must name something in the volume");
  return { folder: { ...place, parts: place.parts.slice(0, -1) }, name };
}
