/** Log forwarders: sends what the system and the containers write to other places, at least once, through a buffer on disk. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import { tellOfPauses } from "../../makers.ts";
import { fail } from "./contract.ts";
import { logForwarderMeanings } from "./events.ts";
import { listPaused } from "./forwarders/paused.ts";
import init from "./migrations/0001_log_forwarders.sql" with { type: "text" };
import makers from "./migrations/0002_makers.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createPumps } from "./pump/pumps.ts";
import { bindLogForwarderRoutes } from "./routes.ts";
import { watchForwarders, watchRecovery } from "./watched.ts";

/** How long a stop waits for a receiver; what is cut off is sent again at the next start. */
const STOP_MS = seconds(3);

export const logForwardersFeature = defineFeature({
  name: "log-forwarders",
  migrations: [init, makers],
  errors: fail.table,
  events: logForwarderMeanings,
});

/** The forwarders, which work once the program runs. */
export interface LogForwarders extends Part {
  start(): void;
  stop(): Promise<void>;
  /** Resolves when what was decided last is at work. */
  settled(): Promise<void>;
}

export function createLogForwarders(needs: Needs): LogForwarders {
  const pumps = createPumps(needs);
  needs.lists.watched.add(watchForwarders(needs));
  needs.lists.recoveries.add(watchRecovery(needs));
  return {
    feature: logForwardersFeature,
    routes: [bindLogForwarderRoutes({ ...needs, pumps })],
    jobs: [{ name: "log-forwarders.tell", everyMs: minutes(1), run: () => pumps.tell() }],
    start() {
      pumps.start();
      tellOfPauses(
        needs,
        () => listPaused(needs),
        ({ id, name }) => needs.bus.emit("log_forwarder.paused", { forwarder_id: id, name }),
      );
    },
    stop: () => withPatience(needs.clock, STOP_MS, pumps.stop()).catch(() => {}),
    settled: () => pumps.settled(),
  };
}
