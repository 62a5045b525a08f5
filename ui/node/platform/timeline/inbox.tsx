import type { InboxItem } from "../../../../src/node/platform/timeline/contract.ts";
import { ago, count } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { navigate } from "../../../client/router.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { EmptyState } from "../../../kit/card.tsx";
import { Popover } from "../../../kit/menu.tsx";
import { Badge, Glyph, type State } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";

const states: Record<InboxItem["severity"], State> = { info: "info", warning: "warn", critical: "crit" };
const mostShown = 99;

const inbox = () => resource("GET /api/inbox");

/** Marks as read on this page at once, before the server has answered. */
async function markRead(ids: "all" | string): Promise<void> {
  inbox().set((now) => {
    if (now === null) return null;
    const items = now.items.map((item) => (ids === "all" || item.id === ids ? { ...item, read: true } : item));
    const wasUnread = now.items.some((item) => item.id === ids && !item.read);
    return { ...now, items, unread: ids === "all" ? 0 : now.unread - (wasUnread ? 1 : 0) };
  });
  try {
    if (ids === "all") await api("POST /api/inbox/read");
    else await api("POST /api/inbox/{id}/read", { path: { id: ids } });
  } catch (error) {
    toast(asProblem(error).message, { state: "crit" });
    void inbox().refresh();
  }
}

/** What deserves notice: a bell with the number of new things, and the list behind it. */
export function Inbox() {
  const found = useResource("GET /api/inbox");
  const unread = found.data.value?.unread ?? 0;
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
      {(close) => (
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
          <Loaded of={found} what="Notifications">
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState title="All quiet">What deserves your notice appears here.</EmptyState>
              ) : (
                <ul>
                  {items.map((item) => (
                    <Item key={item.id} item={item} close={close} />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <p class="inboxfoot">
            <a href="/timeline" onClick={close}>
              See everything that happened
            </a>
          </p>
        </div>
      )}
    </Popover>
  );
}

function Item({ item, close }: { item: InboxItem; close: () => void }) {
  const open = (): void => {
    if (!item.read) void markRead(item.id);
    close();
    navigate(item.link ?? "/timeline");
  };
  return (
    <li class={item.read ? "" : "new"}>
      <button type="button" onClick={open}>
        <Glyph state={states[item.severity]} />
        <span class="col">
          <span class="title">{item.title}</span>
          <span class="t12 c3">
            {ago(item.timestamp)}
            {item.count > 1 && `, ${count(item.count, "time")}`}
          </span>
        </span>
        {!item.read && (
          <span class="dot">
            <span class="sr">new</span>
          </span>
        )}
      </button>
    </li>
  );
}
