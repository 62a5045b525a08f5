import { useState } from "preact/hooks";
import type { Encryption } from "../../../../src/node/storage/objects/contract.ts";
import { bytesText } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { useKept } from "./kept.ts";

const QUICK_MS = 1_000;
const STILL_MS = 60_000;

/** Whether the bytes of objects and Drives lie encrypted on the disk. */
export function EncryptionCard() {
  const kept = useKept();
  const [isFollowing, setFollowing] = useState(false);
  const [asksOff, askOff] = useState(false);
  const state = useResource("GET /api/objects/encryption", { everyMs: isFollowing ? QUICK_MS : STILL_MS });
  const following = state.data.value?.status === "following";
  if (state.data.value !== null && following !== isFollowing) setFollowing(following);
  const put = async (on: boolean): Promise<void> => {
    await api("PUT /api/objects/encryption", { body: { on } });
    await state.refresh();
    askOff(false);
  };
  const choose = (on: boolean): void => {
    if (!on) askOff(true);
    else void put(true).catch((error: unknown) => toast(asProblem(error).message, { state: "crit" }));
  };
  return (
    <>
      <Card title="Encryption on the disk" class="objectscard">
        <div class="card-b stack">
          {kept !== null && kept !== "embedded" && (
            <p class="t13">
              This is about the store of this server alone: files of Drives, and buckets that were made here. Objects
              that are kept elsewhere are encrypted, or not, by the place that keeps them.
            </p>
          )}
          <Loaded of={state} what="Encryption" skeleton={<Skeleton rows={2} />}>
            {(data) => <State state={data} choose={choose} />}
          </Loaded>
        </div>
      </Card>
      {asksOff && (
        <ConfirmDanger
          title="Store objects as they are?"
          typed={null}
          action="Switch it off"
          onConfirm={() => put(false)}
          onClose={() => askOff(false)}
        >
          Everything is written anew without encryption. Whoever gets hold of the disk can read it then.
        </ConfirmDanger>
      )}
    </>
  );
}

function State({ state, choose }: { state: Encryption; choose: (on: boolean) => void }) {
  const { on, status, done_bytes, total_bytes, key_file, folder, key_is_beside } = state;
  const share = total_bytes === 0 ? null : Math.min(100, (done_bytes / total_bytes) * 100);
  return (
    <>
      <Switch
        checked={on}
        onChecked={choose}
        sub="Objects and files of Drives that lie on this server, and their small pictures: new ones at once, what is there already in the background"
      >
        Encrypt what is stored
      </Switch>
      {status === "following" && (
        <div class="stack">
          <p aria-live="polite">
            <Status state="busy">
              {on ? "Encrypting what was stored before" : "Writing what was encrypted as it is"}
            </Status>
          </p>
          <Progress value={share} label={on ? "How much is encrypted" : "How much is written"} />
          <p class="hint">
            {bytesText(done_bytes)} of {bytesText(total_bytes)}. It waits while a backup reads, and goes on after a
            restart.
          </p>
        </div>
      )}
      {status === "done" && on && (
        <p>
          <Status state="ok">All bytes are encrypted</Status>
        </p>
      )}
      {on && key_is_beside && (
        <p>
          <Status state="warn">The key lies on the same disk</Status>
        </p>
      )}
      <p class="hint">
        <span class="objectsent">
          <b>It protects</b> what lies in {folder} where that comes without the key: a disk of objects that is stolen,
          sold or thrown away, a copy of that folder. The key is in {key_file}
          {key_is_beside &&
            ", on the same disk: whoever takes the whole disk has both. Give that folder a disk of its own"}
          .
        </span>
      </p>
      <p class="hint">
        <span>
          <b>It does not protect</b> from who is signed in, has an access key, or is root on the running server. Names,
          sizes, times, types and checksums of objects stay readable. Bytes that were stored before leave traces on a
          disk until it uses that room again.
        </span>
      </p>
      <p class="hint">
        Backups have the key, encrypted by their own, so a lost server comes back. Without a backup and without the key,
        what is encrypted is lost.
      </p>
    </>
  );
}
