import { plainCharacter } from "../../../lib/plain-text.ts";
import type { NodeHit } from "../../../shared/agent-protocol/index.ts";
import type { NodeFacts } from "../../agents/live/index.ts";
import type { FarHit } from "../../base.ts";

/** The icon of each kind that we know, and the page of the node that shows such a thing; a newer node's other kinds are left out. */
const KINDS: Readonly<Record<string, { icon: string; pageOf(hit: NodeHit): string }>> = {
  containers: { icon: "box", pageOf: ({ title }) => `/containers?container=${encodeURIComponent(title)}` },
  compose_projects: {
    icon: "layers",
    pageOf: ({ title }) => `/containers?tab=compose&project=${encodeURIComponent(title)}`,
  },
  alert_rules: { icon: "bell", pageOf: () => "/alerts?tab=rules" },
  files: { icon: "file", pageOf: ({ title }) => `/drive?q=${encodeURIComponent(title)}` },
};
/** Longer addresses a node does not take. */
const PAGE_LENGTH = 500;

const hidden = new RegExp(`(?!${plainCharacter()})[^]`, "g");

const shown = (text: string): string => text.replaceAll(hidden, "").trim();
const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

/**
 * Makes what shows one node's finds, as far as they can be shown: of kinds that we know, once each, with a title that has something in
 * it, and with the words that were looked for, so that nobody's search is filled with what a node would like to be read.
 */
export function showHits(node: NodeFacts, text: string): (told: readonly NodeHit[]) => FarHit[] {
  const words = fold(text).split(/\s+/);
  const known = new Set<string>();
  return (told) => told.flatMap(present);

  function present(hit: NodeHit): FarHit[] {
    const kind = KINDS[hit.source];
    const title = shown(hit.title);
    const snippet = shown(hit.snippet);
    const has = fold(`${title} ${snippet}`);
    const id = `${node.id}/${hit.source}/${hit.id}`;
    if (!kind || title === "" || known.has(id) || !words.every((word) => has.includes(word))) return [];
    known.add(id);
    const page = kind.pageOf({ ...hit, title });
    return [
      {
        ...{ source: hit.source, id, title, icon: kind.icon },
        snippet: [snippet, `on ${node.hostname}`].filter(Boolean).join(", "),
        path: `/nodes/${encodeURIComponent(node.id)}`,
        origin_node: node.id,
        node_path: page.length > PAGE_LENGTH ? "/" : page,
      },
    ];
  }
}
