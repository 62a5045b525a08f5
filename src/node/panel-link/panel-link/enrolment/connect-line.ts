import { parseAgentUrl } from "../../../../shared/agent-client/index.ts";
import { fail } from "../contract.ts";

/** What a line of the panel says. */
export interface ConnectLine {
  /** The agent port of the panel, as it was given. */
  panel: string;
  token: string;
  pin: string;
}

const OPTION = /^--(panel|token|pin)(?:=(.*))?$/;
const TOKEN = /^[A-Za-z0-9_.-]{16,256}$/;
const PIN = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads a copied command such as `orrery-node connect --panel URL --token T --pin P`; words around the options (a path, sudo,
 * quotes) do not matter. Throws `panel_line_invalid`.
 */
export function readConnectLine(line: string): ConnectLine {
  const words = line.split(/[\s\\]+/).map((word) => word.replace(/^['"]|['"]$/g, ""));
  const options = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const found = OPTION.exec(word);
    if (found?.[1]) options.set(found[1], found[2] ?? words[index + 1] ?? "");
  }
  return checkConnectLine({
    panel: options.get("panel") ?? "",
    token: options.get("token") ?? "",
    pin: options.get("pin") ?? "",
  });
}

/** The same parts, checked one by one. Throws `panel_line_invalid`. */
export function checkConnectLine({ panel, token, pin }: ConnectLine): ConnectLine {
  const wrong = (reason: string) => fail("panel_line_invalid", { reason });
  if (panel === "") throw wrong("it names no panel (--panel https://HOST:8443)");
  if (!parseAgentUrl(panel)) throw wrong("--panel is not an address like https://HOST:8443");
  if (token === "") throw wrong("it has no --token");
  if (!TOKEN.test(token)) throw wrong("--token is cut off or has been changed");
  if (pin === "") throw wrong("it has no --pin, without which somebody in between could pose as the panel");
  if (!PIN.test(pin)) throw wrong("--pin is cut off; it is sha256: and 64 characters");
  return { panel, token, pin };
}
