import type { Manifest } from "../../templates/index.ts";
import { fail, type PlannedChange } from "../contract.ts";
import type { AppRow } from "../store.ts";

type Secret = Manifest["secrets"][number];

/** Why a secret keeps its value; null for one that can be renewed. An app that was installed before templates said so keeps its own. */
export function whyFixed({ rotatable, reason }: Pick<Secret, "rotatable" | "reason">): string | null {
  if (rotatable === true) return null;
  return reason ?? "The version of the app that is installed does not say that it can: update it first.";
}

/** A secret that can be renewed. Throws `app_secret_not_found`, `app_secret_fixed`. */
export function findRotatable({ name }: Pick<AppRow, "name">, { secrets }: Manifest, key: string): Secret {
  const secret = secrets.find((item) => item.key === key);
  if (!secret) throw fail("app_secret_not_found", { name, key });
  const reason = whyFixed(secret);
  if (reason !== null) throw fail("app_secret_fixed", { name, label: secret.label, reason });
  return secret;
}

/** What a new value is in the plan of a change: never the value. */
export const describeRotation = ({ key, label }: Secret): PlannedChange => ({
  kind: "secret",
  name: key,
  label,
  from: null,
  to: null,
});
