import type { PathDanger } from "../../../base.ts";
import type { ComposeProject } from "../../compose/index.ts";
import { type Blueprint, configOf, readBlueprint } from "../blueprint/blueprint.ts";
import { APP_LABEL } from "../blueprint/names.ts";
import { type AppConfig, type AppDetail, fail } from "../contract.ts";
import type { Own } from "../needs.ts";
import { type AppRow, findApp, updateConfig } from "../store.ts";
import { AppFailure } from "../work/failure.ts";
import type { Step } from "../work/work.ts";

/** Paths of the server that the containers of an app have; few apps have any. */
function pathsOf(project: ComposeProject) {
  return project.services.flatMap(({ name: service, mounts, devices }) => [
    ...mounts.flatMap((mount) =>
      mount.kind === "bind" && mount.source.startsWith("/")
        ? [{ service, path: mount.source, isWritten: !mount.isReadOnly }]
        : [],
    ),
    ...devices.map(({ source }) => ({ service, path: source, isWritten: false })),
  ]);
}

/** Ids of what `findPathDangers` finds, which are confirmed as permissions are. */
export const isPathDanger = (id: string): boolean => /^[^/]+\/(nested|outer)_path:/.test(id);

/**
 * What the paths of an app make of others' containers, or theirs of the app: a path that lies where another may write can be replaced by
 * a link to anywhere. Nothing without an engine. `id` is that of the app, null before it has one.
 */
export async function findPathDangers(
  { lists, runtime }: Pick<Own, "lists" | "runtime">,
  project: ComposeProject,
  id: string | null,
): Promise<PathDanger[]> {
  const paths = pathsOf(project);
  if (paths.length === 0 || runtime.engine() === null) return [];
  const isOwn = (labels: Readonly<Record<string, string>>) => id !== null && labels[APP_LABEL] === id;
  return (await Promise.all(lists.pathDangers.all().map((find) => find({ paths, isOwn })))).flat();
}

/** Those of them that nobody has confirmed. */
export const openDangers = (dangers: readonly PathDanger[], { permissions = [] }: AppConfig): PathDanger[] =>
  dangers.filter(({ id }) => !permissions.includes(id));

/** As a plan lists them beside the permissions of a template. */
export const asPermission = ({ id, text, isNested }: PathDanger) => ({
  id,
  title: isNested ? "A path that others can replace" : "A folder in which others have theirs",
  detail: text,
});

/** Throws `path_unconfirmed` where something of that is left. */
export function assertNothingOpen(name: string, open: readonly PathDanger[]): void {
  const [first] = open;
  if (first !== undefined)
    throw fail("path_unconfirmed", { name, text: first.text, to_confirm: open.map(asPermission) });
}

/** What others can replace of what an app would start with, and nobody has confirmed. */
async function findOpen(own: Own, { app, project, config }: Blueprint): Promise<PathDanger[]> {
  const found = await findPathDangers(own, project, app.id);
  return openDangers(found, config).filter(({ isNested }) => isNested);
}

/** The same of an installed app as it is. */
export const openPathsOf = (own: Own, app: AppRow): Promise<PathDanger[]> => findOpen(own, readBlueprint(own, app));

/** The same of what it would become, for a plan, without what is confirmed with that. */
export async function planOpenPaths(
  own: Own,
  next: Blueprint,
  confirmed: readonly string[] = [],
): Promise<AppDetail["to_confirm"]> {
  return (await findOpen(own, next)).filter(({ id }) => !confirmed.includes(id)).map(asPermission);
}

/** The choices with what of that is confirmed; nothing else is kept. */
export function withConfirmed(
  config: AppConfig,
  open: readonly PathDanger[],
  confirmed: readonly string[] = [],
): AppConfig {
  const now = open.map(({ id }) => id).filter((id) => confirmed.includes(id));
  return now.length === 0 ? config : { ...config, permissions: [...new Set([...(config.permissions ?? []), ...now])] };
}

/**
 * Keeps which of that somebody confirms. Throws `path_unconfirmed` while something of it is left, before anything is stopped: what runs
 * runs on.
 */
export async function confirmPaths(own: Own, app: AppRow, confirmed: readonly string[] = []): Promise<void> {
  const open = await openPathsOf(own, app);
  const config = configOf(findApp(own.db, app.id) ?? app);
  const kept = withConfirmed(config, open, confirmed);
  if (kept !== config) updateConfig(own.db, app.id, JSON.stringify(kept));
  assertNothingOpen(app.name, openDangers(open, kept));
}

/** The choices of what an app would become, with what of its paths is confirmed. Throws `path_unconfirmed`, and changes nothing. */
export async function confirmNext(own: Own, next: Blueprint, confirmed: readonly string[] = []): Promise<AppConfig> {
  const open = await findOpen(own, next);
  const config = withConfirmed(next.config, open, confirmed);
  assertNothingOpen(next.app.name, openDangers(open, config));
  return config;
}

/**
 * Looks before people have an app started whether others can replace a path of it. What the node starts by itself, or as a part of something
 * else, only brings back what ran, as Docker does.
 */
export const pathSteps = (project: ComposeProject): Step[] =>
  pathsOf(project).length === 0
    ? []
    : [
        {
          step: "paths",
          title: "Look at its paths",
          async run({ own, op, blueprint }) {
            if (op.by === null || op.by.purpose !== undefined) return;
            const [open] = await findOpen(own, blueprint);
            if (open === undefined) return;
            throw new AppFailure({
              code: "path_unconfirmed",
              cause: open.text,
              next_step: "Take the folder from who may write to it, or confirm it here, then start the app.",
            });
          },
        },
      ];
