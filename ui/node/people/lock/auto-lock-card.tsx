import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, Skeleton } from "../../../kit/card.tsx";
import { Select } from "../../../kit/choice.tsx";
import { toast } from "../../../kit/toasts.ts";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { lockSession } from "../../client/session.ts";

const choices = [
  { value: "0", label: "Never" },
  { value: "1", label: "After 1 minute" },
  { value: "5", label: "After 5 minutes" },
  { value: "15", label: "After 15 minutes" },
  { value: "60", label: "After an hour" },
];

/** Locks by itself when nobody is there, and at once by a button. */
export function AutoLockCard() {
  const setting = useResource("GET /api/auth/auto-lock");
  const save = async (value: string): Promise<void> => {
    const minutes = value === "0" ? null : Number(value);
    setting.set(() => ({ minutes }));
    await api("PUT /api/auth/auto-lock", { body: { minutes } }).catch((error: unknown) => {
      toast(asProblem(error).message, { state: "crit" });
    });
    void setting.refresh();
  };
  return (
    <Card title="Lock" w={5}>
      <div class="card-b stack">
        <Loaded of={setting} what="Lock" skeleton={<Skeleton rows={1} />}>
          {({ minutes }) => {
            const now = String(minutes ?? 0);
            const known = choices.some((choice) => choice.value === now);
            return (
              <div class="row">
                <span class="col">
                  <span class="w5">When nobody is here</span>
                  <span class="t12 c3">Your work stays as it is underneath.</span>
                </span>
                <span class="push">
                  <Select
                    label="Lock when nobody is here"
                    value={now}
                    options={known ? choices : [...choices, { value: now, label: `After ${now} minutes` }]}
                    onValue={(value) => void save(value)}
                  />
                </span>
              </div>
            );
          }}
        </Loaded>
        <p>
          <Button icon="lock" onClick={() => void lockSession()}>
            Lock now
          </Button>
        </p>
      </div>
    </Card>
  );
}
