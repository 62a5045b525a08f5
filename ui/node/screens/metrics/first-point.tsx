import { useEffect, useState } from "preact/hooks";
import { Card, EmptyState } from "../../../kit/card.tsx";

/** Nothing was measured yet: says when the first point comes. */
export function FirstPoint() {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 1000);
    return () => clearInterval(timer);
  }, []);
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
  return 61 - new Date().getSeconds();
}
