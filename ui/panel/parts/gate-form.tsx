import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../../kit/button.tsx";
import type { Attempt } from "../../parts/attempt.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { Gate, Hello } from "./gate.tsx";

interface GateFormProps {
  /** Name of the page, in the title of its tab. */
  title: string;
  hello: string;
  action: string;
  /** False while something is missing in the fields. */
  ready: boolean;
  attempt: Attempt;
  /** Fields that show their own refusal. */
  fields: readonly string[];
  onSubmit: () => Promise<void>;
  /** The way to the other form, or why there is none; null while that is not known. */
  other: { question: string; label: string; href: string } | string | null;
  children: ComponentChildren;
}

/** The one form on the page of whoever is not in yet. */
export function GateForm({ title, hello, action, ready, attempt, fields, onSubmit, other, children }: GateFormProps) {
  const besides = attempt.besides(...fields);
  useEffect(() => {
    document.title = `${title}, Orrery`;
  }, [title]);
  return (
    <Gate>
      <main class="signin" id="main">
        <Hello>{hello}</Hello>
        <div class="ways one">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void attempt.send(onSubmit);
            }}
          >
            {children}
            {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
            <Button type="submit" kind="primary" wide busy={attempt.busy} disabled={!ready || attempt.wait > 0}>
              {action}
            </Button>
            <Other other={other} />
          </form>
        </div>
      </main>
    </Gate>
  );
}

function Other({ other }: Pick<GateFormProps, "other">) {
  if (other === null) return null;
  if (typeof other === "string") return <p class="t13 c2 mid">{other}</p>;
  return (
    <p class="t13 c2 mid">
      {other.question}{" "}
      <a class="link" href={other.href}>
        {other.label}
      </a>
    </p>
  );
}
