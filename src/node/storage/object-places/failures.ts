import { AppError } from "../../../kernel/http/errors.ts";
import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { objectsFail } from "../objects/index.ts";
import { fail } from "./contract.ts";
import { GarageRefusal } from "./garage-admin.ts";
import { S3Refusal } from "./s3-client.ts";

/** What was asked about. */
export interface About {
  bucket?: string;
  key?: string;
}

const BUSY = new Set([429, 503]);

/** What a refusal means to people; null where only its own words say it. */
function meaningOf(code: string, status: number): string | null {
  if (code === "SignatureDoesNotMatch" || code === "InvalidAccessKeyId")
    return "it does not know the access key, or its secret is another. Give it anew under Where objects are kept.";
  if (code === "RequestTimeTooSkewed")
    return "its clock and that of this server are too far apart. Set the clocks, then try again.";
  if (code === "AuthorizationHeaderMalformed")
    return "its region is another than the one that is given under Where objects are kept.";
  if (status === 401 || status === 403) return "the access key may not do that, or it is not known there.";
  return null;
}

function explainS3(place: string, { code, status, message }: S3Refusal, { bucket = "", key }: About): AppError {
  switch (code) {
    case "NoSuchBucket":
      return objectsFail("objstore_bucket_not_found", { bucket });
    case "NoSuchUpload":
      return objectsFail("objstore_upload_not_found", { bucket });
    case "InvalidPart":
    case "InvalidPartOrder":
    case "EntityTooSmall":
      return objectsFail("objstore_upload_incomplete");
    case "BucketAlreadyExists":
    case "BucketAlreadyOwnedByYou":
      return objectsFail("objstore_bucket_exists", { bucket });
    case "BucketNotEmpty":
      return objectsFail("objstore_bucket_not_empty", { bucket });
  }
  if (status === 404 && key !== undefined) return objectsFail("objstore_object_not_found", { bucket, key });
  if (BUSY.has(status)) return fail("objstore_place_away", { place, reason: message });
  const meaning = meaningOf(code, status);
  return fail("objstore_place_refused", { place, reason: meaning === null ? message : `${meaning} ${message}` });
}

function explainGarage(place: string, refusal: GarageRefusal, { bucket = "", key = "" }: About): AppError {
  const { code, status, message, endpoint } = refusal;
  if (refusal.isTooOld) return fail("objstore_place_too_old", { place });
  switch (code) {
    case "NoSuchBucket":
      return objectsFail("objstore_bucket_not_found", { bucket });
    case "NoSuchAccessKey":
      return objectsFail("objstore_key_not_found", { key });
    case "BucketAlreadyExists":
      return objectsFail("objstore_bucket_exists", { bucket });
    case "BucketNotEmpty":
      return objectsFail("objstore_bucket_not_empty", { bucket });
  }
  if (status === 401 || status === 403) {
    const reason = `its admin token is another, has run out, or does not cover ${endpoint}. ${message}`;
    return fail("objstore_place_refused", { place, reason });
  }
  if (BUSY.has(status)) return fail("objstore_place_away", { place, reason: message });
  return fail("objstore_place_refused", { place, reason: message });
}

/** What went wrong at a place, as the contract words it; what is no failure of a place stays as it is. */
export function explain(place: string, error: unknown, about: About): unknown {
  if (error instanceof S3Refusal) return explainS3(place, error, about);
  if (error instanceof GarageRefusal) return explainGarage(place, error, about);
  if (error instanceof OutgoingError) return fail("objstore_place_away", { place, reason: error.message });
  return error;
}

/** Runs a question to a place. Throws what the contract has for what went wrong. */
export async function asking<Result>(place: string, about: About, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw explain(place, error, about);
  }
}

/** The words of a failure; of one that was not foreseen, its message. */
export const wordsOf = (error: unknown): string =>
  error instanceof AppError || error instanceof Error ? error.message : String(error);
