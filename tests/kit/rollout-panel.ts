import { createTestPanel, type Person, type TestPanel } from "./panel-app.ts";
import { createTestNodes, type TestNodes } from "./panel-nodes.ts";

/** What a rollout begins with: from the version of all nodes to 2.0.0, in two stages. */
export const rolloutInput = (more: Record<string, unknown> = {}) => ({
  ...{ name: "To two", kind: "os_version", target_version: "2.0.0", stages: [25, 100], soak_sec: 60 },
  ...more,
});

/** A panel with a workspace whose plan has rollouts, its owner, and the nodes of the panel. */
export async function createRolloutPanel(
  database: Parameters<typeof createTestPanel>[0],
): Promise<{ panel: TestPanel; nodes: TestNodes; ada: Person }> {
  const panel = await createTestPanel(database);
  const ada = await panel.join("ada");
  await panel.system.run("UPDATE tenants SET plan = 'business' WHERE tenant_id = ?", [ada.tenant_id]);
  return { panel, nodes: createTestNodes(panel), ada };
}
