import type { Needs } from "../needs.ts";
import type { ChannelRow } from "./channel-store.ts";

type Deps = Pick<Needs, "seal">;

/** Bound to the channel, so that a sealed secret is of no use in the row of another one. */
const purposeOf = (channelId: string): string => `alert-channel:${channelId}`;

export function sealSecret({ seal }: Deps, channelId: string, secret: string): string {
  return seal.seal(purposeOf(channelId), secret);
}

/** The channel's secret in clear, null without one. Throws when it was sealed under another key. */
export function openSecret({ seal }: Deps, { id, secret }: Pick<ChannelRow, "id" | "secret">): string | null {
  return secret === null ? null : seal.open(purposeOf(id), secret);
}
