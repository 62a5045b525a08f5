import { type InEach, sayMoment } from "../../languages.ts";
import type { ResetEnd } from "./contract.ts";

/** What is told of a reset: that it was asked for, or how it ended. */
export type Told = "begun" | ResetEnd;

/** A reset of `member`'s factors in `workspace`, asked for by `asker` (empty where nobody knows any more), that happens at `at` (milliseconds). */
export interface AboutReset {
  asker: string;
  workspace: string;
  member: string;
  at: number;
}

interface Half {
  subject: Record<Told, string>;
  paragraphs: Record<Told, readonly string[]>;
  label: string;
}

interface Words {
  toMember: Half;
  toOwner: Half;
  footer: string;
}

/** What letters about resets say to whom they are about, and to the owners. */
export const RESET_WORDS: InEach<(about: AboutReset) => Words> = {
  en: ({ asker, workspace, member, at }) => {
    const who = asker || "Somebody";
    const when = sayMoment("en", at);
    return {
      toMember: {
        subject: {
          begun: "Your second factors are about to be removed",
          done: "Your second factors were removed",
          stopped: "Your second factors stay",
          void: "Your second factors stay",
        },
        paragraphs: {
          begun: [
            `${who} of ${workspace} has asked to take every second factor off your account. It happens on ${when}; from then on your passphrase alone opens it, until you add one again.`,
            "If you did not ask for that, sign in and stop it under Security.",
          ],
          done: ["every second factor was taken off your account, and all its sessions have ended. Add one again now."],
          stopped: ["the reset of your second factors was stopped. They are as they were."],
          void: [
            "the reset of your second factors was dropped, because it was not allowed any more. They are as they were.",
          ],
        },
        label: "Look at your account",
      },
      toOwner: {
        subject: {
          begun: `Second factors of ${member} are about to be removed`,
          done: `Second factors of ${member} were removed`,
          stopped: `Second factors of ${member} stay`,
          void: `Second factors of ${member} stay`,
        },
        paragraphs: {
          begun: [
            `${who} has asked to take every second factor off the account of ${member}. It happens on ${when}.`,
            "Until then every owner and admin can stop it on the page of the team.",
          ],
          done: [
            `every second factor was taken off the account of ${member}. The passphrase alone opens it until they add one.`,
          ],
          stopped: [`the reset of the second factors of ${member} was stopped.`],
          void: [`the reset of the second factors of ${member} was dropped, because it was not allowed any more.`],
        },
        label: "Look at the team",
      },
      footer: "Letters about the safety of accounts cannot be switched off.",
    };
  },
  de: ({ asker, workspace, member, at }) => {
    const who = asker || "Jemand";
    const when = sayMoment("de", at);
    return {
      toMember: {
        subject: {
          begun: "Ihre zweiten Faktoren werden bald entfernt",
          done: "Ihre zweiten Faktoren wurden entfernt",
          stopped: "Ihre zweiten Faktoren bleiben bestehen",
          void: "Ihre zweiten Faktoren bleiben bestehen",
        },
        paragraphs: {
          begun: [
            `${who} aus ${workspace} hat angefordert, alle zweiten Faktoren von Ihrem Konto zu entfernen. Das geschieht am ${when}; von da an öffnet allein Ihre Passphrase das Konto, bis Sie wieder einen Faktor hinzufügen.`,
            "Wenn Sie nicht darum gebeten haben, melden Sie sich an und brechen Sie den Vorgang unter „Security“ ab.",
          ],
          done: [
            "alle zweiten Faktoren wurden von Ihrem Konto entfernt, und alle Sitzungen des Kontos sind beendet. Fügen Sie jetzt wieder einen hinzu.",
          ],
          stopped: ["das Zurücksetzen Ihrer zweiten Faktoren wurde abgebrochen. Es hat sich nichts geändert."],
          void: [
            "das Zurücksetzen Ihrer zweiten Faktoren entfällt, weil es nicht mehr erlaubt war. Es hat sich nichts geändert.",
          ],
        },
        label: "Konto ansehen",
      },
      toOwner: {
        subject: {
          begun: `Zweite Faktoren von ${member} werden bald entfernt`,
          done: `Zweite Faktoren von ${member} wurden entfernt`,
          stopped: `Zweite Faktoren von ${member} bleiben bestehen`,
          void: `Zweite Faktoren von ${member} bleiben bestehen`,
        },
        paragraphs: {
          begun: [
            `${who} hat angefordert, alle zweiten Faktoren vom Konto von ${member} zu entfernen. Das geschieht am ${when}.`,
            "Bis dahin können alle, denen der Arbeitsbereich gehört oder die ihn verwalten, den Vorgang auf der Seite „Team“ abbrechen.",
          ],
          done: [
            `alle zweiten Faktoren wurden vom Konto von ${member} entfernt. Bis wieder einer hinzukommt, öffnet allein die Passphrase das Konto.`,
          ],
          stopped: [`das Zurücksetzen der zweiten Faktoren von ${member} wurde abgebrochen.`],
          void: [`das Zurücksetzen der zweiten Faktoren von ${member} entfällt, weil es nicht mehr erlaubt war.`],
        },
        label: "Team ansehen",
      },
      footer: "Nachrichten über die Sicherheit von Konten lassen sich nicht abschalten.",
    };
  },
  fr: ({ asker, workspace, member, at }) => {
    const who = asker || "Quelqu’un";
    const when = sayMoment("fr", at);
    return {
      toMember: {
        subject: {
          begun: "Vos seconds facteurs vont être retirés",
          done: "Vos seconds facteurs ont été retirés",
          stopped: "Vos seconds facteurs restent en place",
          void: "Vos seconds facteurs restent en place",
        },
        paragraphs: {
          begun: [
            `${who}, de ${workspace}, a demandé de retirer tous les seconds facteurs de votre compte. Cela se fera le ${when} ; dès lors, votre phrase secrète suffira à l’ouvrir, jusqu’à ce que vous en ajoutiez un.`,
            "Si vous ne l’avez pas demandé, connectez-vous et annulez l’opération sous « Security ».",
          ],
          done: [
            "Tous les seconds facteurs ont été retirés de votre compte, et toutes ses sessions sont fermées. Ajoutez-en un dès maintenant.",
          ],
          stopped: ["La réinitialisation de vos seconds facteurs a été annulée. Rien n’a changé."],
          void: [
            "La réinitialisation de vos seconds facteurs a été abandonnée, car elle n’était plus permise. Rien n’a changé.",
          ],
        },
        label: "Voir votre compte",
      },
      toOwner: {
        subject: {
          begun: `Les seconds facteurs de ${member} vont être retirés`,
          done: `Les seconds facteurs de ${member} ont été retirés`,
          stopped: `Les seconds facteurs de ${member} restent en place`,
          void: `Les seconds facteurs de ${member} restent en place`,
        },
        paragraphs: {
          begun: [
            `${who} a demandé de retirer tous les seconds facteurs du compte de ${member}. Cela se fera le ${when}.`,
            "D’ici là, les propriétaires et les personnes qui administrent l’espace de travail peuvent annuler l’opération sur la page « Team ».",
          ],
          done: [
            `Tous les seconds facteurs ont été retirés du compte de ${member}. La phrase secrète suffit à l’ouvrir tant qu’aucun autre n’est ajouté.`,
          ],
          stopped: [`La réinitialisation des seconds facteurs de ${member} a été annulée.`],
          void: [
            `La réinitialisation des seconds facteurs de ${member} a été abandonnée, car elle n’était plus permise.`,
          ],
        },
        label: "Voir l’équipe",
      },
      footer: "Les messages relatifs à la sécurité des comptes ne peuvent pas être désactivés.",
    };
  },
  es: ({ asker, workspace, member, at }) => {
    const who = asker || "Alguien";
    const when = sayMoment("es", at);
    return {
      toMember: {
        subject: {
          begun: "Se van a quitar sus segundos factores",
          done: "Se han quitado sus segundos factores",
          stopped: "Se mantienen sus segundos factores",
          void: "Se mantienen sus segundos factores",
        },
        paragraphs: {
          begun: [
            `${who}, de ${workspace}, ha pedido quitar todos los segundos factores de su cuenta. Ocurrirá el ${when}; a partir de entonces bastará su frase de contraseña para abrirla, hasta que añada uno de nuevo.`,
            "Si usted no lo ha pedido, inicie sesión y cancele la operación en «Security».",
          ],
          done: [
            "Se han quitado todos los segundos factores de su cuenta y se han cerrado todas sus sesiones. Añada uno de nuevo ahora.",
          ],
          stopped: ["El restablecimiento de sus segundos factores se ha cancelado. Todo sigue como estaba."],
          void: [
            "El restablecimiento de sus segundos factores se ha descartado porque ya no estaba permitido. Todo sigue como estaba.",
          ],
        },
        label: "Ver su cuenta",
      },
      toOwner: {
        subject: {
          begun: `Se van a quitar los segundos factores de ${member}`,
          done: `Se han quitado los segundos factores de ${member}`,
          stopped: `Se mantienen los segundos factores de ${member}`,
          void: `Se mantienen los segundos factores de ${member}`,
        },
        paragraphs: {
          begun: [
            `${who} ha pedido quitar todos los segundos factores de la cuenta de ${member}. Ocurrirá el ${when}.`,
            "Hasta entonces, quienes son propietarios o administran el espacio de trabajo pueden cancelar la operación en la página «Team».",
          ],
          done: [
            `Se han quitado todos los segundos factores de la cuenta de ${member}. La frase de contraseña basta para abrirla hasta que se añada otro.`,
          ],
          stopped: [`El restablecimiento de los segundos factores de ${member} se ha cancelado.`],
          void: [
            `El restablecimiento de los segundos factores de ${member} se ha descartado porque ya no estaba permitido.`,
          ],
        },
        label: "Ver el equipo",
      },
      footer: "Los mensajes sobre la seguridad de las cuentas no se pueden desactivar.",
    };
  },
};

/** What the list of the bell says of it, in each workspace's words for those who manage it. */
export const RESET_NOTICES: InEach<
  (name: string, at: number) => Record<"begun" | "stopped" | "done", { title: string; body: string }>
> = {
  en: (name, at) => ({
    begun: {
      title: `Second factors of ${name} are about to be removed`,
      body: `It happens on ${sayMoment("en", at)}, and can be stopped until then.`,
    },
    stopped: { title: `Second factors of ${name} stay`, body: "" },
    done: {
      title: `Second factors of ${name} were removed`,
      body: "The passphrase alone opens the account until one is added again.",
    },
  }),
  de: (name, at) => ({
    begun: {
      title: `Zweite Faktoren von ${name} werden bald entfernt`,
      body: `Das geschieht am ${sayMoment("de", at)} und kann bis dahin abgebrochen werden.`,
    },
    stopped: { title: `Zweite Faktoren von ${name} bleiben bestehen`, body: "" },
    done: {
      title: `Zweite Faktoren von ${name} wurden entfernt`,
      body: "Bis wieder einer hinzukommt, öffnet allein die Passphrase das Konto.",
    },
  }),
  fr: (name, at) => ({
    begun: {
      title: `Les seconds facteurs de ${name} vont être retirés`,
      body: `Cela se fera le ${sayMoment("fr", at)} et peut être annulé d’ici là.`,
    },
    stopped: { title: `Les seconds facteurs de ${name} restent en place`, body: "" },
    done: {
      title: `Les seconds facteurs de ${name} ont été retirés`,
      body: "La phrase secrète suffit à ouvrir le compte tant qu’aucun autre n’est ajouté.",
    },
  }),
  es: (name, at) => ({
    begun: {
      title: `Se van a quitar los segundos factores de ${name}`,
      body: `Ocurrirá el ${sayMoment("es", at)} y se puede cancelar hasta entonces.`,
    },
    stopped: { title: `Se mantienen los segundos factores de ${name}`, body: "" },
    done: {
      title: `Se han quitado los segundos factores de ${name}`,
      body: "La frase de contraseña basta para abrir la cuenta hasta que se añada otro.",
    },
  }),
};
