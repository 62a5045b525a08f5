/** The platform of a node: what every other area stands on. */
import type { Part } from "../../kernel/feature.ts";
import type { NodeBase } from "../base.ts";
import type { NodeFeature } from "../event-meaning.ts";
import { createIdentity, identityFeature } from "./identity/index.ts";
import { createSettingsPart, settingsFeature } from "./settings/index.ts";
import type { Needs as SettingsNeeds } from "./settings/needs.ts";

/** The static halves of the area, in boot order. */
export const platformFeatures: readonly NodeFeature[] = [settingsFeature, identityFeature];

type Needs = NodeBase & SettingsNeeds;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePlatform(base: Needs) {
  const settings = createSettingsPart(base);
  const identity = createIdentity(base);
  return { settings, identity, parts: [settings, identity] satisfies readonly Part[] };
}
