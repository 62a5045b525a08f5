import { useEffect, useState } from "preact/hooks";
import type { Component, ComponentList } from "../../../../src/node/host/components/contract.ts";
import { ago } from "../../../client/format.ts";
import { query, setQuery } from "../../../client/router.ts";
import { Banner, Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Status } from "../../../kit/status.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { resource, useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { ComponentRow } from "./component-row.tsx";
import { PlanCard } from "./plan-card.tsx";
import { RuntimeCard } from "./runtime-card.tsx";
import { type Choices, type Switchable, switchablesOf } from "./words.ts";
import { WorkCard } from "./work-card.tsx";

/** Optional parts of the system: what is on, and what turning something on or off will do. */
export function Components() {
  const list = useResource("GET /api/components", { everyMs: 60_000 });
  return (
    <div class="page">
      <header class="head">
        <h1>Components</h1>
        <span class="t13 c3 no-sm">Parts of the system that this server may add and take away</span>
        {list.data.value !== null && <Checked list={list.data.value} />}
      </header>
      <Loaded of={list} what="Components" skeleton={<Waiting />}>
        {(data) => <Content list={data} />}
      </Loaded>
    </div>
  );
}

function Waiting() {
  return (
    <Card>
      <Skeleton rows={6} tile />
    </Card>
  );
}

/** When the system was asked how it is. */
function Checked({ list }: { list: ComponentList }) {
  if (list.checked_at === null) return null;
  return (
    <span class="push t13 c3 no-sm">
      <Status state={list.check_problem === null ? "ok" : "warn"}>
        Checked against the system {ago(list.checked_at)}
      </Status>
    </span>
  );
}

/** The components of the list proper; the helpers of one with options have a card of their own. */
const isSingle = ({ options }: Component): boolean => options.length === 0;

function Content({ list }: { list: ComponentList }) {
  const [choices, setChoices] = useState<Choices>(new Map());
  const opId = isAdmin() ? (query.value.get("op") ?? list.op_id) : null;
  // Kept in the address, so that its end is still told when somebody comes back after it.
  useEffect(() => {
    if (list.op_id !== null && query.peek().get("op") === null) setQuery({ op: list.op_id });
  }, [list.op_id]);
  const view = useOperation(opId, componentStream);
  useEffect(() => {
    if (view.status !== "running") void resource("GET /api/components").refresh();
  }, [view.status]);
  const choose = (item: Switchable, on: boolean): void => {
    const next = new Map(choices);
    // What is wanted and went away can be turned on once more.
    if (on === item.enabled && item.status !== "failed") next.delete(item.key);
    else next.set(item.key, on);
    setChoices(next);
  };
  const isFixed = !isAdmin() || list.busy;
  const row = (item: Switchable, fixed: boolean, id?: string) => (
    <ComponentRow
      key={item.key}
      item={item}
      {...(id === undefined ? {} : { id })}
      choices={choices}
      fixed={isFixed || fixed}
      installs={list.installs}
      onChoose={choose}
    />
  );
  const many = list.components.filter((component) => !isSingle(component));
  return (
    <div class="stack">
      <Notices list={list} />
      <div class="cpgrid">
        <div class="stack">
          <Card title="Components" aside="only packages from a fixed list">
            <ul class="rows">
              {list.components.filter(isSingle).map((component) => {
                const isKept = component.enabled && !component.removable;
                return switchablesOf(component).map((item) => row(item, isKept, component.id));
              })}
            </ul>
          </Card>
          {many.map((component) => (
            <Card key={component.id} title={component.title} aside={component.summary}>
              <ul class="rows">{switchablesOf(component).map((item) => row(item, false))}</ul>
            </Card>
          ))}
          <RuntimeCard runtime={list.container_runtime} />
        </div>
        <div class={opId !== null || choices.size > 0 ? "plancol chosen" : "plancol"}>
          {opId !== null ? (
            <WorkCard view={view} onClose={() => setQuery({ op: null })} />
          ) : choices.size > 0 ? (
            <PlanCard
              list={list}
              choices={choices}
              onDiscard={() => setChoices(new Map())}
              onBegun={(id) => {
                setChoices(new Map());
                setQuery({ op: id });
                void resource("GET /api/components").refresh();
              }}
            />
          ) : (
            <Card class="plan" title="Plan">
              <EmptyState title="Nothing chosen">
                {isAdmin()
                  ? "Switch something on or off. What that will do is told here before anything is done."
                  : "An administrator of this server can turn these on and off."}
              </EmptyState>
            </Card>
          )}
        </div>
      </div>
    </div>
  );
}

const componentStream = (id: string): string => `/api/components/ops/${encodeURIComponent(id)}/events`;

/** What is wrong with the list as a whole. */
function Notices({ list }: { list: ComponentList }) {
  return (
    <>
      {list.config_error !== undefined && (
        <Banner state="warn">
          {list.config_error}. Every feature stays visible; the next change writes the file anew.
        </Banner>
      )}
      {list.check_problem !== null && <Banner state="warn">{list.check_problem}</Banner>}
      {!list.installs && (
        <Banner state="info">
          This server has no apt, so nothing can be installed from here. What its own package manager installs is found.
        </Banner>
      )}
      {list.busy && !isAdmin() && <Banner state="info">An administrator is changing components just now.</Banner>}
    </>
  );
}
