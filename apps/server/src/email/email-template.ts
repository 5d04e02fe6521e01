import type { Tenant } from "better-auth-tenant";
import { brandingOf } from "better-auth-tenant/rules";

export type Email = {
	to: string;
	subject: string;
	text: string;
	html: string;
};

export type EmailContent = {
	to: string;
	/** The tenant that the email comes from; `null` for the platform. */
	tenant: Tenant | null;
	subject: string;
	paragraphs: string[];
	link: { label: string; url: string };
	/** What to do if the recipient did not request this email. */
	notRequested: string;
};

/** Renders an email as plain text and as HTML. The HTML loads nothing. */
export function renderEmail(content: EmailContent): Email {
	const { to, tenant, paragraphs, link, notRequested } = content;
	const sender = toSingleLine(tenant?.name ?? "Your account");
	const { primaryColor: color = "#2a5bd7", supportEmail } = brandingOf(tenant?.metadata ?? null);
	const help = supportEmail ? [`Questions? Write to ${supportEmail}.`] : [];
	return {
		to,
		subject: `${sender}: ${toSingleLine(content.subject)}`,
		text: [...paragraphs, link.url, notRequested, ...help, sender].join("\n\n"),
		html: [
			`<div style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#222;max-width:34em">`,
			`<p style="font-weight:bold;color:${color}">${escapeHtml(sender)}</p>`,
			...paragraphs.map(paragraph),
			`<p><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;text-decoration:none;background:${color};color:${textColorOn(color)}">${escapeHtml(link.label)}</a></p>`,
			...[notRequested, ...help].map(paragraph),
			"</div>",
		].join("\n"),
	};
}

const singleLine = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

/** Email programs also turn a host without a scheme into a link, and some accept other full stops. */
const looksLikeLink = /:\/\/|www\.|[.\u3002\uff0e\uff61][\p{L}\p{N}]/iu;

/**
 * Anybody can sign up with the email of another person and choose the name, which then appears in an
 * email that this person trusts. A name that could be a message or a link is left out.
 */
export function greeting(name: string): string {
	return singleLine.test(name) && !looksLikeLink.test(name) ? `Hello ${name},` : "Hello,";
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

/** Black or white, by contrast (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function textColorOn(color: string): string {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

function escapeHtml(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}

/** A line break in a subject would start a new header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const toSingleLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
