import type { Tenant } from "better-auth-tenant";
import type { Language } from "../../languages";
import {
	type Email,
	type EmailContent,
	greeting,
	renderEmail,
	safeName,
	senderOf,
} from "../email-template";
import { describeSignIn, type SignIn } from "../sign-in-facts";
import { EMAIL_TEXTS } from "../texts";
import {
	builtInTemplate,
	kindOf,
	type MailKind,
	type Placeholder,
	type TemplateContent,
} from "./mail-kinds";
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
	/** Of a second step. */
	code?: string;
	/** The sign-in that the mail is about. */
	signIn?: SignIn;
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
	{ tenant, to, name, url, newEmail = "", code = "", signIn }: MailValues,
): Email {
	const { language } = template;
	const texts = EMAIL_TEXTS[language];
	const values = {
		tenant: senderOf(tenant, texts),
		greeting: greeting(name, texts),
		name: safeName(name),
		email: to,
		newEmail,
		code,
		...NO_SIGN_IN,
	};
	const fill = (
		{ subject, text, button }: TemplateContent,
		values: Readonly<Record<Placeholder, string>>,
	) => ({
		subject: fillIn(subject, values),
		// Split first: a value cannot start a paragraph or be the link.
		body: paragraphsOf(text).map((paragraph) =>
			isLink(paragraph) ? { label: button, url } : fillIn(paragraph, values),
		),
	});
	// The text was checked when it was stored, but the values come now: names may have changed since. An IP
	// address looks like a link, but the service writes it, and nobody chooses it.
	const isRejected = template.source === "tenant" && hasOtherLink(fill(template, values));
	const used = isRejected ? builtInTemplate(kind, language) : template;
	const filled = fill(used, signIn ? { ...values, ...describeSignIn(signIn, language) } : values);
	const notRequested = kindOf(kind).notRequested(texts);
	return renderEmail({ to, language, tenant, ...filled, notRequested });
}

/** Words: a text such as `example.{{device}}` must not become a link. */
const NO_SIGN_IN = { time: "time", device: "device", ipAddress: "address" };

type Filled = Pick<EmailContent, "subject" | "body">;

const hasOtherLink = ({ subject, body }: Filled): boolean =>
	[subject, ...body.map((part) => (typeof part === "string" ? part : part.label))].some(
		(text) => findWebAddress(text) !== undefined,
	);
