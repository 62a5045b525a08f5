import { useMemo } from "preact/hooks";
import type { Topology } from "../../../../../src/panel/fleet/fleet-overview/contract.ts";
import { type Line, type Place, picture, pictureOf } from "./layout.ts";
import { cutName, linkLook, shortHosts } from "./words.ts";

const [cx, cy] = [picture.width / 2, picture.height / 2];
/** More than these hide each other. */
const manyLines = 40;
/** As many letters as a name has room for on a desk, and on a phone, where the letters are larger than the picture. */
const letters = { desk: 20, phone: 11 };
/** With more members a phone has room for the names of those only that need a look. */
const manyNames = 8;
const states = ["up", "degraded", "down"] as const;

/** A cluster as a picture: who leads in the middle, then who has a vote, then who only works, and the links between them. */
export function ClusterPicture({ topology }: { topology: Topology }) {
  const { nodes, links, primary } = topology;
  const leader = primary === null ? null : (nodes.find((node) => isSame(node, primary))?.key ?? null);
  const { places, lines, rings } = useMemo(() => pictureOf(nodes, links, leader), [nodes, links, leader]);
  const short = useMemo(() => shortHosts(nodes.map(({ host }) => host)), [nodes]);
  return (
    <figure class={`sky clusterpic ${nodes.length > manyNames ? "crowded" : ""}`}>
      <svg class="orrery" viewBox={`0 0 ${picture.width} ${picture.height}`} role="img" aria-label={labelOf(topology)}>
        {rings.map((radius) => (
          <circle key={radius} class="rg far" cx={cx} cy={cy} r={radius} />
        ))}
        {states.map((state) => (
          <path
            key={state}
            class={`ln ${state} ${lines.length > manyLines ? "many" : ""}`}
            d={pathOf(lines.filter(({ link }) => link.state === state))}
          />
        ))}
        {leader !== null && <circle class="halo" cx={cx} cy={cy} r={20} />}
        {places.map((place) => (
          <Mark key={place.node.key} place={place} name={short.get(place.node.host) ?? place.node.host} />
        ))}
      </svg>
      <figcaption aria-hidden="true">
        {rings.includes(picture.outer) && (
          <span>
            <b>Outer ring</b>workers
          </span>
        )}
        {nodes.some(({ managed }) => !managed) && (
          <span>
            <b>Hollow</b>not enrolled here
          </span>
        )}
        {links.some(({ state }) => state === "degraded") && (
          <span>
            <i class="lnkey" />
            link degraded
          </span>
        )}
        {links.some(({ state }) => state === "down") && (
          <span>
            <i class="lnkey down" />
            link down
          </span>
        )}
      </figcaption>
    </figure>
  );
}

const isSame = (node: Topology["nodes"][number], primary: NonNullable<Topology["primary"]>): boolean =>
  primary.id === null ? node.id === null && node.host === primary.host : node.id === primary.id;

function Mark({ place, name }: { place: Place; name: string }) {
  const { node, x, y, anchor, isNamed } = place;
  const state = markOf(node.status);
  const kind = `mk ${state} ${node.managed ? "" : "hollow"}`;
  const isBelow = anchor === "middle" && y >= cy;
  const dx = anchor === "middle" ? 0 : anchor === "start" ? 13 : -13;
  // Below the halo around the leader.
  const below = x === cx && y === cy ? 38 : 24;
  const dy = anchor === "middle" ? (isBelow ? below : -15) : 4;
  return (
    <g>
      {state === "ok" && <circle class={kind} cx={x} cy={y} r={7} />}
      {state === "warn" && <path class={kind} d={`M${x} ${y - 9}L${x + 9} ${y + 7}H${x - 9}Z`} />}
      {state === "crit" && <rect class={kind} x={x - 7} y={y - 7} width={14} height={14} />}
      {isNamed && (
        <text class={state === "ok" ? "nm" : "bad"} x={x + dx} y={y + dy} text-anchor={anchor}>
          <tspan class="no-sm">{cutName(name, letters.desk)}</tspan>
          <tspan class="on-phone">{cutName(name, letters.phone)}</tspan>
        </text>
      )}
    </g>
  );
}

function markOf(status: string): "ok" | "warn" | "crit" {
  if (status === "online") return "ok";
  return status === "degraded" ? "warn" : "crit";
}

/** All lines of one state in one path. */
function pathOf(lines: readonly Line[]): string {
  return lines.map(({ from, to }) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join("");
}

function labelOf({ name, nodes, links, primary }: Topology): string {
  const online = nodes.filter(({ status }) => status === "online").length;
  const counted = states
    .map((state) => [linkLook(state).word.toLowerCase(), links.filter((link) => link.state === state).length] as const)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`);
  const lead = primary === null ? "nobody known leads" : `${primary.host} leads`;
  const told = counted.length === 0 ? "" : ` Links: ${counted.join(", ")}.`;
  return `Cluster ${name}: ${online} of ${nodes.length} members online, ${lead}.${told} The tables below tell the same.`;
}
