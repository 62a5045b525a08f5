import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeProcess, startNode } from "./binary.ts";
import { type Client, type StreamEvent, setUp, signIn } from "./client.ts";
import { labelled, removeLabelled } from "./docker.ts";
import { type TestApp, writeTestTemplates } from "./templates.ts";
import { until } from "./until.ts";

/** A node with the test catalogue, on the engine of this machine. */
export interface AppsNode {
  node: NodeProcess;
  owner: Client;
  /** A name for an app that no other run on this engine has. */
  freshName(stem: string): string;
  /** Starts an install; returns its id and operation. */
  install(template: string, name: string, config?: object): Promise<{ id: string; op_id: string }>;
  /** Installs and waits for the end of the operation; returns its last event. */
  installed(template: string, name: string, config?: object): Promise<{ id: string; end: StreamEvent }>;
  /** Takes an app that was installed by other means into what `dispose` removes. */
  adopt(id: string): void;
  /** Reads an operation's events until it is over. */
  follow(opId: string): Promise<StreamEvent[]>;
  /** Waits until an app has that status and returns its details. */
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  reaches(id: string, status: string, timeoutMs?: number): Promise<any>;
  /** Kills the node and starts it again on the same data. */
  crash(): Promise<void>;
  /** Starts it again on the same data after `node.kill()`; at the same address when `url` is given. */
  comeBack(url?: string): Promise<void>;
  /** Removes everything that the installed apps left on the engine, and the node. */
  dispose(): Promise<void>;
}

const isOver = ({ event }: StreamEvent): boolean => event === "done" || event === "error";

/** Starts a fresh node, makes its owner and waits until it has found the engine. `more` joins the test catalogue. */
export async function startAppsNode(
  env: Record<string, string> = {},
  more: readonly TestApp[] = [],
): Promise<AppsNode> {
  const templates = mkdtempSync(join(tmpdir(), "orrery-templates-"));
  writeTestTemplates(templates, more);
  const start = (again: { dataDir?: string; listen?: string } = {}) =>
    startNode({ env: { ORRERY_TEMPLATES_DIR: templates, ...env }, ...again });
  const ids: string[] = [];
  let names = 0;
  const node = await start();
  const apps: AppsNode = {
    node,
    owner: await setUp(node.url),
    freshName: (stem) => `${stem}-${process.pid}-${++names}`,
    async install(template, name, config = {}) {
      const { id, op_id } = await apps.owner.ok("POST /api/apps", { template, name, config });
      ids.push(id);
      return { id, op_id };
    },
    async installed(template, name, config) {
      const { id, op_id } = await apps.install(template, name, config);
      const end = (await apps.follow(op_id)).at(-1);
      if (!end) throw new Error(`${op_id} had no events`);
      return { id, end };
    },
    adopt: (id) => void ids.push(id),
    follow: (opId) => apps.owner.stream(`/api/operations/${opId}/events?from=0`, isOver),
    reaches: (id, status, timeoutMs = 30_000) =>
      until(
        async () => {
          const app = await apps.owner.ok(`GET /api/apps/${id}`);
          return app.status === status && app;
        },
        { timeoutMs, what: `${id} to be ${status}` },
      ),
    async crash() {
      await apps.node.kill();
      await apps.comeBack();
    },
    async comeBack(url) {
      const { dataDir } = apps.node;
      apps.node = await start(url === undefined ? { dataDir } : { dataDir, listen: new URL(url).host });
      apps.owner = await signIn(apps.node.url);
      await isConnected(apps.owner);
    },
    async dispose() {
      await apps.node.dispose();
      for (const id of ids) await removeLabelled(`orrery.app=${id}`);
      rmSync(templates, { recursive: true, force: true });
    },
  };
  await isConnected(apps.owner);
  return apps;
}

const isConnected = (owner: Client) =>
  until(async () => (await owner.ok("GET /api/system/runtime")).state === "ok", { what: "the node to find Docker" });

/** What an app has on the engine, in one line for each kind; all 0 means that nothing is left. */
export async function leftovers(id: string): Promise<{ containers: number; volumes: number; networks: number }> {
  const found = await labelled(`orrery.app=${id}`);
  return {
    containers: found.containers.length,
    volumes: found.volumes.length,
    networks: found.networks.length,
  };
}

export const NOTHING = { containers: 0, volumes: 0, networks: 0 };
