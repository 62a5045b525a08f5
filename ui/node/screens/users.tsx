import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { day } from "../../client/format.ts";
import { asProblem, type Problem } from "../../client/problem.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import type { Role, User } from "../../client/types.ts";
import { Button } from "../../kit/button.tsx";
import { Skeleton } from "../../kit/card.tsx";
import { Select, Switch } from "../../kit/choice.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Input, Password } from "../../kit/field.tsx";
import { Avatar, Chip } from "../../kit/status.tsx";
import { DataTable } from "../../kit/table.tsx";
import { toast } from "../../kit/toast.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";

const roles: { value: Role; label: string; text: string }[] = [
  { value: "member", label: "Member", text: "Uses the apps and keeps own files and notes." },
  { value: "viewer", label: "Viewer", text: "Sees, but changes nothing." },
  { value: "admin", label: "Administrator", text: "Does everything, also this." },
];

/** Who has an account here, and what they may do. */
export function Users() {
  const users = useResource("GET /api/users");
  const [adding, add] = useState(false);
  const change = async (target: User, part: { role?: Role; disabled?: boolean }): Promise<void> => {
    users.set((list) => list?.map((item) => (item.id === target.id ? { ...item, ...part } : item)) ?? null);
    await api("PATCH /api/users/{id}", { path: { id: target.id }, body: part }).then(
      () => toast(`${target.username} changed.`),
      (error: unknown) => toast(asProblem(error).message, { state: "crit" }),
    );
    void users.refresh();
  };
  return (
    <div class="page">
      <header class="head">
        <h1>Users</h1>
        <span class="btns push">
          <Button kind="primary" icon="plus" onClick={() => add(true)}>
            Add user
          </Button>
        </span>
      </header>
      <SettingsTabs current="users" />
      <div class="card">
        <Loaded of={users} what="Users" skeleton={<Skeleton rows={3} tile />}>
          {(list) => (
            <DataTable
              label="Users"
              rows={list}
              keyOf={(item) => item.id}
              columns={[
                {
                  id: "name",
                  title: "User",
                  cell: (item) => (
                    <span class="row">
                      <Avatar name={item.username} />
                      <span class="host cut">{item.username}</span>
                      {item.id === user.value?.id && <Chip>You</Chip>}
                    </span>
                  ),
                },
                {
                  id: "role",
                  title: "Role",
                  cell: (item) => (
                    <Select
                      size="sm"
                      label={`Role of ${item.username}`}
                      value={item.role}
                      options={roles}
                      disabled={item.id === user.value?.id}
                      onValue={(role) => void change(item, { role })}
                    />
                  ),
                },
                { id: "since", title: "Since", wide: true, cell: (item) => day(item.created_at) },
                {
                  id: "active",
                  title: "Active",
                  number: true,
                  cell: (item) => (
                    <Switch
                      checked={!item.disabled}
                      disabled={item.id === user.value?.id}
                      onChecked={(active) => void change(item, { disabled: !active })}
                    >
                      <span class="sr">{item.username} may sign in</span>
                    </Switch>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </div>
      {adding && (
        <AddUser
          onClose={() => add(false)}
          onAdded={(created) => {
            users.set((list) => [...(list ?? []), created]);
            toast(`${created.username} can sign in now.`);
            add(false);
          }}
        />
      )}
    </div>
  );
}

function AddUser({ onClose, onAdded }: { onClose: () => void; onAdded: (user: User) => void }) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      onAdded(await api("POST /api/users", { body: { username, password, role } }));
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  const inPassword = problem?.field === "password";
  return (
    <Dialog
      title="Add user"
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy} disabled={username === "" || password.length < 8} onClick={submit}>
            Add user
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Input
          label="User name"
          icon="user"
          value={username}
          onValue={setUsername}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          error={problem === null || inPassword ? null : problem.message}
        />
        <Password
          label="First passphrase"
          value={password}
          onValue={setPassword}
          autocomplete="new-password"
          meter={!inPassword}
          hint="They can change it after signing in."
          error={inPassword ? problem.message : null}
        />
        <fieldset class="field">
          <legend class="label">Role</legend>
          <div class="stack tight">
            {roles.map((item) => (
              <label class="opt" key={item.value}>
                <input
                  type="radio"
                  class="radio"
                  name="role"
                  checked={role === item.value}
                  onChange={() => setRole(item.value)}
                />
                <span>
                  {item.label}
                  <span class="sub">{item.text}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
