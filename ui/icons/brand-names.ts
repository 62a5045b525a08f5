/** Templates whose apps are shown with their own mark; one text, as every page carries it. */
export const brandNames: ReadonlySet<string> = new Set(
  "adguard-home appsmith audiobookshelf bookstack changedetection clickhouse code-server element emby firefly-iii forgejo freshrss ghost ghostfolio gitea gitlab grafana grocy homarr home-assistant immich influxdb jellyfin karakeep libretranslate mariadb mealie meilisearch mysql n8n nextcloud node-red ntfy ollama onlyoffice owncloud paperless-ngx pihole plex pocketbase portainer postgresql redis searxng syncthing transmission trilium umami uptime-kuma vaultwarden vikunja wikijs wordpress".split(
    " ",
  ),
);
