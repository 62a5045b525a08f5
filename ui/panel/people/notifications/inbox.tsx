import { useState } from "preact/hooks";
import type { Notification } from "../../../../src/panel/people/notifications/contract.ts";
import { ago } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { Popover } from "../../../kit/menu.tsx";
import { Badge, Glyph, type State } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useChanges } from "../../client/changes.ts";
import { resource, useResource } from "../../client/resource.ts";

const states: Record<Notification["severity"], State> = {
  info: "info",
  success: "ok",
  warning: "warn",
  critical: "crit",
};
const mostShown = 99;
const pageSize = 30;
/** Many notices of one moment are asked for together. */
const leastMs = 300;

const counted = () => resource("GET /api/notifications/count");
const listed = () => resource("GET /api/notifications", { query: { limit: pageSize } });

/** Marks one or all as read; the list shows it at once, before the server has answered. */
async function markRead(which: "all" | string): Promise<void> {
  const read_at = new Date().toISOString();
  listed().set((now) => {
    if (now === null) return null;
    const isMeant = ({ id, read_at: at }: Notification) => at === null && (which === "all" || id === which);
    return { ...now, notifications: now.notifications.map((item) => (isMeant(item) ? { ...item, read_at } : item)) };
  });
  try {
    const { unread_count } =
      which === "all"
        ? await api("POST /api/notifications/read-all")
        : await api("POST /api/notifications/{id}/read", { path: { id: which } });
    counted().set(() => ({ unread_count }));
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
    void listed().refresh();
  }
}

/** A bell with the number of new things, and the list behind it. */
export function Inbox() {
  // The stream says when to ask, the first time when it begins.
  const count = counted();
  useChanges("notifications", count.refresh, leastMs);
  const unread = count.data.value?.unread_count ?? 0;
  const label = unread === 0 ? "Notifications" : `Notifications, ${unread} new`;
  return (
    <Popover
      role="dialog"
      label="Notifications"
      trigger={(props) => (
        <span class="bell">
          <IconButton {...props} icon="bell" label={label} />
          {unread > 0 && <Badge tone="crit">{unread > mostShown ? `${mostShown}+` : unread}</Badge>}
        </span>
      )}
    >
      {(close) => <Opened unread={unread} close={close} />}
    </Popover>
  );
}

function Opened({ unread, close }: { unread: number; close: () => void }) {
  const list = useResource("GET /api/notifications", { query: { limit: pageSize } });
  useChanges("notifications", list.refresh, leastMs);
  return (
    <div class="inbox">
      <div class="inboxhead">
        <h2>Notifications</h2>
        <span class="push">
          {unread > 0 && (
            <Button size="sm" kind="ghost" onClick={() => void markRead("all")}>
              Mark all read
            </Button>
          )}
        </span>
      </div>
      <Loaded of={list} what="Notifications">
        {({ notifications }) =>
          notifications.length === 0 ? (
            <EmptyState title="All quiet">What you should know of in this workspace appears here.</EmptyState>
          ) : (
            <Pages first={notifications} close={close} />
          )
        }
      </Loaded>
      <p class="inboxfoot">
        <a href="/profile/notifications" onClick={close}>
          Choose what you are told of
        </a>
      </p>
    </div>
  );
}

/** The newest, and older ones on demand. */
function Pages({ first, close }: { first: readonly Notification[]; close: () => void }) {
  const [older, setOlder] = useState<readonly Notification[]>([]);
  const [isWhole, setWhole] = useState(first.length < pageSize);
  const items = [...first, ...older];
  const more = async (): Promise<void> => {
    const before = items.at(-1)?.id ?? "";
    try {
      const { notifications } = await api("GET /api/notifications", { query: { limit: pageSize, before } });
      setOlder([...older, ...notifications]);
      setWhole(notifications.length < pageSize);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
  };
  return (
    <ul>
      {items.map((item) => (
        <Item key={item.id} item={item} close={close} />
      ))}
      {!isWhole && (
        <li>
          <Button wide kind="ghost" onClick={() => void more()}>
            Show older ones
          </Button>
        </li>
      )}
    </ul>
  );
}

function Item({ item, close }: { item: Notification; close: () => void }) {
  const open = (): void => {
    if (item.read_at === null) void markRead(item.id);
    close();
    navigate(item.link);
  };
  return (
    <li class={item.read_at === null ? "new" : ""}>
      <button type="button" onClick={open}>
        <Glyph state={states[item.severity]} />
        <span class="col">
          <span class="title">{item.title}</span>
          {item.body !== "" && <span class="t12 c3">{item.body}</span>}
          <span class="t12 c3">{ago(item.created_at)}</span>
        </span>
        {item.read_at === null && (
          <span class="dot">
            <span class="sr">new</span>
          </span>
        )}
      </button>
    </li>
  );
}
