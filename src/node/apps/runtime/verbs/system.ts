import { isRecord, parseJson } from "../../../../lib/json.ts";
import { readLines } from "../../../../lib/lines.ts";
import type { Wire } from "../engine-wire.ts";

/** What we use of `GET /info`. */
export interface EngineFacts {
  driver: string;
  /** Where images and volumes lie. */
  root_dir: string;
  /** As Docker's own image lists name it: amd64, arm64. */
  arch: string;
  /** Processors that containers can be given; 0 where the engine does not tell. */
  cpus: number;
  cgroup_version: number;
}

/** One event of the engine, as far as we look at it. */
export interface EngineEvent {
  type: string;
  action: string;
  id: string;
  attributes: Record<string, string>;
  /** Milliseconds since 1970; 0 for one without a time. */
  at: number;
}

interface RawInfo {
  Driver: string;
  DockerRootDir: string;
  Architecture: string;
  NCPU?: number;
  CgroupVersion?: string;
}

interface RawEvent {
  Type?: string;
  Action?: string;
  Actor?: { ID?: string; Attributes?: Record<string, string> };
  time?: number;
  timeNano?: number;
}

const ARCHITECTURES: Record<string, string> = { x86_64: "amd64", aarch64: "arm64", armv7l: "arm" };

/**
 * What happens in a container's life. The rest, above all the three `exec` events of each health check, is kept by the
 * engine: with many apps they are several a second, and each would wake us.
 */
const LIFE_ACTIONS = [
  ...["create", "start", "restart", "pause", "unpause", "health_status"],
  ...["kill", "oom", "die", "stop", "destroy"],
];

/** Bytes of an event that are read: it has all labels of its container, and Orrery's own are of images that have few. */
const MOST_EVENT = 262_144;
/** How an event begins, before its labels. */
const BEGINNING = /"Type":"([^"]*)","Action":"([^"]*)","Actor":\{"ID":"([0-9a-f]+)"/;

/** What stands before the labels of an event whose end was left out. */
function readBeginning(line: string): RawEvent | null {
  const [, Type = "", Action = "", ID] = BEGINNING.exec(line.slice(0, 2_048)) ?? [];
  return ID === undefined ? null : { Type, Action, Actor: { ID } };
}

const isRawEvent = (value: unknown): value is RawEvent => isRecord(value);

/** Parses one line of the event stream, null when it is none. One whose end was left out has no attributes and no time. */
export function parseEvent(line: string): EngineEvent | null {
  const raw = parseJson(line) ?? readBeginning(line);
  if (!isRawEvent(raw)) return null;
  const action = raw.Action ?? "";
  return {
    type: raw.Type ?? "",
    // "health_status: healthy" and "exec_create: argv" carry more behind the colon.
    action: action.split(":")[0] ?? action,
    id: raw.Actor?.ID ?? "",
    attributes: { ...raw.Actor?.Attributes, detail: action.split(": ")[1] ?? "" },
    at: raw.timeNano ? Math.floor(raw.timeNano / 1e6) : (raw.time ?? 0) * 1000,
  };
}

/** Verbs about the engine as a whole. */
export function systemVerbs(wire: Wire) {
  return {
    async facts(): Promise<EngineFacts> {
      const info = await wire.call<RawInfo>("GET", "/info", { timeoutMs: 10_000 });
      return {
        driver: info.Driver,
        root_dir: info.DockerRootDir,
        arch: ARCHITECTURES[info.Architecture] ?? info.Architecture,
        cpus: info.NCPU ?? 0,
        cgroup_version: Number(info.CgroupVersion ?? "1"),
      };
    },

    /** Opens the stream of events in containers' lives; resolves once the engine listens, so that nothing after it is missed. */
    async followEvents(signal: AbortSignal): Promise<AsyncIterable<EngineEvent>> {
      const stream = await wire.open("GET", "/events", {
        query: { filters: { type: ["container"], event: LIFE_ACTIONS } },
        signal,
      });
      return (async function* () {
        for await (const line of readLines(stream, MOST_EVENT)) {
          const event = parseEvent(line);
          if (event) yield event;
        }
      })();
    },
  };
}
