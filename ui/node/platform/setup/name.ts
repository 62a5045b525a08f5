/** Why a host name is refused, or null; the same rule as the server's. */
export function nameProblem(name: string): string | null {
  if (name === "") return "A name is needed.";
  if (name.length > 63) return "At most 63 characters.";
  if (!/^[a-z0-9-]+$/.test(name)) return "Only letters, digits and hyphens.";
  if (name.startsWith("-") || name.endsWith("-")) return "Not starting or ending with a hyphen.";
  return null;
}
