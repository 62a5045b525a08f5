import { minutes } from "../../../lib/duration.ts";
import type { NodeContext } from "../../context.ts";
import type { NodeEvents } from "../../events.ts";
import { findUser } from "../../people/users/index.ts";
import { PANEL } from "../operations/index.ts";
import { type NameOf, type Telling, type Told, tellApps, tellSystem } from "./describe.ts";
import { tellAlerts } from "./describe-alerts.ts";
import { tellAuth } from "./describe-auth.ts";
import { tellPanel } from "./describe-panel.ts";
import { countRepeat, insertEvent } from "./store.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "ids" | "eventHub">;
type EventName = keyof NodeEvents & string;

/** Every event that the timeline tells of. */
const TOLD: Telling = { ...tellApps, ...tellAuth, ...tellSystem, ...tellAlerts, ...tellPanel };
/** Repeats within this span are one entry. */
const FOLD_MS = minutes(15);
const MAX_TITLE = 300;

const EVERYBODY = 0;
const ADMINS = 2;

/** The words for an event, or null when the timeline does not tell of it. */
export function tell<Name extends EventName>(name: Name, data: NodeEvents[Name], nameOf: NameOf): Told | null {
  const telling = TOLD[name];
  return telling ? telling(data, nameOf) : null;
}

/** Writes an entry, or counts it on the one before, and tells the dashboards that listen. */
export function addEntry({ db, clock, ids, eventHub }: Deps, type: string, told: Told): void {
  const { category, severity, title, subject, link, audience, isInbox = false, fold } = told;
  const row = {
    id: ids.next("evt"),
    at: clock.now(),
    count: 1,
    category,
    type,
    severity,
    title: title.slice(0, MAX_TITLE),
    subject_kind: subject?.[0] ?? "",
    subject_id: subject?.[1] ?? "",
    link: link ?? null,
    least_rank: audience === "everybody" ? EVERYBODY : ADMINS,
    user_id: typeof audience === "object" ? audience.user_id : null,
    is_inbox: isInbox ? 1 : 0,
    fold: fold ?? null,
  };
  const isRepeat = db.tx(() => {
    if (row.fold !== null && countRepeat(db, row, row.at - FOLD_MS)) return true;
    insertEvent(db, row);
    return false;
  });
  if (isRepeat || !isInbox) return;
  db.afterCommit(() => {
    eventHub.publish("inbox.changed", { role: audience === "everybody" ? "viewer" : "admin" }, {});
    if (typeof audience === "object") eventHub.publish("inbox.changed", { user_id: audience.user_id }, {});
  });
}

/** Writes every event of the bus that is worth telling, in the transaction of its cause: neither is there alone. */
export function recordEvents(ctx: Deps & Pick<NodeContext, "bus">): void {
  const nameOf: NameOf = (id) => (id === PANEL ? "the panel" : (findUser(ctx.db, id)?.username ?? "Somebody"));
  let isDockerDown = false;
  ctx.bus.onEmit((name, data) => {
    const told = tell(name as EventName, data as NodeEvents[EventName], nameOf);
    if (told) addEntry(ctx, name, told);
  });
  // It also tells of each new version and of every start; only what goes and what comes back is worth a line.
  ctx.bus.on("runtime.changed", ({ runtime }) => {
    const isDown = runtime.state !== "ok";
    if (isDown === isDockerDown) return;
    isDockerDown = isDown;
    const base = { category: "system", link: "/apps", audience: "everybody" } as const;
    const told: Told = isDown
      ? { ...base, severity: "critical", title: runtime.message, isInbox: true, fold: "docker down" }
      : { ...base, severity: "info", title: "Docker answers again" };
    addEntry(ctx, "runtime.changed", told);
  });
}
