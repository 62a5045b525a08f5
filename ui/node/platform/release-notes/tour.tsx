import { useEffect, useState } from "preact/hooks";
import type { FeatureTour } from "../../../../src/node/platform/release-notes/contract.ts";
import { Button, LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { api } from "../../client/api.ts";
import { resource } from "../../client/resource.ts";

/** One slide after the other, each with a link to what it shows. Opening the tour counts as having seen it. */
export function Tour({ tour: { version, slides } }: { tour: FeatureTour }) {
  const [at, setAt] = useState(0);
  useEffect(() => {
    void api("PUT /api/profile/last-seen-release", { body: { version } })
      .then((seen) => resource("GET /api/profile/last-seen-release").set(() => seen))
      .catch(() => null);
  }, [version]);
  const slide = slides[at];
  if (slide === undefined) return null;
  return (
    <Card title={`New in ${version}`} aside={`${at + 1} of ${slides.length}`} class="newstour">
      <div class="card-b">
        <div class="stack" aria-live="polite">
          <h3 class="t22">{slide.title}</h3>
          <p class="c2">{slide.text}</p>
        </div>
        <p class="row">
          <LinkButton href={slide.path}>{slide.action}</LinkButton>
          <span class="turns">
            <span class="steps" aria-hidden="true">
              {slides.map(({ title }, index) => (
                <i key={title} class={index === at ? "on" : ""} />
              ))}
            </span>
            <Button
              kind="ghost"
              disabled={at === 0}
              onClick={({ currentTarget: { nextElementSibling: next } }) => {
                setAt(at - 1);
                // The first slide has no Back button, so the focus moves to Next.
                if (at === 1 && next instanceof HTMLElement) next.focus();
              }}
            >
              Back
            </Button>
            <Button onClick={() => setAt((at + 1) % slides.length)}>
              {at === slides.length - 1 ? "Start over" : "Next"}
            </Button>
          </span>
        </p>
      </div>
    </Card>
  );
}
