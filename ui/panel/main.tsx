import { render } from "preact";
import { startLook } from "../client/preferences.ts";
import { path, startRouter } from "../client/router.ts";
import { startTooltips } from "../kit/tooltip.ts";
import { prefetchScreen } from "../shell/screens.ts";
import { startSession } from "./client/session.ts";
import { Root } from "./root.tsx";
import { screens } from "./screens.ts";

startLook();
startRouter();
startTooltips();
void startSession();
prefetchScreen(screens, path.peek());

const host = document.getElementById("app");
if (host !== null) render(<Root />, host);
