import { startPage } from "../shell/start.ts";
import { setReactions } from "./client/events.ts";
import { startSession } from "./client/session.ts";
import { page } from "./features.ts";
import { Root } from "./root.tsx";

setReactions(page.reactions);
startPage(<Root />, page.screens, startSession);
