/** Marks in user agents with the names people know, the telling ones first: Edge also calls itself Chrome and Safari. */
const PROGRAMS = [
  ["orrery", "Orrery command line"],
  ["curl", "curl"],
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/**
 * The program and the system that a user agent names, as people know them; empty where it names none of those. Nothing of the text
 * itself is in them: anybody can write there what they like.
 */
export function readUserAgent(userAgent: string | null): { program: string; system: string } {
  const nameIn = (marks: readonly (readonly [string, string])[]): string =>
    marks.find(([mark]) => userAgent?.includes(mark))?.[1] ?? "";
  return { program: nameIn(PROGRAMS), system: nameIn(SYSTEMS) };
}

/** A short name of the device for the session list, from the user agent. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const { program: known, system } = readUserAgent(userAgent);
  const program = known || "Unknown browser";
  return system ? `${program} on ${system}` : program;
}
