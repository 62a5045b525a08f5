import { useState } from "preact/hooks";
import type { CostSettings } from "../../../../src/node/monitoring/cost/contract.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { resource, useResource } from "../../client/resource.ts";
import { mayChangeThings } from "../../client/session.ts";

const rates = [
  { key: "cpu_core_hour", label: "One processor core, an hour" },
  { key: "memory_gb_hour", label: "One GB of memory, an hour" },
  { key: "disk_gb_hour", label: "One GB of disk, an hour" },
] as const;

/** The prices that everything here is computed with. */
export function RatesCard() {
  const settings = useResource("GET /api/cost/settings");
  return (
    <Card title="Rates">
      <div class="card-b">
        <Loaded of={settings} what="Rates" skeleton={<Skeleton rows={4} />}>
          {(data) => (
            <div class="stack">
              {data.rates_are_defaults && (
                <p class="t13 c2">
                  <b class="w5">Example rates.</b> They are about what a small rented server costs. Until{" "}
                  {mayChangeThings() ? "you enter your own" : "a member enters yours"}, every figure here is an example
                  too.
                </p>
              )}
              {mayChangeThings() ? <Editor now={data} /> : <Shown now={data} />}
            </div>
          )}
        </Loaded>
      </div>
    </Card>
  );
}

function Shown({ now }: { now: CostSettings }) {
  return (
    <dl class="dl">
      {rates.map(({ key, label }) => (
        <>
          <dt key={label}>{label}</dt>
          <dd key={key}>
            {now[key]} {now.currency}
          </dd>
        </>
      ))}
    </dl>
  );
}

const isPrice = (text: string): boolean => text.trim() !== "" && Number(text) >= 0 && Number(text) <= 1_000_000;

function Editor({ now }: { now: CostSettings }) {
  const [typed, type] = useState<Record<string, string>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const textOf = (key: Exclude<keyof CostSettings, "rates_are_defaults">): string => typed[key] ?? String(now[key]);
  const wrong = (key: (typeof rates)[number]["key"]): string | null =>
    isPrice(textOf(key)) ? null : "A number from 0 up, with a point.";
  const currency = textOf("currency").trim().toUpperCase();
  const isRight = rates.every(({ key }) => wrong(key) === null) && /^[A-Z]{3}$/.test(currency);
  // Whoever finds the examples right says so by saving them.
  const isChanged = Object.keys(typed).length > 0 || now.rates_are_defaults;

  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const [cpu_core_hour = 0, memory_gb_hour = 0, disk_gb_hour = 0] = rates.map(({ key }) => Number(textOf(key)));
      const body = { cpu_core_hour, memory_gb_hour, disk_gb_hour, currency };
      const saved = await api("PUT /api/cost/settings", { body });
      resource("GET /api/cost/settings").set(() => saved);
      type((now) => (now === typed ? {} : now));
      for (const route of ["GET /api/cost/summary", "GET /api/cost/recommendations"] as const)
        void resource(route).refresh();
      for (const period of ["7d", "30d"] as const)
        void resource("GET /api/cost/trends", { query: { period } }).refresh();
      toast("Rates saved", { state: "ok" });
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight && isChanged) void save();
      }}
    >
      {rates.map(({ key, label }) => (
        <Input
          key={key}
          label={label}
          value={textOf(key)}
          unit={currency}
          inputMode="numeric"
          error={wrong(key)}
          onValue={(value) => type({ ...typed, [key]: value })}
        />
      ))}
      <Input
        label="Currency"
        value={textOf("currency")}
        error={/^[A-Z]{3}$/.test(currency) ? null : "Three letters, such as EUR."}
        spellcheck={false}
        onValue={(value) => type({ ...typed, currency: value })}
      />
      {problem !== null && <Refusal problem={problem} />}
      <p>
        <Button type="submit" kind="primary" busy={busy} disabled={!isRight || !isChanged}>
          Save rates
        </Button>
      </p>
    </form>
  );
}
