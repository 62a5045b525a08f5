import { useState } from "preact/hooks";
import type { Invite } from "../../../../src/node/people/invites/contract.ts";
import type { User } from "../../../../src/node/people/users/contract.ts";
import { day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Select, Switch } from "../../../kit/choice.tsx";
import { SecretOnce } from "../../../kit/copy.tsx";
import { ConfirmDanger, Dialog } from "../../../kit/dialog.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Avatar, Chip } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import { WaitingLinks } from "../invites/waiting-links.tsx";
import { AddUser } from "./add-user.tsx";
import { RenameUser } from "./rename-user.tsx";
import { type Role, roles } from "./roles.ts";

type Layer =
  | { kind: "add" }
  | { kind: "rename"; target: User }
  | { kind: "delete"; target: User; kept: string | null }
  | { kind: "link"; invite: Invite };

/** Who has an account here, and what they may do. */
export function Users() {
  const users = useResource("GET /api/users");
  const links = useResource("GET /api/users/invites");
  const [layer, open] = useState<Layer | null>(null);
  const close = (): void => open(null);
  useWish("user", () => open({ kind: "add" }));
  const failFor =
    (target: User) =>
    (error: unknown): void => {
      const { code, message } = asProblem(error);
      const words = code === "user_not_found" ? `${target.username} was deleted meanwhile.` : message;
      toast(words, { state: "crit" });
      void users.refresh();
    };
  const change = async (target: User, part: { role?: Role; disabled?: boolean }): Promise<void> => {
    users.set((list) => list?.map((item) => (item.id === target.id ? { ...item, ...part } : item)) ?? null);
    await api("PATCH /api/users/{id}", { path: { id: target.id }, body: part }).then(
      () => toast(`${target.username} changed.`),
      failFor(target),
    );
    void users.refresh();
    void links.refresh();
  };
  const showLink = (invite: Invite): void => {
    open({ kind: "link", invite });
    void links.refresh();
  };
  const inviteAgain = (target: User): void =>
    void api("POST /api/users/{id}/invite", { path: { id: target.id } }).then(showLink, failFor(target));
  const remove = async (target: User, kept: string | null): Promise<void> => {
    try {
      const query = { with_belongings: kept !== null };
      await api("DELETE /api/users/{id}", { path: { id: target.id }, query });
    } catch (error) {
      const problem = asProblem(error);
      // What goes with the account is said, and asked for once more.
      if (problem.code === "user_has_belongings")
        return open({ kind: "delete", target, kept: String(problem.params["what"]) });
      throw new Error(problem.message);
    }
    users.set((list) => list?.filter((item) => item.id !== target.id) ?? null);
    void links.refresh();
    close();
    toast(`${target.username} is deleted.`);
  };
  const admins = users.data.value?.filter((item) => item.role === "admin" && !item.disabled) ?? [];
  const isLastAdmin = (item: User): boolean => admins.length === 1 && admins[0]?.id === item.id;
  return (
    <div class="page">
      <header class="head">
        <h1>Users</h1>
        <span class="btns push">
          <Button kind="primary" icon="plus" onClick={() => open({ kind: "add" })}>
            Add user
          </Button>
        </span>
      </header>
      <SettingsTabs />
      <div class="card">
        <Loaded of={users} what="Users" skeleton={<Skeleton rows={3} tile />}>
          {(list) => (
            <DataTable
              label="Users"
              rows={list}
              keyOf={(item) => item.id}
              folds
              columns={[
                {
                  id: "name",
                  title: "User",
                  cell: (item) => (
                    <span class="row">
                      <Avatar name={item.username} url={item.avatar_url} />
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
                      disabled={item.id === user.value?.id || isLastAdmin(item)}
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
                      disabled={item.id === user.value?.id || isLastAdmin(item)}
                      onChecked={(active) => void change(item, { disabled: !active })}
                    >
                      <span class="sr">{item.username} may sign in</span>
                    </Switch>
                  ),
                },
                {
                  id: "more",
                  title: "",
                  number: true,
                  cell: (item) =>
                    item.id !== user.value?.id && (
                      <Menu
                        label={`More for ${item.username}`}
                        trigger={(props) => (
                          <IconButton {...props} icon="more" size="sm" label={`More for ${item.username}`} />
                        )}
                        items={[
                          { label: "Rename…", icon: "edit", run: () => open({ kind: "rename", target: item }) },
                          { label: "New sign-in link", icon: "link", run: () => inviteAgain(item) },
                          {
                            label: "Delete",
                            icon: "trash",
                            danger: true,
                            disabled: isLastAdmin(item),
                            run: () => open({ kind: "delete", target: item, kept: null }),
                          },
                        ]}
                      />
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </div>
      {users.data.value !== null && <WaitingLinks links={links} />}
      {admins.length === 1 && (
        <p class="t13 c3">
          {admins[0]?.username} is the only active administrator and can be neither changed nor deleted: otherwise
          nobody could manage this server. Make someone else an administrator first.
        </p>
      )}
      {layer?.kind === "add" && (
        <AddUser
          onClose={close}
          onInvited={(invite) => {
            users.set((list) => [...(list ?? []), invite.user]);
            showLink(invite);
          }}
          onAdded={(created) => users.set((list) => [...(list ?? []), created])}
        />
      )}
      {layer?.kind === "rename" && (
        <RenameUser
          target={layer.target}
          onClose={close}
          onRenamed={(changed) =>
            users.set((list) => list?.map((item) => (item.id === changed.id ? changed : item)) ?? null)
          }
        />
      )}
      {layer?.kind === "link" && <InviteLink invite={layer.invite} onClose={close} />}
      {layer?.kind === "delete" && (
        <ConfirmDanger
          key={layer.kept}
          title={`Delete ${layer.target.username}?`}
          typed={layer.target.username}
          action={layer.kept === null ? "Delete user" : "Delete user and files"}
          onConfirm={() => remove(layer.target, layer.kept)}
          onClose={close}
        >
          {layer.kept !== null && <p class="crit">{`There are ${layer.kept}. They are gone for good then.`}</p>}
          Their sessions, keys and paired apps stop at once. To keep the account for later, switch it off instead.
        </ConfirmDanger>
      )}
    </div>
  );
}

/** The link that lets a user choose their own passphrase; shown once. */
function InviteLink({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  return (
    <Dialog title={`Link for ${invite.user.username}`} sub="Shown only now." width="sm" onClose={onClose}>
      <div class="stack">
        <p class="c2">
          Whoever opens it first chooses the passphrase of this account. It works once, until {day(invite.expires_at)},
          and replaces an earlier link. Sessions, API keys, paired apps, passkeys and WebDAV passwords of the account
          end with its old passphrase, unless its owner keeps them.
        </p>
        <SecretOnce label="Link" value={location.origin + invite.link} onSaved={onClose} />
      </div>
    </Dialog>
  );
}
