import { type Address, parseAddress } from "./address.ts";
import { OutgoingError } from "./contract.ts";

/** Where a URL leads, before any name is looked up. */
export interface Target {
  isTls: boolean;
  /** Name or address, without brackets and without a trailing dot. */
  host: string;
  /** The address when the URL names one, also by `localhost`. */
  literal: Address | null;
  port: number;
  /** Path and query as they go over the wire. */
  path: string;
  /** Value of the `Host` header. */
  authority: string;
}

const MAX_LENGTH = 2_048;

/** Takes a URL apart. Throws OutgoingError `bad_url`. */
export function parseTarget(text: string): Target {
  const url = text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new OutgoingError("bad_url", `This is not a URL of at most ${MAX_LENGTH} characters.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new OutgoingError("bad_url", "Only http:// and https:// addresses can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new OutgoingError("bad_url", "The URL must not hold a user name or password.");
  }
  const isTls = url.protocol === "https:";
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "" || port === 0) throw new OutgoingError("bad_url", "The URL names no host and port to connect to.");
  const isLocal = host === "localhost" || host.endsWith(".localhost");
  return {
    isTls,
    host,
    literal: parseAddress(isLocal ? "127.0.0.1" : host),
    port,
    path: `${url.pathname}${url.search}`,
    authority: url.host,
  };
}
