import { type AgentEndpoint, agentUrl } from "./endpoint.ts";
import { AgentCallError } from "./failures.ts";

const UNTRUSTED = /CERT|ISSUER|PURPOSE|SIGNATURE|SELF_SIGNED|INVALID_CA|PATH_LENGTH/;
const EXPIRED = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/;

const PLAIN: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "its name is not known",
  EAI_AGAIN: "its name could not be looked up",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  ETIMEDOUT: "it does not answer",
  ERR_SSL_WRONG_VERSION_NUMBER: "what listens there does not speak TLS; the agent port is usually 8443",
};

/** Says what an error of a socket means. */
export function socketFailure(error: unknown, endpoint: AgentEndpoint): AgentCallError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const place = agentUrl(endpoint);
  if (EXPIRED.test(code)) {
    const why = "either the clock of this server is wrong, or the panel's certificate ran out";
    return new AgentCallError("untrusted", `The certificate of ${place} is not valid now: ${why}.`);
  }
  if (UNTRUSTED.test(code)) {
    const next = "If the panel was set up anew, connect this node with a new token";
    return new AgentCallError("untrusted", `${place} is not the panel that this node trusts (${code}). ${next}.`);
  }
  const reason = PLAIN[code] ?? (error instanceof Error ? error.message : "the connection failed");
  return new AgentCallError("unreachable", `The panel at ${place} cannot be reached: ${reason}.`);
}
