import { useState } from "preact/hooks";
import { day } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Menu, type MenuItem } from "../../../kit/menu.tsx";
import { type State, Status } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import { may } from "../../client/permissions.ts";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";
import type { Invitation } from "../../client/types.ts";
import { MailState } from "../../parts/mail-outcome.tsx";
import { roleNames } from "../../parts/roles.ts";
import { InviteDialog } from "./invite-dialog.tsx";

/** Who was asked to join, for those who may ask. */
export function Invitations() {
  return may("users:manage", { ownRole: true }) ? <Asked /> : null;
}

function Asked() {
  const list = useResource("GET /api/invitations", { everyMs: 60_000 });
  const [asking, ask] = useState(false);
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const [link, setLink] = useState<{ email: string; url: string } | null>(null);
  const byMail = list.data.value?.by_mail ?? false;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => toast(asProblem(error).message, { state: "crit" }));
    void list.refresh();
  };
  const itemsOf = ({ id, email }: Invitation): MenuItem[] => [
    ...(byMail
      ? [
          {
            label: "Send again",
            run: () =>
              void attempt(async () => {
                await api("POST /api/invitations/{id}/resend", { path: { id } });
                toast(`Another letter to ${email} is on its way.`);
              }),
          },
        ]
      : []),
    {
      label: "Make a new link",
      run: () =>
        void attempt(async () =>
          setLink({ email, ...(await api("POST /api/invitations/{id}/link", { path: { id } })) }),
        ),
    },
  ];
  return (
    <Card
      title="Invitations"
      actions={
        <Button kind="primary" size="sm" onClick={() => ask(true)}>
          Invite people
        </Button>
      }
    >
      <Loaded of={list} what="Invitations" skeleton={<p class="card-b c3">Loading</p>}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="card-b c3">Nobody is invited at the moment. Whoever you invite shows here until they join.</p>
          ) : (
            <DataTable
              label="Invitations"
              folds
              rows={items}
              keyOf={(item) => item.id}
              columns={[
                { id: "email", title: "Address", cell: ({ email }) => <span class="host cut">{email}</span> },
                { id: "role", title: "Role", cell: ({ role }) => roleNames[role] },
                { id: "state", title: "State", cell: (item) => <Progress of={item} /> },
                {
                  id: "by",
                  title: "Invited by",
                  wide: true,
                  cell: (item) => <span class="cut long-name">{item.invited_by ?? "Somebody who left"}</span>,
                },
                {
                  id: "do",
                  title: "",
                  cell: (item) =>
                    item.state !== "accepted" &&
                    (item.role !== "org_owner" || user.value?.role === "org_owner") && (
                      <span class="row">
                        <Menu
                          label={`Invitation of ${item.email}`}
                          items={itemsOf(item)}
                          trigger={(props) => (
                            <IconButton {...props} icon="more" size="sm" label={`More about ${item.email}`} />
                          )}
                        />
                        <IconButton
                          icon="trash"
                          size="sm"
                          label={`Take back the invitation of ${item.email}`}
                          onClick={() => setRevoked(item)}
                        />
                      </span>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {asking && <InviteDialog byMail={byMail} onDone={() => void list.refresh()} onClose={() => ask(false)} />}
      {link !== null && (
        <ShownOnce
          title="Link of the invitation"
          sub={`For ${link.email} alone. Shown only now; links that were made before open nothing any more.`}
          label="Link"
          secret={link.url}
          onClose={() => setLink(null)}
        />
      )}
      {revoked !== null && (
        <Revoke invitation={revoked} onDone={() => void list.refresh()} onClose={() => setRevoked(null)} />
      )}
    </Card>
  );
}

const states: Record<Invitation["state"], State> = { pending: "info", accepted: "ok", expired: "warn" };

function Progress({ of: { state, expires_at, accepted_at, mail } }: { of: Invitation }) {
  const word = {
    pending: `Open until ${day(expires_at)}`,
    accepted: `Joined ${accepted_at === null ? "" : day(accepted_at)}`,
    expired: "Ran out",
  }[state];
  return (
    <span class="lines">
      <Status state={states[state]}>{word}</Status>
      <MailState of={mail} />
    </span>
  );
}

function Revoke({
  invitation: { id, email },
  onDone,
  onClose,
}: {
  invitation: Invitation;
  onDone: () => void;
  onClose: () => void;
}) {
  const revoke = async (): Promise<void> => {
    await api("DELETE /api/invitations/{id}", { path: { id } }).catch((error: unknown) => {
      throw new Error(asProblem(error).message);
    });
    onClose();
    onDone();
    toast(`The invitation of ${email} is taken back.`);
  };
  return (
    <ConfirmDanger
      title={`Take back the invitation of ${email}?`}
      typed={null}
      action="Take back"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>Its letter and its link open nothing any more. You can invite the same address again.</p>
    </ConfirmDanger>
  );
}
