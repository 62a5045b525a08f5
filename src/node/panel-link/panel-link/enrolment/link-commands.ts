import { type Command, type CommandOptions, EXIT, UsageError } from "../../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../../kernel/service/data-access.ts";
import { hasTable } from "../../../../kernel/service/data-files.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { seconds } from "../../../../lib/duration.ts";
import type { OpenedData } from "../../../opened-data.ts";
import { tellEnded } from "../../../people/auth/index.ts";
import { recordEvent } from "../../../platform/audit/index.ts";
import { createIdentity } from "../../../platform/identity/index.ts";
import { type ConnectLine, checkConnectLine, readConnectLine } from "./connect-line.ts";
import { createEnrolment, type Enrolment, type EnrolmentDeps } from "./enrolment.ts";

/** Whoever holds the host may do this. */
const HOST = { by: "host", ip: "" };
/** A running node takes the link up within a second and calls at once. */
const FIRST_HEARTBEAT_MS = seconds(12);
const LOOK_MS = 200;

/** `connect` and `disconnect`. They work beside a running node and without one: both use the same database. */
export const createLinkCommands = (data: DataAccess<OpenedData>, makeUsers: MakeUsers): readonly Command[] => {
  const enrolmentOf = (opened: OpenedData) => openEnrolment(opened, makeUsers(opened));
  return [connectCommand(data, enrolmentOf), disconnectCommand(data, enrolmentOf)];
};

type MakeUsers = (opened: OpenedData) => EnrolmentDeps["users"];
type EnrolmentOf = (opened: OpenedData) => Enrolment;

const connectCommand = (data: DataAccess<OpenedData>, enrolmentOf: EnrolmentOf): Command => ({
  name: "connect",
  summary: "Make this node part of a fleet, with the line that the panel shows",
  options: {
    panel: { type: "string", value: "URL", doc: "Agent port of the panel, such as https://panel.example:8443" },
    token: { type: "string", value: "TOKEN", doc: "Registration token; each works once" },
    pin: { type: "string", value: "PIN", doc: "What the panel's certificate must carry: sha256: and 64 characters" },
    line: { type: "string", value: "TEXT", doc: "The whole copied line, instead of the three above" },
    ...data.option,
  },
  run(options, print) {
    const line = lineOf(options);
    return data.open(options, async (opened) => {
      const enrolment = enrolmentOf(opened);
      const { agent_url, instance_id } = await enrolment.connect(line, HOST);
      print(`This node is registered at ${agent_url} as ${instance_id}.`);
      print(
        (await isHeard(opened.clock, enrolment))
          ? "It is connected: its first heartbeat has been answered."
          : "No heartbeat yet. A node that is running shows why under Settings, Panel; one that is not calls when it starts.",
      );
      return EXIT.ok;
    });
  },
});

/** The way out of a fleet from the host. */
const disconnectCommand = (data: DataAccess<OpenedData>, enrolmentOf: EnrolmentOf): Command => ({
  name: "disconnect",
  summary:
    "Leave the panel: its certificate and secret are deleted here, no call is made any more, and who came in over it is out",
  options: data.option,
  run: (options, print) =>
    data.open(options, async (opened) => {
      const enrolment = enrolmentOf(opened);
      const count = enrolment.countPeople();
      if (count > 0)
        print(`${tellPeople(count)} in over this panel: what lets them in ends, and their accounts are switched off.`);
      const { people, sessions, ways } = enrolment.disconnect(HOST);
      if (people > 0)
        print(`Ended: ${tellNumber(people, "account")}, ${tellNumber(sessions, "session")}${tellEnded(ways)}.`);
      print("This node belongs to no panel any more. Delete it on the panel too, or it stays there as offline.");
      return EXIT.ok;
    }),
});

const tellNumber = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
const tellPeople = (count: number): string => (count === 1 ? "1 person came" : `${count} people came`);

/** Throws when the data is of a release that kept less of a panel. */
function openEnrolment(opened: OpenedData, users: EnrolmentDeps["users"]): Enrolment {
  if (!hasTable(opened.db.raw, "panel_people"))
    throw new Error("the data is of an older release; start the node once, then repeat");
  const needs = { ...opened, ...opened.readHost() };
  // No bus is here to hear of it.
  const tellPeopleEnded: EnrolmentDeps["tellPeopleEnded"] = (event) => recordEvent(opened, "panel.people_ended", event);
  return createEnrolment({ ...needs, users, tellPeopleEnded, identity: createIdentity(needs) });
}

/** Throws `UsageError` when a part is missing, `panel_line_invalid` when one is not what the panel shows. */
function lineOf(options: CommandOptions): ConnectLine {
  const copied = options.text("line");
  if (copied !== undefined) return readConnectLine(copied);
  const [panel, token, pin] = [options.text("panel"), options.text("token"), options.text("pin")];
  if (!panel || !token || !pin)
    throw new UsageError("copy the whole line from the panel: it has --panel, --token and --pin");
  return checkConnectLine({ panel, token, pin });
}

async function isHeard(clock: Clock, enrolment: Enrolment): Promise<boolean> {
  const end = clock.monotonic() + FIRST_HEARTBEAT_MS;
  while (clock.monotonic() < end) {
    if (enrolment.hasHeartbeat()) return true;
    await clock.sleep(LOOK_MS);
  }
  return false;
}
