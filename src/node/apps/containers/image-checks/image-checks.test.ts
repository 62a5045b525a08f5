import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ImageEngine, startImageEngine } from "../../../../../tests/kit/image-engine.ts";
import { createTestNode, type TestNode } from "../../../../../tests/kit/node-app.ts";
import { days, hours } from "../../../../lib/duration.ts";
import { APP_LABEL, NODE_LABEL } from "../../apps/index.ts";

// By their addresses: names would be looked up.
const WEB = "10.0.0.1:5000/web:1";
const HUB = "docker.io/library/web:1";
const BUILT = `sha256:${"b".repeat(64)}`;
const OTHER = "10.0.0.2:5000/a/b:1";

let engine: ImageEngine;
let node: TestNode;
beforeEach(async () => {
  engine = startImageEngine();
  node = createTestNode({ docker_socket: engine.socket });
  node.ctx.runtime.start();
  await passes(() => node.ctx.runtime.engine() !== null);
});
afterEach(() => {
  node.close();
  engine.stop();
});

/** Lets time pass until something is so; how much is no matter. */
async function passes(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 5000 && !isSo(); turn++) {
    await node.clock.advance(1);
    await Bun.sleep(1);
  }
  if (!isSo()) throw new Error("it does not come to that");
}

/** A container of a tag that stands for a newer image by now. */
function runOlder(name: string, reference: string, labels: Record<string, string> = {}): string {
  engine.pull(reference);
  engine.run(name, reference.replace("docker.io/library/", ""), labels);
  return engine.push(reference);
}
const hour = async () => {
  await node.clock.advance(hours(1));
  await node.ctx.jobs.run("containers.check_images");
};
/** Other parts of the node look at containers too. */
const imageCalls = () => engine.calls.filter((call) => call.startsWith("GET /images/"));
/** Turns checks by the clock on and off. */
const turn = (value: "true" | "false") =>
  node.call("PUT /api/settings/apps.image_checks", { as: "admin", body: { value } });
/** What came of a check that somebody asked for. */
async function checkNow() {
  const { body } = await node.call("POST /api/containers/images/check", { as: "admin" });
  await passes(() => node.ctx.operations.get(body.op_id).status !== "running");
  return node.ctx.operations.get(body.op_id);
}
// Tests look into answers freely.
// biome-ignore lint/suspicious/noExplicitAny: see above
const list = async (what: string): Promise<any[]> =>
  (await node.call(`GET /api/containers${what}`, { as: "viewer" })).body;
const container = async (name: string) => (await list("")).find((each) => each.name === name);
const imageOf = async (name: string) => (await list("/images")).find(({ used_by }) => used_by.includes(name));
async function told() {
  await node.ctx.bus.idle();
  return node.events.filter(({ name }) => name === "image.newer").map(({ data }) => data);
}

describe("what is asked", () => {
  test("only tags that were pulled, of containers that nobody looks after, each by one name", async () => {
    runOlder("one", HUB);
    engine.run("two", HUB);
    runOlder("of-a-project", OTHER, { "com.docker.compose.project": "shop" });
    runOlder("of-an-app", WEB, { [APP_LABEL]: "app_1", [NODE_LABEL]: "another" });
    engine.images.push({ Id: BUILT, RepoTags: ["built:1"], RepoDigests: [], Architecture: "amd64" });
    engine.run("built", "built:1");
    engine.run("by-id", BUILT);
    engine.pull("10.0.0.3:5000/pinned:1");
    engine.run("pinned", `10.0.0.3:5000/pinned:1@sha256:${"c".repeat(64)}`, {}, engine.images.at(-1)?.Id);
    engine.pull("10.0.0.3:5000/idle:1");
    const whyOf = async () => {
      const images = await list("/images");
      return images.map(({ unchecked, used_by }) => [used_by[0] ?? "none", unchecked]).toSorted();
    };
    const never = [
      ["built", "local"],
      ["none", "unused"],
      ["of-an-app", "owned"],
      ["pinned", "pinned"],
    ];
    expect(await whyOf()).toEqual([...never, ["of-a-project", "waiting"], ["one", "waiting"]].toSorted());
    await turn("false");
    expect(await whyOf()).toEqual([...never, ["of-a-project", "off"], ["one", "off"]].toSorted());
    await turn("true");
    await hour();
    expect(engine.questions.toSorted()).toEqual([OTHER, HUB]);
    expect((await container("of-an-app")).newer_image).toBeNull();
    expect(await imageOf("built")).toMatchObject({ newer: null, checked_at: null, check_error: null });
    expect(await whyOf()).toEqual([...never, ["of-a-project", null], ["one", null]].toSorted());
    expect((await imageOf("one")).newer.containers).toEqual(["one", "two"]);
  });

  test("forty images are asked for in four hours, each once a day, and the engine little besides", async () => {
    for (let index = 0; index < 40; index++) runOlder(`c${index}`, `10.0.0.1:5000/i${index}:1`);
    const asked: number[] = [];
    for (let count = 0; count < 7 * 24; count++) {
      const before = engine.questions.length;
      await hour();
      asked.push(engine.questions.length - before);
    }
    expect(asked.slice(0, 6)).toEqual([10, 10, 10, 10, 0, 0]);
    expect(Math.max(...asked)).toBe(10);
    expect([engine.questions.length, new Set(engine.questions).size]).toEqual([280, 40]);
    // A list an hour, and a look at each image that is another one.
    expect(imageCalls()).toHaveLength(7 * 24 + 280);
    expect(await told()).toHaveLength(4);
  });

  test("nothing by itself where that was turned off, and where no container could have a newer one", async () => {
    await hour();
    expect(imageCalls()).toEqual([]);
    runOlder("web", WEB);
    await turn("false");
    await hour();
    expect([...engine.questions, ...imageCalls()]).toEqual([]);
    expect(await checkNow()).toMatchObject({ status: "done", kind: "image.check" });
    expect(engine.questions).toEqual([WEB]);
  });

  test("by somebody who wants to know now once an hour, and no more than sixty in six hours", async () => {
    for (let index = 0; index < 70; index++) runOlder(`c${index}`, `10.0.0.1:5000/i${index}:1`);
    const [first, second] = await Promise.all([checkNow(), checkNow()]);
    expect(first.id).toBe(second.id);
    expect(engine.questions).toHaveLength(60);
    await hour();
    await checkNow();
    expect(engine.questions).toHaveLength(60);
    await node.clock.advance(hours(6));
    await checkNow();
    expect(engine.questions).toHaveLength(120);
    expect(new Set(engine.questions).size).toBe(70);
  });

  test("answers for images that are long gone are forgotten", async () => {
    runOlder("web", WEB);
    await hour();
    const rows = () => node.ctx.db.raw.query("SELECT reference FROM image_checks").all().length;
    engine.containers = [];
    await node.clock.advance(days(6));
    await hour();
    expect(rows()).toBe(1);
    await node.clock.advance(days(2));
    await hour();
    expect(rows()).toBe(0);
  });
});

describe("what is newer", () => {
  test("is told of once, and is so until the container runs it: a pull alone does not help", async () => {
    const digest = runOlder("web", WEB);
    await hour();
    const newer = { reference: WEB, digest, pulled: false };
    expect((await container("web")).newer_image).toEqual(newer);
    expect(await imageOf("web")).toMatchObject({ newer: { ...newer, containers: ["web"] }, check_error: null });
    expect(await told()).toEqual([{ images: [{ image: WEB, digest, containers: ["web"] }] }]);
    const timeline = (await node.call("GET /api/timeline?category=update", { as: "admin" })).body;
    expect(JSON.stringify(timeline)).toContain("There is a newer image of 10.0.0.1:5000/web:1 than web runs");

    engine.pull(WEB);
    expect((await container("web")).newer_image).toEqual({ ...newer, pulled: true });
    expect(await imageOf("web")).toMatchObject({ newer: { ...newer, pulled: true }, tags: [] });
    await node.clock.advance(days(1));
    await hour();
    expect((await container("web")).newer_image).toEqual({ ...newer, pulled: true });
    expect(await told()).toHaveLength(1);

    engine.containers = [];
    engine.run("web", WEB);
    expect((await container("web")).newer_image).toBeNull();
    expect(await imageOf("web")).toMatchObject({ newer: null, checked_at: expect.any(String) });
    engine.push(WEB);
    await node.clock.advance(days(1));
    await hour();
    expect(await told()).toHaveLength(2);
  });

  test("is not what came here after the question", async () => {
    runOlder("web", WEB);
    await hour();
    engine.push(WEB);
    engine.pull(WEB);
    engine.containers = [];
    engine.run("web", WEB);
    expect((await container("web")).newer_image).toBeNull();
  });

  test("is not the same image in a new list, once that was pulled", async () => {
    const digest = runOlder("web", WEB);
    await hour();
    engine.images[0]?.RepoDigests.push(`10.0.0.1:5000/web@${digest}`);
    expect((await container("web")).newer_image).toBeNull();
    expect((await imageOf("web")).newer).toBeNull();
  });

  test.each([
    ["amd64", ["amd64", "arm64"], true],
    ["arm64", ["amd64", "arm64"], true],
    ["arm64", ["amd64"], false],
    ["amd64", [], true],
  ])("for a container on %s, where the new one is for %j, is %j", async (mine, theirs, isNewer) => {
    engine.pull(WEB, mine);
    engine.run("web", WEB);
    engine.push(WEB, theirs);
    await hour();
    expect((await container("web")).newer_image !== null).toBe(isNewer);
    expect((await imageOf("web")).check_error?.code ?? null).toBe(isNewer ? null : "image_wrong_arch");
    expect(await told()).toHaveLength(isNewer ? 1 : 0);
  });
});

describe("a registry", () => {
  const troubleAt = (host: string, status: number, message: string) => engine.trouble.set(host, { status, message });
  const codeOf = async (name: string) => (await imageOf(name)).check_error?.code ?? null;

  test("that counts questions is left alone for a day, with all its images, while others are asked", async () => {
    for (let index = 0; index < 5; index++) runOlder(`c${index}`, `10.0.0.1:5000/i${index}:1`);
    runOlder("other", OTHER);
    troubleAt("10.0.0.1:5000", 429, "toomanyrequests");
    for (let count = 0; count < 24; count++) await hour();
    expect(engine.questions.filter((name) => name.startsWith("10.0.0.1"))).toHaveLength(1);
    expect(engine.questions.filter((name) => name === OTHER)).toHaveLength(1);
    expect(await codeOf("c4")).toBe("registry_rate_limit");
    await checkNow();
    expect(engine.questions.filter((name) => name.startsWith("10.0.0.1"))).toHaveLength(1);
    engine.trouble.clear();
    await hour();
    expect(engine.questions).toHaveLength(1 + 2 + 5);
    expect(await codeOf("c4")).toBeNull();
  });

  test.each([
    [500, 'Get "https://registry.lan/v2/": dial tcp: lookup registry.lan: no such host'],
    [500, "received unexpected HTTP status: 503 Service Unavailable"],
  ])("that is not reached (%i %s) is asked less and less", async (status, message) => {
    runOlder("other", OTHER);
    troubleAt("10.0.0.2:5000", status, message);
    const at: number[] = [];
    for (let count = 1; count <= 40; count++) {
      const before = engine.questions.length;
      await hour();
      if (engine.questions.length > before) at.push(count);
    }
    expect(at).toEqual([1, 2, 4, 8, 16, 32]);
    expect(await codeOf("other")).toBe("registry_unreachable");
    engine.trouble.clear();
    await node.clock.advance(days(1));
    await hour();
    expect([await codeOf("other"), (await container("other")).newer_image !== null]).toEqual([null, true]);
  });

  test("that wants a login says so, and is asked again when there is one", async () => {
    runOlder("other", OTHER);
    troubleAt("10.0.0.2:5000", 500, "unauthorized: authentication required");
    await hour();
    expect((await imageOf("other")).check_error).toMatchObject({
      code: "image_forbidden",
      next_step: expect.stringContaining("Add a login for 10.0.0.2:5000"),
    });
    await hour();
    await checkNow();
    expect(engine.questions).toHaveLength(1);
    engine.trouble.clear();
    const login = JSON.stringify([{ registry: "10.0.0.2:5000", username: "ada", password: "x" }]);
    await node.call("PUT /api/settings/apps.registry_credentials", { as: "admin", body: { value: login } });
    await hour();
    expect([engine.questions.length, engine.logins.get(OTHER)]).toEqual([2, "ada"]);
    expect(await codeOf("other")).toBeNull();
  });

  test("that has the tag no more says so, and any other answer is told as none", async () => {
    runOlder("other", OTHER);
    engine.tags.delete(OTHER);
    runOlder("odd", "10.0.0.3:5000/a:1");
    troubleAt("10.0.0.3:5000", 500, "something that nobody knows");
    await hour();
    expect([await codeOf("other"), await codeOf("odd")]).toEqual(["image_not_found", "image_not_told"]);
  });

  test("at a metadata address is never asked", async () => {
    runOlder("evil", "169.254.169.254:80/a:1");
    await hour();
    expect([engine.questions, await codeOf("evil")]).toEqual([[], "registry_refused"]);
  });

  test("has a mirror before it, which may rest alone", async () => {
    runOlder("web", HUB);
    await node.call("PUT /api/settings/apps.registry_mirror", { as: "admin", body: { value: "10.0.0.9:5000" } });
    troubleAt("10.0.0.9:5000", 429, "toomanyrequests");
    await hour();
    expect(engine.questions).toEqual(["10.0.0.9:5000/library/web:1", HUB]);
    expect((await container("web")).newer_image).toMatchObject({ reference: "web:1" });
    await node.clock.advance(hours(22));
    await hour();
    expect(engine.questions).toHaveLength(2);
  });
});

test("an engine that goes away in the middle ends the check, and nothing is held against the registry", async () => {
  runOlder("web", WEB);
  engine.dies = true;
  expect(await checkNow()).toMatchObject({ status: "failed", error: { code: "images_not_checked" } });
  expect(node.ctx.db.raw.query("SELECT 1 FROM registry_rests").all()).toEqual([]);
});

test("only admins begin a check", async () => {
  expect((await node.call("POST /api/containers/images/check", { as: "viewer" })).status).toBe(403);
});
