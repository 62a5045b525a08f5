import { useState } from "preact/hooks";
import type { Registry } from "../../../../src/node/apps/registries/contract.ts";
import { Problem } from "../../../client/problem.ts";
import { Checkbox } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

/** Asks for a registry and the login for it; one of the own network has to be meant. */
export function RegistryDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (added: Registry) => void }) {
  const [address, setAddress] = useState("");
  const [username, setUsername] = useState("");
  const [secret, setSecret] = useState("");
  /** The address of the own network that was asked about, and whether it is meant. */
  const [own, setOwn] = useState<{ address: string; words: string; isMeant: boolean } | null>(null);
  const attempt = useAttempt();
  const typed = address.trim();
  const asked = own?.address === typed ? own : null;
  const submit = () =>
    attempt.send(async () => {
      const login = { address: typed, username: username.trim(), secret };
      const confirmed = asked?.isMeant === true ? { confirm_private: true } : {};
      try {
        onAdded(await api("POST /api/containers/registries", { body: { ...login, ...confirmed } }));
      } catch (error) {
        if (error instanceof Problem && error.code === "registry_private")
          return setOwn({ address: typed, words: `${typed} is ${String(error.params["what"])}.`, isMeant: false });
        throw error;
      }
    });
  const plain = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;
  return (
    <FormDialog
      title="Add registry"
      sub="The login is kept sealed, never shown again, and sent to this registry alone."
      action="Add and test"
      ready={typed !== "" && username.trim() !== "" && secret !== "" && asked?.isMeant !== false}
      attempt={attempt}
      refusal={attempt.besides("address", "username", "secret")}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Input
        label="Address"
        {...attempt.field("address", address, setAddress)}
        hint="As images name it: ghcr.io, registry.lan:5000, docker.io for Docker Hub."
        {...plain}
      />
      <Input label="User name" {...attempt.field("username", username, setUsername)} {...plain} />
      <Password
        label="Password or token"
        {...attempt.field("secret", secret, setSecret)}
        hint="Most registries give out tokens that may only pull: one of these is best."
        autocomplete="off"
      />
      {asked !== null && (
        <div class="stack">
          <p class="hint warn">{`${asked.words} The login goes to a machine of your own network, and over a connection that everybody there can read where the registry has no certificate.`}</p>
          <Checkbox checked={asked.isMeant} onChecked={(isMeant) => setOwn({ ...asked, isMeant })}>
            This registry in my own network is meant
          </Checkbox>
        </div>
      )}
    </FormDialog>
  );
}
