import { startPage } from "../shell/start.ts";
import { startSession } from "./client/session.ts";
import { page } from "./features.ts";
import { Root } from "./root.tsx";

startPage(<Root />, page.screens, startSession);
