import type { Reason } from "../../agents/live/index.ts";
import { type InEach, type Language, sayNumber, sayPercent } from "../../languages.ts";

/** What is wrong with a node in words that follow its name; `figure` is the share in percent or the number that the reason is about. */
const WORDS: InEach<Record<Reason, (figure: number) => string>> = {
  en: {
    heartbeat_missing: () => "is offline",
    agent_critical: () => "calls itself critical",
    heartbeat_late: () => "reports late",
    cpu_high: (share) => `uses ${share}% of its processor`,
    mem_high: (share) => `uses ${share}% of its memory`,
    disk_high: (share) => `uses ${share}% of its disk`,
    app_failed: (count) => (count === 1 ? "has a failed app" : `has ${count} failed apps`),
    never_connected: () => "has never connected",
    not_yet_heard: () => "was not heard yet since the panel started",
  },
  de: {
    heartbeat_missing: () => "ist offline",
    agent_critical: () => "meldet einen kritischen Zustand",
    heartbeat_late: () => "meldet sich verspätet",
    cpu_high: (share) => `lastet seinen Prozessor zu ${sayPercent("de", share)} aus`,
    mem_high: (share) => `belegt ${sayPercent("de", share)} seines Arbeitsspeichers`,
    disk_high: (share) => `belegt ${sayPercent("de", share)} seines Speicherplatzes`,
    app_failed: (count) =>
      count === 1 ? "hat eine ausgefallene App" : `hat ${sayNumber("de", count)} ausgefallene Apps`,
    never_connected: () => "war noch nie verbunden",
    not_yet_heard: () => "hat sich seit dem Start des Panels noch nicht gemeldet",
  },
  fr: {
    heartbeat_missing: () => "est hors ligne",
    agent_critical: () => "signale un état critique",
    heartbeat_late: () => "tarde à donner signe de vie",
    cpu_high: (share) => `utilise ${sayPercent("fr", share)} de son processeur`,
    mem_high: (share) => `utilise ${sayPercent("fr", share)} de sa mémoire`,
    disk_high: (share) => `utilise ${sayPercent("fr", share)} de son espace disque`,
    app_failed: (count) =>
      count === 1 ? "a une application en panne" : `a ${sayNumber("fr", count)} applications en panne`,
    never_connected: () => "ne s’est jamais connecté",
    not_yet_heard: () => "n’a pas encore donné signe de vie depuis le démarrage du panneau",
  },
  es: {
    heartbeat_missing: () => "está sin conexión",
    agent_critical: () => "avisa de un estado crítico",
    heartbeat_late: () => "tarda en dar señal",
    cpu_high: (share) => `usa el ${sayPercent("es", share)} de su procesador`,
    mem_high: (share) => `usa el ${sayPercent("es", share)} de su memoria`,
    disk_high: (share) => `usa el ${sayPercent("es", share)} de su espacio en disco`,
    app_failed: (count) =>
      count === 1 ? "tiene una aplicación caída" : `tiene ${sayNumber("es", count)} aplicaciones caídas`,
    never_connected: () => "no se ha conectado nunca",
    not_yet_heard: () => "aún no ha dado señal desde que se inició el panel",
  },
};

/** "atlas-7 is offline" */
export const sayAlert = (language: Language, hostname: string, reason: Reason, figure: number): string =>
  `${hostname} ${WORDS[language][reason](figure)}`;
