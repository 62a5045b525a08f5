import type { FunctionComponent } from "preact";
import type { NodeMode } from "../../../../src/node/platform/identity/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { signOut } from "../../client/session.ts";
import { Stage } from "./frame.tsx";
import { nameProblem } from "./name.ts";
import type { SetupState } from "./setup.tsx";

const modes: { id: NodeMode; title: string; text: string; picture: FunctionComponent }[] = [
  { id: "server", title: "Server", text: "Apps, metrics and logs come first.", picture: ServerPicture },
  { id: "personal", title: "Personal", text: "Files, photos and notes come first.", picture: PersonalPicture },
  { id: "cluster", title: "Cluster", text: "Several nodes act as one.", picture: ClusterPicture },
];

/** The server's name and what it is mostly for. */
export function NameStep({
  state,
  change,
  onNext,
}: {
  state: SetupState;
  change: (part: Partial<SetupState>) => void;
  onNext: () => void;
}) {
  const error = nameProblem(state.name);
  return (
    <Stage
      title="Name your server"
      lede="You will see this name on every page and in its address."
      onSubmit={() => error === null && onNext()}
      foot={
        <>
          <button type="button" class="link" onClick={() => void signOut()}>
            Sign out
          </button>
          <span class="push">
            <Button type="submit" kind="primary" disabled={error !== null}>
              Continue
            </Button>
          </span>
        </>
      }
    >
      <Input
        label="Name"
        icon="server"
        unit=".local"
        value={state.name}
        onValue={(name) => change({ name: name.toLowerCase().replace(/\s+/g, "-") })}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        autofocus
        error={state.name === "" ? null : error}
        hint="Letters, digits and hyphens. You can change it later."
      />
      <fieldset class="field">
        <legend class="label">What is it mostly for?</legend>
        <div class="modes">
          {modes.map((mode) => (
            <label key={mode.id} class="modec">
              <mode.picture />
              <span class="row">
                <b>{mode.title}</b>
                <input
                  type="radio"
                  class="radio"
                  name="mode"
                  value={mode.id}
                  checked={state.mode === mode.id}
                  onChange={() => change({ mode: mode.id })}
                />
              </span>
              <p>{mode.text}</p>
            </label>
          ))}
        </div>
        <p class="hint">You can switch at any time, nothing is lost.</p>
      </fieldset>
    </Stage>
  );
}

function ServerPicture() {
  return (
    <svg viewBox="0 0 96 60" aria-hidden="true">
      <rect class="a" x="8" y="8" width="36" height="14" rx="2" />
      <rect class="b" x="48" y="8" width="18" height="14" rx="2" />
      <rect class="b" x="70" y="8" width="18" height="14" rx="2" />
      <rect class="b" x="8" y="26" width="80" height="12" rx="2" />
      <rect class="b" x="8" y="42" width="80" height="10" rx="2" />
    </svg>
  );
}

function PersonalPicture() {
  return (
    <svg viewBox="0 0 96 60" aria-hidden="true">
      {[8, 36, 64].map((x) => (
        <g key={x}>
          <rect class={x === 36 ? "a" : "b"} x={x} y="8" width="24" height="20" rx="2" />
          <rect class="b" x={x} y="32" width="24" height="20" rx="2" />
        </g>
      ))}
    </svg>
  );
}

function ClusterPicture() {
  return (
    <svg viewBox="0 0 96 60" aria-hidden="true">
      <path class="o" d="M48 30 24 16M48 30l24-14M48 30 24 46M48 30l24 16" />
      <circle class="a" cx="48" cy="30" r="7" />
      <circle class="b" cx="24" cy="16" r="5" />
      <circle class="b" cx="72" cy="16" r="5" />
      <circle class="b" cx="24" cy="46" r="5" />
      <circle class="b" cx="72" cy="46" r="5" />
    </svg>
  );
}
