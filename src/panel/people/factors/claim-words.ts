import { isRecord, parseJson } from "../../../lib/json.ts";
import { unlinked } from "../../../lib/unlinked.ts";
import { type InEach, type Language, sayNumber } from "../../languages.ts";

/**
 * What becomes of a workspace when somebody else has an account from now on: it is theirs alone (`own`, and `cleared` where others lost
 * it), they stay there (`kept`), or they do so no more (`left`).
 */
const FATES = ["cleared", "own", "kept", "left"] as const;
export type Fate = (typeof FATES)[number];

/** A workspace as the letter of a claim names it, with the addresses of those who own it besides. */
export interface ToldWorkspace {
  name: string;
  fate: Fate;
  owners: readonly string[];
}

/** Workspaces that one sentence names; of the others it says how many they are. */
const NAMED_MAX = 20;

interface Words {
  quote(name: string): string;
  more(count: string): string;
  fates: Record<Fate, (list: string) => readonly string[]>;
}

const WORDS: InEach<Words> = {
  en: {
    quote: (name) => `“${name}”`,
    more: (count) => `and ${count} more`,
    fates: {
      cleared: (list) => [
        `These workspaces of the account are yours alone from now on: ${list}. Everybody else has lost their access there. Invitations, enrolment tokens, the permit for support, tokens of directories, single sign-on and chat channels have ended.`,
        "Under Team you give those back their access whom you know. Look at which servers are yours.",
      ],
      own: (list) => [`These workspaces of the account are yours alone: ${list}.`],
      kept: (list) => [
        `The account is in these workspaces as before: ${list}. In brackets stands who else owns them. Leave those that you do not know.`,
      ],
      left: (list) => [
        `The account is in these workspaces no more: ${list}. In brackets stands who owns them. Where you belong there, ask for an invitation.`,
      ],
    },
  },
  de: {
    quote: (name) => `„${name}“`,
    more: (count) => `und ${count} weitere`,
    fates: {
      cleared: (list) => [
        `Diese Arbeitsbereiche des Kontos gehören ab jetzt Ihnen allein: ${list}. Alle anderen haben dort ihren Zugang verloren. Einladungen, Registrierungs-Token, die Freigabe für den Support, Token von Verzeichnissen, Single Sign-on und Chat-Kanäle wurden beendet.`,
        "Unter „Team“ geben Sie allen, die Sie kennen, den Zugang zurück. Prüfen Sie, welche Server Ihre sind.",
      ],
      own: (list) => [`Diese Arbeitsbereiche des Kontos gehören Ihnen allein: ${list}.`],
      kept: (list) => [
        `In diesen Arbeitsbereichen ist das Konto wie bisher: ${list}. In Klammern steht, wem sie sonst noch gehören. Verlassen Sie jene, die Sie nicht kennen.`,
      ],
      left: (list) => [
        `In diesen Arbeitsbereichen ist das Konto nicht mehr: ${list}. In Klammern steht, wem sie gehören. Wo Sie dazugehören, bitten Sie um eine Einladung.`,
      ],
    },
  },
  fr: {
    quote: (name) => `« ${name} »`,
    more: (count) => `et ${count} autres`,
    fates: {
      cleared: (list) => [
        `Ces espaces de travail du compte n’appartiennent désormais qu’à vous : ${list}. Toutes les autres personnes y ont perdu leur accès. Les invitations, les jetons d’enregistrement, l’autorisation donnée au support, les jetons d’annuaires, l’authentification unique et les canaux de discussion ont été supprimés.`,
        "Sous « Team », vous rendez l’accès aux personnes que vous connaissez. Vérifiez quels serveurs sont les vôtres.",
      ],
      own: (list) => [`Ces espaces de travail du compte n’appartiennent qu’à vous : ${list}.`],
      kept: (list) => [
        `Le compte reste dans ces espaces de travail : ${list}. Les autres propriétaires figurent entre parenthèses. Quittez ceux que vous ne connaissez pas.`,
      ],
      left: (list) => [
        `Le compte n’est plus dans ces espaces de travail : ${list}. Leurs propriétaires figurent entre parenthèses. Là où vous avez votre place, demandez une invitation.`,
      ],
    },
  },
  es: {
    quote: (name) => `«${name}»`,
    more: (count) => `y ${count} más`,
    fates: {
      cleared: (list) => [
        `Estos espacios de trabajo de la cuenta son desde ahora solo suyos: ${list}. Todas las demás personas han perdido allí su acceso. Se han retirado las invitaciones, los tokens de registro, el permiso para el soporte, los tokens de directorios, el inicio de sesión único y los canales de chat.`,
        "En «Team» puede devolver el acceso a quienes conozca. Compruebe qué servidores son suyos.",
      ],
      own: (list) => [`Estos espacios de trabajo de la cuenta son solo suyos: ${list}.`],
      kept: (list) => [
        `La cuenta sigue en estos espacios de trabajo: ${list}. Entre paréntesis figura quién más es propietario. Abandone los que no conozca.`,
      ],
      left: (list) => [
        `La cuenta ya no está en estos espacios de trabajo: ${list}. Entre paréntesis figuran sus propietarios. Donde le corresponda estar, pida una invitación.`,
      ],
    },
  },
};

/** What the letter of a claim says of the workspaces, a paragraph or two for each fate. */
export function sayWorkspaces(language: Language, told: readonly ToldWorkspace[]): string[] {
  const { quote, more, fates } = WORDS[language];
  const nameOf = ({ name, owners }: ToldWorkspace) => {
    const quoted = quote(unlinked(name));
    return owners.length === 0 ? quoted : `${quoted} (${owners.join(", ")})`;
  };
  return FATES.flatMap((fate) => {
    const names = told.filter((one) => one.fate === fate).map(nameOf);
    if (names.length === 0) return [];
    const rest = names.length - NAMED_MAX;
    const list = names.slice(0, NAMED_MAX).join(", ");
    return fates[fate](rest > 0 ? `${list} ${more(sayNumber(language, rest))}` : list);
  });
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Workspaces as the queue keeps them with the letter. */
export const keepWorkspaces = (told: readonly ToldWorkspace[]): string => JSON.stringify(told);

/** The same when the letter is written; none where it was queued before they were kept. */
export function readWorkspaces(kept: unknown): ToldWorkspace[] {
  const told = isText(kept) ? parseJson(kept) : null;
  if (!Array.isArray(told)) return [];
  return told.filter(isRecord).flatMap(({ name, fate, owners }) => {
    const known = FATES.find((one) => one === fate);
    if (!isText(name) || !known) return [];
    return [{ name, fate: known, owners: Array.isArray(owners) ? owners.filter(isText) : [] }];
  });
}
