import { Button } from "../../kit/button.tsx";
import { Chip } from "../../kit/status.tsx";

const accents = ["nebula", "plasma", "ion", "quasar"];
const themes = ["dark", "light"];

/** The four accents in both themes, side by side. */
export function Themes() {
  return (
    <section class="themes" aria-label="Accents and themes">
      {themes.map((theme) =>
        accents.map((accent) => (
          <div key={`${theme} ${accent}`} class="theme" data-theme={theme} data-accent={accent}>
            <p class="row">
              <b>{accent}</b>
              <span class="push t12 c3">{theme}</span>
            </p>
            <p class="row">
              <Button size="sm" kind="primary">
                Update
              </Button>
              <span class="btn sm is-focus">Focus</span>
            </p>
            <p class="row">
              <span class="link">Link</span>
              <Chip state="ok">Fine</Chip>
              <Chip state="acc">Now</Chip>
            </p>
          </div>
        )),
      )}
    </section>
  );
}
