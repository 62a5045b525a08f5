import type { PullLine } from "../../runtime/index.ts";

/** How far the pull of one image is; bytes over all layers whose size is known by now. */
export interface PullProgress {
  percent: number | null;
  bytes_done: number;
  bytes_total: number;
}

/** The stage of a layer that is not here: one that waits for its turn, one that may have begun, and one that comes. */
type Stage = "queued" | "asked" | "coming" | "here";

interface Layer {
  downloaded: number;
  total: number;
  isDone: boolean;
  stage: Stage;
}

const STAGES: Readonly<Record<string, Stage>> = {
  Waiting: "queued",
  "Pulling fs layer": "asked",
  "Verifying Checksum": "here",
  "Download complete": "here",
  Extracting: "here",
  "Pull complete": "here",
  "Already exists": "here",
};

/** How far a pull is, line by line. */
export interface PullMeter {
  add(line: PullLine): PullProgress;
  /**
   * Whether all layers that are missing wait for their turn. One of which nothing came yet may wait as well, which an engine does not
   * always say: with `mayBeAsked` it counts.
   */
  isWaiting(mayBeAsked: boolean): boolean;
}

/** Unpacking counts as this part of a layer's work. */
const EXTRACT_SHARE = 0.2;

/**
 * Adds up the lines of a pull. Never goes backwards, though layers announce themselves late. A registry may name many thousands of
 * layers, each with lines of its own: a line costs the same however many there are.
 */
export function createPullProgress(): PullMeter {
  const layers = new Map<string, Layer>();
  let highest = 0;
  let bytesDone = 0;
  let bytesTotal = 0;
  /** Of layers that are not unpacked yet. */
  let onlyDownloaded = 0;
  let unsized = 0;
  const stages: Record<Stage, number> = { queued: 0, asked: 0, coming: 0, here: 0 };

  /** Counts a layer in, or out again before it changes. */
  function count({ downloaded, total, isDone, stage }: Layer, sign: 1 | -1): void {
    bytesDone += sign * downloaded;
    bytesTotal += sign * total;
    if (!isDone) onlyDownloaded += sign * downloaded;
    if (total === 0 && !isDone) unsized += sign;
    stages[stage] += sign;
  }

  function measure(): PullProgress {
    // What is unpacked was downloaded.
    const work = bytesDone - onlyDownloaded * EXTRACT_SHARE;
    // Layers that wait for their turn have no size yet; they count as much as an average one.
    const sized = layers.size - unsized;
    const expected = sized === 0 ? 0 : bytesTotal * (layers.size / sized);
    if (expected > 0) highest = Math.max(highest, Math.min(100, Math.floor((work / expected) * 100)));
    return { percent: expected > 0 ? highest : null, bytes_done: bytesDone, bytes_total: bytesTotal };
  }

  return {
    add({ id, status, progressDetail }) {
      if (id === undefined || status === undefined || status.startsWith("Pulling from")) return measure();
      const known = layers.get(id);
      if (known) count(known, -1);
      const layer = known ?? { downloaded: 0, total: 0, isDone: false, stage: "asked" };
      layers.set(id, layer);
      layer.stage = STAGES[status] ?? "coming";
      if (status === "Downloading") {
        layer.total = Math.max(layer.total, progressDetail?.total ?? 0);
        layer.downloaded = Math.min(layer.total, Math.max(layer.downloaded, progressDetail?.current ?? 0));
      }
      if (status === "Download complete" || status === "Extracting" || status === "Verifying Checksum") {
        layer.downloaded = layer.total;
      }
      if (status === "Pull complete" || status === "Already exists") {
        layer.isDone = true;
        layer.downloaded = layer.total;
      }
      count(layer, 1);
      return measure();
    },
    isWaiting: (mayBeAsked) =>
      stages.coming === 0 && (mayBeAsked || stages.asked === 0) && stages.queued + stages.asked > 0,
  };
}
