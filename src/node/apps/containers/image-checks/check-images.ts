import { days, hours, weeks } from "../../../../lib/duration.ts";
import { type Engine, EngineError, type ImageSummary } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { askRegistry, listAwake } from "./ask-registry.ts";
import { digestsIn } from "./image-name.ts";
import { type ImageUse, listImageUses, nameImages } from "./image-uses.ts";
import { type CheckRow, countAsked, deleteCheck, readChecks, writeCheck } from "./store.ts";
import { tellNewer } from "./tell-newer.ts";

/** Docker Hub lets an address without a login pull a hundred times in six hours, and each question counts as a pull. */
const MOST_AN_HOUR = 10;
const MOST_IN_SIX_HOURS = 60;
/** A name is asked for once in this time; by somebody who wants to know now, once an hour. */
const FRESH_MS = days(1);
const FRESH_FOR_PEOPLE_MS = hours(1);
/** A container that is away for a moment does not make its image unknown. */
const KEPT_MS = weeks(1);

/** What came of a check. */
export interface CheckResult {
  asked: number;
  /** Names for which there is a newer image than one that runs. */
  newer: number;
  /** Names that were not asked for although they could have been: enough was asked lately. */
  left: number;
}

/** What a check tells while it goes on: which name is asked for, after how many of how many. */
export type OnAsk = (reference: string, done: number, total: number) => void;

/** A check by the clock. It never asks for more than the hour allows, and not at all where that was turned off. */
export async function checkDueImages(own: Own): Promise<void> {
  const engine = own.runtime.engine();
  if (!engine || own.settings.get("apps.image_checks") !== "true") return;
  try {
    await own.imageChecks.inTurn(() => checkImages(own, engine, FRESH_MS, MOST_AN_HOUR, () => {}));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    own.log.info("the check for newer images was cut off", { reason: error.message });
  }
}

/** A check that somebody wants now: it may use up at once what six hours allow. */
export const checkImagesNow = (own: Own, engine: Engine, onAsk: OnAsk): Promise<CheckResult> =>
  own.imageChecks.inTurn(() => checkImages(own, engine, FRESH_FOR_PEOPLE_MS, MOST_IN_SIX_HOURS, onAsk));

async function checkImages(
  own: Own,
  engine: Engine,
  freshMs: number,
  mostAnHour: number,
  onAsk: OnAsk,
): Promise<CheckResult> {
  const now = own.clock.now();
  const named = await nameImages(own, engine, await engine.listContainers({}));
  const images = named.length === 0 ? [] : await engine.listImages();
  const uses = listImageUses(named, images);
  forgetUnused(own, uses);
  const rows = readChecks(own.db);
  const due = uses
    .filter(({ reference }) => isDue(own, reference, rows.get(reference), freshMs))
    .toSorted((left, right) => (rows.get(left.reference)?.asked_at ?? 0) - (rows.get(right.reference)?.asked_at ?? 0));
  const left = Math.min(
    mostAnHour - countAsked(own.db, now - hours(1), now),
    MOST_IN_SIX_HOURS - countAsked(own.db, now - hours(6), now),
  );
  const chosen = due.slice(0, Math.max(0, left));
  let asked = 0;
  for (const [index, use] of chosen.entries()) {
    if (own.signal.aborted) break;
    onAsk(use.reference, index, chosen.length);
    if (await askFor(own, engine, use, images)) asked += 1;
  }
  const newer = tellNewer(own, uses, images);
  if (asked > 0) own.bus.emit("containers.changed", {});
  return { asked, newer, left: due.length - chosen.length };
}

/** A name that was never asked for, not lately, or in vain before there was a login; by a registry that does not rest. */
function isDue(own: Own, reference: string, row: CheckRow | undefined, freshMs: number): boolean {
  const awake = listAwake(own, reference);
  if (awake.length === 0) return false;
  if (row === undefined) return true;
  const age = own.clock.now() - row.asked_at;
  const lacksLogin = row.failure === "image_forbidden" && !row.with_login;
  if (lacksLogin && awake.some(({ login }) => login !== null)) return true;
  // An age below nothing: the clock was wrong.
  return age < 0 || age >= (lacksLogin ? FRESH_MS : freshMs);
}

/** Asks for one name and writes down what came of it; false when its registry began to rest before. */
async function askFor(own: Own, engine: Engine, use: ImageUse, images: readonly ImageSummary[]): Promise<boolean> {
  const { reference } = use;
  const awake = listAwake(own, reference);
  if (awake.length === 0) return false;
  const answer = await askRegistry(own, engine, reference);
  if (answer.kind === "resting") return true;
  const { older, failure } =
    answer.kind === "refused"
      ? { older: [], failure: answer.failure }
      : await findOlder(engine, use, images, answer.digest, answer.architectures);
  const digest = answer.kind === "digest" ? answer.digest : null;
  const with_login = awake.some(({ login }) => login !== null);
  own.db.tx(() => writeCheck(own.db, { reference, asked_at: own.clock.now(), digest, older, failure, with_login }));
  return true;
}

/**
 * The images that are here, go by the repository, and are not what its tag stands for now, of those that the new one takes the place
 * of: the processor that they are made for has to be among those of the new one. What comes here later is no older one.
 */
async function findOlder(
  engine: Pick<Engine, "findImage">,
  { reference, imageIds }: ImageUse,
  images: readonly ImageSummary[],
  digest: string,
  architectures: readonly string[],
): Promise<Pick<CheckRow, "older" | "failure">> {
  const others = images.filter(({ Id, RepoDigests }) => {
    const digests = digestsIn(reference, RepoDigests);
    return Id !== digest && !digests.includes(digest) && (digests.length > 0 || imageIds.includes(Id));
  });
  const older: string[] = [];
  for (const { Id } of others) {
    const architecture = (await engine.findImage(Id))?.Architecture ?? "";
    if (architectures.length === 0 || architectures.includes(architecture)) older.push(Id);
  }
  const isNone = older.length === 0 && others.some(({ Id }) => imageIds.includes(Id));
  return { older, failure: isNone ? "image_wrong_arch" : null };
}

/** Answers for names that no container has had for long go. */
function forgetUnused(own: Pick<Own, "db" | "clock">, uses: readonly ImageUse[]): void {
  const used = new Set(uses.map(({ reference }) => reference));
  const gone = [...readChecks(own.db).values()].filter(
    ({ reference, asked_at }) => !used.has(reference) && own.clock.now() - asked_at > KEPT_MS,
  );
  own.db.tx(() => {
    for (const { reference } of gone) deleteCheck(own.db, reference);
  });
}
