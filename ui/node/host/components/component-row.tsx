import type { IconName } from "../../../icons/names.ts";
import { Button } from "../../../kit/button.tsx";
import { Switch } from "../../../kit/choice.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { Status } from "../../../kit/status.tsx";
import { type Choices, isUnavailable, missingWords, type Switchable, stateOf, versionOf } from "./words.ts";

const icons: Record<string, [icon: IconName, colour: string]> = {
  smart: ["disk", "var(--c1)"],
  vpn: ["lock", "var(--c3)"],
  proxy: ["shield", "var(--c4)"],
  "security-scan": ["wand", "var(--c6)"],
  "backup-restic": ["database", "var(--c2)"],
  "container-runtime": ["box", "var(--c5)"],
};

export interface RowProps {
  item: Switchable;
  /** The picture of a component; options have none. */
  id?: string;
  choices: Choices;
  /** Nobody may change it: not this reader, not now, or not from here. */
  fixed: boolean;
  /** Packages can be installed from here. */
  installs: boolean;
  onChoose: (item: Switchable, on: boolean) => void;
}

/** One thing that can be turned on: what it is for, how it is, and its switch. */
export function ComponentRow({ item, id, choices, fixed, installs, onChoose }: RowProps) {
  const [state, words] = stateOf(item, choices);
  const chosen = choices.get(item.key);
  const isOn = chosen ?? item.enabled;
  const isMissing = !item.enabled && isUnavailable(item);
  const version = versionOf(item);
  const [icon, colour] = icons[id ?? ""] ?? ["puzzle", "var(--c5)"];
  return (
    <li class={`item cpi ${chosen === undefined ? "" : "picked"}`}>
      {id !== undefined && (
        <span class="tile" style={{ "--h": colour }}>
          <Icon name={icon} />
        </span>
      )}
      <div class="body">
        <p class="row">
          <span class="title">{item.title}</span>
          {version !== null && <span class="t13 c3 cut no-sm">{version}</span>}
        </p>
        <p class="sub">{item.summary}</p>
        {item.cause !== null && <p class="sub cause">{item.cause}</p>}
        {isMissing && <p class="sub cause">{missingWords(item, installs)}</p>}
      </div>
      <span class="cpst">
        <Status state={state}>{words}</Status>
        {item.status === "failed" && chosen === undefined && !fixed && (
          <Button size="sm" aria-label={`Turn ${item.title} on again`} onClick={() => onChoose(item, true)}>
            Turn on again
          </Button>
        )}
      </span>
      <span class="cpa">
        <Switch checked={isOn} disabled={fixed} onChecked={(on) => onChoose(item, on)}>
          <span class="sr">{item.title}</span>
        </Switch>
      </span>
    </li>
  );
}
