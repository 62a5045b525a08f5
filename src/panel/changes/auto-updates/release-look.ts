import type { KeyObject } from "node:crypto";
import type { Downloads } from "../../../kernel/outgoing/index.ts";
import { fetchSmall } from "../../../kernel/service/fetch-file.ts";
import { RELEASE_LIMITS } from "../../../kernel/service/release.ts";
import { createReleaseDownloads, RELEASE_ENV } from "../../../kernel/service/release-base.ts";
import { readReleaseList } from "../../../kernel/service/release-list.ts";
import { BUILT_IN_KEY, isSigned, readPublicKey } from "../../../kernel/service/signature.ts";
import type { PanelBase } from "../../base.ts";

const PROGRAM = "orrery-node";

/** Where the newest release is looked up. */
export interface ReleaseLook {
  /** Why it cannot be looked up here, and what to do about it; null when it can. */
  hindrance: string | null;
  /** The version that the maker has released last. Throws an Error that says why it is not known. */
  newest(signal: AbortSignal): Promise<string>;
}

type Needs = Pick<PanelBase, "config" | "clock">;

/** Looks into the list of the release base, which only the maker can sign; `key` is theirs, null where a build trusts nobody. */
export function createReleaseLook(
  { config, clock }: Needs,
  key: KeyObject | null = BUILT_IN_KEY === "" ? null : readPublicKey(BUILT_IN_KEY),
): ReleaseLook {
  const base = config.release_base;
  const ownPorts = new Set([config.listen.port, ...(config.agent_listen ? [config.agent_listen.port] : [])]);
  const downloads: Downloads = createReleaseDownloads(clock, config.release_allow_cidrs, ownPorts);
  const hindrance = hindranceOf(base, key);
  return {
    hindrance,
    async newest(signal) {
      if (key === null || hindrance !== null) throw new Error(hindrance ?? "");
      const read = (name: string) => fetchSmall({ clock, downloads, signal }, `${base}/${name}`, RELEASE_LIMITS.sums);
      const [list, signature] = [await read("SHA256SUMS"), await read("SHA256SUMS.sig")];
      if (!isSigned(list, signature, key))
        throw new Error(`the signature of ${base}/SHA256SUMS is not from the maker of this program`);
      const versions = new Set(
        readReleaseList(list).flatMap(({ program, version }) => (program === PROGRAM ? [version] : [])),
      );
      const [version, ...others] = versions;
      if (version === undefined || others.length > 0)
        throw new Error(`${base}/SHA256SUMS does not say which version of ${PROGRAM} is the newest`);
      return version;
    },
  };
}

function hindranceOf(base: string, key: KeyObject | null): string | null {
  if (base === "") return `This panel knows no place of releases. Its operator sets ${RELEASE_ENV.base}.`;
  if (key === null) return "This build of the panel carries no key to prove releases with. Install a released one.";
  return null;
}
