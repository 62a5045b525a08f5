/** Name of the distribution from `os-release`, for example `Debian GNU/Linux 12 (bookworm)`. */
export function parseOsRelease(text: string): string {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const match = /^([A-Z_]+)=(?:"(.*)"|'(.*)'|(.*))$/.exec(line.trim());
    const value = match?.[2] ?? match?.[3] ?? match?.[4] ?? "";
    if (match?.[1]) fields.set(match[1], value.replace(/\\([\\"$`])/g, "$1"));
  }
  const plain = [fields.get("NAME"), fields.get("VERSION")].filter((part) => part).join(" ");
  return fields.get("PRETTY_NAME") || plain || "Linux";
}
