import { signal } from "@preact/signals";
import type { Container } from "../../../../src/node/apps/containers/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

type Verb = "start" | "stop" | "restart";

const past: Record<Verb, string> = { start: "is running", stop: "is stopped", restart: "was restarted" };

/** Ids of containers that something is being done with; a stop takes as long as the container was given. */
export const busyContainers = signal<ReadonlySet<string>>(new Set());

function setBusy(id: string, isBusy: boolean): void {
  const next = new Set(busyContainers.peek());
  if (isBusy) next.add(id);
  else next.delete(id);
  busyContainers.value = next;
}

/** Starts, stops or restarts a container and says what came of it. */
export async function actOnContainer({ id, name }: Pick<Container, "id" | "name">, verb: Verb): Promise<void> {
  setBusy(id, true);
  try {
    await api(`POST /api/containers/{id}/${verb}`, { path: { id } });
    toast(`${name} ${past[verb]}.`);
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
  }
  setBusy(id, false);
  await resource("GET /api/containers").refresh();
}
