import { useState } from "preact/hooks";
import type { Container, Image } from "../../../../src/node/apps/containers/contract.ts";
import { ago, moment } from "../../../client/format.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Menu } from "../../../kit/menu.tsx";
import { Chip, Status } from "../../../kit/status.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { isAdmin } from "../../client/session.ts";
import { PullDialog } from "./pull-dialog.tsx";
import { checkErrorWords, uncheckedWords } from "./words.ts";
import { WorkDialog } from "./work-dialog.tsx";

/** Whether a registry has a newer image, when that was asked, and the one thing to do about it. */
export function NewerCell({ image, onPull }: { image: Image; onPull: (reference: string) => void }) {
  const { newer, checked_at, unchecked, check_error } = image;
  const asked = checked_at !== null && (
    <span class="c3" title={moment(checked_at)}>
      asked {ago(checked_at)}
    </span>
  );
  if (newer !== null) {
    return (
      <span class="col ctnewer">
        <span class="row">
          <Chip state="acc">{newer.pulled ? "Pulled, not used" : "Newer image"}</Chip>
          {isAdmin() &&
            (newer.pulled ? (
              <UseIt containers={newer.containers} />
            ) : (
              <Button size="sm" aria-label={`Pull ${newer.reference}`} onClick={() => onPull(newer.reference)}>
                Pull
              </Button>
            ))}
        </span>
        {asked}
      </span>
    );
  }
  if (check_error !== null)
    return (
      <span class="col ctnewer">
        <Status state="warn">{checkErrorWords(check_error.code)}</Status>
        <span class="c3">
          {check_error.message} {check_error.next_step}
        </span>
      </span>
    );
  if (unchecked !== null) {
    const [word, why] = uncheckedWords[unchecked];
    return (
      <span class="col ctnewer">
        <span class="c2">{word}</span>
        <span class="c3">{why}</span>
      </span>
    );
  }
  return (
    <span class="col ctnewer">
      <span class="c2">Up to date</span>
      {asked}
    </span>
  );
}

/** Leads to the container that still runs the older image; where several do, to the one that is chosen. */
function UseIt({ containers }: { containers: readonly string[] }) {
  const addressOf = (name: string): string => `/containers?container=${encodeURIComponent(name)}`;
  const [only = ""] = containers;
  if (containers.length === 1)
    return (
      <a href={addressOf(only)} aria-label={`How to use it for ${only}`}>
        Use it
      </a>
    );
  return (
    <Menu
      label="Containers that run the older one"
      items={containers.map((name) => ({ label: name, href: addressOf(name) }))}
      trigger={(props) => (
        <Button {...props} size="sm" aria-label={`Use it for one of ${containers.length} containers`}>
          Use it for…
        </Button>
      )}
    />
  );
}

/** That there is a newer image than the container runs, and how it comes to run it. */
export function NewerImageNotice({ container: { newer_image, project } }: { container: Container }) {
  const [pulls, setPulls] = useState(false);
  if (newer_image === null) return null;
  const { reference, pulled } = newer_image;
  const [there, step] =
    project !== null
      ? [
          `There is a newer image of ${reference}.`,
          `Open the project ${project}, and deploy it with newer images of the same names.`,
        ]
      : pulled
        ? [
            `A newer image of ${reference} is here, but this container was made of the one before.`,
            "Remove the container and run it anew with the same settings. Its volumes stay.",
          ]
        : [`There is a newer image of ${reference}.`, "Pull it; this container runs on until it is made anew."];
  return (
    <>
      <Banner
        state="info"
        action={
          project !== null ? (
            <LinkButton size="sm" href={`/containers?tab=compose&project=${encodeURIComponent(project)}`}>
              Open project
            </LinkButton>
          ) : (
            !pulled && (
              <Button size="sm" onClick={() => setPulls(true)}>
                Pull
              </Button>
            )
          )
        }
      >
        <b class="w6">{there}</b> {step}
      </Banner>
      {pulls && <PullDialog image={reference} refreshes="GET /api/containers" onClose={() => setPulls(false)} />}
    </>
  );
}

/** Asks the registries now, and shows how that goes. */
export function CheckNow() {
  const [opId, setOpId] = useState<string | null>(null);
  const attempt = useAttempt();
  const begin = () =>
    attempt.send(async () => {
      setOpId(null);
      const { op_id } = await api("POST /api/containers/images/check");
      setOpId(op_id);
    });
  return (
    <>
      {attempt.problem !== null && <Refusal problem={attempt.problem} wait={attempt.wait} />}
      <Button size="sm" icon="restart" busy={attempt.busy} onClick={() => void begin()}>
        Check now
      </Button>
      {opId !== null && (
        <WorkDialog
          titles={{
            running: "Looking for newer images",
            done: "Looked for newer images",
            failed: "The check was cut off",
          }}
          subject="Registries count questions, so each name is asked for once an hour at most."
          opId={opId}
          refreshes="GET /api/containers/images"
          againLabel="Check again"
          again={() => void begin()}
          onClose={() => setOpId(null)}
        />
      )}
    </>
  );
}
