/** What a node keeps for people and programs: objects in buckets. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { createDav, davFeature } from "./dav/index.ts";
import type { Needs as DavNeeds } from "./dav/needs.ts";
import { createDrive, driveFeature } from "./drive/index.ts";
import type { Needs as DriveNeeds } from "./drive/needs.ts";
import { createObjectMigration, objectMigrationFeature } from "./object-migration/index.ts";
import type { Needs as MigrationNeeds } from "./object-migration/needs.ts";
import { createObjectPlaces, objectPlacesFeature } from "./object-places/index.ts";
import type { Needs as PlacesNeeds } from "./object-places/needs.ts";
import { createObjectStore, createRebuildCommand, objectStoreFeature } from "./object-store/index.ts";
import { createObjects, objectsFeature } from "./objects/index.ts";
import type { Needs as ObjectsNeeds } from "./objects/needs.ts";
import { createShares, sharesFeature } from "./shares/index.ts";
import type { Needs as SharesNeeds } from "./shares/needs.ts";

/** The static halves of the area, in boot order. */
export const storageFeatures = [
  objectStoreFeature,
  objectsFeature,
  objectPlacesFeature,
  objectMigrationFeature,
  driveFeature,
  davFeature,
  sharesFeature,
] as const satisfies readonly NodeFeature[];

/** The commands of the area. */
export const storageCommands = (data: Parameters<typeof createRebuildCommand>[0]): readonly Command[] => [
  createRebuildCommand(data),
];

/** What the features of the area give each other. */
type Own = "objectStore" | "objects" | "earlier" | "drive";

/** Makes the features of the area; the order of the lines is the boot order. */
export function wireStorage(
  base: Omit<ObjectsNeeds & PlacesNeeds & MigrationNeeds & DriveNeeds & DavNeeds & SharesNeeds, Own>,
) {
  const objectStore = createObjectStore(base);
  const objects = createObjects({ ...base, objectStore });
  const objectPlaces = createObjectPlaces({ ...base, objectStore, objects });
  const objectMigration = createObjectMigration({ ...base, objectStore, objects });
  const drive = createDrive({ ...base, objectStore, earlier: objectMigration });
  const dav = createDav({ ...base, drive });
  const shares = createShares({ ...base, drive });
  const parts = [objectStore, objects, objectPlaces, objectMigration, drive, dav, shares] satisfies readonly Part[];
  return { objectStore, objects, objectMigration, drive, parts };
}
