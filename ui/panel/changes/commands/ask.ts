import { signal } from "@preact/signals";

/** What can be sent from here. */
export type Verb = "update" | "restart" | "run" | "refresh";

/** A node as far as a command needs to know it. */
export interface Target {
  id: string;
  hostname: string;
  health: "online" | "degraded" | "offline";
}

interface Asked {
  verb: Verb;
  /** Empty when somebody still has to say which. */
  nodes: readonly Target[];
}

/** What somebody is about to send; null while nobody is. */
export const asked = signal<Asked | null>(null);

/** The node whose page is open, for the palette. */
export const here = signal<Target | null>(null);

/** Opens the dialog that sends a command. */
export function askCommand(verb: Verb, nodes: readonly Target[]): void {
  asked.value = { verb, nodes };
}
