import { createWriteStream, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { blobFileName, layoutOf, openCatalogueCopy } from "../../storage/object-store/index.ts";
import { type EngineSession, openBlobIndex, type SnapshotPart } from "../engine/index.ts";
import { isObjectsFile, OBJECT_PARTS, partOf } from "./objects-parts.ts";

const PAGE = 500;
/** What a file is called by; whoever wrote the backup chose it. */
const BLOB_ID = /^[\w-]{3,100}$/;

/**
 * Writes all buckets and Drives of a backup into a data folder that has none, as a node begins with them; nothing where the backup has
 * none. Throws what reading throws: half of it is no folder to begin with.
 */
export async function writeObjectsFolder(
  session: EngineSession,
  parts: readonly SnapshotPart[],
  dataDir: string,
): Promise<void> {
  const stream = partOf(parts, OBJECT_PARTS.blobs);
  const whole = parts.filter(({ app, name, kind }) => app === null && kind !== "blobs" && name.startsWith("objects/"));
  const stray = whole.find(({ name }) => !isObjectsFile(name));
  if (stray !== undefined)
    throw new Error(`The backup has a part ${stray.name}, which is none of buckets and Drives. Choose another one.`);
  for (const part of whole) {
    const path = join(dataDir, part.name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    await session.writeFile(part, path);
  }
  if (stream === null || whole.length === 0) return;
  const layout = layoutOf(join(dataDir, "objects"));
  const catalogue = openCatalogueCopy(layout.catalogue);
  const index = openBlobIndex(join(dataDir, OBJECT_PARTS.index));
  try {
    for (let after = ""; ; ) {
      const page = catalogue.listFileBlobs(after, PAGE);
      for (const blob of page) {
        const entry = index.find(blobFileName(blob));
        // What could not be read when the backup was made.
        if (entry === null) continue;
        if (!BLOB_ID.test(blob.id))
          throw new Error("The backup names an object by what is no name of one. Choose another backup.");
        mkdirSync(layout.blobFolder(blob.id), { recursive: true, mode: 0o700 });
        await pipeline(
          session.readBlob(stream, entry),
          createWriteStream(layout.blob(blob), { flags: "wx", mode: 0o600 }),
        );
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.id;
    }
  } finally {
    catalogue.close();
    index.close();
    rmSync(join(dataDir, OBJECT_PARTS.index), { force: true });
  }
}
