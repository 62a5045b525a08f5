/** Why a name has no address, in the words and codes of the system: there is none, or it cannot be said now. */
export class LookupError extends Error {
  readonly code: "ENOTFOUND" | "EAI_AGAIN";
  readonly syscall = "getaddrinfo";
  /** Name servers said so, instead of nothing. */
  readonly isAnswer: boolean;

  constructor(code: LookupError["code"], { isAnswer = false, message = `getaddrinfo ${code}` } = {}) {
    super(message);
    this.name = "LookupError";
    this.code = code;
    this.isAnswer = isAnswer;
  }
}

/** The code of an error; null where it has none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);
