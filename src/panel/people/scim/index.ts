/** SCIM 2.0 (RFC 7643, 7644): a company's directory brings its people into their workspace, and takes them out of it. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { seconds } from "../../../lib/duration.ts";
import { EVER_MAX, fail, USERS_MAX } from "./contract.ts";
import { scimMeanings } from "./events.ts";
import { createCarryOn } from "./group-role.ts";
import init from "./migrations/0001_scim.sql" with { type: "text" };
import tokenMaker from "./migrations/0002_token_maker.sql" with { type: "text" };
import tokenMembers from "./migrations/0003_token_members.sql" with { type: "text" };
import settledTo from "./migrations/0004_settled_to.sql" with { type: "text" };
import allUsersByAddress from "./migrations/0005_all_users_by_address.sql" with { type: "text" };
import endedId from "./migrations/0006_ended_id.sql" with { type: "text" };
import endedAt from "./migrations/0007_ended_at.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { createRoom } from "./room.ts";
import { bindScimRoutes } from "./routes.ts";
import { countAllTokens, deleteAllTokens } from "./token-store.ts";
import { findDirectory, removeAll } from "./tokens.ts";
import { createTurns } from "./turns.ts";
import { listMarks } from "./user-store.ts";

export const scimFeature = defineFeature({
  name: "scim",
  migrations: [init, tokenMaker, tokenMembers, settledTo, allUsersByAddress, endedId, endedAt],
  errors: fail.table,
  events: scimMeanings,
});

export function createScim(needs: Needs): Part {
  needs.lists.directories.add((token) => findDirectory(needs, token));
  const own = {
    ...{ ...needs, inTurn: createTurns(needs.clock) },
    ...{ members: createRoom(USERS_MAX), everybody: createRoom(EVER_MAX) },
  };
  needs.lists.admissions.add({
    words: ["token of a directory", "tokens of directories"],
    asked: "directories",
    count: countAllTokens,
    end: deleteAllTokens,
  });
  needs.lists.marks.add(listMarks);
  needs.lists.grants.add((tx, ousted) => removeAll(needs, tx, ousted));
  return {
    feature: scimFeature,
    routes: [bindScimRoutes(own)],
    jobs: [{ name: "scim.carry_on", everyMs: seconds(10), run: createCarryOn(own) }],
  };
}
