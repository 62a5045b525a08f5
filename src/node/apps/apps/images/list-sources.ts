import type { RegistryLogin } from "../../runtime/index.ts";
import type { Needs } from "../needs.ts";
import { loginFor, parseLogins, parseMirrors, pullSources } from "./image-reference.ts";

/**
 * Where an image is pulled from, in the order to try, with the login for each: only its own registry's. One that was added under
 * Containers comes before one of the settings.
 */
export function listSources(
  { settings, registries }: Pick<Needs, "settings" | "registries">,
  image: string,
): { reference: string; login: RegistryLogin | null }[] {
  const logins = [...registries.logins(), ...parseLogins(settings.get("apps.registry_credentials"))];
  const mirrors = parseMirrors(settings.get("apps.registry_mirror"));
  return pullSources(image, mirrors).map((reference) => ({ reference, login: loginFor(reference, logins) }));
}
