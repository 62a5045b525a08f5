import { beforeEach, expect, test } from "bun:test";
import { EngineError, type Wire } from "./engine-wire.ts";
import { createLabelReader, emptied } from "./given-labels.ts";

const ID = `sha256:${"1".repeat(64)}`;
const PROJECT = "com.docker.compose.project";
const HASH = "com.docker.compose.config-hash";
const IMAGE = "com.docker.compose.image";

/** What the image says; an error is how the engine refuses to tell. */
let ofImage: Record<string, string> | EngineError;
let asked = 0;
const wire = {
  async call() {
    asked += 1;
    if (ofImage instanceof EngineError) throw ofImage;
    return { Config: { Labels: ofImage } };
  },
} as unknown as Wire;
let readLabels = createLabelReader(wire);
beforeEach(() => {
  asked = 0;
  readLabels = createLabelReader(wire);
});
const read = (labels: Record<string, string>, name = "/web", image: string | undefined = ID) =>
  readLabels({ name, image, labels });

test("what only the image says of whose a container is is left out, and told", async () => {
  ofImage = { [PROJECT]: "shop", "orrery.app": "app_x", team: "blue" };
  expect(await read(ofImage)).toEqual({ labels: { team: "blue" }, claimed: "shop" });
  expect((await read({ ...ofImage, "orrery.app": "app_y" })).labels).toEqual({ team: "blue", "orrery.app": "app_y" });
  expect((await read(ofImage, "/orrery-web-web")).labels).toEqual({ team: "blue", "orrery.app": "app_x" });
});

test("all of Compose's labels count where the container was given one of them", async () => {
  ofImage = { [PROJECT]: "shop", [HASH]: "1" };
  expect(await read({ ...ofImage, [HASH]: "2" })).toEqual({
    labels: { [PROJECT]: "shop", [HASH]: "2" },
    claimed: undefined,
  });
  expect((await read({ ...ofImage, [PROJECT]: "other" })).labels).toEqual({ [PROJECT]: "other", [HASH]: "1" });
  // None of ours proves anything for them, and none of theirs for ours.
  expect((await read({ ...ofImage, "orrery.node": "n" })).labels).toEqual({ "orrery.node": "n" });
});

test("the id of its image is a mark that no image brings", async () => {
  ofImage = new EngineError(404, "no such image");
  expect((await read({ [PROJECT]: "shop", [IMAGE]: ID })).labels).toEqual({ [PROJECT]: "shop", [IMAGE]: ID });
  expect(asked).toBe(0);
  expect((await read({ [PROJECT]: "shop", [IMAGE]: "sha256:2" })).labels).toEqual({});
  expect((await read({ [PROJECT]: "shop" }, "/web", "")).labels).toEqual({});
});

test.each([404, 500])(
  "an image that the engine does not tell of (%i) proves nothing, and is asked for again",
  async (status) => {
    ofImage = new EngineError(status, "no such image");
    const labels = { [PROJECT]: "shop", [HASH]: "1", "orrery.app": "app_x" };
    expect(await read(labels)).toEqual({ labels: {}, claimed: "shop" });
    ofImage = {};
    expect(await read(labels)).toEqual({ labels, claimed: undefined });
    await read(labels);
    expect(asked).toBe(2);
  },
);

test("an engine that is away is not taken for one that knows no image", async () => {
  ofImage = new EngineError(0, "refused", "ECONNREFUSED");
  expect(read({ [PROJECT]: "shop" })).rejects.toThrow("refused");
});

test("an empty label says nothing and proves nothing", async () => {
  ofImage = { [PROJECT]: "shop", [HASH]: "1", "orrery.app": "app_x", team: "blue" };
  const empty = emptied(ofImage);
  expect(empty).toEqual({ [PROJECT]: "", [HASH]: "", "orrery.app": "" });
  expect(await read({ ...ofImage, ...empty })).toEqual({ labels: { team: "blue" }, claimed: undefined });
  expect(await read({ ...ofImage, [HASH]: "" })).toEqual({ labels: { team: "blue" }, claimed: "shop" });
  expect(emptied(null)).toEqual({});
});
