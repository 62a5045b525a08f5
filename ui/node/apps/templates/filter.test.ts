import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { embedRoot } from "../../../../src/kernel/embed.ts";
import type { Template } from "../../../../src/node/apps/templates/contract.ts";
import { filterTemplates } from "./filter.ts";
import { SEARCH_WORDS } from "./search-words.ts";

/** The catalogue as the store is given it. */
async function readCatalogue(): Promise<Template[]> {
  const root = `${embedRoot("node")}/templates`;
  const names = readdirSync(root).filter((name) => !name.includes("."));
  return Promise.all(
    names.map(async (name) => {
      const [version = ""] = readdirSync(`${root}/${name}`);
      const manifest = Bun.YAML.parse(await Bun.file(`${root}/${name}/${version}/app.yaml`).text());
      return { featured: false, ...(manifest as Omit<Template, "featured">) };
    }),
  );
}
const catalogue = await readCatalogue();
const find = (search: string, category: string | null = null) =>
  filterTemplates(catalogue, { search, category }).map(({ name }) => name);

test.each([
  // By name, whole, begun, in one word or with its own accents.
  ["jellyfin", "jellyfin"],
  ["Vaultwarden", "vaultwarden"],
  ["vault", "vaultwarden"],
  ["pi-hole", "pihole"],
  ["pi hole", "pihole"],
  ["homeassistant", "home-assistant"],
  ["home assistant", "home-assistant"],
  ["nodered", "node-red"],
  ["uptimekuma", "uptime-kuma"],
  ["paperless", "paperless-ngx"],
  ["file browser", "filebrowser"],
  ["stirling", "stirling-pdf"],
  ["trillium", "trilium"],
  ["n8n", "n8n"],
  ["ntfy", "ntfy"],
  ["gh", "ghost"],
  // By what it does.
  ["photos", "immich"],
  ["photo", "immich"],
  ["pictures", "immich"],
  ["google photos", "immich"],
  ["music", "navidrome"],
  ["movies", "jellyfin"],
  ["podcast", "audiobookshelf"],
  ["passwords", "vaultwarden"],
  ["password manager", "vaultwarden"],
  ["recipes", "mealie"],
  ["bookmarks", "linkwarden"],
  ["todos", "vikunja"],
  ["tasks", "vikunja"],
  ["budget", "firefly-iii"],
  ["dns", "technitium"],
  ["ad blocker", "pihole"],
  ["pdf", "stirling-pdf"],
  ["scan documents", "paperless-ngx"],
  ["rss reader", "freshrss"],
  ["smart home", "home-assistant"],
  ["push notifications", "ntfy"],
  ["monitor uptime", "uptime-kuma"],
  ["sync", "syncthing"],
  ["dashboards", "grafana"],
  ["calendar", "nextcloud"],
  ["newsletter", "ghost"],
  ["cache", "redis"],
  ["automation", "n8n"],
  // By what it stands in for.
  ["spotify", "navidrome"],
  ["plex", "plex"],
  ["netflix", "jellyfin"],
  ["dropbox", "nextcloud"],
  ["github", "gitea"],
  ["bitwarden", "vaultwarden"],
  ["1password", "vaultwarden"],
  ["zapier", "n8n"],
  ["airtable", "nocodb"],
  ["notion", "trilium"],
  ["pocket", "linkwarden"],
  ["mysql", "mysql"],
  ["postgres", "postgresql"],
  ["alternative to trello", "vikunja"],
  ["google docs", "onlyoffice"],
  ["chatgpt", "open-webui"],
  ["slack", "campfire"],
  ["youtube", "metube"],
  ["confluence", "bookstack"],
  ["google analytics", "umami"],
  ["docusign", "docuseal"],
  ["firebase", "pocketbase"],
  ["overseerr", "seerr"],
  ["hoarder", "karakeep"],
  ["gist", "opengist"],
  ["google translate", "libretranslate"],
  // Apps that do much the same: the one that the word means first.
  ["adguard", "adguard-home"],
  ["forgejo", "forgejo"],
  ["gitlab", "gitlab"],
  ["emby", "emby"],
  ["vpn", "wg-easy"],
  ["wireguard", "wg-easy"],
  ["wiki", "wikijs"],
  ["wiki.js", "wikijs"],
  ["vs code", "code-server"],
  ["vscode", "code-server"],
  ["code server", "code-server"],
  ["torrent", "transmission"],
  ["speedtest", "librespeed"],
  ["car", "lubelogger"],
  ["groceries", "grocy"],
  ["subscriptions", "wallos"],
  ["stocks", "ghostfolio"],
  ["bitcoin", "rotki"],
  ["books", "booklore"],
  ["ebooks", "booklore"],
  ["games", "romm"],
  ["time tracking", "kimai"],
  ["search engine", "searxng"],
  ["network drive", "samba"],
  ["nas", "samba"],
  ["docker", "portainer"],
  ["inventory", "homebox"],
  ["llm", "open-webui"],
  ["ai", "open-webui"],
  ["office", "onlyoffice"],
  ["chat", "campfire"],
  ["nextcloud", "nextcloud"],
  // In two words what is one, and in one what is two.
  ["git hub", "gitea"],
  ["you tube", "metube"],
  ["you tube downloader", "metube"],
  ["drop box", "nextcloud"],
  ["my sql", "mysql"],
  ["one drive", "nextcloud"],
  ["book marks", "linkwarden"],
  ["pod casts", "audiobookshelf"],
  ["wire guard", "wg-easy"],
  ["smarthome", "home-assistant"],
  ["passwordmanager", "vaultwarden"],
  ["timetracking", "kimai"],
  ["searchengine", "searxng"],
  ["adblocker", "pihole"],
  ["googlephotos", "immich"],
  // With a slip of the finger.
  ["fireflyiii", "firefly-iii"],
  ["addguard", "adguard-home"],
  ["portaner", "portainer"],
  ["photoprizm", "photoprism"],
  ["wiregaurd", "wg-easy"],
  ["bookstak", "bookstack"],
  ["searchxng", "searxng"],
  ["transmision", "transmission"],
  ["jelyfin", "jellyfin"],
  ["nextclud", "nextcloud"],
  ["wordpres", "wordpress"],
  ["vautwarden", "vaultwarden"],
  ["gitae", "gitea"],
  ["granfana", "grafana"],
  ["imich", "immich"],
  ["pasword", "vaultwarden"],
  ["postgers", "postgresql"],
])("%s finds %s first", (search, wanted) => {
  expect(find(search)[0]).toBe(wanted);
});

test.each([
  "minecraft",
  "zzzz",
  "tea",
  "hat",
  "xyz photos",
  "qwertyuiop",
  "!!",
  "plane ticket",
  "lawn mower",
  "banana",
  "kitten",
  "hub cap",
  "carpet",
  "car pet",
  "notebook lamp",
  "sunflower",
  "thunderstorm",
])("what the catalogue does not have gives nothing silly: %s", (search) => {
  expect(find(search)).toEqual(search === "!!" ? find("") : []);
});

test("a category narrows, its name finds its apps, and nothing typed lists by name", () => {
  expect(find("database").slice(0, 3).toSorted()).toEqual(["mariadb", "mysql", "postgresql"]);
  expect(find("notes", "media")).toEqual([]);
  const notes = catalogue.filter(({ category }) => category === "notes").map(({ name }) => name);
  expect(find("", "notes").toSorted()).toEqual(notes.toSorted());
  expect(find("").slice(0, 2)).toEqual(["activepieces", "adguard-home"]);
  expect(find("the app")).toEqual(find(""));
});

test("every app of the catalogue has words of its own, and no others have", () => {
  expect(Object.keys(SEARCH_WORDS).toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});
