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
    footer: (page) =>
      `Sie erhalten diese Nachricht, weil Sie Benachrichtigungen per E-Mail eingeschaltet haben. Ändern können Sie das unter ${page}.`,
    digestSubject: (count) => `${sayNumber("de", count)} Benachrichtigungen`,
    digestBegin: (workspace) => `seit der letzten Nachricht ist in ${workspace} Folgendes geschehen:`,
    digestMore: (left) =>
      `Davor ${left === 1 ? "gab es noch eine weitere" : `gab es noch ${sayNumber("de", left)} weitere`}.`,
  },
  fr: {
    look: "Voir",
    open: "Ouvrir l’espace de travail",
    footer: (page) =>
      `Vous recevez ce message car vous avez activé les notifications par e-mail. Pour modifier ce choix : ${page}.`,
    digestSubject: (count) => `${sayNumber("fr", count)} nouvelles notifications`,
    digestBegin: (workspace) => `Voici ce qui s’est passé dans ${workspace} depuis le dernier message :`,
    digestMore: (left) =>
      `${left === 1 ? "Une autre notification précédait" : `${sayNumber("fr", left)} autres notifications précédaient`} celles-ci.`,
  },
  es: {
    look: "Ver",
    open: "Abrir el espacio de trabajo",
    footer: (page) => `Recibe este mensaje porque ha activado los avisos por correo. Puede cambiarlo en ${page}.`,
    digestSubject: (count) => `${sayNumber("es", count)} avisos`,
    digestBegin: (workspace) => `Esto es lo que ha ocurrido en ${workspace} desde el último mensaje:`,
    digestMore: (left) =>
      `${left === 1 ? "Antes hubo otro aviso" : `Antes hubo otros ${sayNumber("es", left)} avisos`}.`,
  },
};
