import type { Template, TemplateDetail } from "../../../../src/node/apps/templates/contract.ts";

/** Well-liked first apps, in order; only those in the catalogue are offered. */
const preferred = [
  "immich",
  "nextcloud",
  "vaultwarden",
  "jellyfin",
  "home-assistant",
  "paperless-ngx",
  "uptime-kuma",
  "freshrss",
  "syncthing",
  "gitea",
];
const offered = 6;

/** Up to six templates to begin with: the preferred ones first, then featured ones, then those that stand first in the catalogue. */
export function chooseStarters(templates: Template[]): Template[] {
  const rank = (template: Template): number => {
    const index = preferred.indexOf(template.name);
    return index < 0 ? preferred.length : index;
  };
  return templates.toSorted((a, b) => rank(a) - rank(b) || Number(b.featured) - Number(a.featured)).slice(0, offered);
}

/** Memory that the chosen apps need, what is free, and whether that fits, all in MB. */
export interface Fit {
  needed: number;
  free: number;
  verdict: "well" | "tight" | "not";
}

/** Above 70 % of the free memory it is tight: files need a cache too. */
export function fitOf(chosen: { needs: Pick<TemplateDetail["needs"], "ram_mb"> }[], freeMb: number): Fit {
  const needed = chosen.reduce((sum, template) => sum + template.needs.ram_mb, 0);
  const verdict = needed > freeMb ? "not" : needed > freeMb * 0.7 ? "tight" : "well";
  return { needed, free: freeMb, verdict };
}
