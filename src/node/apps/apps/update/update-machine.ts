/**
 * The way of an update, or of the way back from one, as a pure function: which step follows which. Up to `switch` the app is
 * untouched, so that a failure there only takes back what was prepared. After it the new version runs on volumes of its own; the old
 * ones are never given to it, so that going back is to name them again.
 */
export type UpdateStep =
  | "pull"
  | "dump"
  | "stop"
  | "copy"
  | "switch"
  | "run"
  | "health"
  | "commit"
  | "back_switch"
  | "back_run"
  | "back_health"
  | "back_end"
  | "over";

/** Where an update stands: the step that is next, and for which of the versions on the way. */
export interface UpdatePlace {
  step: UpdateStep;
  hop: number;
}

/** What does not change while an update is under way. */
export interface UpdateShape {
  hops: number;
  /** Whether the app ran before, and has to be started again. */
  wasUp: boolean;
  /** Whether the new version gets a copy of the data; a set that is there already is named only. */
  copies: boolean;
  /** Whether it has databases that can write what they have. */
  dumps: boolean;
}

/** Where every update begins. */
export const FIRST_PLACE: UpdatePlace = { step: "pull", hop: 0 };

function following({ step, hop }: UpdatePlace, { hops, wasUp, copies, dumps }: UpdateShape): UpdatePlace {
  switch (step) {
    case "pull":
      // Databases can tell what they have only while they run.
      return { step: copies && wasUp && dumps ? "dump" : "stop", hop };
    case "dump":
      return { step: "stop", hop };
    case "stop":
      return { step: copies ? "copy" : "switch", hop };
    case "copy":
      return { step: "switch", hop };
    case "switch":
      return { step: "run", hop };
    case "run":
      return { step: "health", hop };
    case "health":
      return hop + 1 < hops ? { step: "switch", hop: hop + 1 } : { step: "commit", hop };
    case "back_switch":
      return { step: wasUp ? "back_run" : "back_end", hop };
    case "back_run":
      return { step: "back_health", hop };
    case "back_health":
      return { step: "back_end", hop };
    case "commit":
    case "back_end":
    case "over":
      return { step: "over", hop };
  }
}

/** What comes after a step that went well or failed. Nothing is beyond a failed way back but its end, which tells of it. */
export function nextPlace(place: UpdatePlace, shape: UpdateShape, went: "well" | "badly"): UpdatePlace {
  if (went === "well") return following(place, shape);
  switch (place.step) {
    case "pull":
    case "dump":
    case "back_switch":
    case "back_run":
    case "back_health":
    case "back_end":
      return { step: "back_end", hop: place.hop };
    default:
      return { step: "back_switch", hop: place.hop };
  }
}
