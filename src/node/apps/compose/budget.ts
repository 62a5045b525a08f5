import { textOf } from "./merge-nodes.ts";
import { type Budget, endReading, type Field, type Reading, spend, VALUE } from "./reading.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** More than the largest file with its further files has; anchors, variables and files that are named many times repeat it without end. */
const MOST_LETTERS = 8_000_000;
/** Enough for the ranges of telephony; each port is a rule of the firewall to Docker. */
const MOST_PORTS = 40_000;
/** More of a kind is a slip of an anchor, not a server; a network takes a range of addresses, of which Docker has few. */
const MOST = { services: 100, volumes: 500, networks: 100 } as const;

/** For one file with all that belongs to it. */
export const newBudget = (): Budget => ({ letters: MOST_LETTERS, ports: MOST_PORTS });

/** Spends what values take, with their names. Throws ComposeError when nothing is left. */
export function spendValues(reading: Reading, field: Field, values: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(values)) spend(reading, field, VALUE + name.length + text.length);
}

/** Spends what a value takes with all that is in it, before it is copied. Throws ComposeError when nothing is left. */
export function spendTree(reading: Reading, field: Field, node: YamlNode): void {
  spend(reading, field, VALUE + (node.kind === "scalar" ? node.text.length + textOf(node).length : 0));
  if (node.kind === "list") for (const item of node.items) spendTree(reading, field, item);
  if (node.kind !== "map") return;
  for (const [name, item] of node.entries) {
    spend(reading, field, name.length);
    spendTree(reading, field, item);
  }
}

/** Spends ports: a line of text can stand for tens of thousands. Throws ComposeError when none is left. */
export function spendPorts(reading: Reading, field: Field, count: number): void {
  reading.budget.ports -= count;
  if (reading.budget.ports < 0)
    endReading(reading, field, `these are more than ${MOST_PORTS} ports`, "Write smaller ranges");
}

/** Throws ComposeError where there are too many of a kind to be read. */
export function checkCount(reading: Reading, kind: keyof typeof MOST, node: YamlNode): void {
  if (node.kind !== "map" || node.entries.size <= MOST[kind]) return;
  const words = `these are more than ${MOST[kind]} ${kind}`;
  endReading(reading, { key: kind, node }, words, "Split the file into several projects");
}
