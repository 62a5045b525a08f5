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
    more: (count, region) => `, dazu ${count} weitere${region === "" ? "" : ` in ${region}`}`,
    grown: (count) => `Es ist mehr geworden: Jetzt sind es ${count} Server.`,
    unknown: "Seit einer halben Stunde hat niemand gesagt, davon zu wissen.",
  },
  fr: {
    more: (count, region) => `, et ${count} de plus${region === "" ? "" : ` dans ${region}`}`,
    grown: (count) => `Cela s’est étendu : ${count} serveurs sont touchés maintenant.`,
    unknown: "Depuis une demi-heure, personne n’a dit être au courant.",
  },
  es: {
    more: (count, region) => `, y ${count} más${region === "" ? "" : ` en ${region}`}`,
    grown: (count) => `Ha crecido: ahora son ${count} servidores.`,
    unknown: "Desde hace media hora nadie ha dicho que lo sabe.",
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
