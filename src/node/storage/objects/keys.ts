import { type AccessKeyInput, fail, type NewAccessKey } from "./contract.ts";
import type { By, Own } from "./own.ts";

/** True for what says nothing: no policy at all, or an empty one. */
function isEmpty(policy: unknown): boolean {
  if (policy === undefined || policy === null || policy === "") return true;
  return typeof policy === "object" && Object.keys(policy).length === 0;
}

/** Makes a key; its secret is in this answer alone. Throws the codes of the contract, and has made nothing then. */
export async function makeKey(own: Own, by: By, { name, grants, policy }: AccessKeyInput): Promise<NewAccessKey> {
  if (!isEmpty(policy)) throw fail("objstore_policy_unsupported");
  const driver = await own.driver();
  const key = await driver.makeKey({ name: name.trim(), grants }, (made) =>
    own.bus.emit("objects.key_created", { ...by, access_key: made.access_key, name: made.name }),
  );
  driver.refresh();
  return key;
}

/** Ends a key at once. Throws `objstore_key_not_found`. */
export async function removeKey(own: Own, by: By, accessKey: string): Promise<void> {
  const driver = await own.driver();
  await driver.removeKey(accessKey, (name) =>
    own.bus.emit("objects.key_removed", { ...by, access_key: accessKey, name }),
  );
  driver.refresh();
}
