import { existsSync } from "node:fs";
import { createSeal, loadSealKey } from "../../kernel/seal.ts";
import type { Action } from "../../kernel/service/actions.ts";
import type { Host } from "../../kernel/service/host.ts";
import { isRecord } from "../../lib/json.ts";
import { NODE_LABEL, nodeId } from "../apps/apps/index.ts";

/** Kinds of things that an app has in the Docker Engine, in the order in which they can be removed. */
const KINDS = [
  {
    what: "container",
    list: "/containers/json?all=true&",
    key: "Id",
    remove: (id: string) => `/containers/${id}?force=true`,
  },
  { what: "network", list: "/networks?", key: "Id", remove: (id: string) => `/networks/${id}` },
  { what: "volume", list: "/volumes?", key: "Name", remove: (id: string) => `/volumes/${id}` },
] as const;

/** What Docker calls a thing; containers have a list of names, each with a slash before it. */
function nameOf(item: Record<string, unknown>): string {
  const names = item["Names"];
  return String((Array.isArray(names) ? names[0] : item["Name"]) ?? item["Id"]).replace(/^\//, "");
}

/** Whether a thing is ours: the image of a container may bring the label too, which the container was not given then. */
async function isGiven(
  host: Host,
  unix: string,
  item: Record<string, unknown>,
  [label, value]: [string, string],
): Promise<boolean> {
  const image = item["ImageID"];
  if (typeof image !== "string" || nameOf(item).startsWith("orrery-")) return true;
  const body = (await host.get(`http://docker/images/${image}/json`, { unix, timeoutMs: 10_000 }))?.body;
  const config = isRecord(body) ? body["Config"] : null;
  const labels = isRecord(config) ? config["Labels"] : null;
  return !isRecord(labels) || labels[label] !== value;
}

/**
 * Removals of every container, network and volume that carries the label of the node whose key lies in the data folder.
 * Other nodes on the same engine and foreign containers never match. Empty without a key or without Docker.
 */
export async function findAppParts(host: Host, env: Record<string, string>): Promise<Action[]> {
  const keyFile = host.real(`${env["ORRERY_DATA"]}/node.key`);
  if (!existsSync(keyFile)) return [];
  const unix = env["ORRERY_DOCKER_SOCKET"] ?? "/var/run/docker.sock";
  const node = nodeId(createSeal(loadSealKey(keyFile, false)));
  const filters = `filters=${encodeURIComponent(JSON.stringify({ label: [`${NODE_LABEL}=${node}`] }))}`;
  const actions: Action[] = [];
  for (const { what, list, key, remove } of KINDS) {
    const body = (await host.get(`http://docker${list}${filters}`, { unix, timeoutMs: 10_000 }))?.body;
    const items = isRecord(body) ? body["Volumes"] : body;
    for (const item of Array.isArray(items) ? items.filter(isRecord) : []) {
      if (!(await isGiven(host, unix, item, [NODE_LABEL, node]))) continue;
      actions.push({
        kind: "delete",
        what: `${what} ${nameOf(item)}`,
        unix,
        url: `http://docker${remove(String(item[key]))}`,
      });
    }
  }
  return actions;
}
