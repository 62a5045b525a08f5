import type { ProjectFile } from "../../src/node/apps/compose-projects/contract.ts";
import { type ComposeEngine, startComposeEngine } from "./compose-engine.ts";
import { type Answer, createTestNode, type TestNode } from "./node-app.ts";

/** A node on an engine in memory, with the Compose project `shop` to be deployed on it. */
export interface ComposeWorld {
  engine: ComposeEngine;
  /** The one that was started last. */
  readonly node: TestNode;
  /** Starts a node that goes on where the one before stands, as after a kill. */
  startNode(): Promise<void>;
  /** Lets time pass until something is so; how much is no matter. */
  passes(isSo: () => boolean): Promise<void>;
  /** As admin. */
  call(route: string, body?: unknown): Promise<Answer>;
  /** What a deploy of this file would do. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  plan(file: string, files?: readonly ProjectFile[]): Promise<any>;
  /** Confirms all that the plan names and begins to deploy; the id of the operation. */
  begin(file: string, files?: readonly ProjectFile[]): Promise<string>;
  operation(id: string): ReturnType<TestNode["ctx"]["operations"]["get"]>;
  /** An operation once it is over. */
  end(id: string): Promise<ReturnType<ComposeWorld["operation"]>>;
  deploy(file: string, files?: readonly ProjectFile[]): Promise<ReturnType<ComposeWorld["operation"]>>;
  /** The file of the project, as it is kept. */
  text(): Promise<string | null>;
  /** Whether a deploy is written down as under way. */
  isBusy(): boolean;
  stop(): void;
}

/** Starts both. */
export async function startComposeWorld(): Promise<ComposeWorld> {
  const engine = startComposeEngine();
  const nodes: TestNode[] = [];
  const latest = (): TestNode => {
    const node = nodes.at(-1);
    if (!node) throw new Error("no node was started");
    return node;
  };
  const world: ComposeWorld = {
    engine,
    get node() {
      return latest();
    },
    async startNode() {
      const node = createTestNode({ docker_socket: engine.listen() }, nodes.at(-1));
      nodes.push(node);
      node.ctx.runtime.start();
      await world.passes(() => node.ctx.runtime.engine() !== null);
    },
    async passes(isSo) {
      for (let turn = 0; turn < 20_000; turn++) {
        if (isSo()) return;
        await latest().clock.advance(200);
        // Answers come by a thread of the runtime's: on a busy machine time would run out before they are here.
        await Bun.sleep(turn % 8 === 7 ? 2 : 0);
      }
      throw new Error(`it does not come to that: ${JSON.stringify(engine.containers())}`);
    },
    call: (route, body) => latest().call(route, { as: "admin", ...(body === undefined ? {} : { body }) }),
    plan: async (file, files = []) =>
      (await world.call("POST /api/containers/compose/plan", { name: "shop", file, files })).body,
    async begin(file, files = []) {
      const { hash, dangers, problems } = await world.plan(file, files);
      if (hash === null) throw new Error(JSON.stringify(problems));
      const confirmed = dangers.map(({ id }: { id: string }) => id);
      const deploy = { name: "shop", file, files, plan: hash, confirmed };
      const { body } = await world.call("POST /api/containers/compose", deploy);
      if (body.op_id === undefined) throw new Error(JSON.stringify(body));
      return body.op_id;
    },
    operation: (id) => latest().ctx.operations.get(id),
    async end(id) {
      await world.passes(() => world.operation(id).status !== "running");
      return world.operation(id);
    },
    deploy: async (file, files) => world.end(await world.begin(file, files)),
    text: async () => (await world.call("GET /api/containers/compose/shop")).body.file,
    isBusy: () => latest().ctx.db.raw.query("SELECT 1 FROM compose_deploys").get() !== null,
    stop() {
      for (const node of nodes) node.close();
      engine.stop();
    },
  };
  await world.startNode();
  return world;
}
