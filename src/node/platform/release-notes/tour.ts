import type { FeatureTour } from "./contract.ts";

/** A walk through what the last release with something to see brought. A release without news leaves it as it is. */
export const TOUR: FeatureTour = {
  version: "0.1.0",
  slides: [
    {
      title: "Apps in one click",
      text: "Choose one from the store, answer what it asks, and watch it being set up step by step. What you delete stays in the trash for seven days.",
      path: "/store",
      action: "Open the store",
    },
    {
      title: "See what your server does",
      text: "Processor, memory, disks and network of the server and of every app, live and for a year back.",
      path: "/metrics",
      action: "See the metrics",
    },
    {
      title: "Hear of trouble before others do",
      text: "Alerts reach you by mail, Telegram, Slack, Discord or a webhook. Forecasts tell when a disk will be full.",
      path: "/alerts",
      action: "Set up alerts",
    },
    {
      title: "Sign in without a password",
      text: "Add a passkey and use your finger, your face or a security key. Another device can let you in, too.",
      path: "/security",
      action: "Add a passkey",
    },
  ],
};
