import { InterpolationError, interpolate } from "./interpolate.ts";
import type { YamlNode } from "./yaml-tree.ts";

type MapNode = Extract<YamlNode, { kind: "map" }>;
type ListNode = Extract<YamlNode, { kind: "list" }>;
type Merge = (base: YamlNode, over: YamlNode, told: Told) => YamlNode;

/** Told of values that cannot be brought together, by the path of keys that leads to them. */
export type Told = (path: readonly string[], node: YamlNode) => void;

const place = ({ line, column, from }: YamlNode) => ({ line, column, ...(from === undefined ? {} : { from }) });
const scalar = (at: YamlNode, text: string, isText: boolean): YamlNode => ({
  kind: "scalar",
  ...place(at),
  text,
  isText,
});
const nothing = (at: YamlNode): YamlNode => ({ kind: "null", ...place(at) });

/** Text of a value with its variables; as it is written where they have no value, which is told when it is read. */
export function textOf(node: YamlNode | undefined): string {
  if (node?.kind !== "scalar") return "";
  const { text, from } = node;
  if (!node.isText || from === undefined) return text;
  try {
    return interpolate(text, from.lookup);
  } catch (error) {
    if (error instanceof InterpolationError) return text;
    throw error;
  }
}

/** A list of `KEY=value` as a map, so that each key can be replaced; anything else as it is. */
function asPairs(node: YamlNode): YamlNode {
  if (node.kind !== "list") return node;
  const entries = new Map<string, YamlNode>();
  for (const item of node.items) {
    if (item.kind !== "scalar") return node;
    const at = item.text.indexOf("=");
    if (at < 0) entries.set(item.text, nothing(item));
    else entries.set(item.text.slice(0, at), scalar(item, item.text.slice(at + 1), true));
  }
  return { ...node, kind: "map", entries };
}

/** A list of names as a map of them, each with what `give` makes of it. */
const asNames =
  (give: (item: YamlNode) => YamlNode) =>
  (node: YamlNode): YamlNode => {
    if (node.kind !== "list" || node.items.some((item) => item.kind !== "scalar")) return node;
    const entries = new Map(node.items.map((item) => [item.kind === "scalar" ? item.text : "", give(item)]));
    return { ...node, kind: "map", entries };
  };

/** What `depends_on` means where it only names a service. */
const plainDependency = (item: YamlNode): YamlNode => ({
  kind: "map",
  ...place(item),
  entries: new Map([
    ["condition", scalar(item, "service_started", false)],
    ["required", scalar(item, "true", false)],
  ]),
});

/** One value as the list of it. */
const asList = (node: YamlNode): YamlNode =>
  node.kind === "scalar" ? { kind: "list", ...place(node), items: [node] } : node;

/** A map of names and addresses as the lines that a list has; a name may stand in several. */
function asHosts(node: YamlNode): YamlNode {
  if (node.kind !== "map") return node;
  const items = [...node.entries].map(([host, value]) => scalar(value, `${host}=${textOf(value)}`, false));
  return { kind: "list", ...place(node), items };
}

/** Values of both, those of the base first; what has the key of an earlier one takes its place. */
function joinLists(base: ListNode, over: ListNode, keyOf: (item: YamlNode) => string): ListNode {
  const byKey = new Map<string, YamlNode>();
  for (const item of [...base.items, ...over.items]) {
    const key = keyOf(item);
    byKey.set(key === "" ? `#${byKey.size}` : `=${key}`, item);
  }
  return { ...over, items: [...byKey.values()] };
}

const given = (node: YamlNode, key: string): string => textOf(node.kind === "map" ? node.entries.get(key) : undefined);

/** What makes an item of a list the same one as another: where it goes to in the container, mostly. */
const ITEM_KEYS: Readonly<Record<string, (item: YamlNode) => string>> = {
  volumes: (item) => (item.kind === "map" ? given(item, "target") : (textOf(item).split(":")[1] ?? textOf(item))),
  devices: (item) => (item.kind === "map" ? given(item, "target") : (textOf(item).split(":")[1] ?? textOf(item))),
  configs: (item) => given(item, "target") || given(item, "source") || textOf(item),
  secrets: (item) => given(item, "target") || given(item, "source") || textOf(item),
  env_file: (item) => given(item, "path") || textOf(item),
  ports: (item) =>
    item.kind === "map"
      ? `${given(item, "host_ip")}:${given(item, "published")}:${given(item, "target")}/${given(item, "protocol") || "tcp"}`
      : textOf(item),
};

/** How a value is looked at before it is brought together with another one, by the key of a service. */
const FORMS: Readonly<Record<string, (node: YamlNode) => YamlNode>> = {
  environment: asPairs,
  labels: asPairs,
  sysctls: asPairs,
  annotations: asPairs,
  depends_on: asNames(plainDependency),
  networks: asNames(nothing),
  dns: asList,
  dns_search: asList,
  dns_opt: asList,
  tmpfs: asList,
  env_file: asList,
  extra_hosts: asHosts,
};

const latest: Merge = (_, over) => over;

/** Options of one kind of log mean nothing to another. */
const logging: Merge = (base, over, told) => {
  const [before, now] = [given(base, "driver"), given(over, "driver")];
  return before === now || before === "" || now === "" ? mergeAt(base, over, ["logging"], told) : over;
};

/** Keys of a service that are brought together in a way of their own. */
const RULES: Readonly<Record<string, Merge>> = {
  command: latest,
  entrypoint: latest,
  "healthcheck.test": latest,
};

/** Pairs whose key without a value says something. */
const PAIRS: readonly string[] = ["environment", "labels", "sysctls", "annotations"];

/** One service over another, as the Compose Specification merges them. */
export function mergeServices(base: YamlNode, over: YamlNode, told: Told): YamlNode {
  return mergeAt(base, over, [], told);
}

/** One file over another. */
export function mergeFiles(base: YamlNode, over: YamlNode, told: Told): YamlNode {
  return mergeMaps(base, over, [], told, (key, before, now) => {
    if (key !== "services") return mergeAt(before, now, [key], told);
    const inService: Told = (path, node) => told([key, ...path], node);
    return mergeMaps(before, now, [], inService, (name, one, other) =>
      mergeServices(one, other, (path, node) => inService([name, ...path], node)),
    );
  });
}

function mergeAt(base: YamlNode, over: YamlNode, path: readonly string[], told: Told): YamlNode {
  const key = path.join(".");
  if (over.merge !== undefined) return over;
  const rule = RULES[key];
  if (rule !== undefined) return rule(base, over, told);
  const form = FORMS[key] ?? ((node: YamlNode) => node);
  const [before, now] = [form(base), form(over)];
  if (now.kind === "null") return before;
  if (before.kind === "null") return now;
  const isLimit = path[0] === "ulimits" && path.length === 2 && (before.kind !== "map" || now.kind !== "map");
  if (isLimit || (before.kind === "scalar" && now.kind === "scalar")) return now;
  if (before.kind === "list" && now.kind === "list") return joinLists(before, now, ITEM_KEYS[key] ?? textOf);
  if (before.kind === "map" && now.kind === "map") {
    return mergeMaps(before, now, path, told, (name, one, other) => {
      if (name.startsWith("x-") || PAIRS.includes(key)) return other;
      if (path.length === 0 && name === "logging") return logging(one, other, told);
      return mergeAt(one, other, [...path, name], told);
    });
  }
  told(path, over);
  return now;
}

function mergeMaps(
  base: YamlNode,
  over: YamlNode,
  path: readonly string[],
  told: Told,
  merge: (key: string, base: YamlNode, over: YamlNode) => YamlNode,
): YamlNode {
  if (over.kind === "null") return base;
  if (base.kind === "null") return over;
  if (base.kind !== "map" || over.kind !== "map") {
    told(path, over);
    return over;
  }
  const entries = new Map(base.entries);
  for (const [key, node] of over.entries) {
    const before = entries.get(key);
    if (node.merge === "reset") entries.delete(key);
    else entries.set(key, before === undefined ? node : merge(key, before, node));
  }
  const merged: MapNode = { ...over, entries };
  return merged;
}
