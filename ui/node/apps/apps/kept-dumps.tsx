import type { AppDetail, AppUpdates } from "../../../../src/node/apps/apps/contract.ts";
import { addressOf } from "../../../client/base.ts";
import { bytesText } from "../../../client/format.ts";
import { asProblem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toasts.ts";
import { api } from "../../client/api.ts";

type Dump = NonNullable<AppUpdates["back"]>["dumps"][number];

/** What the databases of an app wrote before its update, to be fetched. */
export function KeptDumps({ app, dumps }: { app: AppDetail; dumps: readonly Dump[] }) {
  const fetchDump = async (name: string): Promise<void> => {
    try {
      // A session that has run out is renewed by this, which a plain link cannot do.
      await api("GET /api/auth/me");
    } catch (error) {
      return toast(asProblem(error).message, { state: "crit" });
    }
    const link = document.createElement("a");
    link.href = addressOf(`/api/apps/${encodeURIComponent(app.id)}/updates/dumps/${encodeURIComponent(name)}`);
    link.download = "";
    link.click();
  };
  return (
    <ul class="rows">
      {dumps.map(({ name, service, size_bytes, problem }) => (
        <li class="item" key={name}>
          {problem === null ? (
            <>
              <span class="body">
                What the database in <b class="w6">{service}</b> wrote before the update
                {size_bytes !== null && `, ${bytesText(size_bytes)}`}
              </span>
              <Button size="sm" icon="download" onClick={() => void fetchDump(name)}>
                Download
              </Button>
            </>
          ) : (
            <span class="body">
              The database in <b class="w6">{service}</b> wrote nothing before the update: {problem}. Its files were
              copied.
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
