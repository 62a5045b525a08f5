import type { ComponentChildren } from "preact";
import { Icon } from "../../../kit/icon.tsx";
import type { Body } from "../../../kit/orbit-layout.ts";
import { Orrery, setupSize } from "../../../kit/orrery.tsx";
import { OfflineBar } from "../../../shell/offline-bar.tsx";

const steps = [
  { id: "owner", title: "Owner" },
  { id: "name", title: "Name and mode" },
  { id: "apps", title: "Apps" },
];

interface FrameProps {
  step: string;
  title: string;
  bodies: Body[];
  facts: ComponentChildren;
  children: ComponentChildren;
}

/** The two halves of the wizard: the sky at the left, the question at the right. */
export function SetupFrame({ step, title, bodies, facts, children }: FrameProps) {
  const index = step === "install" ? 3 : steps.findIndex((item) => item.id === step);
  return (
    <div class="setup">
      <aside class="sky2" aria-hidden="true">
        <p class="who">
          <Icon name="mark" />
          {title}
        </p>
        <Orrery bodies={bodies} size={setupSize} label="Your server" />
        {facts ?? <span />}
      </aside>
      <main class="work" id="main">
        <OfflineBar />
        <ol class="prog" aria-label="Steps">
          {steps.map((item, at) => (
            <li
              key={item.id}
              class={at < index ? "done" : at === index ? "now" : ""}
              aria-current={at === index ? "step" : undefined}
            >
              <span class="n">{at < index ? <Icon name="check" /> : at + 1}</span>
              <span>{item.title}</span>
            </li>
          ))}
        </ol>
        {children}
      </main>
    </div>
  );
}

/** Heading, body and buttons of one step; Enter sends it. */
export function Stage({
  title,
  lede,
  children,
  foot,
  onSubmit,
}: {
  title: string;
  lede: ComponentChildren;
  children: ComponentChildren;
  foot: ComponentChildren;
  onSubmit: () => void;
}) {
  return (
    <form
      class="stageform"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div class="stage">
        <div>
          <h1>{title}</h1>
          <p class="lede">{lede}</p>
        </div>
        {children}
      </div>
      <footer class="end">{foot}</footer>
    </form>
  );
}
