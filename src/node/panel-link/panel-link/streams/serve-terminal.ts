import { TypeCompiler } from "@sinclair/typebox/compiler";
import { AppError, kernelFail } from "../../../../kernel/http/errors.ts";
import type { SocketMessage, SocketSession } from "../../../../kernel/http/socket.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { ServedStream, ServeStream } from "../../../../shared/agent-client/index.ts";
import { ShellPlace, TerminalItem } from "../../../../shared/agent-protocol/index.ts";
import { PANEL } from "../../../platform/operations/index.ts";
import { fail } from "../contract.ts";
import type { Needs } from "../needs.ts";
import { PANEL_TERMINALS } from "../settings.ts";

type Permission = Pick<Needs, "settings" | "log" | "clock" | "accessChanges">;
type Deps = Permission & Pick<Needs, "apps" | "terminals">;
type HostDeps = Permission & Pick<Needs, "hostTerminals">;

const places = TypeCompiler.Compile(ShellPlace);
const items = TypeCompiler.Compile(TerminalItem);
/** Bytes of one frame, which grow by a third on their way. */
const PIECE = 32_768;
/** How often it is asked anew whether they are let in, beside each change; as often as of people here. */
const RECHECK_MS = seconds(15);

/** Lets people of the panel talk to a shell in an app, where this server's owner lets them. Throws `shell_disabled`, `exec_…`. */
export const serveTerminal = (deps: Deps): ServeStream =>
  whereLetIn(deps, async (stream, isIn) => {
    const { params } = stream;
    if (!places.Check(params)) throw kernelFail("invalid_request", { field: "app", reason: "must be named" });
    await deps.terminals.serve(sessionOver(stream), PANEL, containerOf(deps, params), isIn);
  });

/**
 * Lets them talk to a shell of the server itself, where its owner has a terminal of it besides. Throws `shell_disabled`,
 * `host_terminal_off`, `exec_too_many`, and what the host role refuses.
 */
export const serveHostTerminal = (deps: HostDeps): ServeStream =>
  whereLetIn(deps, (stream, isIn) => deps.hostTerminals.serve(sessionOver(stream), PANEL, isIn));

/** Serves them while they are let in: what is open when they are not any more ends with `shell_disabled`. */
function whereLetIn(
  { settings, log, clock, accessChanges }: Permission,
  serve: (stream: ServedStream, isIn: () => boolean) => Promise<void>,
): ServeStream {
  const isIn = (): boolean => settings.get(PANEL_TERMINALS) === "true";
  return async (stream) => {
    if (!isIn()) throw fail("shell_disabled");
    const shut = new AbortController();
    const askAgain = (): void => {
      if (!isIn()) shut.abort();
    };
    const stops = [accessChanges.onChange(askAgain), clock.every(RECHECK_MS, askAgain)];
    try {
      await serve({ ...stream, signal: AbortSignal.any([stream.signal, shut.signal]) }, isIn);
    } catch (error) {
      if (!(error instanceof AppError)) log.error("a terminal of the panel broke", { error });
      throw error;
    } finally {
      for (const stop of stops) stop();
    }
    if (shut.signal.aborted) throw fail("shell_disabled");
  };
}

/** Throws `app_not_found`, `invalid_request` where nothing of the app runs, or it has no such service. */
function containerOf({ apps }: Deps, { app, service }: ShellPlace): string {
  const { id } = apps.get(apps.names().find(({ name }) => name === app)?.id ?? app);
  const found = apps
    .listServices(id)
    .find(({ name, container_id, state }) =>
      service === undefined ? container_id !== null && state === "running" : name === service && container_id !== null,
    );
  if (found?.container_id) return found.container_id;
  const reason = service === undefined ? "has nothing that runs" : `has no service ${service} with a container`;
  throw kernelFail("invalid_request", { field: "app", reason });
}

/** A stream of the panel as if it were a browser's socket. */
function sessionOver({ input, signal, send }: ServedStream): SocketSession {
  let last = Promise.resolve();
  // One after another: a stream sends one thing at a time.
  const say = (item: TerminalItem): Promise<void> => {
    last = last.then(() => (signal.aborted ? undefined : send(item)));
    return last;
  };
  const sendJsonInTurn = (word: Record<string, unknown>) => say({ word });
  return {
    signal,
    messages: messagesOf(input),
    sendJson: (word) => void sendJsonInTurn(word),
    sendJsonInTurn,
    sendBytes: sendBytesInTurn,
    sendBytesInTurn,
  };

  async function sendBytesInTurn(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength && !signal.aborted; at += PIECE)
      await say({ bytes: Buffer.from(bytes.subarray(at, at + PIECE)).toString("base64") });
  }
}

async function* messagesOf(input: AsyncIterable<unknown>): AsyncGenerator<SocketMessage> {
  for await (const item of input) {
    if (!items.Check(item)) continue;
    yield "bytes" in item
      ? { kind: "bytes", bytes: Buffer.from(item.bytes, "base64") }
      : { kind: "json", value: item.word };
  }
}
