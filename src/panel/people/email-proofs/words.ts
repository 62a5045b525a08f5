import type { InEach } from "../../languages.ts";

interface Words {
  subject: string;
  paragraph: string;
  label: string;
  footer: string;
}

/** What the letter says whose link proves an address. `origin` is where the panel is. */
export const PROOF: InEach<(origin: string) => Words> = {
  en: (origin) => ({
    subject: "Confirm your address for Orrery",
    paragraph: "confirm that you read what is sent to this address. The link is good once, for a day.",
    label: "Confirm this address",
    footer: `Sent by the panel at ${origin}. If you did not ask for it, do nothing: without the link nothing changes.`,
  }),
  de: (origin) => ({
    subject: "Ihre Adresse für Orrery bestätigen",
    paragraph:
      "bitte bestätigen Sie, dass Nachrichten an diese Adresse Sie erreichen. Der Link ist einen Tag gültig und lässt sich nur einmal verwenden.",
    label: "Adresse bestätigen",
    footer: `Verschickt vom Panel unter ${origin}. Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun: Ohne den Link ändert sich nichts.`,
  }),
  fr: (origin) => ({
    subject: "Confirmez votre adresse pour Orrery",
    paragraph:
      "Confirmez que les messages envoyés à cette adresse vous parviennent. Le lien est valable un jour et ne peut servir qu’une fois.",
    label: "Confirmer cette adresse",
    footer: `Envoyé par le panneau ${origin}. Si vous n’avez rien demandé, ne faites rien : sans le lien, rien ne change.`,
  }),
  es: (origin) => ({
    subject: "Confirme su dirección para Orrery",
    paragraph:
      "Confirme que recibe los mensajes enviados a esta dirección. El enlace es válido durante un día y solo se puede usar una vez.",
    label: "Confirmar esta dirección",
    footer: `Enviado por el panel ${origin}. Si no lo ha pedido, no haga nada: sin el enlace nada cambia.`,
  }),
};

/** What the former address of an account is told: `asked` that somebody wants another one, `done` that it is so. */
export const CHANGE: InEach<(email: string, ip: string) => Record<"asked" | "done", Words>> = {
  en: (email, ip) => {
    const label = "Look at your account";
    const footer = `It came from ${ip}. If it was not you, choose a new passphrase at once and tell whoever runs this panel.`;
    return {
      asked: {
        subject: "Another address for your Orrery account",
        paragraph: `somebody who is signed in to your account wants ${email} as its address. It changes as soon as a link that went there is opened.`,
        ...{ label, footer },
      },
      done: {
        subject: "The address of your Orrery account was changed",
        paragraph: `your account has the address ${email} from now on. You sign in with that one.`,
        ...{ label, footer },
      },
    };
  },
  de: (email, ip) => {
    const label = "Konto ansehen";
    const footer = `Die Anfrage kam von ${ip}. Wenn Sie das nicht waren, wählen Sie sofort eine neue Passphrase und informieren Sie die Verantwortlichen dieses Panels.`;
    return {
      asked: {
        subject: "Eine andere Adresse für Ihr Orrery-Konto",
        paragraph: `eine bei Ihrem Konto angemeldete Person möchte seine Adresse in ${email} ändern. Die Änderung gilt, sobald jemand den dorthin geschickten Link öffnet.`,
        ...{ label, footer },
      },
      done: {
        subject: "Die Adresse Ihres Orrery-Kontos wurde geändert",
        paragraph: `Ihr Konto hat jetzt die Adresse ${email}. Melden Sie sich künftig damit an.`,
        ...{ label, footer },
      },
    };
  },
  fr: (email, ip) => {
    const label = "Voir votre compte";
    const footer = `La demande venait de ${ip}. Si ce n’est pas vous, choisissez tout de suite une nouvelle phrase secrète et prévenez la personne qui gère ce panneau.`;
    return {
      asked: {
        subject: "Une autre adresse pour votre compte Orrery",
        paragraph: `Une personne connectée à votre compte souhaite en remplacer l’adresse par ${email}. Le changement prendra effet dès l’ouverture du lien envoyé à cette adresse.`,
        ...{ label, footer },
      },
      done: {
        subject: "L’adresse de votre compte Orrery a été modifiée",
        paragraph: `L’adresse de votre compte est désormais ${email}. Utilisez-la pour vous connecter.`,
        ...{ label, footer },
      },
    };
  },
  es: (email, ip) => {
    const label = "Ver su cuenta";
    const footer = `La solicitud se hizo desde ${ip}. Si no ha sido usted, elija enseguida una nueva frase de contraseña y avise a quien administra este panel.`;
    return {
      asked: {
        subject: "Otra dirección para su cuenta de Orrery",
        paragraph: `Alguien con una sesión abierta en su cuenta quiere cambiar la dirección a ${email}. El cambio se hará efectivo en cuanto se abra el enlace enviado a esa dirección.`,
        ...{ label, footer },
      },
      done: {
        subject: "La dirección de su cuenta de Orrery ha cambiado",
        paragraph: `La dirección de su cuenta es ahora ${email}. Úsela para iniciar sesión.`,
        ...{ label, footer },
      },
    };
  },
};
