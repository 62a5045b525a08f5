import type { Channel } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import type { IconName } from "../../../icons/names.ts";

export type ChannelKind = Channel["type"];

/** What a person needs to know to connect one kind of channel. */
interface KindWords {
  type: ChannelKind;
  name: string;
  icon: IconName;
  /** Name and explanation of its secret. */
  secret: { label: string; hint: string; isRequired: boolean };
  /** Where to get what is asked for, step by step. */
  steps: string[];
}

export const kinds: KindWords[] = [
  {
    type: "email",
    name: "Email",
    icon: "mail",
    secret: { label: "Password", hint: "Empty when the server lets you send without.", isRequired: false },
    steps: [
      "Look up the outgoing (SMTP) server in the settings of your mail provider.",
      "Port 587 goes with STARTTLS, port 465 with TLS.",
      "With two-factor sign-in, make an app password there and enter it here.",
    ],
  },
  {
    type: "telegram",
    name: "Telegram",
    icon: "phone",
    secret: { label: "Bot token", hint: "Like 123456789:AAE…", isRequired: true },
    steps: [
      "In Telegram write /newbot to @BotFather; it answers with the token.",
      "Write something to your new bot, or add it to your group.",
      "Write to @userinfobot to learn your chat id. Ids of groups begin with a minus.",
    ],
  },
  {
    type: "slack",
    name: "Slack",
    icon: "chat",
    secret: { label: "Webhook address", hint: "Begins with https://hooks.slack.com/services/", isRequired: true },
    steps: [
      "Make an app at api.slack.com/apps, from scratch.",
      "Switch Incoming Webhooks on and add one to a channel.",
      "Copy its address. Mattermost and Rocket.Chat take the same messages.",
    ],
  },
  {
    type: "discord",
    name: "Discord",
    icon: "gamepad",
    secret: { label: "Webhook address", hint: "Begins with https://discord.com/api/webhooks/", isRequired: true },
    steps: [
      "Open the settings of your Discord channel, then Integrations.",
      "Make a new webhook there.",
      "Copy its address.",
    ],
  },
  {
    type: "webhook",
    name: "Webhook",
    icon: "plug",
    secret: {
      label: "Signing secret",
      hint: "Each message is then signed with it in X-Service-Signature.",
      isRequired: false,
    },
    steps: [
      "Any program that takes JSON by POST will do, such as n8n or Home Assistant.",
      "Addresses of your own network must be allowed first with SERVICE_WEBHOOK_ALLOW_CIDRS.",
    ],
  },
];

/** The words of one kind. */
export function kindOf(type: ChannelKind): KindWords {
  const found = kinds.find((kind) => kind.type === type);
  if (found === undefined) throw new Error(`no words for channels of type ${type}`);
  return found;
}
