import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const address = "/containers?tab=images";
const registries = () => resource("GET /api/containers/registries");

/** Logins to pull images with, and a new one. */
export const registriesFinder: Finder = {
  order: 66,
  open: () => (isAdmin() ? registries().need() : undefined),
  list: () =>
    isAdmin()
      ? [
          wishCommand(
            { title: "Add registry", group: "Containers", icon: "plus", words: "docker hub login pull private ghcr" },
            { address, wish: "registry" },
          ),
          placeCommand({ title: "Registries", group: "Containers", icon: "key" }, { address, card: "Registries" }),
          ...(registries().data.value ?? []).map((registry) => ({
            ...placeCommand(
              { title: nameOf(registry.address), group: "Registry", icon: "key", words: registry.username },
              { address, row: nameOf(registry.address) },
            ),
            id: `registry-${registry.id}`,
          })),
        ]
      : [],
};

const nameOf = (place: string): string => (place === "docker.io" ? "Docker Hub" : place);
