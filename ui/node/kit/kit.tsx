import { useEffect } from "preact/hooks";
import { look, setLook } from "../../client/preferences.ts";
import { Segmented } from "../../kit/choice.tsx";
import { Icon } from "../../kit/icon.tsx";
import { LookPanel } from "../../parts/look-panel.tsx";
import { Actions } from "./actions.tsx";
import { Data } from "./data.tsx";
import { Feedback } from "./feedback.tsx";
import { Forms } from "./forms.tsx";
import { Themes } from "./themes.tsx";

/** Every component in every state, for looking at and for the tests; the address `/__ui` is open to everybody and shows no data. */
export function Kit() {
  useEffect(() => {
    document.title = "Orbit kit";
  }, []);
  return (
    <div class="kit">
      <header class="top">
        <span class="ktop">
          <Icon name="mark" />
          Orbit kit
        </span>
        <span class="push">
          <Segmented
            label="Theme"
            value={look.value.theme}
            options={[
              { value: "dark", label: "Dark", icon: "moon" },
              { value: "light", label: "Light", icon: "sun" },
            ]}
            onValue={(theme) => setLook({ theme })}
          />
        </span>
      </header>
      <main class="main" id="main">
        <h1 class="sr">Orbit kit</h1>
        <div class="page">
          <Themes />
          <div class="grid12">
            <Actions />
            <Forms />
            <Feedback />
            <Data />
            <section class="card" aria-label="Appearance">
              <div class="card-b pad-top">
                <LookPanel motion />
              </div>
            </section>
          </div>
        </div>
      </main>
    </div>
  );
}
