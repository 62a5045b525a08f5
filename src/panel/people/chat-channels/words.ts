import type { NoticeWords } from "../../event-meaning.ts";
import { type InEach, sayNumber } from "../../languages.ts";

interface Words {
  /** What a test says. */
  test: NoticeWords;
  /** How many are left out of a message. */
  more: (count: number) => string;
  /** How many came too late to be told. */
  tooOld: (count: number) => string;
  /** That a room was switched off, and why. */
  off: (name: string, reason: string) => NoticeWords;
  /** That nothing is sent to a room, because of who answers for it. */
  paused: (name: string) => NoticeWords;
}

/** What is said in chats, and of them. */
export const CHAT_WORDS: InEach<Words> = {
  en: {
    test: { title: "This is a test", body: "What goes wrong in this workspace will be told here." },
    more: (count) => `… and ${sayNumber("en", count)} more`,
    tooOld: (count) =>
      `Not told, because ${count === 1 ? "it is" : "they are"} older than twelve hours: ${sayNumber("en", count)}.`,
    off: (name, reason) => ({
      title: `Nothing is sent to the chat room ${name} any more`,
      body: `No message has arrived there for three days; the last try said: ${reason} Mend its address in the settings, then send a test: that turns it on again.`,
    }),
    paused: (name) => ({
      title: `The chat room ${name} is paused`,
      body: "Whoever answers for it may not have chat rooms any more, so nothing is told there. Take it over in the settings, or delete it.",
    }),
  },
  de: {
    test: { title: "Dies ist ein Test", body: "Was in diesem Arbeitsbereich schiefgeht, wird hier gemeldet." },
    more: (count) => `… und ${count === 1 ? "eine weitere Meldung" : `${sayNumber("de", count)} weitere Meldungen`}`,
    tooOld: (count) => `Nicht gemeldet, weil älter als zwölf Stunden: ${sayNumber("de", count)}.`,
    off: (name, reason) => ({
      title: `An den Chat-Raum ${name} wird nichts mehr geschickt`,
      body: `Seit drei Tagen ist dort keine Nachricht angekommen; der letzte Versuch ergab: ${reason} Berichtigen Sie die Adresse in den Einstellungen und schicken Sie einen Test: Damit wird der Raum wieder eingeschaltet.`,
    }),
    paused: (name) => ({
      title: `Der Chat-Raum ${name} ist angehalten`,
      body: "Wer für ihn einsteht, darf keine Chat-Räume mehr haben; deshalb wird dort nichts gemeldet. Übernehmen Sie ihn in den Einstellungen, oder löschen Sie ihn.",
    }),
  },
  fr: {
    test: { title: "Ceci est un test", body: "Les problèmes de cet espace de travail seront signalés ici." },
    more: (count) => `… et ${count === 1 ? "une autre" : `${sayNumber("fr", count)} autres`}`,
    tooOld: (count) => `Non signalé, car datant de plus de douze heures : ${sayNumber("fr", count)}.`,
    off: (name, reason) => ({
      title: `Plus rien n’est envoyé au salon ${name}`,
      body: `Aucun message n’y est arrivé depuis trois jours ; la dernière tentative a donné : ${reason} Corrigez son adresse dans les réglages, puis envoyez un test : cela le réactivera.`,
    }),
    paused: (name) => ({
      title: `Le salon ${name} est en pause`,
      body: "La personne qui en répond n’a plus le droit d’avoir des salons : plus rien n’y est signalé. Reprenez-le dans les réglages, ou supprimez-le.",
    }),
  },
  es: {
    test: { title: "Esto es una prueba", body: "Aquí se avisará de los problemas de este espacio de trabajo." },
    more: (count) => `… y ${sayNumber("es", count)} más`,
    tooOld: (count) => `Sin avisar, por tener más de doce horas: ${sayNumber("es", count)}.`,
    off: (name, reason) => ({
      title: `Ya no se envía nada a la sala ${name}`,
      body: `Desde hace tres días no ha llegado allí ningún mensaje; la respuesta del último intento fue: ${reason} Corrija su dirección en los ajustes y envíe una prueba: así se volverá a activar.`,
    }),
    paused: (name) => ({
      title: `La sala ${name} está en pausa`,
      body: "Quien responde de ella ya no puede tener salas de chat, así que allí no se avisa de nada. Asúmala en los ajustes o elimínela.",
    }),
  },
};
