import type { NoticeWords } from "../../event-meaning.ts";
import type { InEach } from "../../languages.ts";

/** What an invitation tells: who invites (empty where nobody knows any more) to what, until when as a day, from which panel. */
interface Told {
  who: string;
  workspace: string;
  until: string;
  origin: string;
}

interface Words {
  subject: string;
  paragraphs: readonly string[];
  label: string;
  footer: string;
}

/** What a letter says that invites. */
export const INVITATION: InEach<(told: Told) => Words> = {
  en: ({ who, workspace, until, origin }) => ({
    subject: `${who || "Somebody"} invites you to ${workspace}`,
    paragraphs: [
      `${who || "Somebody"} invites you to work in ${workspace} on Orrery.`,
      `The link is good once, until ${until}. Whoever has an account with this address joins with it; everybody else makes one there.`,
    ],
    label: "Join",
    footer: `Sent by the panel at ${origin}. If you did not expect it, do nothing: nobody joins without the link.`,
  }),
  de: ({ who, workspace, until, origin }) => ({
    subject: `Einladung zu ${workspace}${who ? ` von ${who}` : ""}`,
    paragraphs: [
      who
        ? `${who} lädt Sie ein, in ${workspace} auf Orrery mitzuarbeiten.`
        : `Sie sind eingeladen, in ${workspace} auf Orrery mitzuarbeiten.`,
      `Der Link ist bis zum ${until} gültig und lässt sich nur einmal verwenden. Wer mit dieser Adresse schon ein Konto hat, tritt damit bei; alle anderen legen dort eines an.`,
    ],
    label: "Beitreten",
    footer: `Verschickt vom Panel unter ${origin}. Wenn Sie die Einladung nicht erwarten, brauchen Sie nichts zu tun: Ohne den Link tritt niemand bei.`,
  }),
  fr: ({ who, workspace, until, origin }) => ({
    subject: who ? `${who} vous invite à rejoindre ${workspace}` : `Invitation à rejoindre ${workspace}`,
    paragraphs: [
      who
        ? `${who} vous invite à travailler dans ${workspace} sur Orrery.`
        : `Vous avez reçu une invitation à travailler dans ${workspace} sur Orrery.`,
      `Le lien est valable jusqu’au ${until} et ne peut servir qu’une fois. Si vous avez déjà un compte avec cette adresse, utilisez-le ; sinon, vous en créerez un.`,
    ],
    label: "Rejoindre",
    footer: `Envoyé par le panneau ${origin}. Si vous n’attendiez pas cette invitation, ne faites rien : sans le lien, personne ne peut rejoindre l’espace de travail.`,
  }),
  es: ({ who, workspace, until, origin }) => ({
    subject: who ? `${who} le invita a ${workspace}` : `Invitación a ${workspace}`,
    paragraphs: [
      who
        ? `${who} le invita a trabajar en ${workspace} con Orrery.`
        : `Tiene una invitación para trabajar en ${workspace} con Orrery.`,
      `El enlace es válido hasta el ${until} y solo se puede usar una vez. Si ya tiene una cuenta con esta dirección, úsela; si no, podrá crear una.`,
    ],
    label: "Unirse",
    footer: `Enviado por el panel ${origin}. Si no esperaba esta invitación, no haga nada: sin el enlace nadie puede unirse.`,
  }),
};

/** What whoever invited is told. */
export const ACCEPTED: InEach<(email: string) => NoticeWords> = {
  en: (email) => ({ title: `${email} has joined`, body: `${email} has accepted your invitation.` }),
  de: (email) => ({ title: `${email} ist beigetreten`, body: `${email} hat Ihre Einladung angenommen.` }),
  fr: (email) => ({ title: `${email} a rejoint l’espace de travail`, body: `${email} a accepté votre invitation.` }),
  es: (email) => ({ title: `${email} se ha unido`, body: `${email} ha aceptado su invitación.` }),
};
