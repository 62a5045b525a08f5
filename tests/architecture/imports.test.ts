import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { placeOf } from "./areas.ts";
import { isTest, readSources, type Source } from "./sources.ts";

const RULES: { from: RegExp; mayNot: RegExp; why: string }[] = [
  { from: /^src\/lib\//, mayNot: /^src\/(?!lib\/)/, why: "lib is made of leaves that anything may use" },
  { from: /^src\/kernel\//, mayNot: /^src\/(shared|node|panel|build)\//, why: "the kernel knows no domain word" },
  { from: /^src\/shared\//, mayNot: /^src\/(node|panel|build)\//, why: "shared serves both programs" },
  { from: /^src\/node\//, mayNot: /^src\/(panel|build)\//, why: "a node runs without any panel code" },
  { from: /^src\/panel\//, mayNot: /^src\/(node|build)\//, why: "the panel runs without any node code" },
  { from: /^src\//, mayNot: /^(ui|tests)\//, why: "programs do not depend on their screens or tests" },
  { from: /^ui\/(?!build\.ts)/, mayNot: /^src\//, why: "the browser gets no server code; types travel by import type" },
  { from: /^ui\/(client|parts|shell)\//, mayNot: /^ui\/(node|panel|portal)\//, why: "what programs share knows none" },
  { from: /^ui\/node\//, mayNot: /^ui\/(panel|portal)\//, why: "each program has screens of its own" },
  { from: /^ui\/panel\//, mayNot: /^ui\/(node|portal)\//, why: "each program has screens of its own" },
  { from: /^ui\/kit\//, mayNot: /^ui\/(client|node|panel|portal)\//, why: "kit components know no data source" },
];

// A generic arrow function is markup to the tsx loader, so each file gets its own.
const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** Repository paths that a file imports at run time (type-only imports vanish). */
function importsOf({ path, text }: Source): string[] {
  return scanners[path.endsWith(".tsx") ? "tsx" : "ts"]
    .scanImports(text)
    .map((found) => found.path)
    .filter((target) => target.startsWith("."))
    .map((target) => join(dirname(path), target));
}

const sources = (await readSources("src/**/*.ts", "ui/**/*.{ts,tsx}")).filter(({ path }) => !isTest(path));

test("imports go one way", () => {
  const broken = sources.flatMap((source) =>
    importsOf(source).flatMap((target) =>
      RULES.filter((rule) => rule.from.test(source.path) && rule.mayNot.test(target)).map(
        (rule) => `${source.path} imports ${target}: ${rule.why}`,
      ),
    ),
  );
  expect(broken).toEqual([]);
});

test("a feature reaches another one only through its index", () => {
  const broken: string[] = [];
  for (const source of sources) {
    const own = placeOf(source.path);
    if (!own) continue;
    const folder = `src/${own.program}/${own.area}/${own.feature}/`;
    for (const target of importsOf(source)) {
      const other = placeOf(target);
      if (!other || target.startsWith(folder)) continue;
      // Wire schemas are data without behaviour, so contracts may build on each other.
      const isDoor = other.rest === "index.ts" || (source.path.endsWith("contract.ts") && other.rest === "contract.ts");
      if (!isDoor) broken.push(`${source.path} imports ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the command line names no feature: areas bring their verbs", () => {
  for (const program of ["node", "panel"]) {
    const table = `src/${program}/commands/`;
    const behind = new Set([`${table}index.ts`]);
    // A set that grows while it is walked: the table, and what it takes from its own folder.
    for (const path of behind)
      for (const source of sources.filter((one) => one.path === path))
        for (const target of importsOf(source)) if (target.startsWith(table)) behind.add(target);
    expect(behind.size).toBeGreaterThan(2);
    const named = sources.filter(({ path }) => behind.has(path)).flatMap(importsOf);
    expect(named.filter((target) => placeOf(target) !== null)).toEqual([]);
    expect(named).toContain(`src/${program}/people/wire.ts`);
  }
});

// Each of these stands for something that belongs to no single workspace.
const ACROSS_WORKSPACES = [
  "after-restore",
  "account-links",
  "accounts",
  "audit",
  "auto-updates",
  "bulk-jobs",
  "chat-channels",
  "commands",
  "devices",
  "email-proofs",
  "factor-resets",
  "factors",
  "fleet-records",
  "health",
  "fleet-incidents",
  "invitations",
  "mail",
  "nodes",
  "notifications",
  "oauth",
  "registration",
  "rollouts",
  "scim",
  "sessions",
  "sign-ins",
  "sso",
  "staff",
  "terminal-recordings",
  "tenants",
  "workspaces",
];

test("handlers of the panel see one workspace's rows only", () => {
  const outside = sources.filter(({ path }) => placeOf(path)?.program === "panel" && placeOf(path)?.area !== "agents");
  const across = outside.filter(({ text }) => /\b(system|SystemDb|SystemTx|openSystem)\b/.test(text));
  const allowed = new RegExp(`^src/panel/[a-z]+/(${ACROSS_WORKSPACES.join("|")})/`);
  expect(across.map(({ path }) => path).filter((path) => !allowed.test(path))).toEqual([]);
  // The fleet of one's own workspace is `live.fleetOf(actor)`; naming a workspace is for those who work for all.
  const fleets = outside.filter(({ text }) => /\blive\.of\(|LiveStore, "of"/.test(text)).map(({ path }) => path);
  expect(
    fleets.filter(
      (path) =>
        !/^src\/panel\/(fleet\/fleet-(incidents|records)|changes\/(auto-updates|bulk-jobs|rollouts))\//.test(path),
    ),
  ).toEqual([]);
  // The bare database, and the making of one workspace's, are for the guard alone.
  const bare = outside.filter(({ text }) => /\b(SqlDb|openTenant)\b/.test(text)).map(({ path }) => path);
  expect(bare.sort()).toEqual(["src/panel/people/sessions/authorize.ts", "src/panel/people/sessions/needs.ts"]);
});

test("what an actor does across workspaces is undone when their access ends meanwhile", () => {
  const panel = sources.filter(({ path }) => path.startsWith("src/panel/"));
  const functions = panel.flatMap(({ path, text }) =>
    text
      .replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$|^import [\s\S]*?;$/gm, "")
      .split(/^(?=(?:export )?(?:async function|function|const) )/m)
      .map((body) => ({ path, body })),
  );
  const ofActors = functions.filter(({ body }) => /\b(Actor|Doer)\b/.test(body));
  expect(ofActors.filter(({ body }) => body.includes("system.by(actor).tx(")).length).toBeGreaterThan(30);
  // What is left of a database across workspaces once it is the actor's, or is named without being used.
  const used = (body: string) =>
    body
      .replaceAll(/(\bsystem: )?\b(\w+\s*\.)?system\s*\.(by\(actor\)|onBehalfOf\(|engine\b)/g, "")
      .replaceAll(/\bsystem: (SystemDb\b|\{ engine \})|"system"|\{[^{}()]*\bsystem\b[^{}()]*\}: (Pick<|Needs)/g, "");
  const bare = ofActors.filter(({ body }) => /\bsystem\b/.test(used(body)));
  expect(bare.map(({ path, body }) => `${path}: ${body.slice(0, body.indexOf("("))}`)).toEqual([]);
  // Whoever is told by whom something is may be told so of members too.
  const byOthers = functions.filter(({ body }) => /\bby: By\b/.test(body) && /\bsystem\.(tx|run)\(/.test(body));
  expect(byOthers.map(({ path }) => path)).toEqual([]);
});

test("there are no import cycles", () => {
  const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  expect(cycles).toEqual([]);
});
