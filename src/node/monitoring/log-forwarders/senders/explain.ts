import { OutgoingError } from "../../../../kernel/outgoing/index.ts";

const codeOf = (error: Error & { code?: unknown }): string => (typeof error.code === "string" ? error.code : "");

const TLS_WORDS: readonly [code: RegExp, words: string][] = [
  [/ALTNAME/, "its certificate is for another name. Enter the name that the certificate has"],
  [/EXPIRED/, "its certificate has run out. Renew it there"],
  [
    /SELF_SIGNED|UNABLE_TO_|ISSUER/,
    "nobody this server trusts has signed its certificate. Enter the certificate of its own authority",
  ],
  [
    /WRONG_VERSION|PACKET_LENGTH|ECONNRESET|EPROTO/,
    "it does not speak TLS on this port. Choose TCP, or its port for TLS",
  ],
];

const CONNECT_WORDS: Record<string, string> = {
  // The runtime says so of every connection that does not come about.
  ECONNREFUSED: "nothing listens on that port, or nothing leads to that address",
  EHOSTUNREACH: "there is no way to that address",
  ENETUNREACH: "there is no way to that network",
  ETIMEDOUT: "it does not answer",
  ECONNRESET: "it ended the connection",
  EPIPE: "it ended the connection",
};

/** Why a connection did not come about or ended, for people. */
export function explainSocket(thrown: unknown, place: string, isTls: boolean): string {
  if (thrown instanceof OutgoingError) return thrown.message;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = codeOf(error);
  const tls = isTls ? TLS_WORDS.find(([pattern]) => pattern.test(code))?.[1] : undefined;
  if (tls !== undefined) return `No secure connection to ${place}: ${tls} (${code}).`;
  const words = CONNECT_WORDS[code];
  return words === undefined ? `No connection to ${place}: ${error.message}.` : `No connection to ${place}: ${words}.`;
}

/** What a status says about lines that were sent. */
export function explainStatus(status: number): string {
  if (status === 401 || status === 403) return `It does not accept the secret (${status}). Enter the right one.`;
  if (status === 404 || status === 405) return `It takes no lines at this address (${status}). Check the path.`;
  if (status === 413) return "It wants less at a time (413).";
  if (status === 429) return "It asks us to slow down (429).";
  if (status >= 500) return `It has trouble of its own (${status}).`;
  return `It does not take these lines (${status}).`;
}
