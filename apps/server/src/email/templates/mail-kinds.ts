import type { Language } from "../../languages";
import { EMAIL_TEXTS } from "../texts";
import type { EmailTexts } from "../texts/en";

/** What a mail says. It is plain text with placeholders such as `{{link}}`. */
export type TemplateContent = {
	subject: string;
	/** Paragraphs, with an empty line between them. */
	text: string;
	/** The label of the button that opens the link. */
	button: string;
};

type TextsOfKind =
	| "verification"
	| "resetPassword"
	| "changeEmail"
	| "deleteAccount"
	| "existingAccount"
	| "signInLink"
	| "secondFactorCode"
	| "newDevice"
	| "invitation";

type Kind = {
	/** Where the built-in texts are. */
	texts: TextsOfKind;
	/** What can be in the text. `{{link}}` can be in all of them. */
	placeholders: readonly Placeholder[];
	/** Whether the mail is useless without the link. */
	needsLink: boolean;
	/** Whether the mail is useless without `{{code}}`. */
	needsCode?: true;
	/** What to do if the recipient did not request this mail. No template changes it. */
	notRequested: (texts: EmailTexts) => string;
};

/** The values that a template can contain, besides the link. */
export type Placeholder =
	| "tenant"
	| "greeting"
	| "name"
	| "email"
	| "newEmail"
	| "code"
	| "time"
	| "device"
	| "ipAddress";

const OF_USER: readonly Placeholder[] = ["tenant", "greeting", "name", "email"];

/** The mails to users. The mails to operators about the console are not among them. */
const KINDS = {
	verification: {
		texts: "verification",
		placeholders: OF_USER,
		needsLink: true,
		notRequested: ({ ignore }) => ignore,
	},
	"reset-password": {
		texts: "resetPassword",
		placeholders: OF_USER,
		needsLink: true,
		notRequested: ({ resetPassword }) => resetPassword.ignore,
	},
	"change-email": {
		texts: "changeEmail",
		placeholders: [...OF_USER, "newEmail"],
		needsLink: true,
		notRequested: ({ notYou }) => notYou,
	},
	"delete-account": {
		texts: "deleteAccount",
		placeholders: OF_USER,
		needsLink: true,
		notRequested: ({ notYou }) => notYou,
	},
	"existing-account": {
		texts: "existingAccount",
		placeholders: OF_USER,
		needsLink: false,
		notRequested: ({ existingAccount }) => existingAccount.ignore,
	},
	"sign-in-link": {
		texts: "signInLink",
		placeholders: OF_USER,
		needsLink: true,
		notRequested: ({ ignore }) => ignore,
	},
	"second-factor-code": {
		texts: "secondFactorCode",
		placeholders: [...OF_USER, "code"],
		needsLink: false,
		needsCode: true,
		notRequested: ({ secondFactorCode }) => secondFactorCode.notYou,
	},
	"new-device": {
		texts: "newDevice",
		placeholders: [...OF_USER, "time", "device", "ipAddress"],
		needsLink: false,
		notRequested: ({ newDevice }) => newDevice.notYou,
	},
	invitation: {
		texts: "invitation",
		// The service does not know the name of somebody who is invited.
		placeholders: ["tenant", "greeting", "email"],
		needsLink: true,
		notRequested: ({ invitation }) => invitation.ignore,
	},
} as const satisfies Record<string, Kind>;

export type MailKind = keyof typeof KINDS;

export const MAIL_KINDS = Object.keys(KINDS) as [MailKind, ...MailKind[]];

export const kindOf = (kind: MailKind): Kind => KINDS[kind];

/** The text that the service comes with. */
export function builtInTemplate(kind: MailKind, language: Language): TemplateContent {
	const texts = EMAIL_TEXTS[language];
	const { subject, text, button } = texts[KINDS[kind].texts];
	// Some texts have one value: the new email, or the tenant of an invitation.
	const value = kind === "invitation" ? "{{tenant}}" : "{{newEmail}}";
	const sentence = typeof text === "string" ? text : text(value);
	// Its reader types the code. A link would only lead away.
	const paragraphs = ["{{greeting}}", sentence, ...(kindOf(kind).needsCode ? [] : ["{{link}}"])];
	return {
		subject: `{{tenant}}: ${subject}`,
		text: paragraphs.join("\n\n"),
		button,
	};
}
