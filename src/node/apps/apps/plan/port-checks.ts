import { isPublicAddress } from "../../../../kernel/outgoing/index.ts";
import type { Manifest } from "../../templates/index.ts";
import { lanAddress, mainAddress } from "../blueprint/blueprint.ts";
import type { PlanCheck } from "../contract.ts";
import { check } from "./checks.ts";
import { EVERYWHERE, findHolder, LOOPBACK, type PlacedPort, type TakenPort, type WantedPort } from "./ports.ts";
import { reachOf, type Visitor } from "./reach.ts";

/** Where systemd's own name lookup listens: on every desktop and many servers. */
const SYSTEMD_RESOLVED = ["127.0.0.53", "127.0.0.54"];

/** Who has a port, as far as its address tells. */
const describeHolder = ({ address, port }: TakenPort): string =>
  SYSTEMD_RESOLVED.includes(address)
    ? `systemd-resolved, this server's own name lookup, has port ${port} on ${address}.`
    : `Another program has port ${port} on ${address === "" ? EVERYWHERE : address}.`;

const uniqueLines = (lines: readonly string[]): string => [...new Set(lines)].join(" ");

/** How a port that can be no other is had. */
function freeingAdvice({ address, port }: TakenPort): string {
  if (SYSTEMD_RESOLVED.includes(address))
    return "Set DNSStubListener=no in /etc/systemd/resolved.conf, run systemctl restart systemd-resolved, and look again.";
  return `Stop that program (ss -lntup 'sport = :${port}' names it), and look again.`;
}

/** Whether every port got the place that was asked for, and what stands in the way of those that can have no other. */
export function checkPorts(
  { display_name }: Pick<Manifest, "display_name">,
  wanted: readonly WantedPort[],
  placed: readonly PlacedPort[],
  taken: readonly TakenPort[],
): PlanCheck {
  const fixed = placed.filter((_, index) => wanted[index]?.isFixed);
  const blockers = fixed.flatMap((port) => findHolder(port, taken) ?? []);
  const [blocker] = blockers;
  if (blocker) {
    const detail = `${uniqueLines(blockers.map(describeHolder))} ${display_name} can use no other port.`;
    return check("port", "fail", "Ports", detail, { next_step: freeingAdvice(blocker) });
  }
  const onHost = placed.filter((_, index) => wanted[index]?.isOnHost);
  const squeezed = fixed.filter(({ bind }) => bind !== EVERYWHERE && bind !== LOOPBACK);
  const [first] = squeezed;
  if (first) {
    const holders = squeezed.flatMap((port) => findHolder({ ...port, bind: EVERYWHERE }, taken) ?? []);
    const detail = `${uniqueLines(holders.map(describeHolder))} ${display_name} uses port ${first.host} on ${first.bind} beside it, and nothing on the server changes.`;
    const next_step = `Keep ${first.bind} as this server's address: ${display_name} does not start under another one.`;
    return check("port", "warn", "Ports", detail, { next_step });
  }
  const moved = placed.flatMap((port, index) => {
    const asked = wanted[index]?.wanted ?? null;
    return asked === null || asked === port.host ? [] : [`Port ${asked} is taken; ${port.host} is used instead.`];
  });
  const places = placed.map(({ host, purpose }) => `${purpose}: ${host}`).join(", ");
  const shared =
    onHost.length === 0
      ? ""
      : " It uses this server's own network: these ports stand as they are, and so does every other that it opens.";
  if (moved.length === 0) return check("port", "ok", "Ports", `${places}${shared === "" ? "" : `.${shared}`}`);
  const next_step = "Choose another port if that does not suit you.";
  return check("port", "warn", "Ports", moved.join(" "), { next_step });
}

/** Who can reach an app once it runs, and whether the one who asks is among them. */
export function checkReach(manifest: Manifest, ports: readonly PlacedPort[], visitor: Visitor): PlanCheck {
  const title = "Who can reach it";
  const main = ports.find(({ service, container }) => {
    const { main: page } = manifest;
    return service === page.service && container === page.port;
  });
  if (!main) return check("reach", "ok", title, "Nobody from outside: it publishes no page.");
  if (reachOf(main.bind) === "loopback") {
    const detail = "Only this server itself.";
    if (visitor.near !== "lan") return check("reach", "ok", title, detail);
    return check("reach", "warn", title, `${detail} You are on another machine and could not open it.`, {
      next_step: "Let your network reach it to open it from where you are.",
    });
  }
  const { url, base } = mainAddress(manifest, ports);
  const address = lanAddress();
  const detail = `Everybody who can reach this server, at ${url ?? base ?? address}.`;
  if (isPublicAddress(address))
    return check("reach", "warn", title, `${detail} That is a public address: the whole internet can.`, {
      next_step: "Let only this server reach it, or keep others out with a firewall in front of the server.",
    });
  if (visitor.near === "lan" && isPublicAddress(visitor.ip))
    return check("reach", "warn", title, `${detail} You come from outside of its network.`, {
      next_step: `To open it from where you are, your router must pass on port ${main.host}, or use a VPN.`,
    });
  return check("reach", "ok", title, detail);
}
