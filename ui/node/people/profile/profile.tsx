import { useState } from "preact/hooks";
import { day } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { SettingsTabs } from "../../../shell/settings-tabs.tsx";
import { isAdmin, user } from "../../client/session.ts";
import { AvatarField } from "../avatars/avatar-field.tsx";
import { RenameUser } from "../users/rename-user.tsx";

const roles = { admin: "Administrator", member: "Member", viewer: "Viewer" };

/** You, as others on this server see you. */
export function Profile() {
  const who = user.value;
  const [renaming, setRenaming] = useState(false);
  if (!who) return null;
  return (
    <div class="page">
      <header class="head">
        <h1>Profile</h1>
      </header>
      <SettingsTabs />
      <div class="grid12">
        <Card title="Picture" w={7}>
          <div class="card-b">
            <AvatarField who={who} />
          </div>
        </Card>
        <Card title="Account" w={5}>
          <div class="card-b stack">
            <dl class="dl">
              <dt>User name</dt>
              <dd>{who.username}</dd>
              <dt>Role</dt>
              <dd>{roles[who.role]}</dd>
              <dt>Since</dt>
              <dd>{day(who.created_at)}</dd>
            </dl>
            <div class="btns">
              {isAdmin() && (
                <Button icon="edit" onClick={() => setRenaming(true)}>
                  Rename
                </Button>
              )}
              <LinkButton href="/security" icon="shield">
                Security
              </LinkButton>
              <LinkButton href="/settings" icon="palette">
                Appearance
              </LinkButton>
            </div>
          </div>
        </Card>
      </div>
      {renaming && <RenameUser target={who} onClose={() => setRenaming(false)} onRenamed={() => {}} />}
    </div>
  );
}
