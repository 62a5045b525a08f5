import { describeForbiddenHost } from "../../../kernel/outgoing/index.ts";
import { EngineError } from "./engine-wire.ts";

/** The host that an image's reference names, without its port; null where it is left to Docker, which asks its own registry. */
export function registryHostOf(reference: string): string | null {
  const [first = "", ...rest] = reference.split("/");
  // As Docker tells them apart: its own registry has no capitals in its names.
  if (rest.length === 0 || !(/[.:A-Z]/.test(first) || first === "localhost")) return null;
  const bracketed = /^\[([^\]]+)\]/.exec(first)?.[1];
  return bracketed ?? first.replace(/:\d+$/, "");
}

/** Throws EngineError for a registry that must never be called: the engine itself would call any. */
export async function refuseForbiddenRegistry(reference: string): Promise<void> {
  const host = registryHostOf(reference);
  const what = host === null ? null : await describeForbiddenHost(host);
  if (what !== null) throw new EngineError(403, `the registry ${host} is ${what}, which is not called`);
}
