import type { AppDetail, ConfigChange, Reach } from "../../../../src/node/apps/apps/contract.ts";
import type { InputValues } from "../templates/inputs.tsx";

/** What the form of an app's settings holds; figures as they are typed. */
export interface Choices {
  inputs: InputValues;
  ports: Record<string, string>;
  reach: Record<string, Reach>;
  memory: Record<string, string>;
  cpus: Record<string, string>;
}

/** One port of the form: TCP and UDP of the same number are one choice. */
export interface PortChoice {
  key: string;
  label: string;
}

const LEAST_MB = 6;
const textOf = (value: number | null): string => (value === null ? "" : String(value));
const keyOf = ({ service, container }: AppDetail["ports"][number]): string => `${service}:${container}`;

/** The ports to choose for. */
export function portChoices(app: Pick<AppDetail, "ports">): PortChoice[] {
  const choices = app.ports.map((port): [string, PortChoice] => {
    const key = keyOf(port);
    return [key, { key, label: port.purpose || port.service }];
  });
  return [...new Map(choices).values()];
}

/** What an app has now. */
export function choicesOf(app: Pick<AppDetail, "ports" | "limits" | "inputs">): Choices {
  const limits = Object.entries(app.limits);
  return {
    inputs: { ...app.inputs },
    ports: Object.fromEntries(app.ports.map((port) => [keyOf(port), String(port.host)])),
    reach: Object.fromEntries(
      app.ports.map((port): [string, Reach] => [keyOf(port), port.bind.startsWith("127.") ? "loopback" : "lan"]),
    ),
    memory: Object.fromEntries(limits.map(([service, { memory_mb }]) => [service, textOf(memory_mb)])),
    cpus: Object.fromEntries(limits.map(([service, { cpus }]) => [service, textOf(cpus)])),
  };
}

/** Why a typed port is refused; null when it is not. */
export function portFault(text: string): string | null {
  const isPort = /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
  return isPort ? null : "A whole number from 1 to 65535";
}

/** Why a typed memory limit is refused; null when it is not. Nothing typed is the app's own limit. */
export function memoryFault(text: string): string | null {
  return text === "" || (/^\d{1,7}$/.test(text) && Number(text) >= LEAST_MB)
    ? null
    : `A whole number, at least ${LEAST_MB}`;
}

/** Why a typed number of processors is refused; null when it is not. Nothing typed is the app's own limit. */
export function cpusFault(text: string): string | null {
  return text === "" || (/^\d{1,4}(\.\d+)?$/.test(text) && Number(text) > 0) ? null : "A number above 0";
}

/** Everything that is wrong with what is typed. */
export function faultsOf({ ports, memory, cpus }: Choices): string[] {
  return [
    ...Object.values(ports).map(portFault),
    ...Object.values(memory).map(memoryFault),
    ...Object.values(cpus).map(cpusFault),
  ].filter((fault) => fault !== null);
}

function changed<T>(before: Record<string, T>, after: Record<string, T>): [string, T][] {
  return Object.entries(after).filter(([key, value]) => String(before[key] ?? "") !== String(value));
}

/** What to ask the server for: only what differs from what the app has. */
export function changeOf(before: Choices, after: Choices): ConfigChange {
  const services = new Set(
    [...changed(before.memory, after.memory), ...changed(before.cpus, after.cpus)].map(([key]) => key),
  );
  const limits = [...services].map((service) => {
    const memory = after.memory[service] ?? "";
    const cpus = after.cpus[service] ?? "";
    return [
      service,
      { ...(memory === "" ? {} : { memory_mb: Number(memory) }), ...(cpus === "" ? {} : { cpus: Number(cpus) }) },
    ];
  });
  const inputs = changed(before.inputs, after.inputs);
  const ports = changed(before.ports, after.ports).map(([key, text]) => [key, Number(text)]);
  const reach = changed(before.reach, after.reach);
  return {
    ...(inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs) }),
    ...(ports.length === 0 ? {} : { ports: Object.fromEntries(ports) }),
    ...(reach.length === 0 ? {} : { reach: Object.fromEntries(reach) }),
    ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
  };
}
