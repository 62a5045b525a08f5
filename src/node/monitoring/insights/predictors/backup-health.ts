import { insufficient, type Predictor } from "../predictor.ts";

/** How backups fare. This server makes none yet, so there are no runs to judge. */
export const backupHealth: Predictor = {
  name: "backup_health",
  predict: () => [
    insufficient("backup_health", "It needs 5 backup runs within 30 days; this server has made no backups so far."),
  ],
};
