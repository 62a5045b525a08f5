import { useState } from "preact/hooks";
import { query, setQuery } from "../../../client/router.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { TerminalTabs } from "../../../parts/terminal/terminal-tabs.tsx";
import { useCrumb } from "../../../shell/title.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { connectTo } from "./connect.ts";

/** Shells in the apps of a node, and of the server itself. */
export function NodeTerminal({ params }: { params: Record<string, string> }) {
  const id = params["id"] ?? "";
  const detail = useResource("GET /api/fleet/instances/{id}/detail", { path: { id } });
  const recordings = useResource("GET /api/fleet/instances/{id}/terminal-recordings", {
    path: { id },
    query: { limit: 1 },
  });
  const hostname = detail.data.value?.instance.hostname ?? id;
  useCrumb(`Terminal on ${hostname}`);
  return (
    <div class="page">
      <header class="head">
        <h1 class="cut">Terminal on {hostname}</h1>
        <span class="btns">
          {may("fleet:shell", { ownRole: true }) && (
            <LinkButton icon="clock" href={`/nodes/${id}/recordings`}>
              Recordings
            </LinkButton>
          )}
          <LinkButton icon="server" href={`/nodes/${id}`}>
            Server
          </LinkButton>
        </span>
      </header>
      {recordings.data.value?.is_on === true && (
        <Banner state="info">
          This workspace records its terminals: what they show is kept for {recordings.data.value.kept_days} days. What
          is typed is kept only where the terminal shows it.
        </Banner>
      )}
      <Loaded of={detail} what="The apps of this server">
        {({ apps }) => (
          <Shells id={id} names={apps.filter(({ status }) => status === "running").map(({ name }) => name)} />
        )}
      </Loaded>
    </div>
  );
}

/** Of the choice of apps: what stands for the server itself. No app has an empty name. */
const SERVER = "";

function Shells({ id, names }: { id: string; names: readonly string[] }) {
  const asked = query.value.get("app");
  const [first] = useState(names[0] ?? SERVER);
  const app = asked !== null && (asked === SERVER || names.includes(asked)) ? asked : first;
  const options = [
    ...names.map((name) => ({ value: name, label: name })),
    { value: SERVER, label: "The server itself" },
  ];
  const place =
    app === SERVER
      ? { title: "the server", connect: connectTo(id, null) }
      : { title: app, connect: connectTo(id, app) };
  return (
    <TerminalTabs place={place} opensAtOnce={false}>
      <Select size="sm" label="Where" value={app} options={options} onValue={(next) => setQuery({ app: next })} />
    </TerminalTabs>
  );
}
