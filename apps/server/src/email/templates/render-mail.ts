import type { Tenant } from "better-auth-tenant";
import type { Language } from "../../language";
import {
	type Email,
	type EmailContent,
	greeting,
	renderEmail,
	safeName,
	senderOf,
} from "../email-template";
import { EMAIL_TEXTS } from "../texts";
import { builtInTemplate, kindOf, type MailKind, type TemplateContent } from "./mail-kinds";
import { fillIn, findWebAddress, isLink, paragraphsOf } from "./template-rules";

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

/** A template, and who wrote it. Operators may write links. */
type Template = TemplateContent & {
	language: Language;
	source: "tenant" | "service" | "built-in";
};

/** Fills in a template, and puts it into the layout of all mails. */
export function renderMail(
	kind: MailKind,
	template: Template,
	{ tenant, to, name, url, newEmail = "" }: MailValues,
): Email {
	const { language } = template;
	const texts = EMAIL_TEXTS[language];
	const values = {
		tenant: senderOf(tenant, texts),
		greeting: greeting(name, texts),
		name: safeName(name),
		email: to,
		newEmail,
	};
	const fill = ({ subject, text, button }: TemplateContent) => ({
		subject: fillIn(subject, values),
		// Split first: a value cannot start a paragraph or be the link.
		body: paragraphsOf(text).map((paragraph) =>
			isLink(paragraph) ? { label: button, url } : fillIn(paragraph, values),
		),
	});
	let filled = fill(template);
	// The text was checked when it was stored, but the values come now: names may have changed since.
	if (template.source === "tenant" && hasOtherLink(filled)) {
		filled = fill(builtInTemplate(kind, language));
	}
	const notRequested = kindOf(kind).notRequested(texts);
	return renderEmail({ to, language, tenant, ...filled, notRequested });
}

type Filled = Pick<EmailContent, "subject" | "body">;

const hasOtherLink = ({ subject, body }: Filled): boolean =>
	[subject, ...body.map((part) => (typeof part === "string" ? part : part.label))].some(
		(text) => findWebAddress(text) !== undefined,
	);
