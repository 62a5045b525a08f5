import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import type { DataAccess } from "../../../kernel/service/data-access.ts";
import { PLANS, type Plan } from "../../plans.ts";
import type { WorkspaceRow } from "./store.ts";

/** What the commands work with. */
export interface TenantCommandNeeds {
  tenants: {
    listWorkspaces(): Promise<WorkspaceRow[]>;
    changePlan(tenantId: string, plan: Plan): Promise<string | null>;
  };
}

type Access = DataAccess<TenantCommandNeeds>;

/** `workspaces` and `plan`. */
export const createTenantCommands = (data: Access): readonly Command[] => [workspacesCommand(data), planCommand(data)];

/** What there is on this panel. */
const workspacesCommand = (data: Access): Command => ({
  name: "workspaces",
  summary: "Print every workspace with its plan and how many nodes it has",
  options: data.option,
  run: (options, print) =>
    data.open(options, async ({ tenants }) => {
      for (const row of await tenants.listWorkspaces())
        print(`${row.tenant_id}  ${row.plan}  ${row.held["nodes"] ?? 0} nodes  ${row.name}`);
      return EXIT.ok;
    }),
});

/** Works beside a running panel: nodes learn of it with their next heartbeat. */
const planCommand = (data: Access): Command => ({
  name: "plan",
  summary: "Put a workspace on another plan",
  options: {
    workspace: { type: "string", value: "ID", doc: "The workspace; `orrery-panel workspaces` prints them" },
    plan: { type: "string", value: "PLAN", doc: PLANS.join(", ") },
    ...data.option,
  },
  run: (options, print) =>
    data.open(options, async ({ tenants }) => {
      const plan = PLANS.find((name) => name === options.text("plan"));
      const id = options.text("workspace");
      if (id === undefined || plan === undefined)
        throw new UsageError(`say --workspace ID and --plan, one of ${PLANS.join(", ")}`);
      const former = await tenants.changePlan(id, plan);
      if (former === null) throw new Error(`there is no workspace ${id}`);
      print(`${id} is on the plan ${plan}, before on ${former}.`);
      return EXIT.ok;
    }),
});
