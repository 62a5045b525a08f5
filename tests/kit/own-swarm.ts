import { type OwnEngine, startOwnEngine } from "./own-engine.ts";

/** Engines on hosts of their own, as far as the network goes; no two of them share an address. Needs root. */
export interface OwnSwarm {
  engines: OwnEngine[];
  /** Of each engine; this machine reaches them all. */
  addresses: string[];
  /** Makes the first one the first manager, then takes in the others in the given roles. */
  form(...roles: ("manager" | "worker")[]): Promise<void>;
  dispose(): Promise<void>;
}

async function ip(...args: string[]): Promise<void> {
  const child = Bun.spawn(["ip", ...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const error = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`ip ${args.join(" ")}: ${error.trim()}`);
}

const DISK_MB = 64;

/**
 * Starts `count` engines that can reach each other. Their switch has a namespace of its own too: what passes a bridge of this
 * machine, its firewall sees and may drop.
 */
export async function startOwnSwarm(count: number): Promise<OwnSwarm> {
  const mark = `osw${process.pid}`;
  const subnet = `10.213.${process.pid % 250}`;
  const hub = `${mark}h`;
  const hosts = Array.from({ length: count }, (_, index) => ({
    name: `${mark}-${index}`,
    address: `${subnet}.${index + 11}`,
  }));
  await ip("netns", "add", hub);
  await ip("-n", hub, "link", "add", "switch", "type", "bridge");
  await ip("-n", hub, "link", "set", "switch", "up");
  const plug = async (cable: string): Promise<void> => {
    await ip("-n", hub, "link", "set", cable, "master", "switch");
    await ip("-n", hub, "link", "set", cable, "up");
  };
  await ip("link", "add", mark, "type", "veth", "peer", "name", "own", "netns", hub);
  await ip("addr", "add", `${subnet}.1/24`, "dev", mark);
  await ip("link", "set", mark, "up");
  await plug("own");
  for (const [index, { name, address }] of hosts.entries()) {
    await ip("netns", "add", name);
    await ip("-n", name, "link", "set", "lo", "up");
    await ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", `c${index}`, "netns", hub);
    await ip("-n", name, "addr", "add", `${address}/24`, "dev", "eth0");
    await ip("-n", name, "link", "set", "eth0", "up");
    await plug(`c${index}`);
  }
  const engines = await Promise.all(hosts.map(({ name }) => startOwnEngine(DISK_MB, { namespace: name })));
  return {
    engines,
    addresses: hosts.map(({ address }) => address),
    async form(...roles) {
      const [first, ...others] = engines;
      const [address, ...places] = hosts.map((host) => host.address);
      if (!first || !address) throw new Error("a swarm needs an engine");
      // So that a member that is gone is missed after a few seconds.
      await first.docker("swarm", "init", "--advertise-addr", address, "--dispatcher-heartbeat", "1s");
      for (const [index, engine] of others.entries()) {
        const token = await first.docker("swarm", "join-token", "--quiet", roles[index] ?? "worker");
        const where = ["--advertise-addr", places[index] ?? "", `${address}:2377`];
        await engine.docker("swarm", "join", "--token", token, ...where);
      }
    },
    async dispose() {
      await Promise.all(engines.map((engine) => engine.dispose()));
      await ip("link", "delete", mark);
      for (const { name } of hosts) await ip("netns", "delete", name);
      await ip("netns", "delete", hub);
    },
  };
}
