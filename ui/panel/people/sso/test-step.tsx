import { moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Card, EmptyState } from "../../../kit/card.tsx";
import { copyText } from "../../../kit/copy.tsx";
import { Glyph, type State } from "../../../kit/status.tsx";
import { DataTable } from "../../../kit/table.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { nameOfRole } from "./role-name.ts";
import type { Connector, Domain } from "./types.ts";

type Report = NonNullable<Connector["last_test"]>;

const marks: Record<Report["rows"][number]["mark"], { state: State; word: string }> = {
  ok: { state: "ok", word: "right" },
  warn: { state: "warn", word: "works, with a drawback" },
  bad: { state: "crit", word: "wrong" },
};

/** A report as text, for whoever runs the provider. */
function textOf({ at, headline, advice, rows }: Report): string {
  const lines = rows.map(
    ({ what, sent, needed, mark }) => `${marks[mark].word}: ${what} = ${sent ?? "nothing"}, needed: ${needed}`,
  );
  return [`${headline} (${at})`, advice, ...lines].join("\n");
}

/** Signs in at the provider as a try, and shows what it said. */
export function TestStep({
  connector,
  domains,
  onNext,
}: {
  connector: Connector;
  domains: Domain[];
  onNext: () => void;
}) {
  const attempt = useAttempt();
  const report = connector.last_test;
  const start = async (): Promise<void> => {
    const { url } = await api("POST /api/sso/connectors/{id}/test", { path: { id: connector.id } });
    location.assign(url);
    // The page goes away; the button stays busy until it does.
    await new Promise(() => {});
  };
  const button = (
    <Button
      kind={report?.ok ? "default" : "primary"}
      icon="play"
      busy={attempt.busy}
      disabled={attempt.wait > 0}
      onClick={() => void attempt.send(start)}
    >
      {report === null ? "Test it" : "Test again"}
    </Button>
  );
  const refusal = attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />;
  if (report === null)
    return (
      <Card title="A try">
        <EmptyState title="Nobody has signed in yet" action={button}>
          You sign in at the provider as yourself. Nobody is let in by it; you come back here and see what it said.
          {domains.every(({ state }) => state === "pending") && " No domain is proven yet, which it will say too."}
        </EmptyState>
        {refusal !== false && <div class="card-b">{refusal}</div>}
      </Card>
    );
  return (
    <>
      <Card title="The last test">
        <div class="card-b stack">
          <p class="sign-on-result w6">
            <Glyph state={report.ok ? "ok" : "crit"} />
            {report.headline}
          </p>
          <p class="c2">
            {report.advice}
            {report.role !== null && ` Whoever signed in would be ${nameOfRole(report.role)} here.`}
          </p>
          <Way steps={report.steps} />
          {refusal}
          <div class="btns">
            {button}
            <Button
              icon="copy"
              onClick={async () => {
                if (await copyText(textOf(report))) toast("Copied.");
              }}
            >
              Copy for the administrator
            </Button>
            {report.ok && (
              <Button kind="primary" onClick={onNext}>
                Go on
              </Button>
            )}
          </div>
        </div>
      </Card>
      {report.rows.length > 0 && (
        <Card title="What the provider sent" aside={`test of ${moment(report.at)}, nobody was signed in`}>
          <DataTable
            label="What the provider sent"
            rows={report.rows}
            keyOf={({ what }) => what}
            folds
            columns={[
              {
                id: "what",
                title: "What",
                cell: ({ what, mark }) => (
                  <span class="row">
                    <Glyph state={marks[mark].state} />
                    <span class="sr">{marks[mark].word}: </span>
                    <b>{what}</b>
                  </span>
                ),
              },
              {
                id: "sent",
                title: "Sent",
                cell: ({ sent }) =>
                  sent === null ? <span class="c3">nothing</span> : <code class="sign-on-sent">{sent}</code>,
              },
              {
                id: "needed",
                title: "Needed",
                cell: ({ needed, note }) => (
                  <span class="sign-on-needed">
                    {needed}
                    {note !== null && <span class="t13 c3 sign-on-note">{note}</span>}
                  </span>
                ),
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}

function Way({ steps }: { steps: Report["steps"] }) {
  const way: [string, boolean | null][] = [
    ["The provider answers", steps.answered],
    ["Signed in there", steps.signed_in],
    ["Came back, signature holds", steps.came_back],
    ["Would be let in", steps.let_in],
  ];
  return (
    <ol class="sign-on-way" aria-label="How far it came">
      {way.map(([title, went]) => (
        <li key={title} class="row t13">
          <Glyph state={went === null ? "off" : went ? "ok" : "crit"} />
          {title}
          <span class="sr">{went === null ? ": not reached" : went ? ": yes" : ": no"}</span>
        </li>
      ))}
    </ol>
  );
}
