import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { brandNames } from "../../../icons/brand-names.ts";
import { Tile } from "../../../kit/icon.tsx";

type Size = "" | "sm" | "md" | "lg";

/** The square of an app: its own mark where there is one, else the glyph that its template names. */
export function AppTile({
  app,
  size = "",
}: {
  app: Pick<Template, "icon" | "category"> & { template: string };
  size?: Size;
}) {
  const mark = brandNames.has(app.template) ? app.template : null;
  return (
    <Tile icon={app.icon} hue={app.category} size={size}>
      {mark !== null && (
        <svg class="i brand" aria-hidden="true">
          <use href={`${BRANDS_URL}#${mark}`} />
        </svg>
      )}
    </Tile>
  );
}

/** The square of an app of the catalogue. */
export const TemplateTile = ({
  template,
  size = "",
}: {
  template: Pick<Template, "icon" | "category" | "name">;
  size?: Size;
}) => <AppTile app={{ icon: template.icon, category: template.category, template: template.name }} size={size} />;
