import { Tabs } from "../../kit/tabs.tsx";
import { isAdmin } from "../client/session.ts";

/** The pages about this server and your account; phones reach them all from here. */
export function SettingsTabs({
  current,
}: {
  current: "settings" | "profile" | "security" | "users" | "audit" | "webhooks" | "panel" | "plan";
}) {
  const tabs = [
    { id: "settings", label: "Appearance", href: "/settings" },
    { id: "profile", label: "Profile", href: "/profile" },
    { id: "security", label: "Security", href: "/security" },
    ...(isAdmin()
      ? [
          { id: "users", label: "Users", href: "/users" },
          { id: "audit", label: "Audit log", href: "/audit" },
          { id: "webhooks", label: "Webhooks", href: "/webhooks" },
          { id: "panel", label: "Panel", href: "/panel" },
        ]
      : []),
    { id: "plan", label: "Plan", href: "/settings/plan" },
  ];
  return (
    <div class="only-tabs-sm">
      <Tabs label="Settings" tabs={tabs} current={current} />
    </div>
  );
}
