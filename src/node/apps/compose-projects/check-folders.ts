import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import type { ComposeProblem } from "../compose/index.ts";
import { sourceOf, type Target } from "./container-request.ts";
import type { ProjectFile } from "./contract.ts";
import { pathOf } from "./folders.ts";
import type { Paths } from "./walk-path.ts";

/** The deepest part of a path that is there, without links. */
async function realPart(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  const slash = path.lastIndexOf("/");
  return real ?? (slash > 0 ? realPart(path.slice(0, slash)) : "/");
}

/** Whether a path in the folder of the project is one of its texts, or has one in it. */
function holdsText(path: string, files: readonly ProjectFile[]): boolean {
  const name = path.replace(/\.(new|next)$/, "");
  return (
    /^(\.|compose\.yaml|$)/.test(name) || files.some((file) => file.path === name || file.path.startsWith(`${path}/`))
  );
}

/**
 * Folders of the project that lead somewhere else, or to its texts. A container can put a link into a folder that it writes to, and
 * Docker would follow it for the next one that has a mount there.
 */
export async function findStrayFolders(
  target: Target,
  files: readonly ProjectFile[],
  paths: Paths,
): Promise<ComposeProblem[]> {
  const problems: ComposeProblem[] = [];
  const own = await paths.walk(target.folder);
  if (own === null) return problems;
  const folder = pathOf(own.end);
  for (const { name, mounts } of target.project.services) {
    for (const mount of mounts) {
      if (mount.kind !== "bind" || !mount.source.startsWith("./")) continue;
      const route = await paths.walk(sourceOf(target, mount.source));
      if (route === null) continue;
      const end = pathOf(route.end);
      const isLink = end !== sourceOf({ folder }, mount.source);
      const isInside = end === folder || end.startsWith(`${folder}/`);
      if (!isLink || (isInside && !holdsText(end.slice(folder.length + 1), files))) continue;
      problems.push({
        file: "compose.yaml",
        line: 0,
        column: 0,
        key: `services.${name}.volumes`,
        message: isInside
          ? `${mount.source} leads to texts of the project, in ${end}`
          : `${mount.source} leads out of the folder of the project, to ${end}`,
        next_step: "Remove the link, or write the full path to use that folder",
      });
    }
  }
  return problems;
}

/** Further files that would be written somewhere else, for the same reason. */
export async function findStrayFiles(folder: string, files: readonly ProjectFile[]): Promise<ComposeProblem[]> {
  const real = await realPart(folder);
  const problems: ComposeProblem[] = [];
  for (const { path } of files) {
    const place = `${folder}/${path}`.slice(0, `${folder}/${path}`.lastIndexOf("/"));
    const there = await realPart(place);
    if (there === real || there.startsWith(`${real}/`)) continue;
    const message = `it would lie out of the folder of the project, in ${there}`;
    problems.push({
      file: path,
      line: 0,
      column: 0,
      key: "",
      message,
      next_step: "Remove the link, or choose another name",
    });
  }
  return problems;
}

/** Files and folders of the project that have to be there and are not: Docker would refuse them in the middle of the work. */
export function findMissingFiles(target: Target): ComposeProblem[] {
  return target.project.services.flatMap(({ name, mounts }) =>
    mounts.flatMap((mount): ComposeProblem[] => {
      if (mount.kind !== "bind" || !mount.mustExist || !mount.source.startsWith("./")) return [];
      if (existsSync(sourceOf(target, mount.source))) return [];
      const message = `there is no ${mount.source} in ${target.folder}`;
      const next_step = "Put it there, or give a config or a secret as content: or environment:";
      return [{ file: "compose.yaml", line: 0, column: 0, key: `services.${name}`, message, next_step }];
    }),
  );
}
