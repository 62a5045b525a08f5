import { afterAll, beforeAll, expect, test } from "bun:test";
import { composeVariables } from "../../src/node/apps/apps/blueprint/blueprint.ts";
import { containerSpec } from "../../src/node/apps/apps/blueprint/container-spec.ts";
import { networkName, nodeId, volumeName } from "../../src/node/apps/apps/blueprint/names.ts";
import { makeSecret } from "../../src/node/apps/apps/blueprint/secrets.ts";
import type { AppRow } from "../../src/node/apps/apps/store.ts";
import type { ContainerSpec } from "../../src/node/apps/runtime/index.ts";
import type { Manifest } from "../../src/node/apps/templates/index.ts";
import { docker, removeLabelled } from "../kit/docker.ts";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, testEnv } from "../kit/env.ts";

/** Containers that are made side by side. */
const AT_A_TIME = 6;

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
  });

  // The images themselves cannot be pulled where tests run; everything else of a container is checked by the engine. All apps share
  // one network and its volumes, and what differs only in values of variables is made once: those an engine takes as they are.
  test("the engine takes every container of every app", async () => {
    const engine = node.ctx.runtime.requireEngine();
    const templates = await node.ctx.templates.list();
    expect(templates.length).toBeGreaterThanOrEqual(100);
    const app = { id: "app_catalogue", name: `cat-${process.pid}` } as AppRow;
    const labels = { "orrery.node": nodeId(node.ctx.seal), "orrery.app": app.id };
    const specs = new Map<string, { title: string; spec: ContainerSpec }>();
    const networks = new Map<string, boolean>();
    const volumes = new Set<string>();
    for (const { name } of templates) {
      const { manifest, project } = await node.ctx.templates.load(name);
      const ports = manifest.ports.map(({ service, container, protocol = "tcp", purpose }, index) => {
        return { app_id: app.id, service, container, protocol, purpose, host: 30_000 + index, bind: "127.0.0.1" };
      });
      const answers = Object.fromEntries(manifest.inputs.map((input) => [input.key, answerTo(input)]));
      const secrets = Object.fromEntries(manifest.secrets.map((secret) => [secret.key, makeSecret(secret)]));
      const read = project(composeVariables(manifest, ports, answers, secrets));
      for (const network of read.networks) networks.set(network.name, network.isInternal);
      for (const volume of read.volumes) volumes.add(volume.name);
      for (const service of read.services) {
        const blueprint = { app, config: {}, manifest, project: read, ports };
        const spec = containerSpec(blueprint, service, testEnv().images.base, nodeId(node.ctx.seal));
        const keys = Object.keys(service.environment);
        specs.set(JSON.stringify({ ...spec, Env: keys, Labels: {} }), { title: `${name}/${service.name}`, spec });
      }
    }
    for (const [name, isInternal] of networks)
      await engine.createNetwork({ name: networkName(app, name), labels, isInternal });
    await Promise.all([...volumes].map((volume) => engine.createVolume(volumeName(app, volume), labels)));
    const refused: string[] = [];
    const waiting = [...specs.values()].entries();
    const makeWaiting = async (): Promise<void> => {
      for (const [index, { title, spec }] of waiting) {
        try {
          await engine.removeContainer(await engine.createContainer(`orrery-${app.name}-${index}`, spec));
        } catch (error) {
          refused.push(`${title}: ${error}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, makeWaiting));
    expect(refused).toEqual([]);
  });
});
