/**
 * A path as a file of the project writes it, from the folder that it is relative to, as one from the project's own folder: `./a/b`.
 * Null where it leads out of the project, or says so: full paths, addresses and `~` do.
 */
export function pathFrom(folder: string, path: string): string | null {
  if (/^[/~\\]|^[a-z][a-z0-9+.-]*:/i.test(path) || path.includes("\0")) return null;
  const parts = folder === "" ? [] : folder.split("/");
  const written = path.split("/").filter((part) => part !== "" && part !== ".");
  while (written[0] === "..") {
    if (parts.pop() === undefined) return null;
    written.shift();
  }
  return `./${[...parts, ...written].join("/")}`;
}

/** The folder of a text of the project; empty for the project's own. */
export const folderOfText = (text: string): string => text.split("/").slice(0, -1).join("/");
