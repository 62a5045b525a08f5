import { ByteBuffer } from "../../lib/byte-buffer.ts";
import { isRecord, shapeOf } from "../../lib/json.ts";
import type { Take } from "./body-budget.ts";
import { AppError, kernelFail } from "./errors.ts";

/** Largest body of an ordinary route; upload routes declare `parse: "none"` and read their own stream. */
export const BODY_LIMIT_BYTES = 1_048_576;
/** Deeper JSON is nobody's request, but recursion over it ends in a stack overflow. */
const MAX_NESTING = 64;

/** How a body is read. */
interface JsonBodyOptions {
  take?: Take;
  mayParse?: () => Promise<unknown>;
  mostValues?: number;
}

/** Values of JSON in a body at most: each takes its time to be parsed, whatever it means. */
export const BODY_VALUES = { ofStrangers: 1_000, ofOthers: 50_000 };

/**
 * The JSON object in the body of a request; null when it has none. Forms are refused although they could be read: a page of another
 * site can post a form without asking, but not JSON. Throws `payload_too_large`, `unsupported_media_type`,
 * `invalid_request` and what `take` throws, which is told the size before it is held. `mayParse` is waited for once all of it is there.
 */
export async function readJsonBody(
  request: Request,
  { take = () => {}, mayParse, mostValues = BODY_VALUES.ofOthers }: JsonBodyOptions = {},
): Promise<unknown> {
  const text = await readText(request, take);
  if (text === "") return null;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) throw kernelFail("unsupported_media_type");
  await mayParse?.();
  const { nesting, values } = shapeOf(text);
  if (nesting > MAX_NESTING) throw badBody(`is nested deeper than ${MAX_NESTING} levels`);
  if (values > mostValues) throw badBody(`has more than ${mostValues} values`);
  const body = parse(text);
  // Elysia would let anything else through where the whole body is optional.
  if (body !== null && !isRecord(body)) throw badBody("must be a JSON object");
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badBody("is not valid JSON");
  }
}

const badBody = (reason: string) => kernelFail("invalid_request", { field: "body", reason });

async function readText(request: Request, take: Take): Promise<string> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > BODY_LIMIT_BYTES) throw tooLarge();
  try {
    // Never more comes than was announced, and reading the stream instead takes 20 µs more.
    if (announced !== null) {
      take(Number(announced));
      return await request.text();
    }
    return request.body ? await readUncounted(request.body, take) : "";
  } catch (error) {
    throw error instanceof AppError ? error : badBody("ended before it was complete");
  }
}

/** What a body without an announced length says, counted while it arrives. */
async function readUncounted(body: ReadableStream<Uint8Array>, take: Take): Promise<string> {
  // A text put together from pieces of a byte each takes thirty times what it says.
  const bytes = new ByteBuffer();
  for await (const chunk of body) {
    if (bytes.length + chunk.byteLength > BODY_LIMIT_BYTES) throw tooLarge();
    take(chunk.byteLength);
    bytes.append(chunk);
  }
  return new TextDecoder().decode(bytes.view());
}

const tooLarge = () => kernelFail("payload_too_large", { limit_bytes: BODY_LIMIT_BYTES });
