import { moment } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import { type Finder, placeCommand, wishCommand } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { isAdmin } from "../../client/session.ts";

const address = "/backups";
const targets = () => resource("GET /api/backup/targets");
const places = () => resource("GET /api/backup/drop-offs");
const schedule = () => resource("GET /api/backup/schedule");
const backups = () => resource("GET /api/backups");
const apps = () => resource("GET /api/apps");
/** Older ones stand in the list. */
const newest = 5;

const cards: [card: string, words: string][] = [
  ["Started from a backup", "test restore try drill"],
  ["While an app is copied", "pause stop consistent database dump policy"],
];

/** What can be done about backups, where they go, what makes them, the newest, and places for other servers. */
export const backupsFinder: Finder = {
  order: 22,
  open: () => {
    if (!isAdmin()) return;
    for (const list of [targets(), places(), schedule(), backups(), apps()]) list.need();
  },
  list: () => (isAdmin() ? [...offers(), ...things()] : []),
  words: (words) =>
    isAdmin()
      ? [
          {
            id: "backups-words",
            title: `Look for “${words}” in all backups`,
            group: "Backups",
            icon: "search",
            run: () => navigate(`/backups/search?${new URLSearchParams({ q: words })}`),
          },
        ]
      : [],
};

const offers = () => [
  ...((targets().data.value ?? []).length > 0
    ? [
        wishCommand(
          { title: "Back up now", group: "Backups", icon: "shield-check", words: "run make save copy" },
          { address, wish: "backup" },
        ),
      ]
    : []),
  wishCommand(
    { title: "Add target", group: "Backups", icon: "plus", words: "backup place disk s3 sftp webdav where" },
    { address, wish: "backup-target" },
  ),
  wishCommand(
    {
      title: "Add a server",
      detail: "keeps its backups here",
      group: "Backups",
      icon: "plus",
      words: "another drop-off place",
    },
    { address, wish: "drop-off" },
  ),
  // Without apps the page has neither.
  ...((apps().data.value ?? []).length === 0 ? [] : cards).map(([card, words]) =>
    placeCommand({ title: card, group: "Backups", icon: "shield-check", words }, { address, card }),
  ),
];

const things = () => [
  ...(targets().data.value ?? []).map(({ id, name, path, type }) => ({
    ...placeCommand(
      { title: name, detail: path, group: "Backup target", icon: "database", words: `${path} ${type}` },
      { address, row: name },
    ),
    id: `backup-target-${id}`,
  })),
  ...(schedule().data.value?.plans ?? []).map(({ id, name }) => ({
    ...placeCommand(
      { title: name, group: "Backup plan", icon: "calendar", words: "schedule nightly" },
      { address, row: name },
    ),
    id: `backup-plan-${id}`,
  })),
  ...(places().data.value ?? []).map(({ id, name }) => ({
    ...placeCommand(
      { title: name, group: "Place for another server", icon: "disk", words: "drop-off backups" },
      { address, row: name },
    ),
    id: `drop-off-${id}`,
  })),
  ...(backups().data.value ?? [])
    .filter(({ status }) => status === "completed")
    .slice(0, newest)
    .map(({ id, started_at }) => ({
      id: `backup-${id}`,
      title: `Backup of ${moment(started_at)}`,
      group: "Backup",
      icon: "shield-check",
      words: "files restore",
      run: () => navigate(`/backups/${id}`),
    })),
];
