import { render } from "preact";
import { startLook } from "../client/preferences.ts";
import { startRouter } from "../client/router.ts";
import { startSession } from "../client/session.ts";
import { startTooltips } from "../kit/tooltip.ts";
import { Root } from "./root.tsx";

startLook();
startRouter();
startTooltips();
void startSession();

const host = document.getElementById("app");
if (host !== null) render(<Root />, host);
