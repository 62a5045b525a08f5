/** What the maker says of one file of a release. */
export interface ReleaseStatement {
  /** Such as `orrery-node`. */
  program: string;
  version: string;
  /** Kind of machine, such as `linux-x64-baseline`. */
  target: string;
  /** Hex. */
  sha256: string;
  /** Name of the file. */
  name: string;
}

const MARK = "# release";

/**
 * The text of `SHA256SUMS`, which is what gets signed. Each file has the line that `sha256sum -c` reads, and a comment that binds
 * these bytes to a program, a version and a kind of machine: digests alone would let whoever hands releases out hand out an
 * old one under a new name.
 */
export function writeReleaseList(files: readonly ReleaseStatement[]): string {
  return files
    .map(
      ({ program, version, target, sha256, name }) =>
        `${sha256}  ${name}\n${MARK} ${program} ${version} ${target} ${sha256} ${name}\n`,
    )
    .join("");
}

/** What a list says of each file; older lists have digests only and say nothing. */
export function readReleaseList(list: Uint8Array): ReleaseStatement[] {
  return Buffer.from(list)
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [hash, mark, program, version, target, sha256, name, ...rest] = line.trim().split(/ +/);
      if (`${hash} ${mark}` !== MARK || rest.length > 0) return [];
      if (!program || !version || !target || !sha256 || !name) return [];
      return [{ program, version, target, sha256, name }];
    });
}
