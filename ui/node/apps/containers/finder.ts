import type { Container } from "../../../../src/node/apps/containers/contract.ts";
import { navigate } from "../../../client/router.ts";
import type { Command } from "../../../kit/palette.tsx";
import type { Finder } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const containers = () => resource("GET /api/containers");

const pages: [tab: string, title: string, icon: Command["icon"]][] = [
  ["images", "Images of containers", "layers"],
  ["volumes", "Volumes of containers", "database"],
  ["networks", "Networks of containers", "network"],
];

/** The parts of the page, and every container that is no part of an app. */
export const containersFinder: Finder = {
  order: 15,
  open: () => void loadContainers(),
  list: () => [
    ...pages.map(([tab, title, icon]) => ({
      id: `containers-${tab}`,
      title,
      group: "Containers",
      icon,
      words: "docker",
      run: () => navigate(`/containers?tab=${tab}`),
    })),
    ...(isAdmin() ? (containers().data.value ?? []).filter(({ owner }) => owner === null).map(commandOf) : []),
  ],
};

/** Asked for only where Docker answers: the palette is no place for its troubles. */
async function loadContainers(): Promise<void> {
  const runtime = resource("GET /api/system/runtime");
  await runtime.load();
  if (runtime.data.peek()?.state === "ok") containers().need();
}

function commandOf({ id, name, image }: Container): Command {
  return {
    id: `container-${id}`,
    title: name,
    group: "Container",
    icon: "box",
    words: image,
    run: () => navigate(`/containers?container=${encodeURIComponent(name)}`),
  };
}
