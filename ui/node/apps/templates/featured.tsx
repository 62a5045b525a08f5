import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { megabytes } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Icon, isIcon } from "../../../kit/icon.tsx";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { TemplateTile } from "./app-tile.tsx";

/** The featured app; nothing when the catalogue features none. */
export function Featured({ onInstall }: { onInstall: (name: string) => void }) {
  const featured = useResource("GET /api/templates/featured");
  const template = featured.data.value;
  if (template === null) return featured.problem.value === null ? <Skeleton rows={2} tile height={262} /> : null;
  return <FeaturedCard template={template} onInstall={() => onInstall(template.name)} />;
}

function FeaturedCard({ template, onInstall }: { template: Template; onInstall: () => void }) {
  const detail = useResource("GET /api/templates/{name}", { path: { name: template.name } }).data.value;
  const metrics = useResource("GET /api/system/metrics/current").data.value;
  const free = metrics === null ? null : metrics.memory.total_mb - metrics.memory.used_mb;
  return (
    <article class="card feature" aria-label="Featured app">
      <div class="txt">
        <TemplateTile template={template} size="lg" />
        <div>
          <p class="t13 c3">Featured</p>
          <h2 class="t22">{template.display_name}</h2>
        </div>
        <p class="lede">{template.description}</p>
        <div class="btns">
          {isAdmin() && (
            <Button kind="primary" onClick={onInstall}>
              Install
            </Button>
          )}
          <LinkButton kind={isAdmin() ? "ghost" : "default"} href={`/store?app=${template.name}`}>
            Read more
          </LinkButton>
          {detail !== null && free !== null && (
            <span class="t13 c3">
              {detail.needs.ram_mb <= free ? "Fits" : "Too large"}: {megabytes(detail.needs.ram_mb)} of{" "}
              {megabytes(free)} free memory
            </span>
          )}
        </div>
      </div>
      <div class="pic" aria-hidden="true">
        <svg aria-hidden="true" class="featureart" viewBox="0 0 300 240">
          {[48, 84, 120, 156].map((radius) => (
            <circle key={radius} cx="180" cy="130" r={radius} />
          ))}
        </svg>
        <Icon name={isIcon(template.icon) ? template.icon : "box"} />
      </div>
    </article>
  );
}
