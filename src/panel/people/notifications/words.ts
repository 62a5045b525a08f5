import { type InEach, sayNumber } from "../../languages.ts";

interface Words {
  /** Where one thing is shown, and where all are. */
  look: string;
  open: string;
  footer: (page: string) => string;
  digestSubject: (count: number) => string;
  digestBegin: (workspace: string) => string;
  digestMore: (left: number) => string;
}

/** What letters say around the notifications that they tell of. */
export const WORDS: InEach<Words> = {
  en: {
    look: "Look at it",
    open: "Open the workspace",
    footer: (page) => `You chose to hear of this by mail. Change that at ${page}.`,
    digestSubject: (count) => `${sayNumber("en", count)} notifications`,
    digestBegin: (workspace) => `this came up in ${workspace} since the last letter.`,
    digestMore: (left) => `And ${sayNumber("en", left)} more before those.`,
  },
  de: {
    look: "Ansehen",
    open: "Arbeitsbereich öffnen",
    footer: (page) => `Sie haben gewählt, hiervon per E-Mail zu erfahren. Ändern können Sie das unter ${page}.`,
    digestSubject: (count) => `${sayNumber("de", count)} Benachrichtigungen`,
    digestBegin: (workspace) => `das ist in ${workspace} seit der letzten Nachricht geschehen.`,
    digestMore: (left) =>
      `Davor ${left === 1 ? "gab es noch eine weitere" : `gab es noch ${sayNumber("de", left)} weitere`}.`,
  },
  fr: {
    look: "Voir",
    open: "Ouvrir l’espace de travail",
    footer: (page) => `Vous avez choisi de recevoir ces avis par e-mail. Pour changer ce choix : ${page}.`,
    digestSubject: (count) => `${sayNumber("fr", count)} avis`,
    digestBegin: (workspace) => `Voici ce qui s’est passé dans ${workspace} depuis le dernier message.`,
    digestMore: (left) => `Et ${sayNumber("fr", left)} de plus avant celles-ci.`,
  },
  es: {
    look: "Ver",
    open: "Abrir el espacio de trabajo",
    footer: (page) => `Usted eligió recibir estos avisos por correo. Puede cambiarlo en ${page}.`,
    digestSubject: (count) => `${sayNumber("es", count)} avisos`,
    digestBegin: (workspace) => `Esto es lo que ha ocurrido en ${workspace} desde el último mensaje.`,
    digestMore: (left) => `Y ${sayNumber("es", left)} más antes de estos.`,
  },
};
