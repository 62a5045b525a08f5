import { useState } from "preact/hooks";
import type { Invite } from "../../../../src/node/people/invites/contract.ts";
import type { User } from "../../../../src/node/people/users/contract.ts";
import { Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { api } from "../../client/api.ts";
import type { Role } from "./roles.ts";
import { roles } from "./roles.ts";
import { usernameProblem } from "./user-name.ts";

type Way = "link" | "password" | "set";

const ways: { value: Way; label: string }[] = [
  { value: "link", label: "Invite link" },
  { value: "password", label: "Temporary" },
  { value: "set", label: "Set one" },
];
const hints: Record<Way, string> = {
  link: "You send them a link; they choose a passphrase that you never see.",
  password: "You tell them a passphrase that is made for you; they have to replace it when they first sign in.",
  set: "You choose the first passphrase; they can change it after signing in.",
};

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
  const [password, setPassword] = useState("");
  const [way, setWay] = useState<Way>("link");
  const [role, setRole] = useState<Role>("member");
  const attempt = useAttempt();
  const [temporary, setTemporary] = useState<string | null>(null);
  const wrong = usernameProblem(username);
  const ready = username !== "" && wrong === null && (way !== "set" || password.length >= 8);
  const submit = async (): Promise<void> => {
    if (way === "link") return onInvited(await api("POST /api/users/invites", { body: { username, role } }));
    const { temporary_password, ...created } = await api("POST /api/users", {
      body: { username, role, ...(way === "set" ? { password } : {}) },
    });
    onAdded(created);
    if (way === "set") {
      toast(`${username} can sign in now.`);
      return onClose();
    }
    setTemporary(temporary_password ?? "");
  };
  if (temporary !== null) {
    return (
      <ShownOnce
        title={`${username} can sign in`}
        width="sm"
        label="Temporary passphrase"
        secret={temporary}
        onClose={onClose}
      >
        <p class="c2">At the first sign-in it has to be replaced by an own passphrase; nothing else opens before.</p>
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      title="Add user"
      action="Add user"
      ready={ready}
      attempt={attempt}
      refusal={attempt.besides("username", "password")}
      onSubmit={() => void attempt.send(submit)}
      onClose={onClose}
    >
      <Input
        label="User name"
        icon="user"
        {...attempt.field("username", username, setUsername)}
        error={wrong ?? attempt.errorOf("username")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
      />
      <fieldset class="field">
        <legend class="label">Passphrase</legend>
        <Segmented label="Passphrase" size="wide" value={way} options={ways} onValue={setWay} />
        <p class="hint">{hints[way]}</p>
      </fieldset>
      {way === "set" && (
        <Password
          label="First passphrase"
          {...attempt.field("password", password, setPassword)}
          autocomplete="new-password"
          meter={attempt.errorOf("password") === null}
        />
      )}
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
    </FormDialog>
  );
}
