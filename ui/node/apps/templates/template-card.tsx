import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { appState } from "../apps/app-state.ts";
import { TemplateTile } from "./app-tile.tsx";

/** The name of a category, from the catalogue; its id before that is known. */
export function categoryName(id: string): string {
  return resource("GET /api/templates/categories").data.value?.find((category) => category.id === id)?.name ?? id;
}

/** An app of the catalogue: what it is, whether it is here already, and the way to get it. */
export function TemplateCard({ template, onInstall }: { template: Template; onInstall: () => void }) {
  const installed = (resource("GET /api/apps").data.value ?? []).find((app) => app.template === template.name);
  return (
    <article class="card shop">
      <a class="row cover" href={`/store?app=${template.name}`}>
        <TemplateTile template={template} />
        <span class="col">
          <b class="t14 w6">{template.display_name}</b>
          <span class="t13 c3 cut">{categoryName(template.category)}</span>
        </span>
      </a>
      <p>{template.tagline ?? template.description}</p>
      <div class="foot">
        {installed === undefined ? (
          <span class="cut">{template.version}</span>
        ) : (
          <>
            <Glyph state={appState(installed).state} />
            <span>Installed</span>
          </>
        )}
        {installed !== undefined && (
          <LinkButton size="sm" href={`/apps/${installed.id}`}>
            See app
          </LinkButton>
        )}
        {installed === undefined && isAdmin() && (
          <Button size="sm" onClick={onInstall} aria-label={`Install ${template.display_name}`}>
            Install
          </Button>
        )}
      </div>
    </article>
  );
}
