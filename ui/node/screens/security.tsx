import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { ago, moment } from "../../client/format.ts";
import { asProblem, type Problem } from "../../client/problem.ts";
import { useResource } from "../../client/resource.ts";
import { signOut } from "../../client/session.ts";
import type { Session } from "../../client/types.ts";
import { Button } from "../../kit/button.tsx";
import { Card, Skeleton } from "../../kit/card.tsx";
import { Password } from "../../kit/field.tsx";
import { Chip } from "../../kit/status.tsx";
import { DataTable } from "../../kit/table.tsx";
import { toast } from "../../kit/toast.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";

/** Where you are signed in, and your passphrase. */
export function Security() {
  const sessions = useResource("GET /api/auth/sessions");
  const end = async (session: Session): Promise<void> => {
    if (session.current) return signOut();
    sessions.set((list) => list?.filter((item) => item.id !== session.id) ?? null);
    await api("DELETE /api/auth/sessions/{id}", { path: { id: session.id } }).then(
      () => toast(`Signed out on ${session.device}.`),
      (error: unknown) => toast(asProblem(error).message, { state: "crit" }),
    );
    void sessions.refresh();
  };
  return (
    <div class="page">
      <header class="head">
        <h1>Security</h1>
      </header>
      <SettingsTabs current="security" />
      <div class="grid12">
        <Card title="Where you are signed in" w={8}>
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
                      <span class="row">
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
                        onClick={() => void end(session)}
                        aria-label={`Sign out ${session.device}`}
                      >
                        Sign out
                      </Button>
                    ),
                  },
                ]}
              />
            )}
          </Loaded>
        </Card>
        <PasswordCard />
      </div>
    </div>
  );
}

function PasswordCard() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await api("POST /api/auth/change-password", { body: { current_password: current, new_password: next } });
      setCurrent("");
      setNext("");
      toast("Passphrase changed.");
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const inNew = problem?.field === "new_password";
  return (
    <Card title="Passphrase" w={4}>
      <form class="card-b stack" onSubmit={submit}>
        <Password
          label="Passphrase now"
          value={current}
          onValue={setCurrent}
          required
          error={problem === null || inNew ? null : problem.message}
        />
        <Password
          label="New passphrase"
          value={next}
          onValue={setNext}
          autocomplete="new-password"
          meter={!inNew}
          required
          hint="At least 8 characters"
          error={inNew ? problem.message : null}
        />
        <p>
          <Button type="submit" busy={busy} disabled={current === "" || next.length < 8}>
            Change
          </Button>
        </p>
      </form>
    </Card>
  );
}
