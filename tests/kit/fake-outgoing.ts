import {
  type Outgoing,
  OutgoingError,
  type OutgoingReply,
  type OutgoingRequest,
} from "../../src/kernel/outgoing/index.ts";

/** What the far end does with a request: a status, a whole reply, or a failure of the line. */
export type Answer = number | Partial<OutgoingReply> | "connect" | "timeout";

/** The world beyond the guarded client: keeps what arrives and answers as told. */
export interface FakeOutgoing extends Outgoing {
  requests: (OutgoingRequest & { body: string })[];
  answer: (request: OutgoingRequest) => Answer | Promise<Answer>;
}

export function createFakeOutgoing(): FakeOutgoing {
  const fake: FakeOutgoing = {
    requests: [],
    answer: () => 200,
    checkUrl(url) {
      if (url.includes("169.254.")) throw new OutgoingError("blocked_address", "169.254.169.254 is never called.");
    },
    async request(request) {
      fake.requests.push({ ...request, body: String(request.body ?? "") });
      const answer = await fake.answer(request);
      if (answer === "connect" || answer === "timeout") throw new OutgoingError(answer, `it went wrong: ${answer}`);
      const reply = typeof answer === "number" ? { status: answer } : answer;
      return { status: 200, headers: {}, body: "", duration_ms: 1, ...reply };
    },
  };
  return fake;
}
