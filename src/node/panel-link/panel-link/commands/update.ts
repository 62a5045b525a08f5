import { FetchFailed, fetchRelease } from "../../../../kernel/service/fetch-release.ts";
import { readJournal, type UpgradeOutcome } from "../../../../kernel/service/upgrade-journal.ts";
import { putRequest, requestState, withdrawRequest } from "../../../../kernel/service/upgrade-request.ts";
import { describeOlder } from "../../../../kernel/service/upgrade-stage.ts";
import { minutes, seconds } from "../../../../lib/duration.ts";
import { isOlderVersion } from "../../../../lib/version-order.ts";
import { IDENTITY } from "../../../identity.ts";
import type { Needs } from "../needs.ts";
import { canUpdate, type UpdatePlace } from "./update-place.ts";
import { type Job, LinkOver, type Payload, Refused, textOf, type Verb } from "./verb.ts";

type Deps = Pick<Needs, "clock" | "config" | "version">;

const POLL_MS = 500;
/** The upgrade unit takes a request within a moment of its being written. */
const TAKEN_WITHIN_MS = minutes(1);
/** The longest that an upgrade can take is its unit's own limit. */
const OVER_WITHIN_MS = minutes(35);
const BY_HAND = "Run on the server as root: orrery-node upgrade --file FILE";

/**
 * `update.apply` with `version`, `allow_older` where going back is meant, and `only_from` where it is from that one alone: fetches the
 * release, hands it to the upgrade unit and waits for its outcome, also when the node was started anew meanwhile, by that very upgrade.
 */
export function updateVerb(deps: Deps, openPlace: () => UpdatePlace): Verb {
  return {
    isRepeatable: true,
    async run(payload, job) {
      const place = openPlace();
      const { host, layout } = place;
      await restUntil(deps, job, () => readJournal(host, layout) === null || stateOf(place, job) !== "unknown");
      if (stateOf(place, job) === "unknown") {
        const wanted = textOf(payload, "version");
        if (wanted === deps.version) return `${wanted} is running.`;
        await fetchWanted(deps, place, payload, job);
        putRequest(host, layout, { id: job.id, version: wanted, allow_older: payload["allow_older"] === true });
        job.say(`Installing ${wanted}`);
      }
      try {
        return describeOutcome(deps, await awaitOutcome(deps, place, job));
      } finally {
        const hasLeft = job.signal.reason instanceof LinkOver;
        // What nobody has taken yet is not for a panel that the node has left.
        if (hasLeft && stateOf(place, job) === "waiting") withdrawRequest(host, layout);
        // What is not over goes on after the next start.
        if (!job.signal.aborted || (hasLeft && stateOf(place, job) === "unknown")) host.removeTree(layout.fetched);
      }
    },
  };
}

const stateOf = ({ host, layout }: UpdatePlace, { id }: Job) => requestState(host, layout, id);

/** Puts the release into its folder, proved. Throws `Refused`, or FetchFailed when another try may go well. */
async function fetchWanted(deps: Deps, place: UpdatePlace, payload: Payload, job: Job): Promise<void> {
  const { config, clock, version: running } = deps;
  const { host, layout, key, downloads } = place;
  const version = textOf(payload, "version");
  const from = payload["only_from"];
  if (from !== undefined && from !== running)
    throw new Refused(`This node was to go from ${textOf(payload, "only_from")} to ${version}, and runs ${running}.`);
  if (payload["allow_older"] !== true && isOlderVersion(version, running))
    throw new Refused(`${describeOlder(version, running)}.`);
  if (!canUpdate(place))
    throw new Refused(`This node runs ${running} and is no installed service that can update itself. ${BY_HAND}`);
  if (key === null) throw new Refused(`This build carries no key to prove releases with. ${BY_HAND} --public-key PEM`);
  if (config.release_base === "")
    throw new Refused(`This node knows no place of releases (ORRERY_RELEASE_BASE in ${layout.config}). ${BY_HAND}`);
  host.makeDirectory(layout.updateDir, 0o700);
  const tools = { host, clock, spec: IDENTITY, downloads, key, say: job.say, signal: job.signal };
  try {
    await fetchRelease(tools, { base: config.release_base, version, folder: layout.fetched });
  } catch (error) {
    if (error instanceof FetchFailed || job.signal.aborted || !(error instanceof Error)) throw error;
    throw new Refused(`The update was refused: ${error.message}.`);
  }
}

/** Resolves when `isSo`, the node stops, or after the longest time that an upgrade can take. */
async function restUntil({ clock }: Deps, { signal }: Job, isSo: () => boolean): Promise<void> {
  const end = clock.monotonic() + OVER_WITHIN_MS;
  while (!isSo() && !signal.aborted && clock.monotonic() < end) await clock.sleep(POLL_MS, signal);
}

async function awaitOutcome(deps: Deps, place: UpdatePlace, job: Job): Promise<UpgradeOutcome> {
  const { host, layout } = place;
  const { clock } = deps;
  let noticedBy = clock.monotonic() + TAKEN_WITHIN_MS;
  await restUntil(deps, job, () => {
    const state = stateOf(place, job);
    // The unit does one thing after another.
    if (readJournal(host, layout)) noticedBy = clock.monotonic() + TAKEN_WITHIN_MS;
    if (state !== "waiting" || clock.monotonic() < noticedBy) return state !== "waiting" && state !== "under_way";
    return withdrawRequest(host, layout);
  });
  const state = stateOf(place, job);
  if (typeof state !== "string") return state;
  if (job.signal.aborted) throw new Error("the node was stopped while this was under way");
  if (state !== "unknown")
    throw new Error(
      `The update has not ended after ${OVER_WITHIN_MS / minutes(1)} minutes. See: journalctl -u ${layout.upgradeUnit}`,
    );
  throw new Refused(
    `Nobody took the update within ${TAKEN_WITHIN_MS / seconds(1)} seconds. Run on the server as root: systemctl restart ${layout.watchUnit}`,
  );
}

function describeOutcome({ version: running }: Deps, { result, reason, from, to, answers }: UpgradeOutcome): string {
  if (result === "upgraded") return `${to} is running.`;
  if (result === "refused") throw new Refused(`The update was refused: ${reason}.`);
  const now = answers ? `${running} is running again, with its data.` : `${from} is back, but did not answer in time.`;
  throw new Error(`${to} was not kept: ${reason}. ${now}`);
}
