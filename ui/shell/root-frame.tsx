import type { ComponentChildren } from "preact";
import { lazy } from "../client/lazy.ts";
import { look } from "../client/preferences.ts";
import { DialogNotice } from "../kit/dialog.tsx";
import { Toasts } from "../kit/toast.tsx";
import { OfflineBar } from "./offline-bar.tsx";

const Stars = lazy(() => import("../parts/stars.tsx").then((module) => module.Stars), { ahead: false, quiet: true });

/** What lies around every page of a program: the sky, dialogs that know of a lost connection, and toasts. */
export function RootFrame({ children }: { children: ComponentChildren }) {
  return (
    <DialogNotice.Provider value={OfflineBar}>
      {look.value.motion === "max" && <Stars />}
      {children}
      <Toasts />
    </DialogNotice.Provider>
  );
}
