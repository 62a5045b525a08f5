import { pulledBody } from "../../../kernel/http/pulled-body.ts";

/** The same bytes as the body of the answer to a request; none is read before it is asked for. */
export const streamOf = (
  request: Request,
  bytes: AsyncGenerator<Uint8Array, void, undefined>,
): ReadableStream<Uint8Array> => pulledBody(request, bytes, () => {}, 0);
