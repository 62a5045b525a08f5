import { isRecord } from "../../../lib/json.ts";
import { EngineError, orNull, type Wire } from "./engine-wire.ts";

/** How labels begin that say whose a container is: ours, and those by which Compose knows its projects. */
const OWN_LABEL = "orrery.";
const COMPOSE_LABEL = "com.docker.compose.";
const PROJECT_LABEL = `${COMPOSE_LABEL}project`;
/** Compose gives each container the id of its image here. No image can say its own. */
const IMAGE_LABEL = `${COMPOSE_LABEL}image`;
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

interface Given {
  labels: Labels;
  /** The Compose project that its image alone says; undefined where it says none, or the container was given its own. */
  claimed: string | undefined;
}

const isOwn = (name: string): boolean => name.startsWith(OWN_LABEL);
const isOfCompose = (name: string): boolean => name.startsWith(COMPOSE_LABEL);
const saysWhose = (name: string): boolean => isOwn(name) || isOfCompose(name);

/** Labels for a container that is nobody's: empty, in place of those by which its image says whose it is. An empty one says nothing. */
export const emptied = (ofImage: Labels | null | undefined): Labels =>
  Object.fromEntries(
    Object.keys(ofImage ?? {})
      .filter(saysWhose)
      .map((name) => [name, ""]),
  );

/**
 * Reads labels of containers without those that say whose they are and that only their image brought: an image may say anything, and
 * would pretend an owner or a project that nobody has made it of. Compose writes all of its labels, also those that are in the image
 * already because Compose built it: where the container was given one that its image does not say, they all are its own.
 */
export function createLabelReader(wire: Wire): (container: Labelled) => Promise<Given> {
  const known = new Map<string, Promise<Labels | null>>();

  async function ask(id: string): Promise<Labels | null> {
    const path = `/images/${encodeURIComponent(id)}/json`;
    try {
      const image = await orNull(wire.call<{ Config?: { Labels?: unknown } }>("GET", path, { timeoutMs: 30_000 }));
      if (image === null) return null;
      const all = image.Config?.Labels;
      const some = Object.entries(isRecord(all) ? all : {}).filter(([name]) => saysWhose(name));
      return Object.fromEntries(some.map(([name, value]) => [name, String(value)]));
    } catch (error) {
      // An engine that cannot read one image still lists its containers.
      if (error instanceof EngineError && error.status !== 0) return null;
      throw error;
    }
  }

  /** What an image says of whose its containers are; null where the engine does not know it. */
  function ofImage(id: string): Promise<Labels | null> {
    const before = known.get(id);
    if (before !== undefined) return before;
    const answer = ask(id);
    const [oldest] = known.keys();
    if (known.size >= MOST_IMAGES && oldest !== undefined) known.delete(oldest);
    known.set(id, answer);
    // It may come back, with its labels.
    const forget = () => void known.delete(id);
    answer.then((labels) => labels ?? forget(), forget);
    return answer;
  }

  return async ({ name, image, labels }) => {
    const all = Object.entries(labels ?? {}).filter(([key, value]) => value !== "" || !saysWhose(key));
    const isNamed = OWN_NAME.test(name);
    const isMarked = image !== "" && labels?.[IMAGE_LABEL] === image;
    const isDoubted = (key: string) => (isOwn(key) ? !isNamed : isOfCompose(key) && !isMarked);
    if (image === undefined || !all.some(([key]) => isDoubted(key))) {
      return { labels: Object.fromEntries(all), claimed: undefined };
    }
    const brought = await ofImage(image);
    const isGiven = ([key, value]: [string, string]) => brought !== null && brought[key] !== value;
    const isByCompose = all.some((label) => isOfCompose(label[0]) && isGiven(label));
    const isBelieved = (label: [string, string]) =>
      !isDoubted(label[0]) || (isOwn(label[0]) ? isGiven(label) : isByCompose);
    const believed = Object.fromEntries(all.filter(isBelieved));
    return {
      labels: believed,
      claimed: PROJECT_LABEL in believed ? undefined : Object.fromEntries(all)[PROJECT_LABEL],
    };
  };
}
