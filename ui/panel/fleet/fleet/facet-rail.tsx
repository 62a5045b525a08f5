import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Facets } from "../../../../src/panel/fleet/fleet/contract.ts";
import { Icon } from "../../../kit/icon.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { type FilterField, type FleetFilter, toggleValue } from "./filter.ts";
import { statusLook } from "./health.ts";

const first = 8;

interface FacetRailProps {
  facets: Facets | null;
  filter: FleetFilter;
  onFilter: (next: FleetFilter) => void;
  /** Names of the clients that are known, by id. */
  clients: ReadonlyMap<string, string>;
}

/** What the list can be narrowed to, with the nodes each choice leaves. Several of one kind leave the nodes that any of them fits. */
export function FacetRail({ facets, filter, onFilter, clients }: FacetRailProps) {
  const { status, regions, versions, clients: byClient } = facets ?? noFacets;
  const part = (
    field: FilterField,
    title: string,
    counts: [string, number][],
    label?: (value: string) => ComponentChildren,
  ) => (
    <FacetPart
      title={title}
      counts={counts}
      chosen={filter[field]}
      onChoose={(value) => onFilter(toggleValue(filter, field, value))}
      label={label ?? ((value) => value)}
    />
  );
  return (
    <div class="facets">
      {part("status", "Status", Object.entries(status), (value) => (
        <>
          <Glyph state={statusLook(value).state} />
          {statusLook(value).word}
        </>
      ))}
      {part("region", "Region", byCount(regions), (value) => (value === "unknown" ? "No region" : value))}
      {part("version", "Version", byCount(versions))}
      {byClient !== undefined &&
        part("tenant", "Client", byCount(byClient), (value) =>
          value === "none" ? "No client" : (clients.get(value) ?? value),
        )}
    </div>
  );
}

const noFacets: Facets = { status: { online: 0, degraded: 0, offline: 0, pending: 0 }, regions: {}, versions: {} };

function byCount(counts: Record<string, number>): [string, number][] {
  const some = Object.entries(counts).filter(([, nodes]) => nodes > 0);
  return some.toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

interface FacetPartProps {
  title: string;
  counts: [value: string, nodes: number][];
  chosen: readonly string[];
  onChoose: (value: string) => void;
  label: (value: string) => ComponentChildren;
}

function FacetPart({ title, counts, chosen, onChoose, label }: FacetPartProps) {
  const [all, showAll] = useState(false);
  if (counts.length === 0 && chosen.length === 0) return null;
  const head = counts.slice(0, all ? counts.length : first);
  const missing = chosen.filter((one) => !head.some(([value]) => value === one));
  const shown = [...head, ...missing.map((one) => [one, counts.find(([value]) => value === one)?.[1] ?? 0] as const)];
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {shown.map(([value, nodes]) => (
          <li key={value}>
            <button type="button" aria-pressed={chosen.includes(value)} onClick={() => onChoose(value)}>
              <span class="tickbox">{chosen.includes(value) && <Icon name="check" />}</span>
              <span class="cut facetname">{label(value)}</span>
              <span class="push c3">{nodes.toLocaleString("en")}</span>
            </button>
          </li>
        ))}
        {counts.length > first && (
          <li>
            <button type="button" class="c3" aria-expanded={all} onClick={() => showAll(!all)}>
              <span class="tickbox none" />
              {all ? "Fewer" : `${counts.length - first} more`}
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
