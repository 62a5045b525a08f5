import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ChannelType, Notice, NoticeKind } from "../contract.ts";
import type { Needs } from "../needs.ts";

/** What providers reach the world through. */
export type Ports = Pick<Needs, "outgoing" | "clock">;

/** One notice within a message, in its final words. */
export interface Entry {
  /** The latest of what is told. */
  kind: NoticeKind;
  /** Everything that this one entry tells, oldest first. */
  kinds: readonly NoticeKind[];
  notice: Notice;
  subject: string;
  body: string;
  /** What happened to the message on its way (`Delayed 14 min.`); empty for nothing. */
  note: string;
}

/** What goes to one channel at once. */
export interface Message {
  /** The same for every attempt with the same notices, so that a receiver can tell a repetition. */
  key: string;
  server: string;
  sent_at: string;
  entries: readonly Entry[];
  /** Without any formatting, for a provider that refused it. */
  isPlain: boolean;
}

/** A message within its provider's limits and escaped for it. */
export interface Rendered {
  /** Subject of a mail; the first line elsewhere. */
  subject: string;
  /** What goes over the wire: the body of the request, or the text of the mail. */
  payload: string;
  /** The other form of a mail. */
  html?: string;
  /** True when something had to be left out. */
  isCut: boolean;
}

/** What the provider made of a message: `refused` is about the message, `failed` about the way to its receiver. */
export interface SendResult {
  status: "delivered" | "failed" | "refused";
  /** HTTP status or SMTP reply code; null when there was no answer. */
  code: number | null;
  provider_message: string;
  /** Milliseconds the provider asks us to stay away; null when it does not. */
  retry_after_ms: number | null;
}

/** A kind of channel. */
export interface ProviderSpec<Schema extends TSchema> {
  type: ChannelType;
  schema: Schema;
  /** What the secret is, for messages to people, and what is wrong with one. */
  secret: { name: string; isRequired: boolean; check(secret: string): string | null };
  /** Milliseconds between two messages to one channel, as the provider wants. */
  gapMs: number;
  /** A configuration to show texts with. */
  example: Static<Schema>;
  /** Addresses that will be called, to be vetted when they are entered. */
  urls(config: Static<Schema>, secret: string | null): string[];
  /** Where and how the secret travels: it must be entered anew when that changes, or a stored one could be lured away. */
  secretPath(config: Static<Schema>): string;
  render(message: Message, config: Static<Schema>): Rendered;
  send(
    ports: Ports,
    destination: { config: Static<Schema>; secret: string | null; key: string },
    rendered: Rendered,
  ): Promise<SendResult>;
}

/** A channel's way out, its configuration checked. */
export interface Way {
  urls: string[];
  secretPath: string;
  render(message: Message): Rendered;
  /** Never throws for what the provider does. */
  send(ports: Ports, rendered: Rendered, key: string): Promise<SendResult>;
}

export interface Provider extends Pick<ProviderSpec<TSchema>, "type" | "schema" | "secret" | "gapMs" | "example"> {
  /** Throws for a configuration that does not fit the schema. */
  open(config: unknown, secret: string | null): Way;
}

/** Declares a kind of channel; its configuration is checked once, here, wherever it comes from. */
export function defineProvider<Schema extends TSchema>(spec: ProviderSpec<Schema>): Provider {
  const { type, schema, secret: secretSpec, gapMs, example } = spec;
  return {
    type,
    schema,
    secret: secretSpec,
    gapMs,
    example,
    open(config, secret) {
      if (!Value.Check(schema, config)) throw new Error(`the configuration of a ${type} channel does not fit`);
      return {
        urls: spec.urls(config, secret),
        secretPath: spec.secretPath(config),
        render: (message) => spec.render(message, config),
        send: (ports, rendered, key) => spec.send(ports, { config, secret, key }, rendered),
      };
    },
  };
}
