import type { ContainerSummary } from "../runtime/index.ts";

/** The engine writes a slash before each name, and more than one name for links between containers. */
export const nameOf = ({ Names, Id }: Pick<ContainerSummary, "Names" | "Id">): string =>
  (Names.find((name) => name.lastIndexOf("/") === 0) ?? `/${Id.slice(0, 12)}`).slice(1);
