/** Providers: the kinds of channels there are, one file each. */
import { Value } from "@sinclair/typebox/value";
import { type Channel, type ChannelType, EmailConfig, TelegramConfig, WebhookConfig } from "../contract.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import type { Provider } from "./provider.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

export type { Entry, Message, SendResult, Way } from "./provider.ts";

/** Every kind of channel; this list is the only registration there is. */
export const PROVIDERS: Readonly<Record<ChannelType, Provider>> = { email, telegram, slack, discord, webhook };

/** A stored configuration as it goes over the wire; empty when there is nothing to show or it does not fit. */
export function presentConfig(type: ChannelType, config: unknown): Channel["config"] {
  if (type === "email" && Value.Check(EmailConfig, config)) return config;
  if (type === "telegram" && Value.Check(TelegramConfig, config)) return config;
  if (type === "webhook" && Value.Check(WebhookConfig, config)) return config;
  return {};
}
