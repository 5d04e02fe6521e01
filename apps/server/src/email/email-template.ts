import type { Tenant } from "better-auth-tenant";
import { brandingOf } from "better-auth-tenant/rules";
import type { Language } from "../languages";
import { EMAIL_TEXTS } from "./texts";
import type { EmailTexts } from "./texts/en";

export type Email = {
	to: string;
	subject: string;
	text: string;
	html: string;
	/** Where its button leads. */
	link?: string;
};

export type EmailContent = {
	to: string;
	language: Language;
	/** The tenant that the email comes from; `null` for the platform. */
	tenant: Tenant | null;
	subject: string;
	/** Paragraphs, and the button that opens the link of the email. */
	body: (string | Link)[];
	/** What to do if the recipient did not request this email. */
	notRequested: string;
};

type Link = { label: string; url: string };

/**
 * The name of the tenant, as the sender of its emails. Its administrators choose the name, and the service
 * sends the email: a name that could be a message or a link is replaced with the slug.
 */
export const senderOf = (tenant: Tenant | null, texts: Pick<EmailTexts, "platform">): string =>
	tenant ? safeName(tenant.name) || tenant.slug : texts.platform;

/** Renders an email as plain text and as HTML. The HTML loads nothing but the tenant's logo. */
export function renderEmail(content: EmailContent): Email {
	const { to, tenant, language, body, notRequested } = content;
	const texts = EMAIL_TEXTS[language];
	const sender = senderOf(tenant, texts);
	const branding = brandingOf(tenant?.metadata ?? null);
	const { primaryColor: color = "#4f46e5", supportEmail } = branding;
	const help = supportEmail ? [texts.questions(supportEmail)] : [];
	const subject = toSingleLine(content.subject);
	const link = body.find((part) => typeof part !== "string");
	return {
		to,
		subject,
		...(link && { link: link.url }),
		text: [
			...body.map((part) => (typeof part === "string" ? part : part.url)),
			notRequested,
			...help,
			sender,
		].join("\n\n"),
		html: [
			`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
			`<body style="margin:0;padding:24px 12px;background:#f3f4f6">`,
			`<div style="box-sizing:border-box;max-width:560px;margin:0 auto;padding:28px;border-top:4px solid ${color};border-radius:8px;background:#ffffff;color:#1f2430;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif;font-size:16px;line-height:1.5">`,
			header(sender, branding.logoUrl),
			...body.map((part) =>
				typeof part === "string" ? paragraph(part) : button(part, color, texts),
			),
			`<div style="padding-top:16px;border-top:1px solid #e2e4ea">`,
			...[notRequested, ...help].map((text) => paragraph(text, SMALL)),
			"</div></div></body></html>",
		].join("\n"),
	};
}

const SMALL = "font-size:14px;color:#565c69";

/** The link is there a second time, for programs that do not show buttons. */
function button({ label, url }: Link, color: string, { copyLink }: EmailTexts): string {
	const href = escapeHtml(url);
	return [
		`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;text-decoration:none;font-weight:600;background:${color};color:${textColorOn(color)}">${escapeHtml(label)}</a></p>`,
		paragraph(copyLink, SMALL),
		`<p style="margin:0 0 24px;${SMALL};word-break:break-all"><a href="${href}" style="color:#565c69">${href}</a></p>`,
	].join("\n");
}

/** Programs that do not load images show the name. */
function header(sender: string, logoUrl: string | undefined): string {
	const name = `<p style="margin:0 0 20px;font-size:18px;font-weight:700">${escapeHtml(sender)}</p>`;
	if (!logoUrl) return name;
	return `<p style="margin:0 0 12px"><img src="${escapeHtml(logoUrl)}" alt="" height="40" style="display:block;height:40px;max-width:200px;border:0"></p>${name}`;
}

const singleLine = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

/** Email programs also turn a host without a scheme into a link, and some accept other full stops. */
const looksLikeLink = /:\/\/|www\.|[.\u3002\uff0e\uff61][\p{L}\p{N}]/iu;

/**
 * Anybody can sign up with the email of another person and choose the name, which then appears in an
 * email that this person trusts. A name that could be a message or a link is left out.
 */
export const safeName = (name: string): string =>
	singleLine.test(name) && !looksLikeLink.test(name) ? name : "";

export function greeting(name: string, texts: Pick<EmailTexts, "hello" | "helloName">): string {
	return safeName(name) ? texts.helloName(name) : texts.hello;
}

const paragraph = (text: string, style = "") =>
	`<p style="margin:0 0 12px;${style}">${escapeHtml(text).replaceAll("\n", "<br>")}</p>`;

/** Black or white, by contrast (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function textColorOn(color: string): string {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
		.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
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
