import { useState } from "preact/hooks";
import type { Target, TargetTest } from "../../../../src/node/backups/backups/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";
import { LimitDialog } from "./limit-dialog.tsx";
import { Told } from "./told.tsx";

/** Where backups are kept: each can be tested, and has a kit that opens it. */
export function TargetsCard({
  targets,
  onAdd,
  onKit,
  onChange,
}: {
  targets: readonly Target[];
  onAdd: () => void;
  onKit: (id: string) => void;
  onChange: () => void;
}) {
  const [testing, setTesting] = useState<string | null>(null);
  const [limiting, setLimiting] = useState<Target | null>(null);
  const [removing, setRemoving] = useState<Target | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, TargetTest>>(new Map());
  const test = async (id: string): Promise<void> => {
    setTesting(id);
    try {
      const result = await api("POST /api/backup/targets/{id}/test", { path: { id } });
      setResults((now) => new Map(now).set(id, result));
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setTesting(null);
    }
  };
  const remove = async ({ id }: Target): Promise<void> => {
    toast((await api("DELETE /api/backup/targets/{id}", { path: { id } })).message);
    setRemoving(null);
    onChange();
  };
  return (
    <Card
      title="Targets"
      aside="encrypted here"
      actions={
        <Button size="sm" icon="plus" onClick={onAdd}>
          Add target
        </Button>
      }
    >
      <div class="rows">
        {targets.map((target) => {
          const result = results.get(target.id);
          return (
            <div class="item backuprow" key={target.id}>
              <span class="body">
                <span class="title cut">{target.name}</span>
                <span class="sub cut">
                  {target.path}
                  {target.max_mb_per_second !== null && `, at most ${target.max_mb_per_second} MB/s`}
                </span>
                {target.own_disk && (
                  <span class="sub">
                    <Told state="warn">On the disk that is backed up</Told>
                  </span>
                )}
                <span role="status">
                  {result !== undefined && (
                    <span class="sub">
                      <Told
                        state={
                          result.ok ? (result.code === null && result.warnings.length === 0 ? "ok" : "warn") : "crit"
                        }
                      >
                        {[result.words, result.next_step ?? "", ...result.warnings].join(" ")}
                      </Told>
                    </span>
                  )}
                </span>
              </span>
              <span class="acts row">
                <Button
                  size="sm"
                  busy={testing === target.id}
                  onClick={() => void test(target.id)}
                  aria-label={`Test ${target.name}`}
                >
                  Test
                </Button>
                <Button size="sm" onClick={() => onKit(target.id)} aria-label={`Recovery kit of ${target.name}`}>
                  Recovery kit
                </Button>
                <Menu
                  label={`More for ${target.name}`}
                  trigger={(props) => <IconButton {...props} size="sm" icon="more" label={`More for ${target.name}`} />}
                  items={[
                    { label: "Bandwidth…", icon: "network", run: () => setLimiting(target) },
                    { label: "Remove…", icon: "trash", danger: true, run: () => setRemoving(target) },
                  ]}
                />
              </span>
            </div>
          );
        })}
      </div>
      {limiting !== null && (
        <LimitDialog
          target={limiting}
          onClose={() => setLimiting(null)}
          onChanged={() => {
            setLimiting(null);
            onChange();
          }}
        />
      )}
      {removing !== null && (
        <ConfirmDanger
          title={`Remove ${removing.name}?`}
          typed={null}
          action="Remove target"
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          The backups in it stay there, and only its recovery kit or passphrase opens them again. Print the kit first.
        </ConfirmDanger>
      )}
    </Card>
  );
}
