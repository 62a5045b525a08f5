import { useState } from "preact/hooks";
import { ago, count, moment } from "../client/format.ts";
import { asProblem } from "../client/problem.ts";
import type { Resource } from "../client/resource.ts";
import { Button } from "../kit/button.tsx";
import { Card, Skeleton } from "../kit/card.tsx";
import { ConfirmDanger } from "../kit/dialog.tsx";
import { Chip } from "../kit/status.tsx";
import { DataTable } from "../kit/table.tsx";
import { toast } from "../kit/toasts.ts";
import { Loaded } from "./loaded.tsx";

/** One of the places where somebody is signed in. */
interface Session {
  id: string;
  device: string;
  ip: string;
  created_at: string;
  last_used_at: string;
  current: boolean;
}

interface SessionsCardProps {
  sessions: Resource<Session[]>;
  /** Ends the one that this page is of. */
  signOut(): Promise<void>;
  endOne(id: string): Promise<unknown>;
  /** Ends all others and says how many those were. */
  endOthers(): Promise<{ ended: number }>;
}

/** Where you are signed in; one or all others can be ended. */
export function SessionsCard({ sessions, signOut, endOne, endOthers: endAll }: SessionsCardProps) {
  const [asking, ask] = useState(false);
  const others = (sessions.data.value?.length ?? 1) - 1;
  const end = async (session: Session): Promise<void> => {
    if (session.current) return signOut();
    sessions.set((list) => list?.filter((item) => item.id !== session.id) ?? null);
    await endOne(session.id).then(
      () => toast(`Signed out on ${session.device}.`),
      (error: unknown) => toast(asProblem(error).message, { state: "crit" }),
    );
    void sessions.refresh();
  };
  const endOthers = async (): Promise<void> => {
    const { ended } = await endAll();
    ask(false);
    toast(`Signed out on ${count(ended, "other device")}.`);
    void sessions.refresh();
  };
  return (
    <Card
      title="Where you are signed in"
      w={12}
      actions={
        others > 0 && (
          <Button size="sm" kind="danger" onClick={() => ask(true)}>
            Sign out others
          </Button>
        )
      }
    >
      <Loaded of={sessions} what="Sessions" skeleton={<Skeleton rows={3} />}>
        {(list) => (
          <DataTable
            label="Sessions"
            rows={list}
            keyOf={(session) => session.id}
            columns={[
              {
                id: "device",
                title: "Device",
                cell: (session) => (
                  <span class="row folds">
                    <span class="host cut">{session.device}</span>
                    {session.current && <Chip state="acc">This one</Chip>}
                  </span>
                ),
              },
              { id: "ip", title: "Address", wide: true, cell: (session) => session.ip },
              {
                id: "used",
                title: "Last used",
                cell: (session) => <span data-tip={moment(session.last_used_at)}>{ago(session.last_used_at)}</span>,
              },
              {
                id: "since",
                title: "Since",
                wide: true,
                cell: (session) => <span data-tip={moment(session.created_at)}>{ago(session.created_at)}</span>,
              },
              {
                id: "end",
                title: "",
                number: true,
                cell: (session) => (
                  <Button
                    size="sm"
                    kind="ghost"
                    icon="logout"
                    class="word-no-sm"
                    onClick={() => void end(session)}
                    aria-label={`Sign out ${session.device}`}
                  >
                    <span class="no-sm">Sign out</span>
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {asking && (
        <ConfirmDanger
          title="Sign out everywhere else?"
          typed={null}
          action="Sign out the others"
          onConfirm={endOthers}
          onClose={() => ask(false)}
        >
          {count(others, "other session")} end at once. This one stays.
        </ConfirmDanger>
      )}
    </Card>
  );
}
