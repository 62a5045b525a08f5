/** The rooms of each program, and where a file lives. */

/**
 * Areas in the direction of their imports: each may use those before it. What has no folder yet has its place agreed.
 * Node: `host` is files, terminal, updates, security; `edge` domains, proxy, VPN; `household` mail, family, forms.
 */
export const AREAS = {
  node: [
    "platform",
    "people",
    "host",
    "edge",
    "storage",
    "apps",
    "monitoring",
    "backups",
    "memory",
    "assistant",
    "office",
    "household",
    "panel-link",
  ],
  panel: ["platform", "people", "agents", "fleet", "changes", "business", "portal"],
} as const;

export type Program = keyof typeof AREAS;

/** Where a source file lives: its program, area and feature. */
export interface Place {
  program: Program;
  area: string;
  feature: string;
  /** The path below the feature's folder. */
  rest: string;
}

/** The place of a path like `src/node/people/sessions/store.ts`; null for what belongs to no feature. */
export function placeOf(path: string, tree: "src" | "ui" = "src"): Place | null {
  const [top, program, area, feature, ...rest] = path.split("/");
  if (top !== tree || (program !== "node" && program !== "panel")) return null;
  if (area === undefined || feature === undefined || rest.length === 0) return null;
  if (!AREAS[program].some((known) => known === area)) return null;
  return { program, area, feature, rest: rest.join("/") };
}
