import { useState } from "preact/hooks";
import type { Registry, RegistryTest } from "../../../../src/node/apps/registries/contract.ts";
import { ago } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { useWish } from "../../../client/wish.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Card, EmptyState, Skeleton } from "../../../kit/card.tsx";
import { ConfirmDanger } from "../../../kit/dialog.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { RegistryDialog } from "./registry-dialog.tsx";

/** Registries that ask who pulls: a login for each, which can be tried. */
export function RegistriesCard() {
  const registries = useResource("GET /api/containers/registries");
  const [asking, ask] = useState<"add" | Registry | null>(null);
  const [testing, setTesting] = useState<string | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, RegistryTest>>(new Map());
  const close = () => ask(null);
  useWish("registry", () => ask("add"));

  const test = async ({ id }: Registry): Promise<void> => {
    setTesting(id);
    try {
      const result = await api("POST /api/containers/registries/{id}/test", { path: { id } });
      setResults((now) => new Map(now).set(id, result));
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
    } finally {
      setTesting(null);
    }
  };
  const remove = async ({ id, address }: Registry): Promise<void> => {
    await api("DELETE /api/containers/registries/{id}", { path: { id } });
    toast(`The login for ${address} is removed.`);
    close();
    void registries.refresh();
  };
  const add = (
    <Button size="sm" icon="plus" onClick={() => ask("add")}>
      Add registry
    </Button>
  );
  return (
    <>
      <Card
        title="Registries"
        aside="logins to pull images with"
        actions={(registries.data.value?.length ?? 0) > 0 && add}
      >
        <Loaded of={registries} what="Registries" skeleton={<Skeleton rows={2} tile />}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="Images that everybody may have need no login" action={add}>
                Add a registry that asks who pulls, or a login for Docker Hub, which then allows more pulls.
              </EmptyState>
            ) : (
              <div class="rows">
                {list.map((registry) => (
                  <Row
                    key={registry.id}
                    registry={registry}
                    result={results.get(registry.id) ?? null}
                    busy={testing === registry.id}
                    onTest={() => void test(registry)}
                    onRemove={() => ask(registry)}
                  />
                ))}
              </div>
            )
          }
        </Loaded>
      </Card>
      {asking === "add" && (
        <RegistryDialog
          onClose={close}
          onAdded={(added) => {
            close();
            void registries.refresh();
            toast(`${added.address} is added.`);
            void test(added);
          }}
        />
      )}
      {asking !== null && asking !== "add" && (
        <ConfirmDanger
          title={`Remove the login for ${asking.address}?`}
          typed={null}
          action="Remove login"
          onConfirm={() => remove(asking)}
          onClose={close}
        >
          Images that are here stay. What that registry gives to nobody else can no longer be pulled or updated.
        </ConfirmDanger>
      )}
    </>
  );
}

function Row({
  registry: { address, username, created_at },
  result,
  busy,
  onTest,
  onRemove,
}: {
  registry: Registry;
  result: RegistryTest | null;
  busy: boolean;
  onTest: () => void;
  onRemove: () => void;
}) {
  return (
    <div class="item registryrow">
      <span class="tile md plain">
        <Icon name="key" />
      </span>
      <span class="body">
        <span class="title cut" title={address}>
          {address === "docker.io" ? "Docker Hub" : address}
        </span>
        <span class="sub cut" title={username}>{`As ${username}, added ${ago(created_at)}`}</span>
        <span class="registryresult" role="status">
          {result !== null && <Result result={result} />}
        </span>
      </span>
      <span class="acts row">
        <Button size="sm" busy={busy} onClick={onTest} aria-label={`Test ${address}`}>
          Test
        </Button>
        <IconButton size="sm" icon="trash" label={`Remove ${address}`} onClick={onRemove} />
      </span>
    </div>
  );
}

function Result({ result: { ok, words, next_step, said } }: { result: RegistryTest }) {
  return (
    <>
      <span class="sub status row">
        <Glyph state={ok ? "ok" : "crit"} />
        <span>{words}</span>
      </span>
      {next_step !== null && <span class="sub">{next_step}</span>}
      {said !== null && (
        <details class="howto">
          <summary>What Docker said</summary>
          <code>{said}</code>
        </details>
      )}
    </>
  );
}
