import { Tabs } from "../../../kit/tabs.tsx";

const tabs = [
  { id: "read", label: "Read", href: "/logs" },
  { id: "forwarders", label: "Forwarders", href: "/logs/forwarders" },
];

/** The two sides of logs: reading them here, and sending them elsewhere. */
export function LogTabs({ current }: { current: "read" | "forwarders" }) {
  return <Tabs label="Logs" current={current} tabs={tabs} />;
}
