import { cutText } from "../../../lib/cut-text.ts";
import { minutes } from "../../../lib/duration.ts";
import type { NameOf, TimelineLine } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { countRepeat, insertEvent } from "./store.ts";

type Deps = Pick<Needs, "db" | "clock" | "ids" | "hub">;

/** Repeats within this span are one entry. */
const FOLD_MS = minutes(15);
const MAX_TITLE = 300;

const EVERYBODY = 0;
const ADMINS = 2;

/** Writes an entry, or counts it on the one before, and tells the dashboards that listen. */
export function addEntry({ db, clock, ids, hub }: Deps, type: string, line: TimelineLine): void {
  const { category, severity, title, subject, link, audience, isInbox = false, fold } = line;
  const row = {
    id: ids.next("evt"),
    at: clock.now(),
    count: 1,
    category,
    type,
    severity,
    title: cutText(title, MAX_TITLE),
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
    hub.publish("inbox.changed", { role: audience === "everybody" ? "viewer" : "admin" }, {});
    if (typeof audience === "object") hub.publish("inbox.changed", { user_id: audience.user_id }, {});
  });
}

/** Writes every event of the bus that is worth telling, in the transaction of its cause: neither is there alone. */
export function recordEvents(needs: Needs): void {
  const { bus, db, meanings, lists } = needs;
  const nameOf: NameOf = (id) => {
    for (const find of lists.names.all()) {
      const name = find(id);
      if (name !== null) return name;
    }
    return "Somebody";
  };
  /** What turned bad and has not turned good since. */
  const bad = new Set<string>();
  bus.onEmit((name, data) => {
    const line = meanings.get(name)?.timeline?.(data, nameOf);
    if (!line) return;
    const { turn } = line;
    if (turn && bad.has(turn.of) === turn.bad) return;
    addEntry(needs, name, line);
    if (turn) db.afterCommit(() => void (turn.bad ? bad.add(turn.of) : bad.delete(turn.of)));
  });
}
