import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const projects = () => resource("GET /api/containers/compose");
const open = (project: string) => navigate(`/containers?${new URLSearchParams({ tab: "compose", project })}`);

/** Compose projects, and a new one. */
export const composeProjectsFinder: Finder = {
  order: 14,
  open: () => void load(),
  list: () =>
    isAdmin()
      ? [
          {
            id: "compose-new",
            title: "New Compose project",
            group: "Containers",
            icon: "plus",
            words: "add docker compose file yaml stack deploy",
            run: () => open("new"),
          },
          ...(projects().data.value ?? []).map(({ name, services }) => ({
            id: `compose-${name}`,
            title: name,
            group: "Compose project",
            icon: "layers",
            words: services.map((service) => service.name).join(" "),
            run: () => open(name),
          })),
        ]
      : [],
};

/** Asked for only where Docker answers: the palette is no place for its troubles. */
async function load(): Promise<void> {
  if (!isAdmin()) return;
  const runtime = resource("GET /api/system/runtime");
  await runtime.load();
  if (runtime.data.peek()?.state === "ok") projects().need();
}
