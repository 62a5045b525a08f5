import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fate } from "../../../../tests/kit/compose-engine.ts";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { adoptFurther, readFurther, removeFurther, writeFurther } from "./further-files.ts";
import { readProject } from "./read-project.ts";

const file = (path: string, text: string) => ({ path, text });

describe("the further files of a project", () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch("further");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("lie where the Compose file names them, and are told apart from what containers put there", async () => {
    await writeFurther(folder, [file("a.yaml", "a"), file("deep/er/.env", "B=1")], "");
    writeFileSync(join(folder, "deep/data"), "a container's");
    expect(readFileSync(join(folder, "deep/er/.env"), "utf8")).toBe("B=1");
    expect(await readFurther(folder, "")).toEqual([file("a.yaml", "a"), file("deep/er/.env", "B=1")]);
    await writeFurther(folder, [file("a.yaml", "b")], "");
    expect(await readFurther(folder, "")).toEqual([file("a.yaml", "b")]);
    expect(existsSync(join(folder, "deep/er/.env"))).toBe(false);
    await removeFurther(folder, "");
    expect([readdirSync(folder), await readFurther(folder, "")]).toEqual([["deep"], []]);
    expect(readFileSync(join(folder, "deep/data"), "utf8")).toBe("a container's");
  });

  test("of a draft wait beside those that run, take their place, and go on doing so after a crash", async () => {
    await writeFurther(folder, [file("a.yaml", "old"), file("gone.yaml", "old")], "");
    const next = [file("a.yaml", "new"), file("b/c.yaml", "new")];
    await writeFurther(folder, next, ".next");
    expect(await readFurther(folder, "")).toEqual([file("a.yaml", "old"), file("gone.yaml", "old")]);
    expect(await readFurther(folder, ".next")).toEqual(next);
    // Cut off in the middle: one of them has its place already.
    rmSync(join(folder, "a.yaml"));
    writeFileSync(join(folder, "a.yaml"), readFileSync(join(folder, "a.yaml.next")));
    rmSync(join(folder, "a.yaml.next"));
    await adoptFurther(folder);
    await adoptFurther(folder);
    expect(await readFurther(folder, "")).toEqual(next);
    expect(readdirSync(folder).sort()).toEqual([".files.json", "a.yaml", "b"]);
    await writeFurther(folder, [], ".next");
    await adoptFurther(folder);
    expect([await readFurther(folder, ""), existsSync(join(folder, "a.yaml"))]).toEqual([[], false]);
  });

  test("go nowhere else by a link that a container put there, and what it wrote into their list is no path", async () => {
    const outside = makeScratch("outside");
    mkdirSync(join(folder, "data"));
    symlinkSync(outside, join(folder, "data/link"));
    symlinkSync(join(outside, "target"), join(folder, "plain"));
    await expect(writeFurther(folder, [file("data/link/x.yaml", "x")], "")).rejects.toThrow();
    await writeFurther(folder, [file("plain", "x")], "");
    // A text that is not whole yet has a name that a container can foresee.
    for (const name of ["plain.new", ".files.json.new"]) {
      rmSync(join(folder, name), { force: true });
      symlinkSync(join(outside, name), join(folder, name));
    }
    await writeFurther(folder, [file("plain", "x")], "");
    expect(readdirSync(outside)).toEqual([]);
    writeFileSync(join(outside, "secret"), "secret");
    writeFileSync(join(folder, ".files.json"), '["../secret", "/etc/passwd", "data/link/secret", 7, "plain"]');
    expect(await readFurther(folder, "")).toEqual([file("plain", "x")]);
    writeFileSync(join(folder, ".files.json"), "damaged");
    expect(await readFurther(folder, "")).toEqual([]);
    rmSync(outside, { recursive: true });
  });
});

test("files that include and extend each other many times are refused in time, and long chains are read", () => {
  const fan = (next: string) => `include: [${Array.from({ length: 60 }, () => next).join(", ")}]\n`;
  const files = Array.from({ length: 12 }, (_, index) => file(`f${index}.yaml`, fan(`f${index + 1}.yaml`)));
  const main = `${fan("f0.yaml")}services: { a: { image: a } }\n`;
  const kind = (text: string, further = files) => readProject("shop", { file: text, env: "", files: further });
  const read = kind(main);
  const messages = read.kind === "refused" ? read.problems.map(({ message }) => message) : [];
  expect(messages.filter((message) => message.includes("more than 50 times"))).toHaveLength(1);
  expect(messages.length).toBeLessThan(60);

  const chain = (length: number) =>
    `services:\n${Array.from({ length }, (_, index) => `  s${index}: { image: a${index}, ${index === 0 ? "tty: true" : `extends: s${index - 1}`} }\n`).join("")}`;
  expect(kind(chain(90), [])).toMatchObject({ kind: "read" });
  const backwards = chain(90).split("\n").slice(1, -1).reverse().join("\n");
  const deep = kind(`services:\n${backwards}\n`, []);
  expect(deep.kind === "refused" && deep.problems[0]?.message).toContain("more than 20 services");
});

describe("a deploy of several files", () => {
  let world: ComposeWorld;
  beforeEach(async () => {
    world = await startComposeWorld();
  });
  afterEach(() => world.stop());

  const OLD = "services:\n  web: { image: web:1, env_file: web.env }\n";
  const NEW = `include: [store/compose.yaml]\n${OLD}`;
  const FORMER = [file("web.env", "LEVEL=old\n")];
  const LATER = [
    file("store/compose.yaml", "services: { store: { image: store:1 } }\n"),
    file("web.env", "LEVEL=new\n"),
  ];
  const detail = async () => (await world.call("GET /api/containers/compose/shop")).body;
  const byPath = (files: { path: string }[]) => files.toSorted((one, other) => one.path.localeCompare(other.path));
  const whatRuns = () =>
    world.engine
      .containers()
      .filter(({ status }) => status === "running")
      .map(({ name, env }) => [name, env.find((line) => line.startsWith("LEVEL="))]);
  const RUNS = {
    old: [["shop-web-1", "LEVEL=old"]],
    new: [
      ["shop-store-1", undefined],
      ["shop-web-1", "LEVEL=new"],
    ],
  };

  test("keeps them, shows them, makes anew what they change, and removes them", async () => {
    expect(await world.deploy(OLD, FORMER)).toMatchObject({ status: "done" });
    expect(await detail()).toMatchObject({ file: OLD, files: FORMER, draft: null });
    expect(whatRuns()).toEqual(RUNS.old);
    const { hash, actions } = await world.plan(OLD, [file("web.env", "LEVEL=new\n")]);
    expect(actions).toMatchObject([{ action: "change", changed: ["environment"] }]);
    // Another text of a further file is another plan.
    const asShown = { name: "shop", file: OLD, files: FORMER, plan: hash };
    expect(await world.call("POST /api/containers/compose", asShown)).toMatchObject({
      status: 409,
      body: { code: "compose_plan_changed" },
    });
    expect(await world.deploy(NEW, LATER)).toMatchObject({ status: "done" });
    expect([whatRuns(), byPath((await detail()).files)]).toEqual([RUNS.new, LATER]);
    const { folder } = await detail();
    expect(readFileSync(join(folder, "store/compose.yaml"), "utf8")).toContain("store:1");
    const { body } = await world.call("DELETE /api/containers/compose/shop");
    expect(await world.end(body.op_id)).toMatchObject({ status: "done" });
    expect(existsSync(folder)).toBe(false);
  });

  test("that does not go well leaves those of before, and keeps the others to be corrected", async () => {
    await world.deploy(OLD, FORMER);
    world.engine.broken.add("store:1");
    expect(await world.deploy(NEW, LATER)).toMatchObject({ status: "failed" });
    const { file: text, files, draft } = await detail();
    expect({ text, files, draft: { ...draft, files: byPath(draft.files) } }).toEqual({
      text: OLD,
      files: FORMER,
      draft: { file: NEW, env: "", files: LATER },
    });
    world.engine.broken.clear();
    expect(await world.deploy(NEW, LATER)).toMatchObject({ status: "done" });
    expect(await detail()).toMatchObject({ draft: null });
  });

  test("is refused where a link leads out of the project, and for names and paths that are none", async () => {
    await world.deploy("services:\n  web: { image: web:1, volumes: ['./data:/data'] }\n");
    const { folder } = await detail();
    mkdirSync(join(folder, "data"), { recursive: true });
    symlinkSync("/etc", join(folder, "data/link"));
    const problems = async (...files: { path: string; text: string }[]) => (await world.plan(OLD, files)).problems;
    expect(await problems(file("web.env", ""), file("data/link/x", ""))).toMatchObject([
      { file: "data/link/x", message: expect.stringContaining("/etc") },
    ]);
    for (const path of [".env", "compose.yaml", "web.env.next", "compose.yaml/a"])
      expect(await problems(file("web.env", ""), file(path, ""))).toMatchObject([{ file: path, line: 0 }]);
    expect(await problems(file("web.env", ""), file("web.env", "A=1"))).toMatchObject([{ file: "web.env" }]);
    expect(await problems(file("web.env", ""), file("a", ""), file("a/b", ""))).toMatchObject([{ file: "a" }]);
    for (const path of ["", "/etc/x", "../x", "a/../../x", "a//b", ".hidden/x", "a/b/c/d/e/f", "a\\b", "a\nb"]) {
      const files = [file(path, "")];
      const { status } = await world.call("POST /api/containers/compose/plan", { name: "shop", file: OLD, files });
      expect([path, status]).toEqual([path, 400]);
    }
  });

  test.each(["die-before", "die-after", "refuse"] as const)(
    "cut off at whatever question (%s) ends with the files of what runs",
    async (fate) => {
      const ends = new Set<string>();
      for (let at = 1; ; at++) {
        await world.deploy(OLD, FORMER);
        expect(whatRuns()).toEqual(RUNS.old);
        const wasMet = await meet(fate, at);
        const runs = JSON.stringify(whatRuns()) === JSON.stringify(RUNS.new) ? "new" : "old";
        expect([at, whatRuns()]).toEqual([at, RUNS[runs]]);
        const { file: text, files } = await detail();
        expect([at, text, byPath(files)]).toEqual([at, runs === "new" ? NEW : OLD, runs === "new" ? LATER : FORMER]);
        ends.add(runs);
        if (!wasMet) break;
      }
      expect([...ends].sort()).toEqual(["new", "old"]);
    },
  );

  /** Deploys the new files while the engine or the node fails at a question; false where so many are not asked. */
  async function meet(fate: Fate, at: number): Promise<boolean> {
    const id = await world.begin(NEW, LATER);
    const from = world.engine.count();
    let isMet = false;
    world.engine.fateOf = (count) => {
      if (count !== from + at) return "answer";
      isMet = true;
      return fate;
    };
    await world.passes(() => (isMet && fate !== "refuse") || world.operation(id).status !== "running");
    world.engine.fateOf = () => "answer";
    if (isMet && fate !== "refuse") {
      await world.startNode();
      await world.passes(() => !world.isBusy());
    }
    return isMet;
  }
});
