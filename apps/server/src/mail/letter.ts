import type { Tenant } from "better-auth-tenant";
import type { Mail } from "./mail";

/** What a mail says. */
export type Letter = {
	to: string;
	/** Whose mail it is; `null` for the platform. */
	tenant: Tenant | null;
	subject: string;
	paragraphs: string[];
	link: { label: string; url: string };
	/** What to do for who did not ask for it. */
	otherwise: string;
};

/** The same as plain text and as HTML that loads nothing. */
export function writeLetter(letter: Letter): Mail {
	const { to, tenant, paragraphs, link, otherwise } = letter;
	const sender = oneLine(tenant?.name ?? "Your account");
	const { color, supportEmail } = brandOf(tenant);
	const help = supportEmail ? [`Questions? Write to ${supportEmail}.`] : [];
	return {
		to,
		subject: `${sender}: ${oneLine(letter.subject)}`,
		text: [...paragraphs, link.url, otherwise, ...help, sender].join("\n\n"),
		html: [
			`<div style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#222;max-width:34em">`,
			`<p style="font-weight:bold;color:${color}">${escaped(sender)}</p>`,
			...paragraphs.map(paragraph),
			`<p><a href="${escaped(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;text-decoration:none;background:${color};color:${inkOn(color)}">${escaped(link.label)}</a></p>`,
			...[otherwise, ...help].map(paragraph),
			"</div>",
		].join("\n"),
	};
}

const paragraph = (text: string) => `<p>${escaped(text)}</p>`;

/** Metadata is whatever a tenant's managers wrote: only what is sure to be a color is one. */
function brandOf(tenant: Tenant | null): { color: string; supportEmail: string | null } {
	const branding = tenant?.metadata?.branding;
	const field = (name: string): string | null => {
		if (typeof branding !== "object" || branding === null) return null;
		const value: unknown = Object.hasOwn(branding, name) ? Reflect.get(branding, name) : null;
		return typeof value === "string" ? value : null;
	};
	const color = field("primaryColor");
	const supportEmail = field("supportEmail");
	return {
		color: color && /^#[\da-f]{6}$/i.test(color) ? color : "#2a5bd7",
		supportEmail: supportEmail && /^[^\s<>@]+@[^\s<>@]+$/.test(supportEmail) ? supportEmail : null,
	};
}

/** Black or white, whichever can be read on it (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function inkOn(color: string): string {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}

function escaped(text: string): string {
	return text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;")
		.replaceAll('"', "&quot;");
}

/** A line break in a subject would begin a header of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
