/** Panel link: the panel that this node belongs to, if any: heartbeats, commands, certificate and plan. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { OutgoingError, type OutgoingReply } from "../../../kernel/outgoing/index.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import type { PageRequest } from "../../base.ts";
import { PANEL } from "../../platform/operations/index.ts";
import { createCommandPace } from "./commands/accept.ts";
import { deleteOldCommands } from "./commands/command-store.ts";
import { createExecutor } from "./commands/executor.ts";
import { fail, type PanelLinkEvents } from "./contract.ts";
import { endMembership } from "./enrolment/end-membership.ts";
import { createEnrolment, type Enrolment } from "./enrolment/enrolment.ts";
import { panelLinkMeanings } from "./events.ts";
import { findLink } from "./link-store.ts";
import init from "./migrations/0001_panel_link.sql" with { type: "text" };
import membership from "./migrations/0002_membership.sql" with { type: "text" };
import root from "./migrations/0003_root.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { askPage } from "./panel-page.ts";
import { endVisits } from "./people/end-visits.ts";
import { readSignInUrls } from "./report/sign-in-urls.ts";
import { bindPanelLinkRoutes } from "./routes.ts";
import { PANEL_LINK_SETTINGS } from "./settings.ts";
import { createStanding, type Standing } from "./standing.ts";
import { createAsks } from "./streams/asks.ts";
import { runPanelLink } from "./talk/run.ts";

export { createLinkCommands } from "./enrolment/link-commands.ts";
export {
  findPerson,
  insertPerson,
  markEnded,
  type PersonRow,
  updateRoleTold,
  updateVisit,
} from "./people/people-store.ts";
export { CALLBACK_PATH } from "./report/sign-in-urls.ts";
export type { LinkedPanel } from "./standing.ts";

export const panelLinkFeature = defineFeature({
  name: "panel-link",
  migrations: [init, membership, root],
  errors: fail.table,
  settings: PANEL_LINK_SETTINGS,
  events: panelLinkMeanings,
});

/** This node's side of its panel. */
export interface PanelLink extends Part, Standing, Enrolment {
  /** Every address of the dashboard that this node knows to be its own, as the panel is told them. */
  signInUrls(): string[];
  /** Puts on record that staff of the panel came in. */
  tellVisit(visit: Omit<PanelLinkEvents["panel.visit_begun"], "panel">): void;
  /** Asks a path of the panel's pages. Throws OutgoingError. */
  ask(path: string, request: PageRequest): Promise<OutgoingReply>;
}

/** A command that takes longer is judged by the next start. */
const STOP_MS = seconds(2);
/** A visit of the panel's staff that is over ends here at most so long after it did there. */
const VISITS_MS = seconds(10);

/** The link to a panel, which talks with it once it is started. */
export function createPanelLink(needs: Needs): PanelLink {
  const { db, clock, lists, bus, releaseNotes } = needs;
  const standing = createStanding(needs);
  const own: Own = {
    ...needs,
    standing,
    commandPace: createCommandPace(clock),
    asks: createAsks(clock),
    tellPeopleEnded: (event) => bus.emit("panel.people_ended", event),
  };
  const enrolment = createEnrolment(own);
  let running = Promise.resolve();
  const ask = async (path: string, request: PageRequest) => {
    const panel = standing.state();
    if (panel === null || panel.cp_url === null) throw new OutgoingError("bad_url", "The panel tells no address.");
    const { agent_url, cp_url: origin } = panel;
    return askPage(needs, { origin, agent_url, reached: standing.reached() }, path, request);
  };
  lists.names.add((id) => (id === PANEL ? "the panel" : null));
  lists.plans.add(standing.licensedPlan);
  lists.panels.add(() => {
    const panel = standing.state();
    if (!panel) return null;
    const { cp_url: url, instance_id } = panel;
    return { url, instance_id, ask };
  });
  return {
    ...standing,
    ...enrolment,
    signInUrls: () => readSignInUrls(needs),
    ask,
    feature: panelLinkFeature,
    routes: [bindPanelLinkRoutes(standing, enrolment)],
    tellVisit: (visit) => bus.emit("panel.visit_begun", { ...visit, panel: standing.state()?.agent_url ?? "" }),
    jobs: [
      { name: "panel.visits", everyMs: VISITS_MS, run: () => endVisits(own, ask) },
      {
        name: "panel.forget_commands",
        everyMs: hours(6),
        run: () => deleteOldCommands(db, clock.now() - days(30), clock.now() - days(180)),
      },
    ],
    subscribe: () => void bus.on("panel.connected", releaseNotes.fetchNow),
    start() {
      db.tx(() => {
        // Whoever came over a panel that was left by other data than today's, or before their end was known, is out.
        const left = { panel: findLink(db)?.agent_url ?? "", by: PANEL, ip: "", membership: null };
        endMembership(own, { ...left, goesOn: standing.membership() });
      });
      const executor = createExecutor(own);
      executor.recover();
      standing.on("work", executor.work);
      executor.work();
      running = runPanelLink(own).then(executor.idle);
    },
    stop: () => withPatience(clock, STOP_MS, running).catch(() => {}),
  };
}
