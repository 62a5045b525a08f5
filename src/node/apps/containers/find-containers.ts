import type { NodeFind } from "../../base.ts";
import { listContainers } from "./list-containers.ts";
import type { Own } from "./needs.ts";

/** Finds containers that are no app's by a part of their name, image or Compose project; apps are found as such. */
export const findContainers = (own: Pick<Own, "apps" | "seal" | "runtime" | "imageChecks" | "db">): NodeFind => ({
  source: "containers",
  least: "viewer",
  async find(text, limit) {
    const has = (word: string | null): boolean => word?.toLowerCase().includes(text) === true;
    return (await listContainers(own))
      .filter(({ owner }) => owner === null)
      .filter(({ name, image, project }) => has(name) || has(image) || has(project))
      .slice(0, limit)
      .map(({ id, name, image, project, status }) => ({
        id,
        title: name,
        snippet: [image, project === null ? null : `of ${project}`, status].filter((part) => part !== null).join(", "),
      }));
  },
});
