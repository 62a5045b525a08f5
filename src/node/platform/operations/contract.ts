import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { admin, user } from "../../access.ts";

/** Why an operation failed and what to do about it. */
export const OperationError = t.Object({ code: t.String(), message: t.String(), next_step: NullableText });
export type OperationError = Static<typeof OperationError>;

export const Operation = t.Object({
  id: t.String(),
  kind: t.String(),
  subject_id: t.String(),
  title: t.String(),
  status: t.Union([t.Literal("running"), t.Literal("done"), t.Literal("failed")]),
  step: NullableText,
  percent: NullableNumber,
  started_at: t.String(),
  finished_at: NullableText,
  error: Nullable(OperationError),
});
export type Operation = Static<typeof Operation>;

/** Who asks when the panel does: there is no user of this node behind it. */
export const PANEL = "panel";

/** Who asked for something, and from where. */
export interface Asker {
  user_id: string;
  ip: string;
  /** What it is part of, as people say it, such as `a backup`; left out where it is done for itself. */
  purpose?: string;
  /** The API key that let them in, for what lasts; left out for who came without one. */
  key_id?: string;
  /** Whether the API key that let them in still does, as long as this program runs; left out for who came without one. */
  isStillIn?: () => Promise<boolean>;
}

export interface PlannedStep {
  step: string;
  title: string;
  /** The part of the system that it is about, where the work is about several. */
  component?: string;
}

export type StepStatus = "pending" | "running" | "done" | "failed";

/** One numbered event of an operation's stream. */
export interface OperationEvent {
  seq: number;
  /** `restart`: the program was started anew in the middle of the work, which goes on. */
  type: "plan" | "step" | "log" | "restart" | "done" | "error";
  /** The part of the system that it is about, where the work is about several. */
  component: string | null;
  step: string | null;
  title: string | null;
  status: StepStatus | null;
  percent: number | null;
  bytes_done: number | null;
  bytes_total: number | null;
  text: string | null;
  time: string;
  /** Only where an image is pulled for the step: `POST /api/containers/images/pull/cancel` ends that. */
  image?: string;
  /** Only on `plan`. */
  steps?: PlannedStep[];
  /** Only on `error`. */
  error?: OperationError;
}

export const OperationParams = t.Object({ id: t.String() });
export const OperationEventsQuery = t.Object({ from: t.Optional(t.Integer({ minimum: 0 })) });

export const fail = defineErrors({
  operation_not_found: [404, "There is no operation {id}. Operations are kept for seven days."],
});

export type OperationEvents = { "operation.changed": Operation };

export const operationRoutes = defineRoutes({
  "GET /api/operations": { access: user("apps"), out: t.Array(Operation) },
  "GET /api/operations/{id}": { access: user("apps"), params: OperationParams, out: Operation },
  "GET /api/operations/{id}/events": {
    access: admin("apps"),
    params: OperationParams,
    query: OperationEventsQuery,
    ...answersAs("text/event-stream"),
  },
});
export type OperationApi = ApiOf<typeof operationRoutes>;
