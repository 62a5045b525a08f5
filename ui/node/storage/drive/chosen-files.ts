import { api } from "../../client/api.ts";

/** A file that somebody chose, and how the folder is found that it goes to. */
export interface ChosenFile {
  file: File;
  /** The folders above it that came along, by name. */
  path: readonly string[];
  /** The id of the folder; null is the top. Folders that came along are made with the first file in them. */
  findFolder: () => Promise<string | null>;
}

/** Makes folders below `base`, each once; a folder that is there already is taken. */
function createFolders(base: string | null): (path: readonly string[]) => Promise<string | null> {
  const made = new Map<string, Promise<string | null>>();
  const find = (path: readonly string[]): Promise<string | null> => {
    const name = path.at(-1);
    if (name === undefined) return Promise.resolve(base);
    const key = path.join("/");
    const known = made.get(key);
    if (known !== undefined) return known;
    const making = find(path.slice(0, -1)).then(async (parent_id) => {
      const body = { name, parent_id, may_exist: true };
      return (await api("POST /api/drive/folders", { body })).id;
    });
    made.set(key, making);
    // What failed is tried again with the next file.
    making.catch(() => made.delete(key));
    return making;
  };
  return find;
}

/** Files from a chooser; of a whole folder, their paths come along. */
export function chooseFiles(files: readonly File[], base: string | null): ChosenFile[] {
  const find = createFolders(base);
  return files.map((file) => {
    const path = file.webkitRelativePath.split("/").slice(0, -1);
    return { file, path, findFolder: () => find(path) };
  });
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

/** All entries of a folder; browsers give a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Files that were dropped, with all that lies in dropped folders; `items` must be read while the event is handled. */
export async function chooseDropped(items: readonly DataTransferItem[], base: string | null): Promise<ChosenFile[]> {
  const find = createFolders(base);
  const entries = items.flatMap((item) => item.webkitGetAsEntry() ?? []);
  const chosen: ChosenFile[] = [];
  const walk = async (entry: FileSystemEntry, path: readonly string[]): Promise<void> => {
    if (isFile(entry)) {
      chosen.push({ file: await fileOf(entry), path, findFolder: () => find(path) });
    } else if (isFolder(entry)) {
      const below = [...path, entry.name];
      const inside = await entriesOf(entry);
      // An empty folder has no file to be made with.
      if (inside.length === 0) await find(below);
      for (const one of inside) await walk(one, below);
    }
  };
  for (const entry of entries) await walk(entry, []);
  return chosen;
}
