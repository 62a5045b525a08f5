import { useContext } from "preact/hooks";
import { path } from "../client/router.ts";
import { Tabs } from "../kit/tabs.tsx";
import { findScreen, ScreensContext } from "./screens.ts";

/** The screens that belong to settings; phones reach them all from here. */
export function SettingsTabs() {
  const screens = useContext(ScreensContext);
  const tabs = screens
    .flatMap(({ tab, id, title, pattern, mayOpen }) =>
      tab === undefined || mayOpen?.() === false
        ? []
        : [{ id, label: tab.label ?? title, href: pattern, order: tab.order }],
    )
    .sort((a, b) => a.order - b.order);
  return (
    <div class="only-tabs-sm">
      <Tabs label="Settings" tabs={tabs} current={findScreen(screens, path.value)?.screen.id ?? ""} />
    </div>
  );
}
