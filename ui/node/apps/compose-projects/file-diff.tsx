import { diffLines, foldDiff } from "./line-diff.ts";

const WORDS = { same: "", added: "Added: ", removed: "Removed: " } as const;
const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** What is other in a text than in the one before, line by line; nothing where they are alike. */
export function FileDiff({ title, before, after }: { title: string; before: string; after: string }) {
  if (before === after) return null;
  return (
    <details class="card-b composediff" open>
      <summary>{title}</summary>
      <ol aria-label={title}>
        {foldDiff(diffLines(before, after)).map((line, index) =>
          line === null ? (
            <li key={index} class="c3">
              …
            </li>
          ) : (
            <li key={index} class={line.kind}>
              <span aria-hidden="true">{SIGNS[line.kind]} </span>
              <span class="sr">{WORDS[line.kind]}</span>
              {line.text}
            </li>
          ),
        )}
      </ol>
    </details>
  );
}
