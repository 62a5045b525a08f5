import type { Own } from "../needs.ts";
import type { AppRow } from "../store.ts";
import { configOf, manifestOf } from "./blueprint.ts";
import { readFormerSecrets, readSecrets } from "./secrets.ts";

/**
 * Everything of an app that only people read who may read its secrets: those that were made for it, those that were renewed as long as
 * its containers may still have them, and the passwords among its answers.
 */
export function knownSecrets(own: Pick<Own, "db" | "seal">, app: AppRow): string[] {
  const { inputs = {} } = configOf(app);
  const answers = manifestOf(app)
    .inputs.filter(({ type }) => type === "password")
    .flatMap(({ key }) => inputs[key] ?? []);
  return [
    ...readSecrets(own, app.id).map(({ value }) => value),
    ...readFormerSecrets(own, app.id),
    ...answers.map(String),
  ];
}
