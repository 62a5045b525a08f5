/**
 * The answer to a HEAD, from what a GET would answer: the real body is given up unread, and its length is told. Of a body that comes by
 * and by the runtime would tell none, although the handler did.
 */
export function lengthAlone(answer: Response): Response {
  const { body, headers, status } = answer;
  if (body === null || !headers.has("content-length")) return answer;
  // Whoever opened it closes it; that it was closed already is as good.
  body.cancel().catch(() => {});
  return new Response(null, { headers, status });
}
