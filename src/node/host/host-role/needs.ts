import type { RunProgram } from "../../../kernel/host/run-program.ts";
import type { NodeBase } from "../../base.ts";

/** What the host role needs. */
export interface Needs extends Pick<NodeBase, "config" | "clock" | "ids" | "log" | "version" | "host"> {
  /** Another way to run programs, for tests: the real ones would change the machine that they run on. */
  run?: RunProgram;
}
