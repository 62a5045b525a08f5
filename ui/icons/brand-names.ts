/** Templates whose apps are shown with their own mark; one text, as every page carries it. */
export const brandNames: ReadonlySet<string> = new Set(
  "actual audiobookshelf changedetection freshrss ghost gitea grafana home-assistant immich jellyfin mariadb mealie n8n nextcloud node-red ntfy paperless-ngx pihole postgresql redis syncthing trilium uptime-kuma vaultwarden vikunja wordpress".split(
    " ",
  ),
);
