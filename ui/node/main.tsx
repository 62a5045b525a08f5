import { startPage } from "../shell/start.ts";
import { setReactions } from "./client/events.ts";
import { startPageKey } from "./client/page-key.ts";
import { startSession } from "./client/session.ts";
import { page } from "./features.ts";
import { Root } from "./root.tsx";

startPageKey();
setReactions(page.reactions);
startPage(<Root />, page.screens, startSession);
