import { type Command, type CommandOptions, EXIT, UsageError } from "../../kernel/service/cli.ts";
import { systemClock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type ConnectLine, checkConnectLine, type Enrolment, readConnectLine } from "../panel-link/panel-link/index.ts";
import { DATA_OPTION } from "./load.ts";
import { withPanelData } from "./panel-data.ts";

/** Whoever holds the host may do this. */
const HOST = { by: "host", ip: "" };
/** A running node takes the link up within a second and calls at once. */
const FIRST_HEARTBEAT_MS = seconds(12);
const LOOK_MS = 200;

/** Works beside a running node and without one: both use the same database. */
export const connectCommand: Command = {
  name: "connect",
  summary: "Make this node part of a fleet, with the line that the panel shows",
  options: {
    panel: { type: "string", value: "URL", doc: "Agent port of the panel, such as https://panel.example:8443" },
    token: { type: "string", value: "TOKEN", doc: "Registration token; each works once" },
    pin: { type: "string", value: "PIN", doc: "What the panel's certificate must carry: sha256: and 64 characters" },
    line: { type: "string", value: "TEXT", doc: "The whole copied line, instead of the three above" },
    ...DATA_OPTION,
  },
  run(options, print) {
    const line = lineOf(options);
    return withPanelData(options, async (enrolment) => {
      const { agent_url, instance_id } = await enrolment.connect(line, HOST);
      print(`This node is registered at ${agent_url} as ${instance_id}.`);
      print(
        (await isHeard(enrolment))
          ? "It is connected: its first heartbeat has been answered."
          : "No heartbeat yet. A node that is running shows why under Settings, Panel; one that is not calls when it starts.",
      );
      return EXIT.ok;
    });
  },
};

/** Throws `UsageError` when a part is missing, `panel_line_invalid` when one is not what the panel shows. */
function lineOf(options: CommandOptions): ConnectLine {
  const copied = options.text("line");
  if (copied !== undefined) return readConnectLine(copied);
  const [panel, token, pin] = [options.text("panel"), options.text("token"), options.text("pin")];
  if (!panel || !token || !pin)
    throw new UsageError("copy the whole line from the panel: it has --panel, --token and --pin");
  return checkConnectLine({ panel, token, pin });
}

async function isHeard(enrolment: Enrolment): Promise<boolean> {
  const end = systemClock.monotonic() + FIRST_HEARTBEAT_MS;
  while (systemClock.monotonic() < end) {
    if (enrolment.hasHeartbeat()) return true;
    await systemClock.sleep(LOOK_MS);
  }
  return false;
}

/** The way out of a fleet from the host. */
export const disconnectCommand: Command = {
  name: "disconnect",
  summary: "Leave the panel: its certificate and secret are deleted here, and no call is made any more",
  options: DATA_OPTION,
  run: (options, print) =>
    withPanelData(options, async (enrolment) => {
      enrolment.disconnect(HOST);
      print("This node belongs to no panel any more. Delete it on the panel too, or it stays there as offline.");
      return EXIT.ok;
    }),
};
