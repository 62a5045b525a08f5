import { expect, test } from "bun:test";
import { filterTemplates } from "../apps/templates/filter.ts";
import { publishHint, startPublish } from "../apps/templates/publish.ts";
import type { App, AppStatus } from "../client/types.ts";
import { judge, listNeeds } from "../platform/dashboards/verdict.ts";
import { nameProblem } from "../platform/setup/name.ts";
import { chooseStarters, fitOf } from "../platform/setup/starters.ts";
import { reachOf } from "./app-state.ts";
import { applyOperationEvent, freshOperation } from "./operation-events.ts";

const app = (name: string, status: AppStatus, part: Partial<App> = {}): App => ({
  id: `app_${name}`,
  name,
  template: name,
  display_name: name,
  icon: "box",
  category: "files",
  version: "1",
  status,
  cause: null,
  next_step: null,
  created_at: "2026-01-01T00:00:00.000Z",
  installed_at: "2026-01-01T00:00:00.000Z",
  started_at: null,
  url: null,
  port: null,
  op_id: null,
  ...part,
});
const facts = { host: "atlas", runtime: null, disks: [] };

test("the verdict says in one sentence whether all is well", () => {
  expect(judge({ ...facts, apps: [] }).title).toBe("atlas is ready for its first app.");
  expect(judge({ ...facts, apps: [app("a", "running"), app("b", "running")] }).title).toBe(
    "Both apps hold a steady orbit.",
  );
  const broken = judge({
    ...facts,
    apps: [app("a", "running"), app("Paperless", "error", { cause: "ran out of memory" })],
  });
  expect(broken).toEqual({
    title: "One app holds a steady orbit. Paperless has dropped out.",
    lede: "Paperless: Ran out of memory. Everything else on atlas is in order.",
  });
});

test("needs come worst first, each with the fix that fits", () => {
  const disk = {
    device: "sda",
    mount_point: "/",
    fs_type: "ext4",
    total_bytes: 10,
    used_bytes: 9,
    free_bytes: 1,
    usage_percent: 91,
  };
  const needs = listNeeds({
    ...facts,
    disks: [disk],
    apps: [app("never", "error", { installed_at: null }), app("crashed", "error"), app("fine", "running")],
  });
  expect(needs.map((need) => [need.state, need.fix.kind])).toEqual([
    ["crit", "retry"],
    ["crit", "start"],
    ["warn", "storage"],
  ]);
});

test("an operation is rebuilt from its events, also when they repeat after a reconnect", () => {
  const time = "2026-01-01T00:00:01.000Z";
  const events = [
    {
      seq: 1,
      type: "plan",
      steps: [
        { step: "pull", title: "Download" },
        { step: "start", title: "Start" },
      ],
    },
    { seq: 2, type: "step", step: "pull", status: "running", bytes_done: 1, bytes_total: 4, time },
    { seq: 3, type: "log", text: "layer 1", time },
    { seq: 3, type: "log", text: "layer 1", time },
    { seq: 4, type: "step", step: "pull", status: "done", time },
    { seq: 5, type: "step", step: "start", status: "running", time },
    { seq: 6, type: "error", text: "Port 80 is taken", time },
    { seq: 7, type: "new-kind" },
  ];
  const view = events.reduce(applyOperationEvent, freshOperation);
  expect(view.status).toBe("failed");
  expect(view.error).toBe("Port 80 is taken");
  expect(view.steps.map((step) => step.status)).toEqual(["done", "failed"]);
  expect(view.log).toEqual([{ at: time, text: "layer 1" }]);
  expect(applyOperationEvent(freshOperation, null)).toBe(freshOperation);
});

test("an app opens where this browser can reach it", () => {
  const at = (hostname: string, protocol = "http:") => ({ hostname, protocol });
  const local = { url: "http://127.0.0.1:2201/x" };
  const lan = { url: "http://10.0.0.5:8080/" };
  expect(reachOf(local, at("127.0.0.1"))).toEqual({ kind: "open", url: "http://127.0.0.1:2201/x" });
  expect(reachOf(local, at("atlas.local"))).toEqual({ kind: "server-only" });
  expect(reachOf(lan, at("atlas.local"))).toEqual({ kind: "open", url: "http://atlas.local:8080/" });
  expect(reachOf(lan, at("atlas.example.org", "https:"))).toEqual({ kind: "open", url: "http://10.0.0.5:8080/" });
  expect([reachOf({ url: null }, at("x")), reachOf({ url: "nonsense" }, at("x"))]).toEqual([
    { kind: "none" },
    { kind: "none" },
  ]);
});

test("an app is put where the reader can open it, unless it asks for a port that nobody else may reach", () => {
  const start = (hostname: string, ...publish: ("proxy" | "loopback" | "lan" | "public")[]) =>
    startPublish(
      publish.map((item) => ({ publish: item })),
      { hostname },
    );
  expect([start("127.0.0.1", "proxy"), start("localhost", "proxy"), start("[::1]", "proxy")]).toEqual(
    Array(3).fill("default"),
  );
  expect([start("10.0.0.5", "proxy"), start("atlas.local", "lan", "proxy")]).toEqual(["lan", "lan"]);
  expect([start("atlas.local"), start("atlas.local", "lan", "public")]).toEqual(["default", "default"]);
  expect([start("atlas.local", "loopback"), start("atlas.local", "proxy", "loopback")]).toEqual(["default", "default"]);
  expect(publishHint("lan", { hostname: "atlas.local" })).toContain("Everybody on your network");
  expect(publishHint("loopback", { hostname: "atlas.local" })).toContain("not on this machine");
  expect(publishHint("default", { hostname: "atlas.local" })).toBeNull();
  expect(publishHint("lan", { hostname: "localhost" })).toBeNull();
});

test("host names follow the rule of the server", () => {
  expect(nameProblem("atlas-2")).toBeNull();
  for (const wrong of ["", "-a", "a-", "a b", "A", "ä", "a".repeat(64)]) expect(nameProblem(wrong)).not.toBeNull();
});

test("starters are the preferred ones that exist, and memory decides whether they fit", () => {
  const template = (name: string, featured: boolean) => ({
    name,
    display_name: name,
    description: "",
    tagline: "",
    category: "x",
    version: "1",
    icon: "box",
    featured,
  });
  const list = [
    template("zeta", true),
    template("vaultwarden", false),
    template("alpha", false),
    template("immich", false),
  ];
  expect(chooseStarters(list).map((item) => item.name)).toEqual(["immich", "vaultwarden", "zeta", "alpha"]);
  const needs = (ram_mb: number) => ({ needs: { ram_mb } });
  expect([
    fitOf([needs(100)], 1000).verdict,
    fitOf([needs(800)], 1000).verdict,
    fitOf([needs(600), needs(600)], 1000).verdict,
  ]).toEqual(["well", "tight", "not"]);
  expect(filterTemplates(list, { search: "vault", category: null }).map((item) => item.name)).toEqual(["vaultwarden"]);
  expect(filterTemplates(list, { search: "", category: null })[0]?.name).toBe("alpha");
});
