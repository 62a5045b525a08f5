/** Templates whose apps are shown with their own mark; one text, as every page carries it. */
export const brandNames: ReadonlySet<string> = new Set(
  "adguard-home audiobookshelf bookstack changedetection clickhouse code-server element emby firefly-iii forgejo freshrss ghost ghostfolio gitea gitlab grafana grocy home-assistant immich influxdb jellyfin karakeep libretranslate mariadb mealie meilisearch n8n nextcloud node-red ntfy onlyoffice paperless-ngx pihole plex portainer postgresql redis searxng syncthing transmission trilium umami uptime-kuma vaultwarden vikunja wordpress".split(
    " ",
  ),
);
