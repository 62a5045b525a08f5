import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Password } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { EndingWays, type LastingWay, type WayKind } from "./ending-ways.tsx";

/** What outlasts this account's sessions, as the cards beside this one list it too. */
function useLastingWays(): { ways: LastingWay[]; refresh: () => void } {
  const keys = useResource("GET /api/keys");
  const devices = useResource("GET /api/paired-devices");
  const passkeys = useResource("GET /api/auth/passkeys");
  const webdav = useResource("GET /api/drive/webdav-passwords");
  const way = (kind: WayKind, list: readonly { name: string }[] | undefined): LastingWay => ({
    kind,
    count: list?.length ?? 0,
    names: list?.map(({ name }) => name) ?? [],
  });
  return {
    ways: [
      way("keys", keys.data.value ?? undefined),
      way("devices", devices.data.value ?? undefined),
      way("passkeys", passkeys.data.value?.passkeys),
      way("webdav", webdav.data.value?.passwords),
    ],
    refresh() {
      for (const { refresh } of [keys, devices, passkeys, webdav]) void refresh();
    },
  };
}

/** Changes the passphrase; the one that holds now is asked for. */
export function PasswordCard() {
  const { ways, refresh } = useLastingWays();
  const [kept, setKept] = useState<WayKind[]>([]);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const attempt = useAttempt();
  const submit = async (): Promise<void> => {
    const body = { current_password: current, new_password: next, keep: kept };
    const { message } = await api("POST /api/auth/change-password", { body });
    setCurrent("");
    setNext("");
    setKept([]);
    refresh();
    toast(message.replace("password", "passphrase"));
  };
  const besides = attempt.besides("current_password", "new_password");
  return (
    <Card title="Passphrase" w={5}>
      <form
        class="card-b stack"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.send(submit);
        }}
      >
        <Password label="Passphrase now" {...attempt.field("current_password", current, setCurrent)} required />
        <Password
          label="New passphrase"
          {...attempt.field("new_password", next, setNext)}
          autocomplete="new-password"
          meter={attempt.errorOf("new_password") === null}
          required
          hint="At least 8 characters"
        />
        <EndingWays ways={ways} kept={kept} onKept={setKept} />
        {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
        <p>
          <Button type="submit" busy={attempt.busy} disabled={current === "" || next.length < 8 || attempt.wait > 0}>
            Change
          </Button>
        </p>
      </form>
    </Card>
  );
}
