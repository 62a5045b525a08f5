import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Container, ContainerDetail, ContainerStats } from "../../../../src/node/apps/containers/contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner, Skeleton } from "../../../kit/card.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { ConfirmDanger, Drawer } from "../../../kit/dialog.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { actOnContainer, busyContainers } from "./actions.ts";
import { ContainerLog } from "./container-log.tsx";
import { NewerImageNotice } from "./newer-image.tsx";
import { Ports } from "./ports.tsx";
import { containerState, memoryWords, processorWords } from "./words.ts";

/** A container in full: how it is, what it was made with, what it writes, and what can be done with it. */
export function ContainerDrawer({
  container,
  used,
  onClose,
}: {
  container: Container;
  /** What it uses now; nothing where it does not run. */
  used: ContainerStats | undefined;
  onClose: () => void;
}) {
  const [removes, setRemoves] = useState(false);
  const { id, name, owner } = container;
  const detail = useResource("GET /api/containers/{id}", { path: { id }, everyMs: 10_000 });
  const { state, word } = containerState(container);
  const runs = container.state === "running" || container.state === "restarting" || container.state === "paused";
  const busy = busyContainers.value.has(id);
  const shows = query.value.get("log") === "1" ? "log" : "details";
  const act = (verb: "start" | "stop" | "restart") => actOnContainer(container, verb).then(() => detail.refresh());
  if (removes) return <RemoveDialog container={container} runs={runs} onClose={() => setRemoves(false)} />;
  return (
    <Drawer
      title={name}
      sub={container.status}
      onClose={onClose}
      foot={
        owner === null ? (
          <>
            <Button kind="danger" disabled={busy} onClick={() => setRemoves(true)}>
              Remove
            </Button>
            {runs && (
              <Button class="push" icon="restart" busy={busy} onClick={() => void act("restart")}>
                Restart
              </Button>
            )}
            <Button
              class={runs ? "" : "push"}
              icon={runs ? "stop" : "play"}
              busy={busy}
              onClick={() => void act(runs ? "stop" : "start")}
            >
              {runs ? "Stop" : "Start"}
            </Button>
          </>
        ) : owner.kind === "app" ? (
          <span class="push">
            <LinkButton href={`/apps/${owner.app_id}`}>See the app</LinkButton>
          </span>
        ) : null
      }
    >
      <div class="stack">
        <div class="row">
          <Status state={state}>{word}</Status>
          <span class="push">
            <Segmented
              size="sm"
              label="Show"
              value={shows}
              options={[
                { value: "details", label: "Details" },
                { value: "log", label: "Log" },
              ]}
              onValue={(value) => setQuery({ log: value === "log" ? "1" : null })}
            />
          </span>
        </div>
        {owner !== null && (
          <Banner state="info">
            {owner.kind === "app"
              ? `${owner.name} looks after this container. Start, stop and change it there.`
              : "Another Orrery that uses this Docker Engine looks after this container."}
          </Banner>
        )}
        <NewerImageNotice container={container} />
        {runs && owner?.kind !== "other_node" && (
          <div>
            <LinkButton href={`/containers/${id}/terminal`} icon="terminal" size="sm">
              Terminal
            </LinkButton>
          </div>
        )}
        {shows === "log" ? (
          <ContainerLog id={id} name={name} />
        ) : (
          <Loaded of={detail} what="The container" skeleton={<Skeleton rows={6} />}>
            {(data) => <Details data={data} used={used} />}
          </Loaded>
        )}
      </div>
    </Drawer>
  );
}

function Details({ data, used }: { data: ContainerDetail; used: ContainerStats | undefined }) {
  const facts: [string, string | null][] = [
    ["Image", data.image],
    ["Command", data.command.join(" ")],
    ["Created", data.created_at === null ? null : moment(data.created_at)],
    ["Started", data.started_at === null ? null : moment(data.started_at)],
    ["Ended", data.finished_at === null ? null : moment(data.finished_at)],
    ["Exit code", data.exit_code === null ? null : `${data.exit_code}${data.oom_killed ? ", out of memory" : ""}`],
    ["Error", data.error],
    ["Restarts", data.restarts === 0 ? null : String(data.restarts)],
    ["Restart policy", data.restart_policy],
    ["Processor now", processorWords(used)],
    ["Memory now", memoryWords(used)],
    ["Memory limit", data.memory_limit_bytes === null ? "None" : bytesText(data.memory_limit_bytes, "memory")],
    ["Processor limit", data.cpu_limit === null ? "None" : String(data.cpu_limit)],
    ["User", data.user],
    ["Working folder", data.working_dir],
    [
      "Networks",
      data.networks.map(({ name, address }) => (address === null ? name : `${name} (${address})`)).join(", "),
    ],
  ];
  return (
    <>
      {data.privileged && <Banner state="warn">It runs privileged: whoever takes it over has the whole server.</Banner>}
      <dl class="dl ctfacts">
        {facts.map(([term, text]) =>
          text === null || text === "" ? null : (
            <Fragment key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </Fragment>
          ),
        )}
        <dt>Ports</dt>
        <dd>
          <Ports ports={data.ports} limit={50} />
        </dd>
      </dl>
      <Pairs
        title="Storage"
        rows={data.mounts.map((mount) => [mount.target, `${mount.source}${mount.read_only ? " (read only)" : ""}`])}
      />
      <Pairs title="Environment" rows={data.environment.map(({ name, value }) => [name, value])} />
      <Pairs title="Labels" rows={Object.entries(data.labels)} />
    </>
  );
}

/** Names with what belongs to them; a secret says that it is one. */
function Pairs({ title, rows }: { title: string; rows: [string, string | null][] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 class="w6 t13 c2">{title}</h3>
      <dl class="ctpairs">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <span class="c3">Secret, not shown</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function RemoveDialog({ container, runs, onClose }: { container: Container; runs: boolean; onClose: () => void }) {
  const { id, name } = container;
  const remove = async (): Promise<void> => {
    await api("DELETE /api/containers/{id}", { path: { id }, query: runs ? { force: true } : {} });
    toast(`${name} is removed.`);
    setQuery({ container: null, log: null });
    void resource("GET /api/containers").refresh();
  };
  return (
    <ConfirmDanger
      title={`Remove ${name}?`}
      typed={runs ? name : null}
      action={runs ? "Kill and remove" : "Remove"}
      onConfirm={remove}
      onClose={onClose}
    >
      {runs && "It is running and is ended at once. "}
      Its volumes stay; what it wrote anywhere else is lost.
    </ConfirmDanger>
  );
}
