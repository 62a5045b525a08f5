import type { ComponentType } from "preact";
import { query } from "../../../client/router.ts";
import { Tabs } from "../../../kit/tabs.tsx";
import { ChannelsTab } from "../alert-channels/channels-tab.tsx";
import { TemplatesTab } from "../alert-channels/templates-tab.tsx";
import { MaintenanceTab } from "../maintenance/maintenance-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import { RulesTab } from "./rules-tab.tsx";

const tabs: { id: string; label: string; view: ComponentType }[] = [
  { id: "rules", label: "Rules", view: RulesTab },
  { id: "events", label: "Events", view: EventsTab },
  { id: "channels", label: "Channels", view: ChannelsTab },
  { id: "templates", label: "Templates", view: TemplatesTab },
  { id: "maintenance", label: "Maintenance", view: MaintenanceTab },
];

/** Everything about alerts; the address holds which tab is open. */
export function Alerts() {
  const current = tabs.find(({ id }) => id === query.value.get("tab")) ?? tabs[0];
  return (
    <div class="page">
      <header class="head">
        <h1>Alerts</h1>
      </header>
      <Tabs
        label="Alerts"
        current={current?.id ?? ""}
        tabs={tabs.map(({ id, label }) => ({ id, label, href: `/alerts?tab=${id}` }))}
      />
      <div class="grid12">{current !== undefined && <current.view />}</div>
    </div>
  );
}
