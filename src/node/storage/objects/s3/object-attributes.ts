import { ALGORITHMS, kindOfSum } from "../checksums.ts";
import { readFacts } from "../facts.ts";
import { type Asked, answerXml, httpDate, needSigned } from "./asked.ts";
import { type PartsOf, partsOf } from "./parts-of.ts";
import { S3Problem } from "./problem.ts";
import { needObject } from "./tagging.ts";
import { writeSum } from "./upload-sums.ts";
import { header } from "./wire.ts";
import { branch, leaf, xmlDocument } from "./xml.ts";

const KNOWN = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"];
const MOST_PARTS = 1_000;

/** Which attributes are wanted. */
function readWanted(asked: Asked): Set<string> {
  const text = header(asked.wire, "x-amz-object-attributes") ?? "";
  const names = text.split(",").map((name) => name.trim());
  if (text === "" || names.some((name) => !KNOWN.includes(name)))
    throw new S3Problem("InvalidArgument", "x-amz-object-attributes must name attributes that objects have.");
  return new Set(names);
}

function readCount(asked: Asked, name: string, usual: number): number {
  const text = header(asked.wire, name);
  if (text === null) return usual;
  if (!/^\d{1,9}$/.test(text)) throw new S3Problem("InvalidArgument", `${name} must be a number.`);
  return Number(text);
}

/** One page of the parts that an object came in. */
function writeParts(asked: Asked, { algorithm, parts }: PartsOf): string {
  const most = Math.min(MOST_PARTS, readCount(asked, "x-amz-max-parts", MOST_PARTS));
  const after = readCount(asked, "x-amz-part-number-marker", 0);
  const shown = parts.slice(after, after + most);
  const last = after + shown.length;
  return branch(
    "ObjectParts",
    leaf("PartsCount", parts.length),
    leaf("PartNumberMarker", after),
    leaf("NextPartNumberMarker", last < parts.length ? last : 0),
    leaf("MaxParts", most),
    leaf("IsTruncated", last < parts.length),
    ...shown.map(({ size, sum }, index) =>
      branch("Part", leaf("PartNumber", after + index + 1), leaf("Size", size), writeSum(algorithm, sum)),
    ),
  );
}

function writeSums(sums: Readonly<Record<string, string>>): string {
  const known = ALGORITHMS.flatMap((name) =>
    sums[name] === undefined ? [] : [leaf(`Checksum${name.toUpperCase()}`, sums[name])],
  );
  const [first] = Object.values(sums);
  return first === undefined ? "" : branch("Checksum", ...known, leaf("ChecksumType", kindOfSum(first)));
}

/** Answers GetObjectAttributes: what is known of an object, without its bytes. */
export async function getAttributes(asked: Asked): Promise<void> {
  needSigned(asked);
  const wanted = readWanted(asked);
  const { object } = needObject(asked, "read");
  const parts = wanted.has("ObjectParts") ? await partsOf(asked.world, object) : null;
  const lines = [
    wanted.has("ETag") ? leaf("ETag", object.etag) : "",
    wanted.has("Checksum") ? writeSums(readFacts(object.facts).sums) : "",
    parts === null ? "" : writeParts(asked, parts),
    wanted.has("StorageClass") ? leaf("StorageClass", "STANDARD") : "",
    wanted.has("ObjectSize") ? leaf("ObjectSize", object.size) : "",
  ];
  const headers = { "last-modified": httpDate(object.modified_at) };
  answerXml(asked, xmlDocument("GetObjectAttributesResponse", ...lines), 200, headers);
}
