import type { NodeBase } from "../../../base.ts";
import type { RegistryLogin } from "../../runtime/index.ts";
import { loginFor, parseLogins, parseMirrors, pullSources } from "./image-reference.ts";

/** Where an image is pulled from, in the order to try, with the login for each. */
export function listSources(
  { settings }: Pick<NodeBase, "settings">,
  image: string,
): { reference: string; login: RegistryLogin | null }[] {
  const logins = parseLogins(settings.get("apps.registry_credentials"));
  const mirrors = parseMirrors(settings.get("apps.registry_mirror"));
  return pullSources(image, mirrors).map((reference) => ({ reference, login: loginFor(reference, logins) }));
}
