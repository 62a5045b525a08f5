import { type Made, mayDeliver } from "../../../makers.ts";
import type { Needs } from "../needs.ts";
import { type ChannelRow, listChannels } from "./channel-store.ts";

/** Whether a channel is paused: its maker may not have channels any more. */
export const isPaused = (deps: Pick<Needs, "lists">, channel: Pick<Made, "created_by">): boolean =>
  !mayDeliver(deps, channel, "admin");

/** The channels that would send but are paused. */
export const listPaused = (deps: Pick<Needs, "db" | "lists">): ChannelRow[] =>
  listChannels(deps.db).filter((channel) => channel.enabled === 1 && isPaused(deps, channel));
