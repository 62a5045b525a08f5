/** The panel that a node belongs to, and the people who come from there. */
import type { Part } from "../../kernel/feature.ts";
import type { Command } from "../../kernel/service/cli.ts";
import type { DataAccess } from "../../kernel/service/data-access.ts";
import type { NodeFeature } from "../event-meaning.ts";
import type { OpenedData } from "../opened-data.ts";
import { wireAccounts } from "../people/wire.ts";
import { createLinkCommands, createPanelLink, panelLinkFeature } from "./panel-link/index.ts";
import type { Needs as PanelLinkNeeds } from "./panel-link/needs.ts";
import { createPanelSignIn, panelSignInFeature } from "./panel-sign-in/index.ts";
import type { Needs as PanelSignInNeeds } from "./panel-sign-in/needs.ts";

/** The static halves of the area, in boot order. */
export const panelLinkFeatures = [panelLinkFeature, panelSignInFeature] as const satisfies readonly NodeFeature[];

/** The verbs that the area gives the command line. */
export const panelLinkCommands = (data: DataAccess<OpenedData>): readonly Command[] =>
  createLinkCommands(data, (opened) => wireAccounts(opened).users);

type Needs = PanelLinkNeeds & Omit<PanelSignInNeeds, "panelLink">;

/** Makes the features of the area; the order of the lines is the boot order. */
export function wirePanelLink(base: Needs) {
  const panelLink = createPanelLink(base);
  const panelSignIn = createPanelSignIn({ ...base, panelLink });
  return { panelLink, parts: [panelLink, panelSignIn] satisfies readonly Part[] };
}
