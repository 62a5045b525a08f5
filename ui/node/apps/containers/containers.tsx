import { query, setQuery } from "../../../client/router.ts";
import { Search } from "../../../kit/field.tsx";
import { Tabs } from "../../../kit/tabs.tsx";
import { useResource } from "../../client/resource.ts";
import { ComposeTab } from "../compose-projects/compose-tab.tsx";
import { RuntimeBanner } from "../runtime/runtime-banner.tsx";
import { ContainersTab } from "./containers-tab.tsx";
import { ImagesTab } from "./images-tab.tsx";
import { NetworksTab } from "./networks-tab.tsx";
import { VolumesTab } from "./volumes-tab.tsx";

const tabs = [
  { id: "containers", label: "Containers", find: "Name, image, port", View: ContainersTab },
  { id: "compose", label: "Compose", find: "Find a project", View: ComposeTab },
  { id: "images", label: "Images", find: "Find an image", View: ImagesTab },
  { id: "volumes", label: "Volumes", find: "Find a volume", View: VolumesTab },
  { id: "networks", label: "Networks", find: "Find a network", View: NetworksTab },
];

/** Everything on the engine: containers, images, volumes and networks, whoever made them. */
export function Containers() {
  const runtime = useResource("GET /api/system/runtime").data.value;
  const current = tabs.find(({ id }) => id === query.value.get("tab")) ?? tabs[0];
  if (current === undefined) return null;
  const search = query.value.get("q") ?? "";
  return (
    <div class="page">
      <header class="head">
        <h1>Containers</h1>
        <div class="btns push">
          <Search label={current.find} value={search} onValue={(value) => setQuery({ q: value })} />
        </div>
      </header>
      <Tabs
        label="What Docker has"
        current={current.id}
        tabs={tabs.map(({ id, label }) => ({
          id,
          label,
          href: id === "containers" ? "/containers" : `/containers?tab=${id}`,
        }))}
      />
      <RuntimeBanner />
      {(runtime === null || runtime.state === "ok") && <current.View search={search} />}
    </div>
  );
}
