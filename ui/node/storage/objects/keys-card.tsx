import { useState } from "preact/hooks";
import type { AccessKey, Grant, KeyTest } from "../../../../src/node/storage/objects/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Chip, Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";
import { useKept } from "./kept.ts";
import { KeyDialog } from "./key-dialog.tsx";

/** What a grant lets a key do, in words. */
export function grantWords({ bucket, read, write, owner }: Grant): string {
  const rights = [read && "read", write && "write", owner && "own"].filter((word) => word !== false);
  return `${bucket}: ${rights.length === 0 ? "nothing" : rights.join(", ")}`;
}

/** The keys that programs sign in with. */
export function KeysCard({ onChanged }: { onChanged: () => void }) {
  const kept = useKept();
  if (kept === null) return null;
  if (kept !== "s3") return <OwnKeys onChanged={onChanged} />;
  return (
    <Card title="Access keys">
      <EmptyState title="Made where the store is run">
        The S3 store that keeps the objects gives out its own keys. Orrery has one of them, and cannot make others
        there.
      </EmptyState>
    </Card>
  );
}

function OwnKeys({ onChanged }: { onChanged: () => void }) {
  const keys = useResource("GET /api/objects/access-keys");
  const [asking, ask] = useState<"add" | AccessKey | null>(null);
  const [testing, setTesting] = useState<string | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, KeyTest>>(new Map());
  const close = () => ask(null);
  useWish("access-key", () => ask("add"));
  const changed = () => {
    void keys.refresh();
    onChanged();
  };
  const remove = async ({ access_key: key, name }: AccessKey): Promise<void> => {
    await api("DELETE /api/objects/access-keys/{key}", { path: { key } });
    toast(`The key ${name} is removed.`);
    close();
    changed();
  };
  const test = async (key: string): Promise<void> => {
    setTesting(key);
    try {
      const result = await api("POST /api/objects/access-keys/{key}/test", { path: { key } });
      setResults((now) => new Map(now).set(key, result));
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setTesting(null);
    }
  };
  const add = isAdmin() && (
    <Button size="sm" icon="plus" onClick={() => ask("add")}>
      New key
    </Button>
  );
  return (
    <>
      <Card
        title="Access keys"
        aside="what programs sign in with"
        actions={(keys.data.value?.access_keys.length ?? 0) > 0 && add}
      >
        <Loaded of={keys} what="Access keys" skeleton={<Skeleton rows={2} tile />}>
          {({ access_keys: list }) =>
            list.length === 0 ? (
              <EmptyState title="No key yet" action={add}>
                A key lets one program use the buckets that you name, and nothing else.
              </EmptyState>
            ) : (
              <div class="rows">
                {list.map((key) => (
                  <div class="item objectkey" key={key.access_key}>
                    <span class="tile md plain">
                      <Icon name="key" />
                    </span>
                    <span class="body">
                      <span class="title cut" title={key.name}>
                        {key.name} {key.status === "expired" && <Chip state="warn">Run out</Chip>}
                      </span>
                      <span class="sub objectgrants">
                        {key.grants.length === 0 ? "May do nothing" : key.grants.map(grantWords).join("; ")}
                      </span>
                      <span class="sub">
                        <Copy quiet text={key.access_key} label="Copy access key" />
                      </span>
                      <span class="objecttest" role="status">
                        <Tested result={results.get(key.access_key) ?? null} />
                      </span>
                    </span>
                    {isAdmin() && (
                      <span class="acts row">
                        <Button
                          size="sm"
                          busy={testing === key.access_key}
                          onClick={() => void test(key.access_key)}
                          aria-label={`Test ${key.name}`}
                        >
                          Test
                        </Button>
                        <IconButton size="sm" icon="trash" label={`Remove ${key.name}`} onClick={() => ask(key)} />
                      </span>
                    )}
                  </div>
                ))}
              </div>
            )
          }
        </Loaded>
      </Card>
      {asking === "add" && <KeyDialog onClose={close} onMade={changed} />}
      {asking !== null && asking !== "add" && (
        <ConfirmDanger
          title={`Remove ${asking.name}?`}
          typed={null}
          action="Remove key"
          onConfirm={() => remove(asking)}
          onClose={close}
        >
          Programs that use it are refused from now on. What they stored stays.
        </ConfirmDanger>
      )}
    </>
  );
}

/** What came of trying a key. */
function Tested({ result }: { result: KeyTest | null }) {
  if (result === null) return null;
  return (
    <span class="sub row">
      <Glyph state={result.ok ? "ok" : "crit"} />
      <span>{`${result.words} ${result.next_step ?? ""}`}</span>
    </span>
  );
}
