import type { ReleaseNote } from "./contract.ts";

/** What this release and those before it brought. A panel carries the notes of its own programs. */
export const NOTES: readonly ReleaseNote[] = [
  {
    id: "os-0.1.0",
    product: "os",
    version: "0.1.0",
    title: "The first Orrery node",
    summary: "One file runs a server: apps, metrics, alerts, sign-in, and a panel to belong to.",
    items: [
      "Apps from a signed catalogue, installed step by step, with a trash for their data",
      "Metrics of the server and of every app, disks and their health, forecasts and alerts",
      "Passkeys, two-factor sign-in, approvals from another device, and an audit log that shows tampering",
      "Upgrades that go back by themselves when the new release does not answer",
      "Connects to a panel with one copied line, and keeps working when the panel is away",
    ],
    status: "published",
    published_at: "2026-11-21T00:00:00.000Z",
  },
  {
    id: "cc-0.1.0",
    product: "cc",
    version: "0.1.0",
    title: "The first Orrery panel",
    summary: "All servers of a workspace in one place.",
    items: [
      "Workspaces with roles, and a team",
      "Servers that enrol with one line and prove themselves with certificates of the panel's own authority",
      "A live fleet list, overview and heat map",
      "Docker swarms as pictures of their members and the links between them",
    ],
    status: "published",
    published_at: "2026-11-21T00:00:00.000Z",
  },
];
