import { APP_LABEL, NODE_LABEL, nodeId } from "../apps/index.ts";
import { fail, type Owner } from "./contract.ts";
import type { Own } from "./needs.ts";

type Labels = Record<string, string> | null | undefined;

/** Tells whose something on the engine is by its labels; null when it is nobody's but the engine's. */
export function createOwnerFinder({ apps, seal }: Pick<Own, "apps" | "seal">): (labels: Labels) => Owner | null {
  const names = new Map(apps.names().map(({ id, name }) => [id, name]));
  const own = nodeId(seal);
  return (labels) => {
    const app_id = labels?.[APP_LABEL];
    const node = labels?.[NODE_LABEL];
    if (app_id === undefined || node === undefined) return null;
    if (node !== own) return { kind: "other_node", app_id, name: null };
    const name = names.get(app_id) ?? null;
    return { kind: name === null ? "kept_data" : "app", app_id, name };
  };
}

/** Throws `owned_by_…` when somebody looks after it, who would only make it anew or miss it. */
export function requireNoOwner(own: Pick<Own, "apps" | "seal">, name: string, labels: Labels): void {
  const owner = createOwnerFinder(own)(labels);
  if (owner) throw fail(`owned_by_${owner.kind}`, { name, app: owner.name, app_id: owner.app_id });
}

/** Throws `owned_by_other_node` for what another Orrery looks after, which knows who may come near it. */
export function requireOwnNode(own: Pick<Own, "apps" | "seal">, name: string, labels: Labels): void {
  if (createOwnerFinder(own)(labels)?.kind === "other_node") throw fail("owned_by_other_node", { name });
}

/** Compose's own, on all that a project made. */
export const PROJECT_LABEL = "com.docker.compose.project";

/** Names of projects are shorter; images may bring a label of any length. */
const LONGEST_PROJECT = 255;

/** The Compose project that something was made by. */
export function projectOf(labels: Labels): string | null {
  const name = labels?.[PROJECT_LABEL] ?? null;
  return name === null || name.length > LONGEST_PROJECT ? null : name;
}
