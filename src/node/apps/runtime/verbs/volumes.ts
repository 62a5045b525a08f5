import { settled, type Wire } from "../engine-wire.ts";
import { labelFilter } from "./containers.ts";

export interface VolumeSummary {
  Name: string;
  Mountpoint: string;
  Labels: Record<string, string> | null;
  Driver?: string;
  Options?: Record<string, string> | null;
  CreatedAt?: string;
}

/** Bytes on disk by volume name and by container id (its writable layer). */
export interface DiskUse {
  /** Null: the engine has no figure for it. */
  volumes: Map<string, number | null>;
  containers: Map<string, number>;
}

interface RawUse {
  Volumes?: { Name: string; UsageData?: { Size: number } | null }[] | null;
  Containers?: { Id: string; SizeRw?: number }[] | null;
}

/** The engine says -1 for a volume that it cannot measure. */
export const volumeBytes = (size: number | undefined): number | null => (size === undefined || size < 0 ? null : size);

/** Verbs about volumes. */
export function volumeVerbs(wire: Wire) {
  return {
    async listVolumes(labels: Record<string, string>): Promise<readonly VolumeSummary[]> {
      const { Volumes } = await wire.call<{ Volumes: readonly VolumeSummary[] | null }>("GET", "/volumes", {
        query: { filters: labelFilter(labels) },
        timeoutMs: 30_000,
      });
      return Volumes ?? [];
    },
    /** Makes a local volume; one of that name stays as it is, with its data. */
    createVolume: (name: string, labels: Record<string, string>, options: Record<string, string> = {}) =>
      wire.call<VolumeSummary>("POST", "/volumes/create", {
        body: { Name: name, Labels: labels, ...(Object.keys(options).length === 0 ? {} : { DriverOpts: options }) },
      }),
    removeVolume: (name: string) => settled(wire.call("DELETE", `/volumes/${encodeURIComponent(name)}`)),
    /** Walks the disk: seconds on a big host, so never on a request's path. */
    async diskUse(): Promise<DiskUse> {
      const raw = await wire.call<RawUse>("GET", "/system/df", { timeoutMs: 120_000 });
      return {
        volumes: new Map((raw.Volumes ?? []).map((item) => [item.Name, volumeBytes(item.UsageData?.Size)])),
        containers: new Map((raw.Containers ?? []).map((item) => [item.Id, item.SizeRw ?? 0])),
      };
    },
  };
}
