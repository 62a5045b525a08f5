import { afterAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { OWN_TEMPLATES } from "../../../../tests/kit/own-templates.ts";
import { createLog } from "../../../kernel/log.ts";
import { type Catalogue, openCatalogue } from "./catalogue.ts";
import { buildIndex } from "./index-build.ts";
import { signIndex } from "./index-sign.ts";

const builtIn = join(import.meta.dir, "../../../../embed/node/templates");
const whoami = join(OWN_TEMPLATES, "whoami");
const work = mkdtempSync(join(tmpdir(), "orrery-catalogue-"));
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const trustedKey = publicKey.export({ type: "spki", format: "pem" }).toString();
afterAll(() => rmSync(work, { recursive: true }));

interface World {
  catalogue: Catalogue;
  root: string;
  indexRoot: string;
  ownRoot: string;
  logged: string[];
}

let count = 0;
async function signedWorld(): Promise<World> {
  count += 1;
  const [root, indexRoot, ownRoot] = ["t", "i", "own"].map((name) => join(work, String(count), name));
  if (root === undefined || indexRoot === undefined || ownRoot === undefined) throw new Error("unreachable");
  for (const name of ["vaultwarden", "immich"]) cpSync(join(builtIn, name), join(root, name), { recursive: true });
  cpSync(whoami, join(root, "whoami"), { recursive: true });
  mkdirSync(indexRoot);
  mkdirSync(ownRoot);
  const text = JSON.stringify(await buildIndex(root));
  writeFileSync(join(indexRoot, "index.json"), text);
  writeFileSync(join(indexRoot, "index.json.sig"), signIndex(text, privateKey));
  const logged: string[] = [];
  const log = createLog(createFakeClock(), "warn", (line) => void logged.push(line));
  return { root, indexRoot, ownRoot, logged, catalogue: openCatalogue({ root, indexRoot, ownRoot, trustedKey, log }) };
}

function edit(path: string, find: string, replacement: string): void {
  const text = readFileSync(path, "utf8");
  expect(text).toContain(find);
  writeFileSync(path, text.replace(find, replacement));
}

describe("a signed catalogue", () => {
  test("loads what was signed", async () => {
    const { catalogue } = await signedWorld();
    const { manifest, project } = await catalogue.load("whoami");
    expect(manifest.display_name).toBe("whoami");
    expect(project({ DISPLAY_NAME: "hello" }).services[0]?.environment).toEqual({ WHOAMI_NAME: "hello" });
  });

  test("is listed without reading a single template", async () => {
    const { catalogue, root } = await signedWorld();
    rmSync(root, { recursive: true });
    expect((await catalogue.list()).map((template) => template.name)).toEqual(["immich", "vaultwarden", "whoami"]);
    expect((await catalogue.getFeatured()).name).toBe("immich");
    expect(await catalogue.categories()).toEqual([
      { id: "media", name: "Photos and media", count: 1 },
      { id: "security", name: "Security", count: 1 },
      { id: "tools", name: "Tools", count: 1 },
    ]);
  });

  test("is refused when its index was changed", async () => {
    const { catalogue, indexRoot } = await signedWorld();
    edit(join(indexRoot, "index.json"), "Immich", "Imnich");
    await expect(catalogue.list()).rejects.toMatchObject({ code: "catalogue_untrusted" });
  });

  test("is refused when its index or its signature is missing", async () => {
    for (const file of ["index.json", "index.json.sig"]) {
      const { catalogue, indexRoot } = await signedWorld();
      rmSync(join(indexRoot, file));
      await expect(catalogue.list()).rejects.toMatchObject({ code: "catalogue_untrusted" });
    }
  });

  test("is refused when somebody else signed it", async () => {
    const { catalogue, indexRoot } = await signedWorld();
    const text = readFileSync(join(indexRoot, "index.json"), "utf8");
    writeFileSync(join(indexRoot, "index.json.sig"), signIndex(text, generateKeyPairSync("ed25519").privateKey));
    await expect(catalogue.list()).rejects.toMatchObject({ code: "catalogue_untrusted" });
  });

  test("refuses the one template that was changed, in either file, and keeps the others", async () => {
    for (const [file, find] of [
      ["compose.yaml", "SIGNUPS_ALLOWED}"],
      ["app.yaml", "publish: proxy"],
    ] as const) {
      const { catalogue, root } = await signedWorld();
      edit(join(root, "vaultwarden/1.37.1", file), find, `${find} `);
      await expect(catalogue.load("vaultwarden")).rejects.toMatchObject({ code: "catalogue_untrusted" });
      await expect(catalogue.getDetail("vaultwarden")).rejects.toMatchObject({ code: "catalogue_untrusted" });
      expect((await catalogue.load("whoami")).manifest.name).toBe("whoami");
    }
  });
});

test("a checkout reads its templates once, not for every list", async () => {
  const world = await signedWorld();
  const catalogue = openCatalogue({ ...world, trustedKey: "", log: createLog(createFakeClock(), "warn", () => {}) });
  expect(await catalogue.list()).toHaveLength(3);
  rmSync(world.root, { recursive: true });
  expect(await catalogue.list()).toHaveLength(3);
});

describe("templates of the admin's own", () => {
  function addOwn(world: World, name: string, display: string): string {
    const folder = join(world.ownRoot, name);
    cpSync(whoami, folder, { recursive: true });
    edit(join(folder, "1.11.0/app.yaml"), "name: whoami\n", `name: ${name}\n`);
    edit(join(folder, "1.11.0/app.yaml"), "display_name: whoami", `display_name: ${display}`);
    return join(folder, "1.11.0/app.yaml");
  }

  test("stand beside the catalogue and follow their files", async () => {
    const world = await signedWorld();
    expect(await world.catalogue.list()).toHaveLength(3);
    const file = addOwn(world, "mine", "Mine");
    expect((await world.catalogue.getDetail("mine")).display_name).toBe("Mine");
    edit(file, "display_name: Mine", "display_name: Ours");
    utimesSync(file, 1_000, 1_000);
    expect((await world.catalogue.getDetail("mine")).display_name).toBe("Ours");
    expect((await world.catalogue.list()).map((template) => template.name)).toEqual([
      "immich",
      "mine",
      "vaultwarden",
      "whoami",
    ]);
    rmSync(join(world.ownRoot, "mine"), { recursive: true });
    expect(await world.catalogue.list()).toHaveLength(3);
  });

  test("cannot be installed in a version that overreaches, even when the newest does not", async () => {
    const world = await signedWorld();
    addOwn(world, "mine", "Mine");
    cpSync(join(world.ownRoot, "mine/1.11.0"), join(world.ownRoot, "mine/1.10.0"), { recursive: true });
    edit(join(world.ownRoot, "mine/1.10.0/app.yaml"), 'version: "1.11.0"', 'version: "1.10.0"');
    edit(join(world.ownRoot, "mine/1.10.0/compose.yaml"), "read_only: true", "volumes: [/etc:/host]");
    expect((await world.catalogue.load("mine")).manifest.version).toBe("1.11.0");
    await expect(world.catalogue.load("mine", "1.10.0")).rejects.toMatchObject({ code: "template_broken" });
  });

  test("need no digest, but are left out with a log line when they would overreach or cannot work", async () => {
    const world = await signedWorld();
    addOwn(world, "fine", "Fine");
    addOwn(world, "greedy", "Greedy");
    edit(join(world.ownRoot, "greedy/1.11.0/compose.yaml"), "read_only: true", "volumes: [/var/run/docker.sock:/s]");
    addOwn(world, "broken", "Broken");
    edit(join(world.ownRoot, "broken/1.11.0/app.yaml"), "schema: 1", "schema: one");
    mkdirSync(join(world.ownRoot, "empty"));
    const names = (await world.catalogue.list()).map((template) => template.name);
    expect(names).toEqual(["fine", "immich", "vaultwarden", "whoami"]);
    expect(world.logged).toHaveLength(3);
    expect(world.logged.join("\n")).toContain("uses docker_socket without declaring it");
    expect(world.logged.join("\n")).toContain("broken/1.11.0/app.yaml");
  });
});

describe("names", () => {
  test("that are not there come with the nearest one", async () => {
    const { catalogue } = await signedWorld();
    for (const [typed, suggestion] of [
      ["vaultwaren", "vaultwarden"],
      ["Imich", "immich"],
      ["vault", "vaultwarden"],
      ["../../etc", null],
      ["constructor", null],
    ] as const) {
      await expect(catalogue.load(typed)).rejects.toMatchObject({ code: "template_not_found", params: { suggestion } });
    }
  });

  test("a version that is not there", async () => {
    const { catalogue } = await signedWorld();
    await expect(catalogue.load("whoami", "9.9.9")).rejects.toMatchObject({ code: "template_not_found" });
    expect((await catalogue.load("whoami", "1.11.0")).manifest.version).toBe("1.11.0");
  });
});
