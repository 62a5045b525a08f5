import { useState } from "preact/hooks";
import type { ComponentList } from "../../../../src/node/host/components/contract.ts";
import { count } from "../../../client/format.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner, Card } from "../../../kit/card.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { api } from "../../client/api.ts";
import { type Choices, goWords, planOf, setOf } from "./words.ts";

/** What the choices will do, before anything is done. */
export function PlanCard({
  list,
  choices,
  onDiscard,
  onBegun,
}: {
  list: ComponentList;
  choices: Choices;
  onDiscard: () => void;
  onBegun: (opId: string) => void;
}) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const lines = planOf(list, choices);
  const mayReplaceSnap = problem?.code === "confirm_snap_required";
  const apply = async (): Promise<void> => {
    setSending(true);
    try {
      const { op_id } = await api("POST /api/components/apply", {
        // Said by the second press only, beside the words that ask for it.
        body: { set: setOf(choices), confirm_snap: mayReplaceSnap },
      });
      onBegun(op_id);
    } catch (error) {
      setProblem(asProblem(error));
      setSending(false);
    }
  };
  return (
    <Card
      class="plan"
      title="Plan"
      aside={count(lines.length, "change")}
      foot={
        <>
          <Button onClick={onDiscard}>Discard</Button>
          <Button kind="primary" class="push" busy={isSending} onClick={() => void apply()}>
            {mayReplaceSnap ? "Switch off the snap and go on" : goWords(lines, choices)}
          </Button>
        </>
      }
    >
      <ul class="rows">
        {lines.map((line) => (
          <li class="item" key={line.key}>
            <Glyph state="info" />
            <div class="body">
              <p class="title">{line.title}</p>
              <p class="sub">{line.text}</p>
            </div>
          </li>
        ))}
      </ul>
      <dl class="dl plandl">
        <dt>Download</dt>
        <dd>what apt needs, told while it runs</dd>
        <dt>Apps stopped</dt>
        <dd>none</dd>
        <dt>If a step fails</dt>
        <dd>what was begun is undone</dd>
      </dl>
      {problem !== null && <Banner state={mayReplaceSnap ? "warn" : "crit"}>{problem.message}</Banner>}
    </Card>
  );
}
