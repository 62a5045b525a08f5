import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";

/** Looks for words in the timeline. */
export const timelineFinder: Finder = {
  order: 91,
  words: (words) => [
    {
      id: "timeline-words",
      title: `Look for “${words}” in the timeline`,
      group: "Timeline",
      icon: "clock",
      run: () => navigate(`/timeline?q=${encodeURIComponent(words)}`),
    },
  ],
};
