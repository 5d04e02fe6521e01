import type { EmailTexts } from "./en";

export const fr: EmailTexts = {
	hello: "Bonjour,",
	helloName: (name) => `Bonjour ${name},`,
	platform: "Votre compte",
	questions: (email) => `Des questions ? Écrivez à ${email}.`,
	copyLink: "Si le bouton ne fonctionne pas, ouvrez ce lien dans votre navigateur :",
	ignore: "Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.",
	notYou: "Si ce n’était pas vous, n’ouvrez pas le lien et choisissez un nouveau mot de passe.",
	verification: {
		subject: "validez votre adresse e-mail",
		text: "Veuillez confirmer que cette adresse e-mail est la vôtre.",
		button: "Valider l’adresse e-mail",
	},
	resetPassword: {
		subject: "choisissez un nouveau mot de passe",
		text: "Utilisez ce lien pour choisir un nouveau mot de passe. Il est valable une heure.",
		button: "Choisir un nouveau mot de passe",
		ignore:
			"Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Votre mot de passe reste le même.",
	},
	changeEmail: {
		subject: "confirmez votre nouvelle adresse e-mail",
		text: (newEmail) =>
			`Une personne connectée à votre compte veut remplacer son adresse e-mail par ${newEmail}.`,
		button: "Modifier mon adresse e-mail",
	},
	deleteAccount: {
		subject: "supprimez votre compte",
		text: "Utilisez ce lien pour supprimer votre compte. Cette action est irréversible.",
		button: "Supprimer mon compte",
	},
	existingAccount: {
		subject: "vous avez déjà un compte",
		text: "Quelqu’un a voulu créer un compte avec votre adresse e-mail, mais vous en avez déjà un. Connectez-vous, ou choisissez-y un nouveau mot de passe si vous avez oublié le vôtre.",
		button: "Se connecter",
		ignore: "Si ce n’était pas vous, ignorez cet e-mail. Rien n’a changé.",
	},
	signInLink: {
		subject: "votre lien de connexion",
		text: "Utilisez ce lien pour vous connecter. Il est valable dix minutes, une seule fois.",
		button: "Se connecter",
	},
	secondFactorCode: {
		subject: "votre code",
		text: "Votre code est {{code}}. Il est valable cinq minutes, une seule fois. Ne le saisissez que sur la page où vous vous connectez à {{tenant}}, et ne le communiquez à personne.",
		button: "Choisir un nouveau mot de passe",
		notYou:
			"Si vous ne venez pas d’essayer de vous connecter, quelqu’un d’autre connaît votre mot de passe. Choisissez-en un nouveau.",
	},
	newDevice: {
		subject: "nouvelle connexion à votre compte",
		text: "Une connexion à votre compte chez {{tenant}} a eu lieu depuis un appareil que vous n’avez pas encore utilisé ici.\n\nDate : {{time}}\nAppareil : {{device}}\nAdresse IP : {{ipAddress}}",
		button: "Ouvrir mon compte",
		notYou:
			"Si c’était vous, vous n’avez rien à faire. Si ce n’était pas vous, changez maintenant votre mot de passe et déconnectez tous les autres appareils. Les deux se trouvent sur la page de votre compte.",
		browserOn: (browser, system) => `${browser} sur ${system}`,
		unknownDevice: "Appareil inconnu",
		unknownAddress: "inconnue",
	},
	invitation: {
		subject: "vous êtes invité",
		text: (tenant) => `Vous êtes invité à rejoindre ${tenant}.`,
		button: "Accepter l’invitation",
		ignore: "Si vous ne savez pas pourquoi vous recevez cet e-mail, ignorez-le.",
	},
};
