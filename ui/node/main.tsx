import { render } from "preact";
import { startLook } from "../client/preferences.ts";
import { path, startRouter } from "../client/router.ts";
import { startSession } from "../client/session.ts";
import { startTooltips } from "../kit/tooltip.ts";
import { Root } from "./root.tsx";
import { prefetchScreen } from "./screens.ts";

startLook();
startRouter();
startTooltips();
void startSession();
prefetchScreen(path.peek());

const host = document.getElementById("app");
if (host !== null) render(<Root />, host);
