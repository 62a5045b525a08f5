import { afterAll, beforeAll, expect, test } from "bun:test";
import { composeVariables } from "../../src/node/apps/apps/blueprint/blueprint.ts";
import { containerSpec } from "../../src/node/apps/apps/blueprint/container-spec.ts";
import { networkName, nodeId, volumeName } from "../../src/node/apps/apps/blueprint/names.ts";
import { makeSecret } from "../../src/node/apps/apps/blueprint/secrets.ts";
import type { AppRow } from "../../src/node/apps/apps/store.ts";
import type { Manifest } from "../../src/node/apps/templates/index.ts";
import { docker, removeLabelled } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";

/** An answer that the question takes. */
function answerTo({ type, default: preset, rules }: Manifest["inputs"][number]): string {
  if (preset !== undefined && preset !== "") return preset;
  const samples: Record<string, string> = {
    number: String(rules?.min ?? 1),
    boolean: "true",
    email: "someone@example.com",
    url: "https://example.com",
    timezone: "Etc/UTC",
    select: rules?.options?.[0]?.value ?? "",
  };
  return samples[type] ?? "sample-value";
}

suite("the catalogue on a real engine", ["docker", "registry", "images"], () => {
  let node: EngineNode;
  beforeAll(async () => {
    node = await startEngineNode();
    await docker("pull", "-q", testEnv().images.base);
  });
  afterAll(async () => {
    await removeLabelled(`orrery.node=${nodeId(node.ctx.seal)}`);
    await node.stop();
    wipe(node.dataDir);
  }, 120_000);

  // The images themselves cannot be pulled where tests run; everything else of a container is checked by the engine.
  test("the engine takes every container of every app", async () => {
    const engine = node.ctx.runtime.requireEngine();
    const templates = await node.ctx.templates.list();
    expect(templates.length).toBeGreaterThan(15);
    const refused: string[] = [];
    for (const { name } of templates) {
      const { manifest, project } = await node.ctx.templates.load(name);
      const app = { id: `app_${name}`, name: `cat-${process.pid}-${name}` } as AppRow;
      const ports = manifest.ports.map(({ service, container, protocol = "tcp", purpose }, index) => {
        return { app_id: app.id, service, container, protocol, purpose, host: 30_000 + index, bind: "127.0.0.1" };
      });
      const answers = Object.fromEntries(manifest.inputs.map((input) => [input.key, answerTo(input)]));
      const secrets = Object.fromEntries(manifest.secrets.map((secret) => [secret.key, makeSecret(secret)]));
      const read = project(composeVariables(manifest, ports, answers, secrets));
      const labels = { "orrery.node": nodeId(node.ctx.seal), "orrery.app": app.id };
      for (const network of read.networks)
        await engine.createNetwork({ name: networkName(app, network.name), labels, isInternal: network.isInternal });
      for (const volume of read.volumes) await engine.createVolume(volumeName(app, volume.name), labels);
      for (const service of read.services) {
        const blueprint = { app, config: {}, manifest, project: read, ports };
        const spec = containerSpec(blueprint, service, testEnv().images.base, nodeId(node.ctx.seal));
        try {
          const id = await engine.createContainer(`orrery-${app.name}-${service.name}`, spec);
          await engine.removeContainer(id);
        } catch (error) {
          refused.push(`${name}/${service.name}: ${error}`);
        }
      }
      for (const network of read.networks) await engine.removeNetwork(networkName(app, network.name));
    }
    expect(refused).toEqual([]);
  }, 120_000);
});
