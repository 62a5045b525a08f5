import { useState } from "preact/hooks";
import type { DriveNode } from "../../../../src/node/storage/drive/contract.ts";
import type { ShareInput, ShareMode } from "../../../../src/node/storage/shares/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Field, Input, Password } from "../../../kit/field.tsx";
import { SegmentedField } from "../../../kit/segmented-field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { ShareList } from "./share-list.tsx";
import { addressOf, modeWords } from "./words.ts";

const DAY_MS = 86_400_000;
const ends = [
  { value: "0", label: "Never" },
  { value: "1", label: "After a day" },
  { value: "7", label: "After a week" },
  { value: "30", label: "After 30 days" },
];
const modes = (["read", "write", "drop"] as const).map((value) => ({ value, label: modeWords[value].label }));

/** Links to a file or folder: those there are, and a new one. */
export function ShareDialog({ node, onClose }: { node: DriveNode; onClose: () => void }) {
  const shares = useResource("GET /api/drive/shares", { query: { node_id: node.id } });
  const [made, setMade] = useState<string | null>(null);
  return (
    <Dialog title={`Share ${node.name}`} onClose={onClose}>
      <div class="stack">
        {made !== null && (
          <div class="stack" role="status">
            <p>The link is made. Whoever has it needs no account here.</p>
            <CodeLine text={made} />
          </div>
        )}
        <Loaded of={shares} what="The links" skeleton={<Skeleton rows={2} />}>
          {({ shares: all, limit, active }) => (
            <>
              {all.length > 0 && <ShareList shares={all} onChanged={() => void shares.refresh()} />}
              {limit !== null && (
                <p class="t13 c3">
                  {`${active} of the ${limit} links of this server's plan are in use. `}
                  <a class="link" href="/settings/plan">
                    See the plans
                  </a>
                </p>
              )}
            </>
          )}
        </Loaded>
        <NewShare
          node={node}
          onMade={(path) => {
            setMade(addressOf({ path }));
            void shares.refresh();
          }}
        />
      </div>
    </Dialog>
  );
}

function NewShare({ node, onMade }: { node: DriveNode; onMade: (path: string) => void }) {
  const [mode, setMode] = useState<ShareMode>("read");
  const [days, setDays] = useState("7");
  const [password, setPassword] = useState("");
  const [downloads, setDownloads] = useState("");
  const attempt = useAttempt();
  const isNumber = downloads === "" || /^[1-9]\d{0,5}$/.test(downloads);
  const make = (): void =>
    void attempt.send(async () => {
      const body: ShareInput = {
        mode,
        expires_at: days === "0" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
        password: password === "" ? null : password,
        max_downloads: downloads === "" ? null : Number(downloads),
      };
      const { path } = await api("POST /api/drive/nodes/{id}/share", { path: { id: node.id }, body });
      setPassword("");
      setDownloads("");
      onMade(path);
    });
  return (
    <form
      class="stack"
      aria-label="New link"
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      {node.kind === "folder" && (
        <SegmentedField
          label="What people may do"
          value={mode}
          options={modes}
          onValue={setMode}
          hint={modeWords[mode].means}
        />
      )}
      <Field label="Ends">{() => <Select label="Ends" value={days} options={ends} onValue={setDays} />}</Field>
      <Password
        label="Password, if it shall have one"
        autocomplete="new-password"
        hint="At least 8 characters. Tell it to people in another way than the link."
        {...attempt.field("password", password, setPassword)}
      />
      {mode !== "drop" && (
        <Input
          label="Most downloads, if there shall be an end"
          inputMode="numeric"
          value={downloads}
          onValue={setDownloads}
          error={isNumber ? null : "must be a whole number from 1 on"}
        />
      )}
      {attempt.besides("password") !== null && attempt.problem !== null && (
        <Refusal problem={attempt.problem} wait={attempt.wait} />
      )}
      <span class="row">
        <Button
          type="submit"
          kind="primary"
          icon="link"
          busy={attempt.busy}
          disabled={!isNumber || (password !== "" && password.length < 8) || attempt.wait > 0}
        >
          Make link
        </Button>
      </span>
    </form>
  );
}
