import { kernelFail } from "../../../kernel/http/errors.ts";
import type { NodeContext } from "../../context.ts";
import type { InstallStarter } from "./logic.ts";

/** Installs starter apps through the apps feature. */
export function installer(_ctx: NodeContext): InstallStarter {
  return async () => {
    throw kernelFail("unavailable", { reason: "Apps cannot be installed by this build." });
  };
}
