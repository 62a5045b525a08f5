import type { NoticeWords } from "../../event-meaning.ts";
import { type InEach, type Language, sayNumber, sayPercent } from "../../languages.ts";
import type { StopReason } from "./contract.ts";

interface Words {
  title: (name: string) => string;
  gates: Record<NonNullable<StopReason["gate"]>, string>;
  breach: (gate: string, value: string, limit: string) => string;
  causes: Record<Exclude<StopReason["cause"], "gate">, string>;
  next: string;
}

const WORDS: InEach<Words> = {
  en: {
    title: (name) => `Rollout paused: ${name}`,
    gates: {
      error_rate: "Error rate",
      cpu_p95: "Processor p95",
      failed_boots: "Failed boots",
      heartbeat_loss: "Heartbeat loss",
    },
    breach: (gate, value, limit) => `${gate} ${value}, limit ${limit}.`,
    causes: {
      manual: "Somebody paused it.",
      no_nodes: "None of the nodes of this stage was online.",
      no_success: "Not one node of this stage came back with the change.",
      insufficient_data: "The nodes do not tell the figures that a gate needs.",
      plan: "The plan of this workspace no longer includes staged rollouts.",
      suspended: "The workspace was suspended.",
    },
    next: "Look at what happened, then resume it, promote it all the same, or roll it back.",
  },
  de: {
    title: (name) => `Rollout angehalten: ${name}`,
    gates: {
      error_rate: "Fehlerrate",
      cpu_p95: "Prozessor p95",
      failed_boots: "Fehlgeschlagene Starts",
      heartbeat_loss: "Verstummte Server",
    },
    breach: (gate, value, limit) => `${gate}: ${value}, Grenze ${limit}.`,
    causes: {
      manual: "Jemand hat ihn angehalten.",
      no_nodes: "Kein Server dieser Stufe war online.",
      no_success: "Kein einziger Server dieser Stufe hat sich nach der Änderung zurückgemeldet.",
      insufficient_data: "Die Server melden die Werte nicht, die eine Schranke braucht.",
      plan: "Der Tarif dieses Arbeitsbereichs enthält keine gestuften Rollouts mehr.",
      suspended: "Der Arbeitsbereich wurde gesperrt.",
    },
    next: "Sehen Sie nach, was geschehen ist, und setzen Sie ihn dann fort, geben Sie ihn trotzdem frei oder nehmen Sie ihn zurück.",
  },
  fr: {
    title: (name) => `Déploiement suspendu : ${name}`,
    gates: {
      error_rate: "Taux d’erreurs",
      cpu_p95: "Processeur p95",
      failed_boots: "Démarrages échoués",
      heartbeat_loss: "Serveurs muets",
    },
    breach: (gate, value, limit) => `${gate} : ${value}, limite ${limit}.`,
    causes: {
      manual: "Quelqu’un l’a suspendu.",
      no_nodes: "Aucun serveur de cette étape n’était en ligne.",
      no_success: "Aucun serveur de cette étape ne s’est manifesté après le changement.",
      insufficient_data: "Les serveurs ne donnent pas les mesures dont un contrôle a besoin.",
      plan: "La formule de cet espace de travail ne comprend plus les déploiements par étapes.",
      suspended: "L’espace de travail a été suspendu.",
    },
    next: "Examinez ce qui s’est passé, puis reprenez le déploiement, poursuivez-le malgré tout ou annulez-le.",
  },
  es: {
    title: (name) => `Despliegue en pausa: ${name}`,
    gates: {
      error_rate: "Tasa de errores",
      cpu_p95: "Procesador p95",
      failed_boots: "Arranques fallidos",
      heartbeat_loss: "Servidores sin señal",
    },
    breach: (gate, value, limit) => `${gate}: ${value}, límite ${limit}.`,
    causes: {
      manual: "Alguien lo ha puesto en pausa.",
      no_nodes: "Ningún servidor de esta etapa estaba en línea.",
      no_success: "Ningún servidor de esta etapa volvió a dar señal después del cambio.",
      insufficient_data: "Los servidores no dan las cifras que necesita un control.",
      plan: "El plan de este espacio de trabajo ya no incluye despliegues por etapas.",
      suspended: "El espacio de trabajo fue suspendido.",
    },
    next: "Compruebe qué ha pasado y luego reanude el despliegue, continúelo de todos modos o deshágalo.",
  },
};

/** Shares are in percent, all else is counted. */
const SHARES: readonly string[] = ["error_rate", "cpu_p95"];

/** What people are told of a rollout that paused by itself. */
export function sayStopped(
  language: Language,
  name: string,
  { cause, gate, value, threshold }: StopReason,
): NoticeWords {
  const { title, gates, breach, causes, next } = WORDS[language];
  const say = (one: number | null): string =>
    gate !== null && SHARES.includes(gate) ? sayPercent(language, one ?? 0) : sayNumber(language, one ?? 0);
  const why = cause === "gate" && gate !== null ? breach(gates[gate], say(value), say(threshold)) : "";
  return { title: title(name), body: `${cause === "gate" ? why : causes[cause]} ${next}`.trim() };
}
