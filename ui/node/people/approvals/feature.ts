import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { ApprovePrompt } from "./approve-prompt.tsx";

const refreshPending = (): void => void resource("GET /api/auth/approve/pending").refresh();

/** Letting in another device from this one. */
export const approvalsFeature: Feature = {
  prompt: ApprovePrompt,
  reaction: { onOpen: refreshPending, on: { "approval.*": refreshPending } },
};
