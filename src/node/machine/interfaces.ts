import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ownAddresses } from "../../kernel/host/addresses.ts";
import { readText } from "./proc-file.ts";

/** One network interface as the host knows it. */
export interface NetInterface {
  name: string;
  kind: "ethernet" | "wireless" | "virtual";
  is_up: boolean;
  mac: string | null;
  mtu: number | null;
  speed_mbps: number | null;
  /** With the length of the prefix. */
  addresses: string[];
  rx_bytes: number;
  tx_bytes: number;
}

/** Containers come and go with these, and each has its own figures. */
const CONTAINER_END = /^(veth|cali|cni|lxc[0-9a-f]|tap[0-9a-f]{8})/;
const NO_MAC = "00:00:00:00:00:00";

function wholeNumber(text: string | null): number | null {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function kindOf(folder: string): NetInterface["kind"] {
  if (["wireless", "phy80211"].some((file) => existsSync(join(folder, file)))) return "wireless";
  return existsSync(join(folder, "device")) ? "ethernet" : "virtual";
}

function readInterface(folder: string, name: string, addresses: string[]): NetInterface {
  const read = (file: string) => readText(join(folder, name, file));
  const mac = read("address");
  return {
    name,
    kind: kindOf(join(folder, name)),
    // Tunnels do not know their state; they are there while they work.
    is_up: ["up", "unknown"].includes(read("operstate") ?? ""),
    mac: mac === null || mac === "" || mac === NO_MAC ? null : mac,
    mtu: wholeNumber(read("mtu")),
    speed_mbps: wholeNumber(read("speed")),
    addresses,
    rx_bytes: wholeNumber(read("statistics/rx_bytes")) ?? 0,
    tx_bytes: wholeNumber(read("statistics/tx_bytes")) ?? 0,
  };
}

/** The addresses of our own network, which is the host's unless we look at it from a container. */
function addressesOf(root: string): Map<string, string[]> {
  if (root !== "/") return new Map();
  const groups = Map.groupBy(ownAddresses(), (one) => one.interface);
  return new Map([...groups].map(([name, list]) => [name, list.map(({ cidr }) => cidr)]));
}

/** All interfaces of the host below `root` but loopback and the ends of containers, by name. */
export function readInterfaces(root: string): NetInterface[] {
  const folder = join(root, "sys/class/net");
  const addresses = addressesOf(root);
  try {
    return readdirSync(folder)
      .filter((name) => name !== "lo" && !CONTAINER_END.test(name) && existsSync(join(folder, name, "statistics")))
      .sort()
      .map((name) => readInterface(folder, name, addresses.get(name) ?? []));
  } catch {
    return [];
  }
}
