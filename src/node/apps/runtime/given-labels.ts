import { isRecord } from "../../../lib/json.ts";
import { orNull, type Wire } from "./engine-wire.ts";

/** How labels begin that say whose a container is. */
const OWN_LABEL = "orrery.";
/** How the names of containers begin that Orrery makes for apps. No image gives a name, and nobody is given one like it. */
const OWN_NAME = /^\/?orrery-/;
/** Images whose labels are remembered; they never change. */
const MOST_IMAGES = 1_000;

type Labels = Record<string, string>;

interface Labelled {
  name: string;
  /** Its id; what has none keeps its labels. */
  image: string | undefined;
  labels: Labels | null | undefined;
}

const isOwn = (name: string): boolean => name.startsWith(OWN_LABEL);

/**
 * Reads labels of containers without those of ours that only their image brought: an image may say anything, and would pretend an owner
 * whom nobody has made it.
 */
export function createLabelReader(wire: Wire): (container: Labelled) => Promise<Labels> {
  const known = new Map<string, Labels>();

  async function ofImage(id: string): Promise<Labels> {
    const before = known.get(id);
    if (before !== undefined) return before;
    const path = `/images/${encodeURIComponent(id)}/json`;
    const image = await orNull(wire.call<{ Config?: { Labels?: unknown } }>("GET", path, { timeoutMs: 30_000 }));
    const all = image?.Config?.Labels;
    const own = Object.entries(isRecord(all) ? all : {}).filter(([name]) => isOwn(name));
    const labels = Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
    const [oldest] = known.keys();
    if (known.size >= MOST_IMAGES && oldest !== undefined) known.delete(oldest);
    known.set(id, labels);
    return labels;
  }

  return async ({ name, image, labels }) => {
    const all = labels ?? {};
    if (image === undefined || OWN_NAME.test(name) || !Object.keys(all).some(isOwn)) return all;
    const brought = await ofImage(image);
    return Object.fromEntries(Object.entries(all).filter(([key, value]) => !isOwn(key) || brought[key] !== value));
  };
}
