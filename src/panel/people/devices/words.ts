import type { NoticeWords } from "../../event-meaning.ts";
import { type InEach, sayMoment } from "../../languages.ts";
import type { Browser } from "./contract.ts";

/** A sign-in: by which browser, at which moment (milliseconds), from which address. */
export interface Arrival extends Browser {
  at: number;
  ip: string;
}

interface Words {
  notice: NoticeWords;
  subject: string;
  paragraphs: readonly string[];
  label: string;
  footer: string;
}

/** What letters and the list of the bell say of a sign-in on a new device. */
export const DEVICE_WORDS: InEach<(arrival: Arrival) => Words> = {
  en: ({ program, system, at, ip }) => {
    const browser = [program || "an unknown browser", ...(system ? [`on ${system}`] : [])].join(" ");
    const facts = `On ${sayMoment("en", at)} somebody signed in to your account with ${browser}, from the address ${ip}.`;
    const advice =
      "If it was not you, choose a new passphrase on your profile at once: that ends all other sign-ins. Then look at your second factors under Security.";
    return {
      notice: { title: "Sign-in on a new device", body: `${facts} ${advice}` },
      subject: "Sign-in to your Orrery account on a new device",
      paragraphs: [facts, "If it was you, there is nothing to do.", advice],
      label: "Choose a new passphrase",
      footer: "Letters about the safety of your account always come.",
    };
  },
  de: ({ program, system, at, ip }) => {
    const browser = [program || "einem unbekannten Browser", ...(system ? [`unter ${system}`] : [])].join(" ");
    const facts = `Am ${sayMoment("de", at)} hat sich jemand bei Ihrem Konto angemeldet: mit ${browser}, von der Adresse ${ip}.`;
    const advice =
      "Wenn Sie das nicht waren, wählen Sie in Ihrem Profil sofort eine neue Passphrase: Damit werden alle anderen Sitzungen beendet. Prüfen Sie danach unter „Security“ Ihre zweiten Faktoren.";
    return {
      notice: { title: "Anmeldung an einem neuen Gerät", body: `${facts} ${advice}` },
      subject: "Anmeldung bei Ihrem Orrery-Konto an einem neuen Gerät",
      paragraphs: [facts, "Wenn Sie das waren, brauchen Sie nichts zu tun.", advice],
      label: "Neue Passphrase wählen",
      footer: "Nachrichten zur Sicherheit Ihres Kontos werden immer verschickt.",
    };
  },
  fr: ({ program, system, at, ip }) => {
    const browser = [program || "un navigateur inconnu", ...(system ? [`sous ${system}`] : [])].join(" ");
    const facts = `Le ${sayMoment("fr", at)}, quelqu’un s’est connecté à votre compte avec ${browser}, depuis l’adresse ${ip}.`;
    const advice =
      "Si ce n’est pas vous, choisissez tout de suite une nouvelle phrase secrète dans votre profil : toutes les autres sessions seront alors fermées. Vérifiez ensuite vos seconds facteurs sous « Security ».";
    return {
      notice: { title: "Connexion sur un nouvel appareil", body: `${facts} ${advice}` },
      subject: "Connexion à votre compte Orrery sur un nouvel appareil",
      paragraphs: [facts, "Si c’était vous, il n’y a rien à faire.", advice],
      label: "Choisir une nouvelle phrase secrète",
      footer: "Les messages relatifs à la sécurité de votre compte sont toujours envoyés.",
    };
  },
  es: ({ program, system, at, ip }) => {
    const browser = [program || "un navegador desconocido", ...(system ? [`en ${system}`] : [])].join(" ");
    const facts = `El ${sayMoment("es", at)} alguien inició sesión en su cuenta con ${browser}, desde la dirección ${ip}.`;
    const advice =
      "Si no ha sido usted, elija enseguida una nueva frase de contraseña en su perfil: así se cerrarán todas las demás sesiones. Revise después sus segundos factores en «Security».";
    return {
      notice: { title: "Inicio de sesión en un dispositivo nuevo", body: `${facts} ${advice}` },
      subject: "Inicio de sesión en su cuenta de Orrery en un dispositivo nuevo",
      paragraphs: [facts, "Si ha sido usted, no hay nada que hacer.", advice],
      label: "Elegir una nueva frase de contraseña",
      footer: "Los mensajes sobre la seguridad de su cuenta se envían siempre.",
    };
  },
};
