import type { AppDetail, AppUpdates } from "../../../../src/node/apps/apps/contract.ts";
import { bytesText } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { saveFrom } from "../../client/save-from.ts";

type Dump = NonNullable<AppUpdates["back"]>["dumps"][number];

/** What the databases of an app wrote before its update, to be fetched. */
export function KeptDumps({ app, dumps }: { app: AppDetail; dumps: readonly Dump[] }) {
  const fetchDump = (name: string): Promise<void> =>
    saveFrom(`/api/apps/${encodeURIComponent(app.id)}/updates/dumps/${encodeURIComponent(name)}`);
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
