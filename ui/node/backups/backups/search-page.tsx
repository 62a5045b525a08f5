import { query } from "../../../client/router.ts";
import { EmptyState } from "../../../kit/card.tsx";
import { QuerySearch } from "../../../parts/query-search.tsx";
import { FilesPage } from "./files-page.tsx";
import { SearchCard } from "./search-card.tsx";

/** Looks for a file in all backups. */
export function BackupSearch() {
  const words = query.value.get("q") ?? "";
  return (
    <FilesPage title="Search in backups">
      <div class="stack">
        <QuerySearch label="Search names in all backups" value={words} />
        {words === "" ? (
          <EmptyState title="Which file do you miss?">
            Type a part of its name. Each is listed with all its versions.
          </EmptyState>
        ) : (
          <SearchCard words={words} />
        )}
      </div>
    </FilesPage>
  );
}
