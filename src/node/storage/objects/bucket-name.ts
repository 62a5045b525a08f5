import { t } from "elysia";

const BUCKET_NAME = "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$";
/** What S3 gives no new bucket, since hosts cannot be called so: an address, two dots, a dot beside a hyphen. */
const NEW_BUCKET_NAME = `^(?!\\d{1,3}(\\.\\d{1,3}){3}$)(?!.*(\\.\\.|\\.-|-\\.))${BUCKET_NAME.slice(1)}`;
const MIN_BUCKET_NAME = 3;
const MAX_BUCKET_NAME = 63;

/** Whether S3 takes that for the name of a bucket. */
export const isBucketName = (name: string): boolean =>
  name.length >= MIN_BUCKET_NAME && name.length <= MAX_BUCKET_NAME && new RegExp(BUCKET_NAME).test(name);

/** A name for a bucket that is made: one that fits into host names, as S3 wants it. */
export const NewBucketName = t.String({
  minLength: MIN_BUCKET_NAME,
  maxLength: MAX_BUCKET_NAME,
  pattern: NEW_BUCKET_NAME,
  description: "must be 3 to 63 small letters, digits, dots or hyphens, with a letter or digit at both ends",
});
