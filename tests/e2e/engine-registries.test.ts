import { afterAll, beforeAll, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { type EngineNode, startEngineNode, wipe } from "../kit/engine-node.ts";
import { suite, type TestImage, testEnv } from "../kit/env.ts";
import { freePort } from "../kit/free-port.ts";
import { type GuardedRegistry, startGuardedRegistry } from "../kit/guarded-registry.ts";
import { type OwnEngine, startOwnEngine } from "../kit/own-engine.ts";
import { pushImageList, pushVersion } from "../kit/push-image.ts";
import { TLS_FIXTURE } from "../kit/tls-fixture.ts";
import { until } from "../kit/until.ts";

suite("registries that ask who pulls", ["docker", "registry", "images"], () => {
  let engine: OwnEngine;
  let node: EngineNode;
  const guards: GuardedRegistry[] = [];
  beforeAll(async () => {
    engine = await startOwnEngine(96);
    node = await startEngineNode({ socket: engine.socket });
  });
  afterAll(async () => {
    for (const guard of guards) await guard.stop();
    await node?.stop();
    if (node) wipe(node.dataDir);
    await engine?.dispose();
  });

  const startGuard = (asks: GuardedRegistry["asks"]) => {
    const guard = startGuardedRegistry(asks);
    guards.push(guard);
    return guard;
  };
  const add = async (address: string, secret: string) =>
    (
      await node.call("POST /api/containers/registries", {
        ...{ address, username: "ada", secret, confirm_private: true },
      })
    ).body.id;
  const ask = async (id: string) => (await node.call(`POST /api/containers/registries/${id}/test`)).body;
  const forget = (id: string) => node.call(`DELETE /api/containers/registries/${id}`);
  /** The image of the test registry, as another one names it. */
  const imageAt = ({ address }: GuardedRegistry) => testEnv().images.crash.replace(testEnv().registry, address);
  /** Another one by its tag alone. */
  const tagAt = ({ address }: GuardedRegistry, image: TestImage) =>
    testEnv().images[image].replace(testEnv().registry, address).replace(/@.*/, "");
  /** The newer image of a container, the same of its image, and why that is not known. */
  const newerOf = async (container: string) => {
    const [containers, images] = [
      await node.call("GET /api/containers"),
      await node.call("GET /api/containers/images"),
    ];
    const { newer_image } = containers.body.find((each: { name: string }) => each.name === container);
    const image = images.body.find(({ used_by }: { used_by: string[] }) => used_by.includes(container));
    return [newer_image, image.newer?.containers ?? null, image.check_error?.code ?? null];
  };
  const work = async (route: string, input?: object) => {
    const { op_id } = (await node.call(route, input)).body;
    return until(
      async () => {
        const { body } = await node.call(`GET /api/operations/${op_id}`);
        return body.status === "running" ? null : body;
      },
      { timeoutMs: 60_000, what: `the end of ${route} ${JSON.stringify(input)}` },
    );
  };
  const pull = (image: string) => work("POST /api/containers/images/pull", { image });

  test.each(["basic", "bearer"] as const)(
    "a registry of %s logins",
    async (asks) => {
      const guard = startGuard(asks);
      expect(await pull(imageAt(guard))).toMatchObject({ status: "failed", error: { code: "image_forbidden" } });
      const wrong = await add(guard.address, "not it");
      expect(await ask(wrong)).toMatchObject({ ok: false, outcome: "refused" });
      expect(await pull(imageAt(guard))).toMatchObject({ status: "failed", error: { code: "image_forbidden" } });
      await forget(wrong);
      const right = await add(guard.address, guard.password);
      expect(await ask(right)).toMatchObject({ ok: true, outcome: "accepted", next_step: null });
      expect(await pull(imageAt(guard))).toMatchObject({ status: "done", error: null });
      await forget(right);
    },
    120_000,
  );

  test("a login is sent to no other registry, be it on the same host", async () => {
    const [mine, other] = [startGuard("basic"), startGuard("basic")];
    const id = await add(mine.address, mine.password);
    expect(await pull(imageAt(other))).toMatchObject({ status: "failed", error: { code: "image_forbidden" } });
    expect(await ask(id)).toMatchObject({ ok: true });
    expect([mine.logins.length > 0, other.logins]).toEqual([true, []]);
    await forget(id);
  });

  test("whether a newer image is there is asked of each registry as it answers, and of a list of processors", async () => {
    const [name, tag] = ["orrery-test/newer", `e${process.pid}`];
    const push = (version: string, architecture?: string) => pushVersion(name, tag, version, architecture);
    await push("1");
    const mine = `${testEnv().registry}/${name}:${tag}`;
    const [closed, busy, gone] = [startGuard("basic"), startGuard("basic"), startGuard("basic")];
    const images = { mine, ...{ closed: tagAt(closed, "crash"), busy: tagAt(busy, "sick"), gone: tagAt(gone, "oom") } };
    const logins = await Promise.all([closed, busy, gone].map((guard) => add(guard.address, guard.password)));
    for (const [container, image] of Object.entries(images)) {
      expect(await pull(image)).toMatchObject({ status: "done" });
      await engine.docker("create", "--name", container, image, "nothing");
    }
    for (const id of logins) await forget(id);
    const digest = await pushImageList(name, tag, { amd64: await push("2"), arm64: await push("2", "arm64") });
    busy.asks = "later";
    await gone.stop();

    expect(await work("POST /api/containers/images/check")).toMatchObject({ kind: "image.check", status: "done" });
    const newer = { reference: mine, digest, pulled: false };
    expect(await newerOf("mine")).toEqual([newer, ["mine"], null]);
    expect(await newerOf("closed")).toEqual([null, null, "image_forbidden"]);
    expect(await newerOf("busy")).toEqual([null, null, "registry_rate_limit"]);
    expect(await newerOf("gone")).toEqual([null, null, "registry_unreachable"]);
    expect(await node.eventsOf("image.newer")).toEqual([{ images: [{ image: mine, digest, containers: ["mine"] }] }]);

    await pull(mine);
    expect(await newerOf("mine")).toEqual([{ ...newer, pulled: true }, ["mine"], null]);
    await engine.docker("rm", "mine");
    await engine.docker("create", "--name", "mine", mine, "nothing");
    expect(await newerOf("mine")).toEqual([null, null, null]);
  });

  test("a test says what is in the way", async () => {
    const id = await add(`127.0.0.1:${freePort()}`, "x");
    expect(await ask(id)).toMatchObject({ ok: false, outcome: "unreachable", next_step: expect.any(String) });
    await forget(id);
    const busy = startGuard("later");
    const asked = await add(busy.address, "x");
    expect(await ask(asked)).toMatchObject({
      ok: false,
      outcome: "failed",
      words: expect.stringContaining("too many"),
    });
    await forget(asked);
  });

  test("a registry whose certificate nobody knows is told as that", async () => {
    // Loopback may be asked without encryption; an address of another interface may not.
    const hostname =
      Object.values(networkInterfaces())
        .flat()
        .find((each) => each?.family === "IPv4" && !each.internal)?.address ?? "127.0.0.1";
    const server = Bun.serve({ hostname, port: 0, tls: TLS_FIXTURE, fetch: () => new Response() });
    const plain = Bun.serve({ hostname, port: 0, fetch: () => new Response() });
    for (const { port } of [server, plain]) {
      const id = await add(`${hostname}:${port}`, "x");
      expect(await ask(id)).toMatchObject({ ok: false, outcome: "tls", next_step: expect.any(String) });
      await forget(id);
    }
    await Promise.all([server.stop(true), plain.stop(true)]);
  });
});
