/** The system's own log; every other source is a container. */
export const SYSTEM = "system";
const CONTAINER = "docker:";

/** How the log of a container is called. */
export const containerSource = (name: string): string => `${CONTAINER}${name}`;

/** The container whose log is meant; null where it is the system's. */
export const containerIn = (source: string): string | null =>
  source.startsWith(CONTAINER) ? source.slice(CONTAINER.length) : null;

/** The logs that a query names, none where all are meant. Only the system's has units. */
export function sourcesOf({ source, unit }: { source?: string | undefined; unit?: string | undefined }): string[] {
  if (unit !== undefined) return [SYSTEM];
  return source === undefined ? [] : [...new Set(source.split(","))];
}
