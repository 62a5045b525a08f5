import { expect, test } from "bun:test";
import type { App, AppStatus } from "../../client/types.ts";
import { judge, listNeeds } from "../screens/home/verdict.ts";
import { nameProblem } from "../screens/setup/name.ts";
import { chooseStarters, fitOf } from "../screens/setup/starters.ts";
import { filterTemplates } from "../screens/store/filter.ts";
import { appUrl } from "./app-state.ts";
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
  started_at: "2026-01-01T00:00:00.000Z",
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
    lede: "Ran out of memory. Everything else on atlas is in order.",
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
    apps: [app("never", "error", { started_at: null }), app("crashed", "error"), app("fine", "running")],
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

test("an app on loopback is opened on the host that the page came from", () => {
  expect(appUrl({ url: "http://127.0.0.1:2201/", port: 2201 }, "atlas.local")).toBe("http://atlas.local:2201/");
  expect(appUrl({ url: "https://photos.example.org/", port: null }, "atlas.local")).toBe("https://photos.example.org/");
  expect(appUrl({ url: null, port: 8080 }, "10.0.0.2")).toBe("http://10.0.0.2:8080/");
  expect(appUrl({ url: null, port: null }, "x")).toBeNull();
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
