import { createTestPanel, type Person, type TestPanel } from "./panel-app.ts";
import { createTestNodes, type TestNodes } from "./panel-nodes.ts";
import { type Engine, panelDatabases } from "./sql-databases.ts";

/** A panel that all tests of a file share, and somebody with a workspace that only one of them knows. */
export interface Visit {
  panel: TestPanel;
  nodes: TestNodes;
  ada: Person;
  /** Rises with each visit, for names that nobody else has. */
  count: number;
}

/** Makes one panel at the first visit; gives what starts a visit. To be called where tests are declared. */
export function sharedPanel(engine: Engine): () => Promise<Visit> {
  const databases = panelDatabases(engine);
  let made: Promise<Pick<Visit, "panel" | "nodes">> | null = null;
  let count = 0;
  async function make(): Promise<Pick<Visit, "panel" | "nodes">> {
    const panel = await createTestPanel(await databases.open());
    return { panel, nodes: createTestNodes(panel) };
  }
  return async () => {
    made ??= make();
    const { panel, nodes } = await made;
    count += 1;
    return { panel, nodes, ada: await panel.join(`ada${count}`), count };
  };
}
