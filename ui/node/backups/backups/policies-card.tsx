import type { Policy } from "../../../../src/node/backups/backups/contract.ts";
import { asProblem } from "../../../client/problem.ts";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { AppRows } from "./app-rows.tsx";

type Mode = NonNullable<Policy["mode"]>;

const WORDS: Record<Mode, string> = {
  stop: "Stop it, then start it again",
  pause: "Pause it",
  snapshot: "Copy a snapshot while it runs",
  none: "Copy it while it runs",
};
const MODES: readonly Mode[] = ["pause", "stop", "snapshot", "none"];
const KINDS: Record<Policy["dumps"][number]["kind"], string> = {
  postgres: "PostgreSQL",
  mysql: "MySQL",
  mongodb: "MongoDB",
  redis: "Redis",
};

/** The value of a choice that leaves it to the template. */
const USUAL = "usual";

function describeDumps(dumps: Policy["dumps"]): string | null {
  if (dumps.length === 0) return null;
  const names = dumps.map(({ service, kind }) => `${KINDS[kind]} in ${service}`).join(", ");
  return `Also dumped: ${names}.`;
}

/** What should be known of how an app is copied, in sentences. */
function describeMode({ mode, usual, no_snapshot }: Policy): string | null {
  const instead = `It is copied as usual: ${WORDS[usual].toLowerCase()}.`;
  if (mode === "snapshot" && no_snapshot !== null) return `No snapshot can be taken. ${no_snapshot} ${instead}`;
  if (mode === "snapshot")
    return "It goes on, and its files are copied as they all were at one moment: databases start from them as after a power cut.";
  if ((mode ?? usual) === "none")
    return "It stands still only while its SQLite databases are read; dumped databases come back from their dumps. Other files that it writes meanwhile may be copied half.";
  return null;
}

function PolicyRow({ policy, onValue }: { policy: Policy; onValue: (value: string) => void }) {
  const { name, mode, usual, dumps, no_snapshot } = policy;
  const offered = MODES.filter((value) => value !== "snapshot" || no_snapshot === null || mode === value);
  const words = describeMode(policy);
  return (
    <div class="item backuprow">
      <span class="body">
        <span class="title cut">{name}</span>
        <span class="sub">{describeDumps(dumps)}</span>
        {words !== null && <span class="sub">{words}</span>}
      </span>
      <Select
        label={`While ${name} is copied`}
        value={mode ?? USUAL}
        options={[
          { value: USUAL, label: `As usual: ${WORDS[usual].toLowerCase()}` },
          ...offered.map((value) => ({ value, label: WORDS[value] })),
        ]}
        onValue={onValue}
      />
    </div>
  );
}

function describeChosen(policies: readonly Policy[]): string {
  const chosen = policies.filter(({ mode }) => mode !== null).length;
  return chosen === 0 ? "All as usual" : `${chosen} of ${policies.length} chosen by you`;
}

/** How each app is kept from changing its data while that is copied. */
export function PoliciesCard() {
  const policies = useResource("GET /api/backup/policies");
  const choose = async (app: string, value: string) => {
    const mode = MODES.find((known) => known === value) ?? null;
    try {
      const policy = await api("PUT /api/backup/policies/{id}", { path: { id: app }, body: { mode } });
      policies.set((now) => now?.map((known) => (known.app === app ? policy : known)) ?? null);
      toast("Saved. The next backup does it that way.");
    } catch (error) {
      toast(asProblem(error).message, { state: "crit" });
      await policies.refresh();
    }
  };
  return (
    <Card title="While an app is copied" aside="one app at a time">
      <Loaded of={policies} what="How apps are copied" skeleton={<Skeleton rows={2} />}>
        {(list) => (
          <AppRows words={describeChosen(list)} isOpen={false} of={list}>
            {list.map((policy) => (
              <PolicyRow key={policy.app} policy={policy} onValue={(value) => void choose(policy.app, value)} />
            ))}
          </AppRows>
        )}
      </Loaded>
    </Card>
  );
}
