import { lazy } from "../../../client/lazy.ts";
import { asked } from "./ask.ts";

const Dialog = lazy(() => import("./send-dialog.tsx").then((module) => module.SendDialog));

/** The dialog that sends a command, once somebody asks for it. */
export function SendPrompt() {
  return asked.value === null ? null : <Dialog />;
}
