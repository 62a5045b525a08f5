import { formatRoutes } from "../../src/kernel/http/route-table.ts";
import { sha256Hex } from "../../src/lib/digest.ts";
import { manifestJsonSchema } from "../../src/node/apps/templates/manifest.ts";
import { describeAgentPort } from "../../src/panel/agents/agent-listener/describe-port.ts";
import { listPanelRoutes } from "../../src/panel/commands/routes.ts";
import { createTestNode } from "../kit/node-app.ts";
import { readSources } from "./sources.ts";

/** Rewrites the reviewed snapshots; the diff is what gets reviewed. Run: bun tests/architecture/update-snapshots.ts */
const files = await readSources("src/**/migrations/*.sql");
const hashes = Object.fromEntries(files.map(({ path, text }) => [path, sha256Hex(text)] as const).sort());
await Bun.write(new URL("frozen-migrations.json", import.meta.url), `${JSON.stringify(hashes, null, 2)}\n`);

const node = createTestNode();
await Bun.write(new URL("../contract/node-routes.txt", import.meta.url), `${formatRoutes(node.routes).join("\n")}\n`);
node.close();

const panelRoutes = formatRoutes(listPanelRoutes());
await Bun.write(new URL("../contract/panel-routes.txt", import.meta.url), `${panelRoutes.join("\n")}\n`);

const agentPort = new URL("../../docs/agent-openapi.json", import.meta.url);
await Bun.write(agentPort, `${JSON.stringify(describeAgentPort(), null, 2)}\n`);

const schema = new URL("../../embed/node/templates/schema.json", import.meta.url);
await Bun.write(schema, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
