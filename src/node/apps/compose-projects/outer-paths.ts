import { resolve } from "node:path";
import type { PlanDanger } from "./contract.ts";
import type { HeldPath } from "./held-paths.ts";
import { nameAll, type Routes, showAlias, showPath, topsAbove, writersByTop } from "./written-tops.ts";

const KIND = "outer_path";

/** Whether a danger is one of these. */
export const isOuterDanger = ({ id, service }: Pick<PlanDanger, "id" | "service">): boolean =>
  id.startsWith(`${service}/${KIND}:`);

/**
 * Folders that the file lets a container write to and in which others have paths of their own: it could replace those, and Docker looks
 * them up at each start of theirs. Once for each folder of a service.
 */
export function findOuter(folder: string, held: readonly HeldPath[], routes: Routes): PlanDanger[] {
  const own = held.filter(({ service, from, isWritten }) => service !== null && from === "file" && isWritten);
  if (own.length === 0) return [];
  const others = held.filter(({ service }) => service === null);
  const byTop = writersByTop(own, routes);
  const found = new Map<string, { service: string; shown: string; lying: string[] }>();
  for (const { path, holder } of others) {
    const route = routes.get(path);
    if (route === undefined) continue;
    for (const { writer, alias } of topsAbove(route, byTop, routes)) {
      if (writer.service === null) continue;
      const { service } = writer;
      const shown = showPath(folder, resolve(writer.path));
      const id = `${service}/${KIND}:${shown}`;
      const lying = found.get(id)?.lying ?? [];
      lying.push(alias ? `${showAlias(resolve(path), path, alias)}, of ${holder}` : `${path} of ${holder}`);
      found.set(id, { service, shown, lying });
    }
  }
  return [...found].map(([id, { service, shown, lying }]) => ({
    id,
    service,
    text: `${service} may write to ${shown}, in which lies what others have: ${nameAll(lying)}. A link put in its place leads anywhere, and from its next start on whoever has it reads any file of this server, and may write to it where it writes there now.`,
  }));
}
