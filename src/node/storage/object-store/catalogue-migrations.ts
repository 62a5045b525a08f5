import { migrationsOf } from "../../../kernel/db/migrate.ts";
import init from "./migrations/0001_objects.sql" with { type: "text" };
import bucketSettings from "./migrations/0002_bucket_settings.sql" with { type: "text" };
import notes from "./migrations/0003_notes.sql" with { type: "text" };
import sealing from "./migrations/0004_sealing.sql" with { type: "text" };
import partSums from "./migrations/0005_part_sums.sql" with { type: "text" };
import bucketTags from "./migrations/0006_bucket_tags.sql" with { type: "text" };

/** How the catalogue of a store came to be as it is; it is a database of its own. */
export const catalogueMigrations = migrationsOf("object-store", [
  init,
  bucketSettings,
  notes,
  sealing,
  partSums,
  bucketTags,
]);
