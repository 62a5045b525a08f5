import type { Component, ComponentList } from "../../../../src/node/host/components/contract.ts";
import { count } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

/** What somebody has chosen and not carried out yet, by the word of the set: `smart`, `tuning=zram`. */
export type Choices = ReadonlyMap<string, boolean>;

/** Something that is turned on by itself: a component, or one option of it. */
export interface Switchable {
  key: string;
  title: string;
  summary: string;
  enabled: boolean;
  status: Component["status"];
  cause: string | null;
  packages: Component["packages"];
}

/** What of a component can be switched. */
export function switchablesOf({ id, options, ...whole }: Component): Switchable[] {
  if (options.length === 0) return [{ key: id, ...whole }];
  return options.map(({ option, ...part }) => ({ key: `${id}=${option}`, ...part }));
}

/** Shape and word for how something is, or will be. */
export function stateOf({ key, status }: Pick<Switchable, "key" | "status">, choices: Choices): [State, string] {
  const chosen = choices.get(key);
  if (chosen !== undefined) return ["info", chosen ? "Will be turned on" : "Will be removed"];
  const known: Record<Component["status"], [State, string]> = {
    installed: ["ok", "On"],
    disabled: ["off", "Off"],
    failed: ["crit", "Not well"],
    "pending-apt": ["busy", "Waits for apt"],
  };
  return known[status];
}

/** The version that is here, or that would come; null where it came in another way, whose version nobody knows. */
export function versionOf({ packages, enabled }: Pick<Switchable, "packages" | "enabled">): string | null {
  const versions = packages.map(({ installed, candidate }) => installed ?? (enabled ? null : candidate));
  return versions.find((version) => version !== null) ?? null;
}

/** True where the package lists of the server do not have it; they may be old. */
export const isUnavailable = ({ packages }: Pick<Switchable, "packages">): boolean =>
  packages.some(({ installed, candidate }) => installed === null && candidate === null);

/** What to do about what the package lists do not have. */
export function missingWords({ packages }: Pick<Switchable, "packages">, installs: boolean): string {
  if (installs) return "Not in this server's package lists, which are fetched anew when it is on.";
  const missing = packages.filter(({ installed }) => installed === null).map(({ name }) => name);
  return `To have it, install ${missing.join(", ")} with this server's own package manager.`;
}

/** The choices as the server reads them. */
export const setOf = (choices: Choices): string => [...choices].map(([key, on]) => (on ? key : `-${key}`)).join(",");

/** One thing that will be done. */
export interface PlanLine {
  key: string;
  title: string;
  text: string;
}

/** What carrying the choices out will do, with what they bring along. */
export function planOf({ components }: Pick<ComponentList, "components">, choices: Choices): PlanLine[] {
  const lines: PlanLine[] = [];
  const add = (item: Switchable, on: boolean, why = ""): void => {
    if (lines.some(({ key }) => key === item.key)) return;
    lines.push({ key: item.key, title: `${item.title}: ${on ? "on" : "off"}${why}`, text: workOn(item, on) });
  };
  const addRequired = (component: Component): void => {
    for (const required of components.filter(({ id }) => component.requires.includes(id))) {
      if (required.enabled) continue;
      addRequired(required);
      const usual = required.defaults.map((option) => `${required.id}=${option}`);
      for (const item of switchablesOf(required))
        if (item.key === required.id || usual.includes(item.key)) add(item, true, `, needed by ${component.title}`);
    }
  };
  for (const on of [true, false]) {
    for (const component of components) {
      for (const item of switchablesOf(component).filter(({ key }) => choices.get(key) === on)) {
        if (on) addRequired(component);
        add(item, on);
      }
    }
  }
  return lines;
}

function workOn({ packages }: Switchable, on: boolean): string {
  const touched = packages.filter(({ installed }) => (installed === null) === on);
  if (touched.length === 0) return on ? "Nothing to install, it is here already" : "Nothing to remove";
  const named = touched.map(({ name, candidate }) => (on && candidate !== null ? `${name} ${candidate}` : name));
  return `${on ? "Installs" : "Removes"} ${named.join(", ")}`;
}

/** What the button that carries the plan out says. */
export function goWords(lines: readonly PlanLine[], choices: Choices): string {
  const values = [...choices.values()];
  if (values.every((on) => on)) return lines.length === 1 ? "Turn on" : `Turn on ${lines.length}`;
  if (values.every((on) => !on)) return lines.length === 1 ? "Remove" : `Remove ${lines.length}`;
  return `Carry out ${count(lines.length, "change")}`;
}

/** How the engine came onto the server, in words. */
export function originOf({ mode }: ComponentList["container_runtime"]): string {
  const words: Record<typeof mode, string> = {
    package: "A package of the distribution",
    snap: "The snap store",
    other: "Installed in another way",
    none: "Nothing found",
  };
  return words[mode];
}
