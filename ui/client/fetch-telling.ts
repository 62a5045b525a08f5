/** Statuses whose answers have no body. */
const EMPTY = [204, 205, 304];

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split("\r\n");
  return new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}

/** As `fetch`, which says nothing of a body on its way: `onSent` is told which share of it has left, from 0 to 1. */
export const fetchTelling =
  (onSent: (share: number) => void) =>
  (url: string, { method = "GET", headers, body, signal }: RequestInit): Promise<Response> => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, url);
    request.responseType = "blob";
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener("progress", ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total));
    request.addEventListener("load", () => {
      const { status } = request;
      const answer = EMPTY.includes(status) ? null : request.response;
      resolve(new Response(answer, { status, headers: headersOf(request) }));
    });
    request.addEventListener("error", () => reject(new TypeError("no answer came")));
    request.addEventListener("abort", () =>
      reject(signal?.reason ?? new DOMException("It was given up.", "AbortError")),
    );
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", abort));
    signal?.throwIfAborted();
    signal?.addEventListener("abort", abort);
    request.send(body instanceof Blob || body instanceof FormData ? body : null);
    return promise;
  };
