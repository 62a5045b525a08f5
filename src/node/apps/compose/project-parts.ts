import { isIP } from "node:net";
import { type Cidr, isWithin, overlaps, parseAddress, parseCidr } from "../../../kernel/outgoing/address.ts";
import { checkCount } from "./budget.ts";
import type { NetworkSpec, SubnetSpec, VolumeSpec } from "./model.ts";
import {
  type Field,
  type Reading,
  readBoolean,
  readLabels,
  readList,
  readMap,
  readText,
  readTextMap,
  report,
  reportUnsupported,
} from "./reading.ts";

type Draft<Spec> = { -readonly [Key in keyof Spec]: Spec[Key] };

/** Only users' files say more of a network or a volume than its labels. */
const isOwnFile = ({ dialect }: Reading): boolean => dialect === "project";

/** A network of which the file says nothing but its name. */
export const plainNetwork = (name: string): NetworkSpec => ({
  name,
  isInternal: false,
  labels: {},
  driverOpts: {},
  hasIpv6: false,
  subnets: [],
  engineName: null,
  isExternal: false,
});

/** What stands below `volumes:` of a file. */
export function readVolumes(reading: Reading, field: Field): VolumeSpec[] {
  checkCount(reading, "volumes", field.node);
  return [...readMap(reading, field)].map(([name, volume]) => {
    const draft: Draft<VolumeSpec> = { name, labels: {}, driverOpts: {}, engineName: null, isExternal: false };
    for (const [key, option] of readMap(reading, volume)) {
      if (key === "labels") draft.labels = readLabels(reading, option);
      else if (key === "driver_opts" && isOwnFile(reading)) draft.driverOpts = readTextMap(reading, option);
      else if (isPlace(reading, key)) readPlace(reading, draft, key, option);
      else if (key !== "driver" || readText(reading, option) !== "local") {
        reportUnsupported(reading, option, "Remove it; volumes are local and named after the app");
      }
    }
    checkExternal(reading, draft, { key: `${field.key}.${name}`, node: volume.node });
    return draft;
  });
}

/** Docker's words for what is no network of a project: as its name they would mean the server's own, or another one. */
const KEPT_NETWORKS = ["bridge", "default", "host", "none"];

/** The option of a network that says which bridge of the server it is made on. */
export const BRIDGE_OPTION = "com.docker.network.bridge.name";
/** What the kernel takes unchanged: it ends a name where it finds no more room, puts a number in the place of %d, and keeps two words. */
const BRIDGE = /^(?!(\.{1,2}|all|default)$)[!-~]{1,15}$/;
const isBridge = (name: string): boolean => BRIDGE.test(name) && !/[/:%]/.test(name);

/** The options of a network. A bridge has a name that the kernel and everybody who asks for it take for the same. */
function readOptions(reading: Reading, field: Field): Record<string, string> {
  const options = readTextMap(reading, field);
  const bridge = options[BRIDGE_OPTION] ?? "";
  // Docker names the bridge itself where the name is empty.
  if (bridge !== "" && !isBridge(bridge)) {
    const node = field.node.kind === "map" ? field.node.entries.get(BRIDGE_OPTION) : undefined;
    const at = node === undefined ? field : { key: `${field.key}.${BRIDGE_OPTION}`, node };
    report(reading, at, `${bridge} is no name of a bridge`, "Use at most 15 letters, digits, dots, dashes and _");
  }
  return options;
}

/** What stands below `networks:` of a file. */
export function readNetworks(reading: Reading, field: Field): NetworkSpec[] {
  checkCount(reading, "networks", field.node);
  return [...readMap(reading, field)].map(([name, network]) => {
    const draft: Draft<NetworkSpec> = { ...plainNetwork(name) };
    for (const [key, option] of readMap(reading, network)) {
      if (key === "labels") draft.labels = readLabels(reading, option);
      else if (key === "internal") draft.isInternal = readBoolean(reading, option);
      else if (key === "driver_opts" && isOwnFile(reading)) draft.driverOpts = readOptions(reading, option);
      else if (key === "enable_ipv6" && isOwnFile(reading)) draft.hasIpv6 = readBoolean(reading, option);
      else if (key === "ipam" && isOwnFile(reading)) draft.subnets = readAddresses(reading, option);
      else if (isPlace(reading, key)) readPlace(reading, draft, key, option);
      else if (key !== "driver" || readText(reading, option) !== "bridge") {
        reportUnsupported(reading, option, "Remove it; networks are bridges that belong to the app");
      }
    }
    const at = { key: `${field.key}.${name}`, node: network.node };
    checkExternal(reading, draft, at);
    if (draft.engineName !== null && KEPT_NETWORKS.includes(draft.engineName)) {
      const next = "Use another name, or network_mode: for the server's own network or none";
      report(reading, at, `${draft.engineName} is no network that a project can have`, next);
    }
    return draft;
  });
}

/** What a network or a volume is on the engine. */
type Place = { name: string; engineName: string | null; isExternal: boolean };

const isPlace = (reading: Reading, key: string): boolean =>
  isOwnFile(reading) && (key === "name" || key === "external");

function readPlace(reading: Reading, draft: Place, key: string, field: Field): void {
  if (key === "external") {
    draft.isExternal = readBoolean(reading, field);
    return;
  }
  const text = readText(reading, field);
  if (text !== null) checkFree(reading, field, text);
  draft.engineName = text;
}

/** Names on the engine that belong to no app. */
function checkFree(reading: Reading, field: Field, name: string): void {
  if (!/^(?!orrery-)[a-zA-Z0-9][a-zA-Z0-9_.-]{0,254}$/.test(name))
    report(reading, field, `${name} is no free name`, "Use letters and digits; orrery- is for apps");
}

/** What is somebody else's is found by its name, and by nothing that a file could wish of it. */
function checkExternal(reading: Reading, draft: Place, field: Field): void {
  if (!draft.isExternal) return;
  if (draft.engineName === null) {
    draft.engineName = draft.name;
    checkFree(reading, field, draft.name);
  }
  for (const [key, option] of readMap(reading, field)) {
    const isKnown = key === "external" || key === "name";
    if (!isKnown) report(reading, option, `${draft.name} is not made here, so this means nothing`, "Remove it");
  }
}

function readAddresses(reading: Reading, field: Field): SubnetSpec[] {
  let subnets: SubnetSpec[] = [];
  for (const [key, option] of readMap(reading, field)) {
    if (key === "config") subnets = readList(reading, option).flatMap((item) => readSubnet(reading, item) ?? []);
    else if (key !== "driver" || readText(reading, option) !== "default") {
      reportUnsupported(reading, option, "Remove it; addresses are given by Docker's own driver");
    }
  }
  return subnets;
}

function readSubnet(reading: Reading, item: Field): SubnetSpec | null {
  const draft: Draft<SubnetSpec> = { subnet: "", gateway: null, ipRange: null };
  for (const [key, option] of readMap(reading, item)) {
    const text = readText(reading, option);
    if (text === null) continue;
    const isBlock = key === "subnet" || key === "ip_range";
    const block = isBlock ? parseBlock(text) : null;
    if (isBlock && block === null) report(reading, option, `${text} is no block`, "Write it like 172.28.0.0/16");
    if (block !== null && !isPossible(block))
      report(reading, option, `${text} has addresses that no network can have`, "Write one like 172.28.0.0/16");
    if (key === "gateway" && isIP(text) === 0) {
      report(reading, option, `${text} is no address`, "Write it like 172.28.0.1");
    }
    if (key === "subnet") draft.subnet = text;
    else if (key === "ip_range") draft.ipRange = text;
    else if (key === "gateway") draft.gateway = text;
    else reportUnsupported(reading, option, undefined);
  }
  checkInside(reading, item, draft);
  if (draft.subnet !== "") return draft;
  report(reading, item, "no block of addresses", "Write subnet: with a block such as 172.28.0.0/16");
  return null;
}

/** A block of addresses with its length; null for a text that is none. */
function parseBlock(text: string): Cidr | null {
  const isBlock = /^[^/%]+\/\d{1,3}$/.test(text);
  try {
    return isBlock ? parseCidr(text) : null;
  } catch {
    return null;
  }
}

/** This machine itself, many at once, and what is kept for later: a network of them would cut the server off from itself. */
const IMPOSSIBLE = ["0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3", "::/8", "ff00::/8"].map(parseCidr);
/** The largest block that is anybody's own, such as 10.0.0.0/8. */
const SHORTEST = 8;

const isPossible = (block: Cidr): boolean =>
  block.bits >= SHORTEST && !IMPOSSIBLE.some((range) => overlaps(block, range));

/** What is given out of a block lies in it: the block alone says which addresses a network takes. */
function checkInside(reading: Reading, item: Field, { subnet, gateway, ipRange }: SubnetSpec): void {
  const block = parseBlock(subnet);
  const inside = [gateway === null ? null : parseAddress(gateway), ipRange === null ? null : parseBlock(ipRange)];
  for (const one of inside)
    if (block !== null && one !== null && !isWithin(one, block))
      report(reading, item, `the gateway or the range does not lie in ${subnet}`, "Correct one of them");
}
