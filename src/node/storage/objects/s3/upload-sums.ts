import { isRecord, parseJson } from "../../../../lib/json.ts";
import { ALGORITHMS, type Algorithm, algorithmOf, createSum } from "../checksums.ts";
import { joinCrc } from "../join-crc.ts";
import { S3Problem } from "./problem.ts";
import { header, type Wire } from "./wire.ts";
import { leaf } from "./xml.ts";

/** Which sum an object that comes in parts is to have: of all its bytes, or of the sums of its parts. */
export interface WantedSum {
  algorithm: Algorithm;
  kind: "COMPOSITE" | "FULL_OBJECT";
}

const isHash = (algorithm: Algorithm): boolean => algorithm === "sha1" || algorithm === "sha256";

/** What the request that begins an upload asks for; null for no sum. Throws InvalidRequest. */
export function readWantedSum(wire: Wire): WantedSum | null {
  const name = header(wire, "x-amz-checksum-algorithm");
  const kind = header(wire, "x-amz-checksum-type")?.toUpperCase() ?? null;
  const algorithm = name === null ? null : algorithmOf(name.trim());
  if (name === null && kind === null) return null;
  if (algorithm === null)
    throw new S3Problem("InvalidRequest", "x-amz-checksum-algorithm must be CRC32, CRC32C, CRC64NVME, SHA1 or SHA256.");
  const usual = algorithm === "crc64nvme" ? "FULL_OBJECT" : "COMPOSITE";
  const wanted = kind ?? usual;
  if (wanted !== "COMPOSITE" && wanted !== "FULL_OBJECT")
    throw new S3Problem("InvalidRequest", "x-amz-checksum-type must be COMPOSITE or FULL_OBJECT.");
  if ((wanted === "FULL_OBJECT" && isHash(algorithm)) || (wanted === "COMPOSITE" && algorithm === "crc64nvme"))
    throw new S3Problem("InvalidRequest", `The ${wanted} checksum type cannot be used with ${algorithm}.`);
  return { algorithm, kind: wanted };
}

/** The same as it is kept with the facts of an upload. */
export function wantedSumOf(facts: string): WantedSum | null {
  const given = parseJson(facts);
  const sum = isRecord(given) ? given["sum"] : null;
  const algorithm = isRecord(sum) && typeof sum["algorithm"] === "string" ? algorithmOf(sum["algorithm"]) : null;
  if (!isRecord(sum) || algorithm === null) return null;
  return { algorithm, kind: sum["kind"] === "FULL_OBJECT" ? "FULL_OBJECT" : "COMPOSITE" };
}

/** A sum as XML, by the name that S3 has for it; nothing where there is none. */
export const writeSum = (algorithm: Algorithm | null, sum: string | null): string =>
  algorithm === null || sum === null ? "" : leaf(`Checksum${algorithm.toUpperCase()}`, sum);

/** Which sum an upload asks for, as XML. */
export const writeWanted = (wanted: WantedSum | null): string =>
  wanted === null ? "" : leaf("ChecksumAlgorithm", wanted.algorithm.toUpperCase()) + leaf("ChecksumType", wanted.kind);

/** What is kept of the sums of a part. */
export function sumOf(wanted: WantedSum | null, sums: Readonly<Partial<Record<Algorithm, string>>>): { sum?: string } {
  const sum = wanted === null ? undefined : sums[wanted.algorithm];
  return sum === undefined ? {} : { sum };
}

/**
 * The sum that the request that ends an upload promises of the object, and the request without it: of its body, which only names
 * the parts, it says nothing. Throws InvalidRequest for one that nobody worked out.
 */
export function takePromisedSum(wire: Wire, wanted: WantedSum | null): { wire: Wire; sum: string | null } {
  const headers = new Map(wire.headers);
  let sum: string | null = null;
  for (const algorithm of ALGORITHMS) {
    const name = `x-amz-checksum-${algorithm}`;
    const given = header(wire, name);
    if (given === null) continue;
    if (algorithm !== wanted?.algorithm)
      throw new S3Problem("InvalidRequest", `The upload was not begun with x-amz-checksum-algorithm ${algorithm}.`);
    headers.delete(name);
    sum = given;
  }
  const kind = header(wire, "x-amz-checksum-type");
  if (kind !== null && kind.toUpperCase() !== wanted?.kind)
    throw new S3Problem("InvalidRequest", "The upload was begun with another x-amz-checksum-type.");
  return { wire: { ...wire, headers }, sum };
}

/** The sum of an object of its parts, in their order. Null where that of a part is not known. */
export function joinSums(
  { algorithm, kind }: WantedSum,
  parts: readonly ({ sum: string | null; size: number } | undefined)[],
): string | null {
  const known = parts.flatMap((part) =>
    typeof part?.sum === "string" ? [{ bytes: Buffer.from(part.sum, "base64"), size: part.size }] : [],
  );
  if (known.length < parts.length) return null;
  if (kind === "FULL_OBJECT" && !isHash(algorithm)) return joinCrc(algorithm, known).toString("base64");
  const sum = createSum(algorithm);
  for (const { bytes } of known) sum.add(bytes);
  return `${Buffer.from(sum.digest()).toString("base64")}-${parts.length}`;
}
