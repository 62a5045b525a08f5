import { lazy } from "../../../client/lazy.ts";

/** The files of an app; loaded when somebody looks at them. */
export const LazyFiles = lazy(() => import("./files-tab.tsx").then((module) => module.FilesTab), { ahead: false });
