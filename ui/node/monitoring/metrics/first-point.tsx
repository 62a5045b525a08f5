import { useEffect, useState } from "preact/hooks";
import { Card, EmptyState } from "../../../kit/card.tsx";

/** Nothing was measured yet: says when the first point comes, and asks for it then. */
export function FirstPoint({ refresh }: { refresh: () => Promise<void> }) {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => {
      const seconds = secondsLeft();
      setLeft(seconds);
      // A minute that just ended needs a moment to be written.
      if (seconds === 60 - 2 || seconds === 60 - 5) void refresh();
    }, 1000);
    return () => clearInterval(timer);
  }, [refresh]);
  return (
    <Card>
      <EmptyState title={`First point in ${left} s`}>
        This server is measured every 10 seconds and draws one point a minute. Days and weeks fill up by themselves.
      </EmptyState>
    </Card>
  );
}

/** Points are made when a minute is over. */
function secondsLeft(): number {
  return 60 - new Date().getSeconds();
}
