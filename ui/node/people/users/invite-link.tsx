import type { Invite } from "../../../../src/node/people/invites/contract.ts";
import { day } from "../../../client/format.ts";
import { SecretOnce } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";

/** The link that lets a user choose their own passphrase; shown once. */
export function InviteLink({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  return (
    <Dialog title={`Link for ${invite.user.username}`} sub="Shown only now." width="sm" onClose={onClose}>
      <div class="stack">
        <p class="c2">
          Whoever opens it first chooses the passphrase of this account. It works once, until {day(invite.expires_at)},
          and replaces an earlier link.
        </p>
        <SecretOnce label="Link" value={location.origin + invite.link} onSaved={onClose} />
      </div>
    </Dialog>
  );
}
