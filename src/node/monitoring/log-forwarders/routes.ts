import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { createGate } from "../../../lib/gate.ts";
import { sendsElsewhere } from "../../makers.ts";
import { bindRoutes } from "../../route.ts";
import { fail, logForwarderRoutes } from "./contract.ts";
import {
  changeForwarder,
  createForwarder,
  deleteForwarder,
  listForwarders,
  takeOverForwarder,
} from "./forwarders/forwarders.ts";
import { testForwarder } from "./forwarders/test-forwarder.ts";
import type { Needs } from "./needs.ts";
import type { Pumps } from "./pump/pumps.ts";

/** A test waits for somebody else. */
const TESTS_AT_A_TIME = 2;

/** What answers the routes of log forwarders. */
export function bindLogForwarderRoutes(needs: Needs & { pumps: Pumps }): BoundRoutes {
  const enter = createGate(TESTS_AT_A_TIME);
  return bindRoutes(logForwarderRoutes, {
    "GET /api/log-forwarders": () => listForwarders(needs),
    "POST /api/log-forwarders": ({ actor, body, ip }) => createForwarder(needs, { user_id: actor.user_id, ip }, body),
    "PUT /api/log-forwarders/{id}": ({ actor, params, body, ip }) => {
      if (actor.key !== null && sendsElsewhere(body)) throw fail("key_cannot_lead_forwarder");
      return changeForwarder(needs, { user_id: actor.user_id, ip }, params.id, body);
    },
    "DELETE /api/log-forwarders/{id}": ({ actor, params, ip }) => {
      const { waiting } = deleteForwarder(needs, { user_id: actor.user_id, ip }, params.id);
      const lost = waiting === 0 ? "" : ` ${waiting} lines that waited for it are dropped.`;
      return { message: `The log forwarder is deleted.${lost}` };
    },
    "POST /api/log-forwarders/{id}/take-over": ({ actor, params, ip }) =>
      takeOverForwarder(needs, { user_id: actor.user_id, ip }, params.id),
    "POST /api/log-forwarders/{id}/test": ({ actor, params, ip }) =>
      enter(() => testForwarder(needs, { user_id: actor.user_id, ip }, params.id)),
  });
}
