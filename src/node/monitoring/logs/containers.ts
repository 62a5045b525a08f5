import type { ContainerSummary, Runtime } from "../../apps/runtime/index.ts";

/** A container whose log can be read. */
export interface Container {
  id: string;
  name: string;
}

/** Which containers there are, and when that is to be asked again. */
export interface Containers {
  /** All of them, stopped ones too; none without an engine. Throws EngineError. */
  list(): Promise<Container[]>;
  /** Rises when there are others, when that container (of this id) has begun to write again, and when the engine has come back. */
  version(id?: string): number;
  /** Resolves once a version is no longer `seen`, or `signal` aborts. */
  untilChanged(seen: number, signal: AbortSignal, id?: string): Promise<void>;
}

/** The engine writes a slash before each name, and more than one name for links between containers. */
const nameOf = ({ Names, Id }: ContainerSummary): string =>
  (Names.find((name) => name.lastIndexOf("/") === 0) ?? `/${Id.slice(0, 12)}`).slice(1);

/** Keeps up with the engine by its events: containers that write nothing cost nothing. */
export function createContainers(runtime: Pick<Runtime, "engine" | "watch">): Containers {
  const waiting = new Set<() => void>();
  /** How often each container began to write. */
  const begun = new Map<string, number>();
  let connects = 0;
  let changes = 0;
  const version = (id?: string): number => connects + (id === undefined ? changes : (begun.get(id) ?? 0));
  function wakeAll(): void {
    for (const wake of [...waiting]) wake();
  }
  runtime.watch({
    connected() {
      connects += 1;
      wakeAll();
    },
    event({ action, id }) {
      if (action === "start") begun.set(id, (begun.get(id) ?? 0) + 1);
      else if (action === "create" || action === "destroy") changes += 1;
      else return;
      wakeAll();
      if (action === "destroy") begun.delete(id);
    },
  });
  return {
    async list() {
      const found = (await runtime.engine()?.listContainers({})) ?? [];
      return found
        .map((container) => ({ id: container.Id, name: nameOf(container) }))
        .sort((left, right) => (left.name < right.name ? -1 : 1));
    },
    version,
    untilChanged(seen, signal, id) {
      if (signal.aborted || version(id) !== seen) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = (): void => {
          if (!signal.aborted && version(id) === seen) return;
          waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener("abort", wake);
      });
    },
  };
}
