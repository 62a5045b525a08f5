/**
 * Apps of the catalogue that are shown with their own mark, and the file of it in simple-icons. The drawings are in the public
 * domain (CC0); the marks themselves belong to the projects and stand only for them.
 */
export const brands = {
  actual: "actualbudget",
  audiobookshelf: "audiobookshelf",
  changedetection: "changedetection",
  freshrss: "freshrss",
  ghost: "ghost",
  gitea: "gitea",
  grafana: "grafana",
  "home-assistant": "homeassistant",
  immich: "immich",
  jellyfin: "jellyfin",
  mariadb: "mariadb",
  mealie: "mealie",
  n8n: "n8n",
  nextcloud: "nextcloud",
  "node-red": "nodered",
  ntfy: "ntfy",
  "paperless-ngx": "paperlessngx",
  pihole: "pihole",
  postgresql: "postgresql",
  redis: "redis",
  syncthing: "syncthing",
  trilium: "trilium",
  "uptime-kuma": "uptimekuma",
  vaultwarden: "vaultwarden",
  vikunja: "vikunja",
  wordpress: "wordpress",
};

/** A template whose app has a mark of its own here. */
export type BrandName = keyof typeof brands;

/** True for a template whose app has a mark of its own here. */
export const isBrand = (template: string): template is BrandName => Object.hasOwn(brands, template);
