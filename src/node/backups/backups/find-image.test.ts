import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { pullImage } from "../../apps/apps/images/pull-image.ts";
import { createPullList } from "../../apps/apps/images/pull-list.ts";
import { type Engine, EngineError, type RegistryLogin } from "../../apps/runtime/index.ts";
import { AppFault } from "./app-fault.ts";
import { findImage, type ImageNeeds } from "./find-image.ts";

interface Around {
  pulls?: ReturnType<typeof createPullList>;
  image?: string;
  mirror?: string;
  logins?: RegistryLogin[];
  /** Names of images that are on this server. */
  here?: string[];
}

/** Looks for an image; `answer` is what the engine says to a pull of it, which ends no sooner. */
function startSearch(answer: (signal: AbortSignal) => Promise<void>, around: Around = {}) {
  const { pulls = createPullList(createFakeClock()), image = "wiki:1", mirror = "", logins = [], here = [] } = around;
  const clock = createFakeClock();
  const node = new AbortController();
  const begun: [name: string, username: string | null][] = [];
  const engine: Pick<Engine, "findImage" | "pullImage"> = {
    findImage: async (name) =>
      here.includes(name) ? { Id: "sha256:1", Architecture: "amd64", RepoTags: [], RepoDigests: [] } : null,
    async pullImage(name, { login, signal = node.signal }) {
      begun.push([name, login?.username ?? null]);
      await answer(signal);
    },
  };
  const settings = { get: (key: string) => (key === "apps.registry_mirror" ? mirror : "") };
  const pulling = { clock, settings, pulls, registries: { logins: () => logins } };
  const own: ImageNeeds = {
    ...{ settings, signal: node.signal, log: { info() {} } },
    apps: { get: () => ({ name: "wiki" }), pullImage: (...wanted) => pullImage(pulling, ...wanted) },
    runtime: { requireEngine: () => engine },
  };
  const end = findImage(own, "app_wiki", [image]).catch((error: Error) => error);
  const turn = async () => {
    for (let at = 0; at < 50; at += 1) await Promise.resolve();
  };
  return { clock, pulls, node, end, turn, begun };
}

const hangs = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

test("an image that is nowhere here is pulled once there is a place for it", async () => {
  const pulls = createPullList(createFakeClock());
  const others = ["a", "b", "c"].map((image) => {
    const wish = { image, by: null, signal: new AbortController().signal, onWait() {} };
    return pulls.run(wish, ({ signal }) => hangs(signal)).catch(() => {});
  });
  const search = startSearch(async () => {}, { pulls });
  await search.turn();
  expect([search.begun, pulls.has("wiki:1")]).toEqual([[], true]);
  for (const image of ["a", "b", "c"]) await pulls.cancel(image);
  await Promise.all(others);
  expect(await search.end).toBe("docker.io/library/wiki:1");
});

test("it is pulled by the login of its registry, and by the mirror with its own", async () => {
  const logins = ["mirror.lan", "images.lan:5000"].map((registry) => ({ registry, username: registry, password: "x" }));
  const image = "images.lan:5000/wiki:1";
  const plain = startSearch(async () => {}, { image, logins });
  expect(await plain.end).toBe(image);
  expect(plain.begun).toEqual([[image, "images.lan:5000"]]);
  let isFirst = true;
  const refusesFirst = async () => {
    if (!isFirst) return;
    isFirst = false;
    throw new EngineError(404, "manifest unknown");
  };
  const mirrored = startSearch(refusesFirst, { image, logins, mirror: "images.lan:5000=mirror.lan" });
  expect(await mirrored.end).toBe(image);
  expect(mirrored.begun).toEqual([
    ["mirror.lan/wiki:1", "mirror.lan"],
    [image, "images.lan:5000"],
  ]);
});

test("one that is here under the name that the mirror has for it is not pulled", async () => {
  const name = "mirror.lan/library/wiki:1";
  const search = startSearch(hangs, { mirror: "mirror.lan", here: [name] });
  expect(await search.end).toBe(name);
  expect(search.begun).toEqual([]);
});

test("a registry that sends nothing is a fault of the app", async () => {
  const search = startSearch(hangs);
  await search.turn();
  await search.clock.advance(minutes(4));
  const error = await search.end;
  expect(error).toBeInstanceOf(AppFault);
  expect(error).toMatchObject({
    message: "wiki:1 was not pulled: the registry sent less than 128 KB in 3 minutes.",
  });
});

test("a pull that somebody cancels is a fault of the app", async () => {
  const search = startSearch(hangs);
  await search.turn();
  await search.pulls.cancel("wiki:1");
  const error = await search.end;
  expect(error).toBeInstanceOf(AppFault);
  expect(error).toMatchObject({
    message: "Its image wiki:1 had to be pulled. It was cancelled before the image was here.",
  });
});

test("what a registry refuses is a fault of the app; an engine that is gone, a full disk and the node's end are not", async () => {
  const say = (status: number, words: string) =>
    startSearch(async () => Promise.reject(new EngineError(status, words))).end;
  expect(await say(404, "manifest unknown")).toBeInstanceOf(AppFault);
  expect(await say(0, "connection refused")).toBeInstanceOf(EngineError);
  expect(await say(500, "no space left on device")).toMatchObject({ failure: { code: "disk_full" } });
  const search = startSearch(hangs);
  await search.turn();
  search.node.abort(new Error("the node ends"));
  expect(await search.end).not.toBeInstanceOf(AppFault);
});
