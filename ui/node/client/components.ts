import { resource } from "./resource.ts";

const components = () => resource("GET /api/components");

/** Whether a component is on, as far as is known. */
export const isComponentOn = (id: string): boolean =>
  components()
    .data.peek()
    ?.components.find((component) => component.id === id)?.enabled === true;

/** Loads what needs a component, where that is on: the palette is no place for the trouble of one that is off. */
export async function loadWhereOn(id: string, load: () => void): Promise<void> {
  await components().load();
  if (isComponentOn(id)) load();
}
