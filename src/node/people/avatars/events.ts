import type { EventMeanings } from "../../event-meaning.ts";
import type { AvatarEvents } from "./contract.ts";

/** A new picture is no news to anybody. */
export const avatarMeanings: EventMeanings<AvatarEvents> = {};
