import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { toIso } from "../../../lib/clock.ts";
import type { Authority } from "./authority.ts";

const KINDS = ["root", "intermediate"] as const;

/** What the command works with. */
export interface CaNeeds {
  nodes: { openAuthority(): Promise<Authority> };
}

/** `ca`. Works beside a running panel, which takes it up within seconds. */
export const createCaCommand = (data: DataAccess<CaNeeds>): Command => ({
  name: "ca",
  summary: "Show the certificate authority of the nodes, begin to change it, or take a change back",
  options: {
    change: { type: "string", value: "WHAT", doc: "Begin a change: root or intermediate" },
    "roll-back": { type: "boolean", doc: "Take a running change back" },
    ...data.option,
  },
  run: (options, print) =>
    data.open(options, async ({ nodes }) => {
      const authority = await nodes.openAuthority();
      const wanted = options.text("change");
      const what = KINDS.find((kind) => kind === wanted);
      if (wanted !== undefined && !what) throw new UsageError(`--change takes ${KINDS.join(" or ")}`);
      if (what && !(await authority.beginRotation(what))) throw new Error("a change is running already");
      if (options.flag("roll-back") && !(await authority.rollBack())) throw new Error("no change is running");
      for (const line of describe(authority)) print(line);
      return EXIT.ok;
    }),
});

function describe(authority: Authority): string[] {
  const rotation = authority.rotation();
  const lines = [`pin      ${authority.pin()}`, `bundle   ${authority.bundle().id}`, `signing  ${rotation.signing}`];
  if (rotation.phase === "prepared") {
    const soon = `signs from ${toIso(rotation.activateAt)}, at the latest from ${toIso(rotation.forceAt)}`;
    lines.push(`next     ${rotation.other}, ${soon}`);
  }
  if (rotation.phase === "activated")
    lines.push(`former   ${rotation.other}, trusted until ${toIso(rotation.otherUntil)} at the latest`);
  return lines;
}
