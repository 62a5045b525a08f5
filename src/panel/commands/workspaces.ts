import { type Command, EXIT, UsageError } from "../../kernel/service/cli.ts";
import { PLANS } from "../plans.ts";
import { DATA_OPTION } from "./load.ts";
import { withPanelData } from "./panel-data.ts";

/** What there is on this panel. */
export const workspacesCommand: Command = {
  name: "workspaces",
  summary: "Print every workspace with its plan and how many nodes it has",
  options: DATA_OPTION,
  run: (options, print) =>
    withPanelData(options, async ({ tenants }) => {
      for (const row of await tenants.listWorkspaces())
        print(`${row.tenant_id}  ${row.plan}  ${row.nodes} nodes  ${row.name}`);
      return EXIT.ok;
    }),
};

/** Works beside a running panel: nodes learn of it with their next heartbeat. */
export const planCommand: Command = {
  name: "plan",
  summary: "Put a workspace on another plan",
  options: {
    workspace: { type: "string", value: "ID", doc: "The workspace; `orrery-panel workspaces` prints them" },
    plan: { type: "string", value: "PLAN", doc: PLANS.join(", ") },
    ...DATA_OPTION,
  },
  run: (options, print) =>
    withPanelData(options, async ({ tenants }) => {
      const plan = PLANS.find((name) => name === options.text("plan"));
      const id = options.text("workspace");
      if (id === undefined || plan === undefined)
        throw new UsageError(`say --workspace ID and --plan, one of ${PLANS.join(", ")}`);
      const former = await tenants.changePlan(id, plan);
      if (former === null) throw new Error(`there is no workspace ${id}`);
      print(`${id} is on the plan ${plan}, before on ${former}.`);
      return EXIT.ok;
    }),
};
