import { useState } from "preact/hooks";
import { ago } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { ChannelDialog } from "./channel-dialog.tsx";
import type { ChatChannel } from "./types.ts";

/** Which rooms of a chat are told what goes wrong here. */
export function ChatCard() {
  return may("settings:write", { ownRole: true }) ? <Shown /> : null;
}

function Shown() {
  const channels = useResource("GET /api/chat-channels", { everyMs: 30_000 });
  const [edited, edit] = useState<ChatChannel | "new" | null>(null);
  const [deleted, setDeleted] = useState<ChatChannel | null>(null);
  const test = async ({ id, name }: ChatChannel): Promise<void> => {
    try {
      await api("POST /api/chat-channels/{id}/test", { path: { id } });
      toast(`A test arrived in ${name}.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await channels.refresh();
  };
  const takeOver = async ({ id, name }: ChatChannel): Promise<void> => {
    try {
      await api("POST /api/chat-channels/{id}/take-over", { path: { id } });
      toast(`${name} is yours, and told again.`);
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    }
    await channels.refresh();
  };
  const remove = async ({ id }: ChatChannel): Promise<void> => {
    await api("DELETE /api/chat-channels/{id}", { path: { id } });
    setDeleted(null);
    await channels.refresh();
  };
  return (
    <Card
      title="Chat"
      w={12}
      actions={
        <Button size="sm" icon="plus" onClick={() => edit("new")}>
          Add a room
        </Button>
      }
    >
      <Loaded of={channels} what="Chat">
        {({ items }) =>
          items.length === 0 ? (
            <p class="card-b c2">
              Rooms of Slack, Mattermost, Discord or Teams can hear what goes wrong in this workspace.
            </p>
          ) : (
            <DataTable
              label="Rooms"
              rows={items}
              keyOf={({ id }) => id}
              folds
              columns={[
                {
                  id: "name",
                  title: "Room",
                  cell: ({ name }) => <span class="host">{name}</span>,
                },
                { id: "where", title: "Where", wide: true, cell: ({ host }) => <span class="cut">{host}</span> },
                { id: "state", title: "State", cell: (channel) => <State of={channel} /> },
                {
                  id: "do",
                  title: "",
                  cell: (channel) => (
                    <Menu
                      label={`What to do with ${channel.name}`}
                      items={[
                        channel.paused
                          ? { label: "Take over", run: () => void takeOver(channel) }
                          : { label: "Send a test", run: () => void test(channel) },
                        { label: "Change", run: () => edit(channel) },
                        { label: "Delete", danger: true, run: () => setDeleted(channel) },
                      ]}
                      trigger={(props) => (
                        <IconButton {...props} icon="more" size="sm" label={`More about ${channel.name}`} />
                      )}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {edited !== null && (
        <ChannelDialog
          channel={edited === "new" ? null : edited}
          onDone={() => {
            edit(null);
            void channels.refresh();
          }}
          onClose={() => edit(null)}
        />
      )}
      {deleted !== null && (
        <ConfirmDanger
          title={`Delete ${deleted.name}?`}
          typed={null}
          action="Delete the room"
          onConfirm={() => remove(deleted)}
          onClose={() => setDeleted(null)}
        >
          It is told nothing any more, and what still waits for it is forgotten.
        </ConfirmDanger>
      )}
    </Card>
  );
}

function State({ of: { last_error, sent_at, waiting, dropped, off_at, paused } }: { of: ChatChannel }) {
  if (paused)
    return (
      <span class="lines">
        <Status state="warn">Paused</Status>
        <span class="t12 c3">Its maker may not have chat rooms any more. Take it over, or delete it.</span>
      </span>
    );
  if (off_at !== null)
    return (
      <span class="lines">
        <Status state="crit">Switched off {ago(off_at)}</Status>
        <span class="t12 c3">
          Nothing had arrived for three days: {last_error}. A test that arrives turns it on again.
        </span>
      </span>
    );
  if (last_error !== null) {
    const counts = `${waiting} waiting${dropped > 0 ? `, ${dropped} given up` : ""}`;
    return (
      <span class="lines">
        <Status state="crit">Nothing arrives</Status>
        <span class="t12 c3">
          {last_error} ({counts})
        </span>
      </span>
    );
  }
  return sent_at === null ? (
    <Status state="unknown">Nothing sent yet</Status>
  ) : (
    <Status state="ok">Last {ago(sent_at)}</Status>
  );
}
