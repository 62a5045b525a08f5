import { look, setLook, type Theme } from "../client/preferences.ts";
import { play } from "../client/sounds.ts";
import { Switch } from "../kit/choice.tsx";
import { Icon } from "../kit/icon.tsx";
import { SegmentedField } from "../kit/segmented-field.tsx";
import { accents, densities, motions } from "./look-words.ts";

const themes: { value: Theme; label: string; icon: "moon" | "sun" }[] = [
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "light", label: "Light", icon: "sun" },
];

/** Theme, accent and motion of this device; each change shows at once. */
export function LookPanel({ motion = false, sounds = motion }: { motion?: boolean; sounds?: boolean }) {
  const now = look.value;
  return (
    <div class="stack lookpanel">
      <SegmentedField label="Theme" value={now.theme} options={themes} onValue={(theme) => setLook({ theme })} />
      <div class="field">
        <span class="label">Accent</span>
        <Accents />
      </div>
      {motion && (
        <>
          <SegmentedField
            label="Motion"
            value={now.motion}
            options={motions}
            onValue={(value) => setLook({ motion: value })}
            hint="Calm stops everything that moves by itself, Max adds a sky of stars. A system that asks for less motion always gets calm."
          />
          <SegmentedField
            label="Density"
            value={now.density}
            options={densities}
            onValue={(density) => setLook({ density })}
            hint="Height of table rows, on this device."
          />
        </>
      )}
      {sounds && (
        <Switch
          checked={now.sounds}
          onChecked={(on) => {
            setLook({ sounds: on });
            if (on) play("ask", true);
          }}
          sub="A short tone for sign-in requests and finished long work."
        >
          Sounds
        </Switch>
      )}
    </div>
  );
}

function Accents() {
  const now = look.value;
  return (
    <div class="swatch" role="radiogroup" aria-label="Accent">
      {accents.map((accent) => (
        <label key={accent.value} data-accent={accent.value} data-tip={accent.label}>
          <input
            type="radio"
            name="accent"
            aria-label={accent.label}
            checked={now.accent === accent.value}
            onChange={() => setLook({ accent: accent.value })}
          />
          <i />
        </label>
      ))}
      <label class="own" data-tip="Your own colour" data-checked={now.accent === "custom"}>
        <Icon name="palette" class="s" />
        <input
          type="color"
          aria-label="Your own colour"
          value={now.custom}
          onInput={(event) => setLook({ accent: "custom", custom: event.currentTarget.value })}
          onClick={() => setLook({ accent: "custom" })}
        />
      </label>
    </div>
  );
}
