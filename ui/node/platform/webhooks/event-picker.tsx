import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { Checkbox, Segmented } from "../../../kit/choice.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { useResource } from "../../client/resource.ts";
import { familyName } from "./words.ts";

/** All event types. */
export const everything = "*";

/** Which events a webhook hears: all of them, or some, in their families. */
export function EventPicker({ chosen, onChosen }: { chosen: string[]; onChosen: (events: string[]) => void }) {
  const types = useResource("GET /api/webhooks/event-types");
  const all = chosen.includes(everything);
  return (
    <fieldset class="field">
      <legend class="label">Hears of</legend>
      <Segmented
        label="Hears of"
        size="wide"
        value={all ? "all" : "some"}
        options={[
          { value: "all", label: "Everything" },
          { value: "some", label: "Only some events" },
        ]}
        onValue={(next) => onChosen(next === "all" ? [everything] : [])}
      />
      {!all && (
        <Loaded of={types} what="Event types" skeleton={<Skeleton rows={4} />}>
          {(list) => (
            <div class="eventlist">
              {[...new Set(list.map(({ family }) => family))].map((family) => (
                <Family
                  key={family}
                  family={family}
                  types={list.filter((item) => item.family === family)}
                  chosen={chosen}
                  onChosen={onChosen}
                />
              ))}
            </div>
          )}
        </Loaded>
      )}
    </fieldset>
  );
}

function Family({
  family,
  types,
  chosen,
  onChosen,
}: {
  family: string;
  types: { type: string; trigger: string }[];
  chosen: string[];
  onChosen: (events: string[]) => void;
}) {
  const name = familyName(family);
  const own = types.map(({ type }) => type);
  const others = chosen.filter((type) => !own.includes(type));
  const isWhole = own.every((type) => chosen.includes(type));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset would take the style of a field.
    <div role="group" aria-label={name}>
      <p class="row">
        <span class="w5">{name}</span>
        <Button
          kind="ghost"
          size="sm"
          class="push"
          aria-label={`${isWhole ? "None" : "All"} of ${name}`}
          onClick={() => onChosen(isWhole ? others : [...others, ...own])}
        >
          {isWhole ? "None" : "All"}
        </Button>
      </p>
      {types.map(({ type, trigger }) => (
        <Checkbox
          key={type}
          checked={chosen.includes(type)}
          onChecked={(on) => onChosen(on ? [...chosen, type] : chosen.filter((item) => item !== type))}
          sub={trigger}
        >
          <span class="mono t13">{type}</span>
        </Checkbox>
      ))}
    </div>
  );
}
