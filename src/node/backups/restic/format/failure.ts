/** Why nothing could be read from a repository; the code travels out of the thread. */
type ResticCode =
  | "restic_none"
  | "restic_newer"
  | "restic_password"
  | "restic_costly"
  | "restic_damaged"
  | "restic_changed"
  | "restic_limit"
  | "restic_snapshot"
  | "restic_path"
  | "restic_kind"
  | "restic_room";

/** What does not work, in words for people. */
export class ResticFailure extends Error {
  readonly code: ResticCode;

  constructor(code: ResticCode, message: string) {
    super(message);
    this.name = "ResticFailure";
    this.code = code;
  }
}

export const damaged = (what: string): ResticFailure => new ResticFailure("restic_damaged", `${what}.`);

export const overLimit = (what: string): ResticFailure => new ResticFailure("restic_limit", `${what}.`);
