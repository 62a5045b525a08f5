import { query, setQuery } from "../../../client/router.ts";
import { Button } from "../../../kit/button.tsx";

/** Leads from page to page of a long list. */
export function Pages({ next }: { next: string | null }) {
  const isFirst = !query.value.has("after");
  if (isFirst && next === null) return null;
  return (
    <p class="drivemore row">
      {!isFirst && (
        <Button size="sm" onClick={() => setQuery({ after: null }, { isStep: true })}>
          First page
        </Button>
      )}
      {next !== null && (
        <Button size="sm" onClick={() => setQuery({ after: next }, { isStep: true })}>
          Next page
        </Button>
      )}
    </p>
  );
}
