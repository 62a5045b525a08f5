import { startPage } from "../shell/start.ts";
import { startSession } from "./client/session.ts";
import { Root } from "./root.tsx";
import { screens } from "./screens.ts";

startPage(<Root />, screens, startSession);
