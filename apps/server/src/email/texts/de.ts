import type { EmailTexts } from "./en";

export const de: EmailTexts = {
	hello: "Guten Tag,",
	helloName: (name) => `Guten Tag ${name},`,
	platform: "Ihr Konto",
	questions: (email) => `Fragen? Schreiben Sie an ${email}.`,
	copyLink: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diesen Link im Browser:",
	ignore: "Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren.",
	notYou: "Wenn Sie das nicht waren, öffnen Sie den Link nicht, und wählen Sie ein neues Passwort.",
	verification: {
		subject: "E-Mail-Adresse bestätigen",
		text: "Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse ist.",
		button: "E-Mail-Adresse bestätigen",
	},
	resetPassword: {
		subject: "neues Passwort wählen",
		text: "Mit diesem Link wählen Sie ein neues Passwort. Er gilt eine Stunde.",
		button: "Neues Passwort wählen",
		ignore:
			"Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt gleich.",
	},
	changeEmail: {
		subject: "neue E-Mail-Adresse bestätigen",
		text: (newEmail) =>
			`Jemand, der bei Ihrem Konto angemeldet ist, möchte dessen E-Mail-Adresse in ${newEmail} ändern.`,
		button: "E-Mail-Adresse ändern",
	},
	deleteAccount: {
		subject: "Konto löschen",
		text: "Mit diesem Link löschen Sie Ihr Konto. Das lässt sich nicht rückgängig machen.",
		button: "Konto löschen",
	},
	existingAccount: {
		subject: "Sie haben schon ein Konto",
		text: "Jemand wollte mit Ihrer E-Mail-Adresse ein Konto erstellen, aber Sie haben schon eines. Melden Sie sich an, oder wählen Sie dort ein neues Passwort, falls Sie Ihres vergessen haben.",
		button: "Anmelden",
		ignore:
			"Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Nichts hat sich geändert.",
	},
	signInLink: {
		subject: "Ihr Anmeldelink",
		text: "Mit diesem Link melden Sie sich an. Er gilt zehn Minuten, einmal.",
		button: "Anmelden",
	},
	secondFactorCode: {
		subject: "Ihr Code",
		text: "Ihr Code ist {{code}}. Er gilt fünf Minuten lang, einmal. Geben Sie ihn nur auf der Seite ein, auf der Sie sich bei {{tenant}} anmelden, und verraten Sie ihn niemandem.",
		button: "Neues Passwort wählen",
		notYou:
			"Wenn Sie sich nicht gerade anmelden wollten, kennt jemand anderes Ihr Passwort. Wählen Sie ein neues.",
	},
	newDevice: {
		subject: "neue Anmeldung bei Ihrem Konto",
		text: "Bei Ihrem Konto bei {{tenant}} gab es eine Anmeldung von einem Gerät, das Sie hier noch nicht verwendet haben.\n\nZeit: {{time}}\nGerät: {{device}}\nIP-Adresse: {{ipAddress}}",
		button: "Mein Konto öffnen",
		notYou:
			"Wenn Sie das waren, müssen Sie nichts tun. Wenn Sie es nicht waren, ändern Sie jetzt Ihr Passwort, und melden Sie alle anderen Geräte ab. Beides finden Sie auf der Seite Ihres Kontos.",
		browserOn: (browser, system) => `${browser} auf ${system}`,
		unknownDevice: "Unbekanntes Gerät",
		unknownAddress: "unbekannt",
	},
	invitation: {
		subject: "Sie sind eingeladen",
		text: (tenant) => `Sie sind eingeladen, ${tenant} beizutreten.`,
		button: "Einladung annehmen",
		ignore: "Wenn Sie nicht wissen, warum Sie dies erhalten, können Sie diese E-Mail ignorieren.",
	},
};
