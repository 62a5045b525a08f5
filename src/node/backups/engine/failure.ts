/** Why the engine could not do what it was asked; the code travels out of its thread. */
export type EngineCode =
  | "target_missing"
  | "target_refused"
  | "target_away"
  | "target_full"
  | "target_keeps"
  | "target_exists"
  | "target_foreign"
  | "repository_missing"
  | "repository_newer"
  | "key_wrong"
  | "damaged"
  | "no_room"
  | "snapshot_missing"
  | "host_unknown"
  | "tree_unread"
  | "tree_hollow"
  | "busy"
  | "fenced";

/** Nothing lies there, or not any more: what people do about that. */
export const NO_REPOSITORY =
  "There is no Orrery repository at this target. Where it is a disk, look whether it is mounted; where it moved, add it as a new target.";

/** An error of the engine, in words for people. */
export class EngineFailure extends Error {
  readonly code: EngineCode;

  constructor(code: EngineCode, message: string) {
    super(message);
    this.name = "EngineFailure";
    this.code = code;
  }
}

/** What a target has under a name of a repository is larger than that can be. */
export const tooLarge = (name: string): EngineFailure =>
  new EngineFailure("damaged", `${name} is larger than anything in a repository.`);
