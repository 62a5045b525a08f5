import { type InEach, type Language, sayNumber } from "../../languages.ts";
import { sayAlert } from "../fleet/index.ts";
import type { Cause } from "./contract.ts";

interface Words {
  more: (count: string, region: string) => string;
  grown: (count: string) => string;
  unknown: string;
}

const WORDS: InEach<Words> = {
  en: {
    more: (count, region) => `, and ${count} more${region === "" ? "" : ` in ${region}`}`,
    grown: (count) => `This has grown: it is ${count} servers now.`,
    unknown: "Nobody has said for half an hour that they know of this.",
  },
  de: {
    more: (count, region) =>
      `, dazu ${count === "1" ? "ein weiterer Server" : `${count} weitere Server`}${region === "" ? "" : ` in ${region}`}`,
    grown: (count) => `Das Problem breitet sich aus: Jetzt sind ${count} Server betroffen.`,
    unknown: "Seit einer halben Stunde hat es niemand zur Kenntnis genommen.",
  },
  fr: {
    more: (count, region) =>
      `, et ${count === "1" ? "un autre serveur" : `${count} autres serveurs`}${region === "" ? "" : ` dans ${region}`}`,
    grown: (count) => `Le problème s’étend : ${count} serveurs sont maintenant touchés.`,
    unknown: "Personne n’en a pris connaissance depuis une demi-heure.",
  },
  es: {
    more: (count, region) =>
      `, y ${count === "1" ? "un servidor" : `${count} servidores`} más${region === "" ? "" : ` en ${region}`}`,
    grown: (count) => `El problema se extiende: ahora afecta a ${count} servidores.`,
    unknown: "Hace media hora que nadie indica que lo sabe.",
  },
};

/** "atlas-7 is offline, and 5 more in eu"; English has the title that the incident itself has. */
export function sayCause(language: Language, { title, hostname, rule, figure, nodes, region }: Cause): string {
  const first = language === "en" ? title : sayAlert(language, hostname, rule, figure);
  return nodes === 1 ? first : `${first}${WORDS[language].more(sayNumber(language, nodes - 1), region)}`;
}

/** Why it is told again. */
export const sayEscalated = (language: Language, reason: "unknown" | "growth", nodes: number): string =>
  reason === "growth" ? WORDS[language].grown(sayNumber(language, nodes)) : WORDS[language].unknown;
