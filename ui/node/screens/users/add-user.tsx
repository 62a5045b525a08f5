import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import type { Invite, Role, User } from "../../../client/types.ts";
import { Button } from "../../../kit/button.tsx";
import { Segmented } from "../../../kit/choice.tsx";
import { SecretOnce } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { roles } from "./roles.ts";

type Way = "link" | "password";

/** A new account: by a link to choose the passphrase, or with a temporary one. */
export function AddUser({
  onClose,
  onInvited,
  onAdded,
}: {
  onClose: () => void;
  onInvited: (invite: Invite) => void;
  onAdded: (user: User) => void;
}) {
  const [username, setUsername] = useState("");
  const [way, setWay] = useState<Way>("link");
  const [role, setRole] = useState<Role>("member");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [temporary, setTemporary] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    if (username === "") return;
    setBusy(true);
    setProblem(null);
    try {
      if (way === "link") return onInvited(await api("POST /api/users/invites", { body: { username, role } }));
      const { temporary_password, ...created } = await api("POST /api/users", { body: { username, role } });
      onAdded(created);
      setTemporary(temporary_password ?? "");
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  if (temporary !== null) {
    return (
      <Dialog title={`${username} can sign in`} sub="Shown only now." width="sm" onClose={onClose}>
        <div class="stack">
          <p class="c2">At the first sign-in it has to be replaced by an own passphrase; nothing else opens before.</p>
          <SecretOnce label="Temporary passphrase" value={temporary} onSaved={onClose} />
        </div>
      </Dialog>
    );
  }
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
          <Button kind="primary" busy={busy} disabled={username === ""} onClick={() => void submit()}>
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
          error={problem?.message}
        />
        <fieldset class="field">
          <legend class="label">They get</legend>
          <Segmented
            label="They get"
            size="wide"
            value={way}
            options={[
              { value: "link", label: "Invite link" },
              { value: "password", label: "Temporary passphrase" },
            ]}
            onValue={setWay}
          />
          <p class="hint">
            {way === "link"
              ? "You send them a link; they choose a passphrase that you never see."
              : "You tell them a passphrase; they have to replace it when they first sign in."}
          </p>
        </fieldset>
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
