import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { user } from "../../access.ts";
import { Manifest } from "./manifest.ts";
import { Input, Permission, Port, Secret } from "./manifest-parts.ts";

/** One entry of the store. `icon` is the id of a glyph in the dashboard's sprite. */
export const Template = t.Object({
  name: t.String(),
  display_name: t.String(),
  description: t.String(),
  category: t.String(),
  version: t.String(),
  icon: t.String(),
  tagline: t.String(),
  featured: t.Boolean(),
});
export type Template = Static<typeof Template>;

/** A shelf of the store and how many apps stand on it. */
export const Category = t.Object({ id: t.String(), name: t.String(), count: t.Number() });
export type Category = Static<typeof Category>;

/** A question of an app's form. */
export const Question = t.Composite([t.Omit(Input, ["default"]), t.Object({ default: t.Nullable(t.String()) })]);
export type Question = Static<typeof Question>;

/** Everything that people see before they install. */
export const TemplateDetail = t.Composite([
  Template,
  t.Pick(Manifest, ["license", "links", "arch", "needs"]),
  t.Object({
    inputs: t.Array(Question),
    secrets: t.Array(t.Pick(Secret, ["key", "kind", "label"])),
    ports: t.Array(
      t.Composite([t.Omit(Port, ["protocol", "host", "fixed", "host_network"]), t.Object({ protocol: t.String() })]),
    ),
    volumes: t.Index(Manifest, ["volumes"]),
    permissions: t.Array(Permission),
    images: t.Array(t.Object({ service: t.String(), image: t.String(), pinned: t.Boolean() })),
    first_run: t.Nullable(t.Object({ url: t.String(), show: t.Array(t.String()), note: t.String() })),
  }),
]);
export type TemplateDetail = Static<typeof TemplateDetail>;

export const fail = defineErrors({
  template_not_found: [404, "There is no app called {name} in the catalogue.{hint}"],
  template_broken: [409, "{name} cannot be installed: {reason}"],
  no_featured_template: [404, "No app is featured at the moment."],
  catalogue_untrusted: [
    500,
    "The catalogue of apps was changed after it was signed: {reason}. Install this version again.",
  ],
});

/** Every signed-in user may read the catalogue. */
export const templateRoutes = defineRoutes({
  "GET /api/templates": { access: user("apps"), out: t.Array(Template), ready: true },
  "GET /api/templates/categories": { access: user("apps"), out: t.Array(Category) },
  "GET /api/templates/featured": { access: user("apps"), out: Template },
  "GET /api/templates/{name}": { access: user("apps"), out: TemplateDetail },
});
export type TemplatesApi = ApiOf<typeof templateRoutes>;
