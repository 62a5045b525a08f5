/** The host role: the one way to what needs the open host, such as packages and units of systemd, by fixed verbs. */
import { join } from "node:path";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createAnswerVerb } from "./answer-verb.ts";
import { openAuditFile } from "./audit-file.ts";
import { askHost } from "./host-client.ts";
import type { HostWork } from "./host-work.ts";
import type { Needs } from "./needs.ts";
import { HOST_VERBS, type HostRole, type HostVerb, hostFail, type VerbOutput } from "./verbs.ts";

export { createHostCommand } from "./command.ts";
export type { HostTalk, TalkInput } from "./host-work.ts";
export type { HostPackage, HostRole, HostSysctl, HostUnit, VerbOutput } from "./verbs.ts";
export { SNAPSHOT_FOLDER } from "./verbs.ts";

export const hostRoleFeature = defineFeature({ name: "host-role", errors: hostFail.table });

/** The host role as others ask it. */
export interface HostRolePart extends Part, HostRole {}

/** Asks the host role behind its socket; where the configuration names none, this very process is it. */
export function createHostRole(needs: Needs): HostRolePart {
  const { config, clock, version } = needs;
  const audit = openAuditFile(join(config.data_dir, "host-audit.jsonl"), clock);
  const answerHere = createAnswerVerb({ ...needs, audit, docker: config.docker_socket, root: config.host_root });
  const outputs = new Map(
    Object.entries(HOST_VERBS).map(([verb, { output }]) => [verb, TypeCompiler.Compile(output)] as const),
  );

  function isOutput<V extends HostVerb>(verb: V, output: unknown): output is VerbOutput<V> {
    return outputs.get(verb)?.Check(output) ?? false;
  }

  return {
    feature: hostRoleFeature,
    async ask(verb, input, { by, onLine = () => {}, signal, talk }) {
      const work: HostWork = {
        onLine,
        ...(signal === undefined ? {} : { signal }),
        ...(talk === undefined ? {} : { talk }),
      };
      const question = { verb, by, input };
      const output =
        config.host_socket === ""
          ? await untilAborted(() => answerHere(question, work), signal)
          : await askHost({ clock, path: config.host_socket }, { version, ...question }, work);
      if (isOutput(verb, output)) return output;
      const next_step = "Restart it on the server: systemctl stop orrery-host";
      throw hostFail("host_role_unavailable", { reason: "its answer is not one of the verb's", next_step });
    },
  };
}

/** What a task gives, or the signal's reason as soon as it aborts; the task goes on then. */
async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  signal?.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([begin(), promise]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
