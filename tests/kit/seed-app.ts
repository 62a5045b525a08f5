import { type AppRow, insertApp } from "../../src/node/apps/apps/store.ts";
import type { TestNode } from "./node-app.ts";

/** Puts an app of that template into a node, stopped, without an engine. Its id is `app_NAME`. */
export async function seedApp(node: TestNode, name: string, more: Partial<AppRow> = {}): Promise<void> {
  const { template = "whoami" } = more;
  const { manifest, composeText } = await node.ctx.templates.load(template);
  insertApp(node.ctx.db, {
    id: `app_${name}`,
    name,
    template,
    version: manifest.version,
    status: "stopped",
    cause: null,
    next_step: null,
    created_at: "2026-01-01T00:00:00.000Z",
    installed_at: "2026-01-01T00:00:00.000Z",
    started_at: null,
    work: null,
    op_id: null,
    delete_data: 0,
    config: "{}",
    manifest: JSON.stringify(manifest),
    compose: composeText,
    generation: 0,
    ...more,
  });
}
