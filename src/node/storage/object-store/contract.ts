import { defineErrors } from "../../../kernel/http/errors.ts";

export const fail = defineErrors({
  objstore_store_unavailable: [
    503,
    "The object store cannot write: {reason}. Look at the disk that holds the data folder, then restart the node.",
  ],
});
