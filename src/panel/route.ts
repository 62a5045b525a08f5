import { binderFor } from "../kernel/http/handlers.ts";
import type { PanelRule } from "./access.ts";
import type { Actor } from "./actor.ts";

/** Binds a feature's route values to what answers them; handlers learn who asks as the panel's `Actor`. */
export const bindRoutes = binderFor<Actor, PanelRule>();
