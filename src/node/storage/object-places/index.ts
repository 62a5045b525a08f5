/** Where objects are kept: on this server, in a Garage cluster, or in another store that speaks S3. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { placeMeanings } from "./events.ts";
import { forgetUploads } from "./forget-uploads.ts";
import { createPlaces } from "./manage.ts";
import init from "./migrations/0001_object_places.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindPlaceRoutes } from "./routes.ts";

export const objectPlacesFeature = defineFeature({
  name: "object-places",
  migrations: [init],
  errors: fail.table,
  events: placeMeanings,
});

/** The Drive and its files stay on this server whatever is chosen. */
export function createObjectPlaces(needs: Needs): Part {
  const places = createPlaces(needs);
  needs.objects.elsewhere.add(places.driver);
  return {
    feature: objectPlacesFeature,
    routes: [bindPlaceRoutes(places)],
    jobs: [forgetUploads(needs, places)],
  };
}
