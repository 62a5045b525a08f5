import type { Asker } from "../../platform/operations/index.ts";
import { runScript } from "./carrier.ts";
import type { AppFileEvents } from "./contract.ts";
import type { Own } from "./needs.ts";
import { checkName, type Place, pathOf, splitPlace } from "./place.ts";
import { makeFolderScript, removeScript, renameScript, type Script } from "./scripts.ts";

/** Fields that the line of every event about a file has. */
export const aboutFile = ({ app, volume, parts }: Place, { user_id, ip }: Asker) => ({
  user_id,
  ip,
  app_id: app.id,
  app: app.name,
  volume: volume.name,
  path: pathOf({ parts }),
});

async function change(own: Own, folder: Place, script: Script, record: () => void): Promise<void> {
  await own.enter(() => runScript(own, folder, script, async () => own.db.record(record)));
}

const emit = <Name extends keyof AppFileEvents>(own: Own, name: Name, data: AppFileEvents[Name]) =>
  own.bus.emit(name, data);

/** Makes a folder. Throws what `POST …/files/folders` answers. */
export async function makeFolder(own: Own, by: Asker, folder: Place, name: string): Promise<void> {
  const made = { ...folder, parts: [...folder.parts, checkName(name, "name")] };
  await change(own, folder, makeFolderScript(name), () => emit(own, "app_file.folder_made", aboutFile(made, by)));
}

/** Gives something another name in its folder. Throws what `POST …/files/rename` answers. */
export async function renameFile(own: Own, by: Asker, place: Place, next: string): Promise<void> {
  const { folder, name } = splitPlace(place);
  const to = pathOf({ parts: [...folder.parts, checkName(next, "name")] });
  await change(own, folder, renameScript(name, next), () =>
    emit(own, "app_file.renamed", { ...aboutFile(place, by), to }),
  );
}

/** Removes a file, or a folder with all that is in it. Throws what `DELETE …/files` answers. */
export async function removeFile(own: Own, by: Asker, place: Place): Promise<string> {
  const { folder, name } = splitPlace(place);
  await change(own, folder, removeScript(name), () => emit(own, "app_file.removed", aboutFile(place, by)));
  return name;
}
