import { lazy } from "../../../client/lazy.ts";
import { navigate } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Feature } from "../../../shell/feature.ts";
import { resource, useResource } from "../../client/resource.ts";

/** The store. */
export const templatesFeature: Feature = {
  screens: [
    {
      id: "store",
      pattern: "/store",
      title: "App store",
      icon: "store",
      nav: { key: "s", group: "main", order: 30 },
      view: lazy(() => import("./store.tsx").then((module) => module.Store)),
    },
  ],
  commands: { order: 400, use: useInstallCommands },
};

/** What could be installed and is not. */
function useInstallCommands(): Command[] {
  const templates = useResource("GET /api/templates").data.value ?? [];
  const installed = new Set((resource("GET /api/apps").data.value ?? []).map((app) => app.template));
  return templates
    .filter((template) => !installed.has(template.name))
    .map((template) => ({
      id: `template-${template.name}`,
      title: template.display_name,
      group: "App store",
      icon: template.icon,
      words: `${template.category} ${template.tagline ?? template.description} install`,
      run: () => navigate(`/store?app=${template.name}`),
    }));
}
