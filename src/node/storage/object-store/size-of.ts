import type { Condition, NewObject, Operation } from "./operations.ts";

/** What a change holds besides what it says, with all that waits for it, as measured. */
const CHANGE_BYTES = 3_072;
const PART_BYTES = 256;

/** The runtime may need two bytes for a letter. */
const ofText = (...texts: readonly (string | null | undefined)[]): number =>
  texts.reduce((sum, text) => sum + 2 * (text?.length ?? 0), 0);
const ofCondition = ({ etag, notEtag }: Condition): number => ofText(etag, notEtag);
const ofObject = ({ key, etag, facts, when }: NewObject): number =>
  key.length + ofText(etag, facts) + ofCondition(when);

function ofWhatItSays(operation: Operation): number {
  switch (operation.kind) {
    case "put":
      return (operation.blob?.bytes?.length ?? 0) + ofObject(operation);
    case "copy":
      return operation.from.key.length + ofObject(operation);
    case "putPart":
      return operation.blob.bytes?.length ?? 0;
    case "completeUpload":
      return operation.parts.reduce((sum, { etag }) => sum + PART_BYTES + ofText(etag), ofObject(operation.object));
    case "remove":
      return operation.key.length + ofCondition(operation.when);
    case "setFacts":
    case "beginUpload":
      return operation.key.length + ofText(operation.facts);
    case "setBucket":
      return ofText(...Object.values(operation.set));
    case "noteCheck":
      return ofText(operation.state);
    case "mend":
      return operation.bytes.length;
    default:
      return 0;
  }
}

/** About how many bytes of memory a change holds on its way to the writer. */
export const sizeOf = (operation: Operation): number => CHANGE_BYTES + ofWhatItSays(operation);
