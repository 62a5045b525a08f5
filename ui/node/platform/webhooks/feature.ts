import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { mayChangeThings } from "../../client/session.ts";

/** Addresses elsewhere that are told what happens here. */
export const webhooksFeature: Feature = {
  screens: [
    {
      id: "webhooks",
      pattern: "/webhooks",
      title: "Webhooks",
      icon: "plug",
      nav: { key: "w", group: "manage", order: 40 },
      tab: { order: 60 },
      mayOpen: mayChangeThings,
      view: lazy(() => import("./webhooks.tsx").then((module) => module.Webhooks)),
    },
    {
      id: "webhook",
      pattern: "/webhooks/:id",
      title: "Webhook",
      icon: "plug",
      parent: "webhooks",
      view: lazy(() => import("./webhook.tsx").then((module) => module.WebhookPage)),
    },
  ],
};
