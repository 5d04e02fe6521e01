import type { Tenant } from "better-auth-tenant";
import type { Language } from "../../language";
import { type Email, greeting, renderEmail, safeName, senderOf } from "../email-template";
import { EMAIL_TEXTS } from "../texts";
import { kindOf, type MailKind, type TemplateContent } from "./mail-kinds";
import { fillIn, isLink, paragraphsOf } from "./template-rules";

/** Everything that a mail depends on, besides its template. */
export type MailValues = {
	/** The tenant that the mail comes from; `null` for the platform. */
	tenant: Tenant | null;
	to: string;
	/** The recipient's name, which anybody may have chosen. */
	name: string;
	/** Where the button leads. No template changes it. */
	url: string;
	newEmail?: string;
};

/** Fills in a template, and puts it into the layout of all mails. */
export function renderMail(
	kind: MailKind,
	template: TemplateContent & { language: Language },
	{ tenant, to, name, url, newEmail = "" }: MailValues,
): Email {
	const { language, subject, text, button } = template;
	const texts = EMAIL_TEXTS[language];
	const values = {
		tenant: senderOf(tenant, texts),
		greeting: greeting(name, texts),
		name: safeName(name),
		email: to,
		newEmail,
	};
	return renderEmail({
		to,
		language,
		tenant,
		subject: fillIn(subject, values),
		// Split first: a value cannot start a paragraph or be the link.
		body: paragraphsOf(text).map((paragraph) =>
			isLink(paragraph) ? { label: button, url } : fillIn(paragraph, values),
		),
		notRequested: kindOf(kind).notRequested(texts),
	});
}
