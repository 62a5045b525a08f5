/** Why a name has no address, in the words and codes of the system: there is none, or it cannot be said now. */
export class LookupError extends Error {
  readonly code: "ENOTFOUND" | "EAI_AGAIN";
  readonly syscall = "getaddrinfo";

  constructor(code: LookupError["code"], message = `getaddrinfo ${code}`) {
    super(message);
    this.name = "LookupError";
    this.code = code;
  }
}

/** The code of an error; null where it has none. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : null);
