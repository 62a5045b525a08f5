import type { Store } from "../../../kernel/db/store.ts";
import type { NetworkInput } from "../runtime/index.ts";

/** A container as it was before a deploy. */
export interface FormerContainer {
  id: string;
  name: string;
  isRunning: boolean;
  networks: { name: string; aliases: string[] }[];
}

/** What of a project was on the engine before a deploy. */
export interface Before {
  /** In the order in which they start. */
  containers: FormerContainer[];
  /** Names of all networks of the project. */
  networks: string[];
  /** The definitions of those that the deploy makes anew. */
  changed: NetworkInput[];
  /** Names of networks that the new file has no use for. */
  unused: string[];
}

/** A deploy that is under way. */
export interface Deploying {
  project: string;
  opId: string;
  isDecided: boolean;
  before: Before;
}

interface Row {
  project: string;
  op_id: string;
  is_decided: number;
  before: string;
}

const toDeploying = ({ project, op_id, is_decided, before }: Row): Deploying => ({
  project,
  opId: op_id,
  isDecided: is_decided === 1,
  before: JSON.parse(before),
});

/** All deploys that are under way. */
export const listDeploying = (db: Store): Deploying[] =>
  db.raw.query<Row, []>("SELECT * FROM compose_deploys ORDER BY project").all().map(toDeploying);

/** The deploy of a project that is under way, if one is. */
export function findDeploying(db: Store, project: string): Deploying | null {
  const row = db.raw.query<Row, [string]>("SELECT * FROM compose_deploys WHERE project = ?").get(project);
  return row && toDeploying(row);
}

/** Writes a deploy down before its first change. */
export function saveDeploying(db: Store, { project, opId, isDecided, before }: Deploying): void {
  db.raw
    .query("INSERT OR REPLACE INTO compose_deploys (project, op_id, is_decided, before) VALUES (?, ?, ?, ?)")
    .run(project, opId, isDecided ? 1 : 0, JSON.stringify(before));
}

/** From now on it is not undone any more. */
export function decideDeploying(db: Store, project: string): void {
  db.raw.query("UPDATE compose_deploys SET is_decided = 1 WHERE project = ?").run(project);
}

/** Ids of the dangers that are confirmed for the containers of a project. */
export const listConfirmed = (db: Store, project: string): ReadonlySet<string> =>
  new Set(
    db.raw
      .query<{ danger: string }, [string]>("SELECT danger FROM compose_confirmed WHERE project = ?")
      .all(project)
      .map(({ danger }) => danger),
  );

/** Keeps these in place of those before; none for a project that is not looked after any more. */
export function saveConfirmed(db: Store, project: string, dangers: readonly string[]): void {
  db.raw.query("DELETE FROM compose_confirmed WHERE project = ?").run(project);
  const add = db.raw.query("INSERT INTO compose_confirmed (project, danger) VALUES (?, ?)");
  for (const danger of dangers) add.run(project, danger);
}

export function deleteDeploying(db: Store, project: string): void {
  db.raw.query("DELETE FROM compose_deploys WHERE project = ?").run(project);
}
