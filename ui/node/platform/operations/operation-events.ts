import { isRecord } from "../../../client/problem.ts";

/** One step of a long work as its card shows it. */
export interface OperationStep {
  id: string;
  title: string;
  status: "pending" | "running" | "done" | "failed";
  startedAt: number | null;
  endedAt: number | null;
  percent: number | null;
  bytesDone: number | null;
  bytesTotal: number | null;
  text: string | null;
  /** What is pulled for it; null where nothing is. */
  image: string | null;
}

/** A long work, rebuilt from its events. */
export interface OperationView {
  steps: OperationStep[];
  log: { at: string; text: string }[];
  status: "running" | "done" | "failed";
  error: string | null;
  /** What to do about the error. */
  nextStep: string | null;
  /** Number of the last event, so that one that comes twice counts once. */
  seq: number;
}

/** Before the first event. */
export const freshOperation: OperationView = {
  steps: [],
  log: [],
  status: "running",
  error: null,
  nextStep: null,
  seq: 0,
};
const logLimit = 500;

/** Adds one event of `/api/operations/{id}/events`; unknown events change nothing. */
export function applyOperationEvent(view: OperationView, data: unknown): OperationView {
  if (!isRecord(data)) return view;
  const seq = number(data["seq"]);
  if (seq !== null && seq <= view.seq) return view;
  return applyKnown({ ...view, seq: seq ?? view.seq }, data);
}

function applyKnown(view: OperationView, data: Record<string, unknown>): OperationView {
  const type = data["type"];
  if (type === "plan") return { ...view, steps: readPlan(data["steps"], view.steps) };
  if (type === "step") return { ...view, steps: applyStep(view.steps, data), log: withLog(view.log, data) };
  if (type === "log" || type === "restart") return { ...view, log: withLog(view.log, data) };
  if (type === "done")
    return {
      ...view,
      status: "done",
      steps: view.steps.map((step) => (step.status === "running" ? { ...step, status: "done" } : step)),
    };
  if (type === "error") {
    const told = isRecord(data["error"]) ? text(data["error"]["message"]) : null;
    const error = told ?? text(data["text"]) ?? "It failed without a reason.";
    return {
      ...view,
      status: "failed",
      error,
      nextStep: isRecord(data["error"]) ? text(data["error"]["next_step"]) : null,
      steps: view.steps.map((step) => (step.status === "running" ? { ...step, status: "failed" } : step)),
    };
  }
  return view;
}

function readPlan(steps: unknown, known: OperationStep[]): OperationStep[] {
  if (!Array.isArray(steps)) return known;
  return steps.filter(isRecord).map((step) => {
    const id = String(step["step"] ?? step["id"] ?? "");
    return known.find((item) => item.id === id) ?? freshStep(id, text(step["title"]) ?? id);
  });
}

function freshStep(id: string, title: string): OperationStep {
  return {
    id,
    title,
    status: "pending",
    startedAt: null,
    endedAt: null,
    percent: null,
    bytesDone: null,
    bytesTotal: null,
    text: null,
    image: null,
  };
}

function applyStep(steps: OperationStep[], data: Record<string, unknown>): OperationStep[] {
  const id = text(data["step"]);
  if (id === null) return steps;
  const list = steps.some((step) => step.id === id) ? steps : [...steps, freshStep(id, text(data["title"]) ?? id)];
  const at = Date.parse(text(data["time"]) ?? "");
  return list.map((step) => {
    if (step.id !== id) return step;
    const status = statusOf(data["status"]) ?? step.status;
    const ended = status === "done" || status === "failed";
    const image = text(data["image"]);
    // A pull that is told of without words has its place: it does not wait any more.
    const words = text(data["text"]) ?? (image === null ? step.text : null);
    return {
      ...step,
      title: text(data["title"]) ?? step.title,
      status,
      startedAt: step.startedAt ?? (status === "pending" ? null : at),
      endedAt: ended ? (step.endedAt ?? at) : null,
      percent: number(data["percent"]) ?? step.percent,
      bytesDone: number(data["bytes_done"]) ?? step.bytesDone,
      bytesTotal: number(data["bytes_total"]) ?? step.bytesTotal,
      text: words,
      image: image ?? step.image,
    };
  });
}

function withLog(log: OperationView["log"], data: Record<string, unknown>): OperationView["log"] {
  const line = text(data["text"]);
  if (line === null || data["type"] === "step") return log;
  return [...log, { at: text(data["time"]) ?? "", text: line }].slice(-logLimit);
}

function statusOf(value: unknown): OperationStep["status"] | null {
  return value === "pending" || value === "running" || value === "done" || value === "failed" ? value : null;
}

const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
