/** What a command was given. */
export type Payload = Readonly<Record<string, unknown>>;

/** Thrown for a command that this node will not carry out: nothing was done. The message is for people. */
export class Refused extends Error {}

/** Why a command is broken off when the node leaves its panel. */
export class LinkOver extends Error {}

/** The one time that a command is carried out. */
export interface Job {
  /** Id of the command. */
  id: string;
  /** Aborts when the node stops, and with `LinkOver` when it leaves the panel: what cannot be undone goes on, nothing more begins. */
  signal: AbortSignal;
  /** Tells the panel how far it is; the last word before the outcome stands. */
  say(text: string): void;
}

/** One kind of command. */
export interface Verb {
  /** True when doing it twice is the same as doing it once, so that one a restart cut off is begun again. */
  isRepeatable: boolean;
  /** Resolves with what there is to show. Throws `Refused`, or an Error when it failed. */
  run(payload: Payload, job: Job): Promise<string>;
}

/** A text of the payload. Throws `Refused` when it is missing. */
export function textOf(payload: Payload, key: string): string {
  const value = payload[key];
  if (typeof value === "string" && value !== "" && value.length <= 4_096) return value;
  throw new Refused(`It does not say ${key}.`);
}
