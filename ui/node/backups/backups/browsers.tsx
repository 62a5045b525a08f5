/** The screens that look into backups, in one file for the browser: what two files share comes with every page. */
export { Repository } from "../restic/repository.tsx";
export { BackupFiles } from "./files.tsx";
export { BackupSearch } from "./search-page.tsx";
