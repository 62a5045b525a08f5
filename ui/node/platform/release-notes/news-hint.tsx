import { useEffect, useState } from "preact/hooks";
import { useResource } from "../../client/resource.ts";
import { isNewer } from "./release.ts";

/** Milliseconds before asking, so that the home page itself loads first. */
const waitMs = 1_500;

/** A word beside the date when there is a tour that this person has not seen. */
export function NewsHint() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), waitMs);
    return () => clearTimeout(timer);
  }, []);
  return isTime ? <Hint /> : null;
}

function Hint() {
  const tour = useResource("GET /api/feature-tour").data.value;
  const seen = useResource("GET /api/profile/last-seen-release").data.value;
  if (tour === null || seen === null || tour.slides.length === 0 || !isNewer(tour.version, seen.version)) return null;
  return (
    <>
      {" · "}
      <a class="link" href="/news">
        New in {tour.version}: take the tour
      </a>
    </>
  );
}
