/**
 * Every text of an email. The other languages have the type of this object, so a text that is missing
 * there is a type error.
 */
export const en = {
	hello: "Hello,",
	helloName: (name: string) => `Hello ${name},`,
	/** The sender, where there is no tenant. */
	platform: "Your account",
	questions: (email: string) => `Questions? Write to ${email}.`,
	copyLink: "If the button does not work, open this link in your browser:",
	ignore: "If you did not request this, you can ignore this email.",
	notYou: "If this was not you, do not open the link, and choose a new password.",
	verification: {
		subject: "verify your email",
		text: "Please verify that this is your email address.",
		button: "Verify email",
	},
	resetPassword: {
		subject: "choose a new password",
		text: "Use this link to choose a new password. It is valid for one hour.",
		button: "Choose a new password",
		ignore: "If you did not request this, you can ignore this email. Your password stays the same.",
	},
	changeEmail: {
		subject: "confirm your new email",
		text: (newEmail: string) =>
			`Someone who is signed in to your account wants to change its email to ${newEmail}.`,
		button: "Change my email",
	},
	deleteAccount: {
		subject: "delete your account",
		text: "Use this link to delete your account. This cannot be undone.",
		button: "Delete my account",
	},
	existingAccount: {
		subject: "you already have an account",
		text: "Someone wanted to create an account with your email, but you have one already. Sign in, or choose a new password there if you have forgotten yours.",
		button: "Sign in",
		ignore: "If this was not you, you can ignore this email. Nothing has changed.",
	},
	signInLink: {
		subject: "your sign-in link",
		text: "Use this link to sign in. It is valid for ten minutes, once.",
		button: "Sign in",
	},
	secondFactorCode: {
		subject: "your code",
		text: "Your code is {{code}}. It is valid for five minutes, once. Enter it only on the page where you sign in to {{tenant}}, and tell it to nobody.",
		button: "Choose a new password",
		notYou:
			"If you did not just try to sign in, somebody else knows your password. Choose a new one.",
	},
	newDevice: {
		subject: "new sign-in to your account",
		text: "There was a sign-in to your account at {{tenant}}, from a device that you have not used here before.\n\nTime: {{time}}\nDevice: {{device}}\nIP address: {{ipAddress}}",
		button: "Open my account",
		notYou:
			"If this was you, there is nothing to do. If it was not you, change your password now, and sign out of all other devices. Both are on the page of your account.",
		browserOn: (browser: string, system: string) => `${browser} on ${system}`,
		unknownDevice: "Unknown device",
		unknownAddress: "unknown",
	},
	invitation: {
		subject: "you are invited",
		text: (tenant: string) => `You are invited to join ${tenant}.`,
		button: "Accept the invitation",
		ignore: "If you do not know why you got this, you can ignore this email.",
	},
};

export type EmailTexts = typeof en;
