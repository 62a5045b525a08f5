import type { Settings } from "../../../../kernel/settings.ts";
import type { Engine, RegistryLogin } from "../../runtime/index.ts";
import type { Needs } from "../needs.ts";
import { loginFor, parseLogins, parseMirrors, pullSources } from "./image-reference.ts";

interface WithSettings {
  settings: Pick<Settings, "get">;
}

/**
 * Where an image is pulled from, in the order to try, with the login for each: only its own registry's. One that was added under
 * Containers comes before one of the settings.
 */
export function listSources(
  { settings, registries }: WithSettings & Pick<Needs, "registries">,
  image: string,
): { reference: string; login: RegistryLogin | null }[] {
  const logins = [...registries.logins(), ...parseLogins(settings.get("apps.registry_credentials"))];
  const mirrors = parseMirrors(settings.get("apps.registry_mirror"));
  return pullSources(image, mirrors).map((reference) => ({ reference, login: loginFor(reference, logins) }));
}

/** The names that an image may have on this server: its own, and those under which it is pulled. */
export function namesHere({ settings }: WithSettings, image: string): string[] {
  return [...new Set([image, ...pullSources(image, parseMirrors(settings.get("apps.registry_mirror")))])];
}

/** The name under which an image is here; null where it is not. */
export async function findImageHere(
  own: WithSettings,
  engine: Pick<Engine, "findImage">,
  image: string,
): Promise<string | null> {
  for (const name of namesHere(own, image)) if ((await engine.findImage(name)) !== null) return name;
  return null;
}
