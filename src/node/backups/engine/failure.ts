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
  | "busy"
  | "fenced";

/** An error of the engine, in words for people. */
export class EngineFailure extends Error {
  readonly code: EngineCode;

  constructor(code: EngineCode, message: string) {
    super(message);
    this.name = "EngineFailure";
    this.code = code;
  }
}
