import { APIError } from "better-auth/api";
import * as z from "zod";
import { kindOf, type MailKind, type Placeholder, type TemplateContent } from "./mail-kinds";

const MAX_SUBJECT_LENGTH = 150;
const MAX_TEXT_LENGTH = 5000;
const MAX_BUTTON_LENGTH = 60;

/** Control characters, and those that make a text look like another one. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const line = (max: number) =>
	z
		.string()
		.trim()
		.min(1)
		.max(max)
		.refine((text) => !UNSAFE.test(text), "must be one line, without control characters");

/** What a caller can set. */
export const contentSchema = z.object({
	subject: line(MAX_SUBJECT_LENGTH).meta({ description: "One line, without {{link}}" }),
	text: z
		.string()
		.transform((text) => text.replaceAll("\r\n", "\n").trim())
		.pipe(
			z
				.string()
				.min(1)
				.max(MAX_TEXT_LENGTH)
				.refine(
					(text) => !UNSAFE.test(text.replaceAll("\n", "")),
					"must not contain control characters",
				),
		)
		.meta({
			type: "string",
			description:
				"Plain text. An empty line starts a paragraph. {{link}} is a paragraph of its own and becomes the button",
		}),
	button: line(MAX_BUTTON_LENGTH)
		.refine((text) => !/[{}]/.test(text), "must not contain placeholders")
		.meta({ description: "The label of the button" }),
});

/**
 * `{{name}}`. Spaces inside are left to {@link nameIn}: an expression that skips them takes minutes for a
 * long text of spaces.
 */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

const nameIn = (inside: string | undefined): string => (inside ?? "").trim();

/** Splits a text at empty lines. */
export const paragraphsOf = (text: string): string[] =>
	text.split(/\n[^\S\n]*(?:\n[^\S\n]*)+/).map((paragraph) => paragraph.trim());

export const isLink = (paragraph: string): boolean => /^\{\{\s*link\s*\}\}$/.test(paragraph);

/**
 * Replaces each placeholder once: a value that looks like a placeholder stays as it is. The space before
 * an empty value goes too, so that "Hello {{name}}," becomes "Hello,".
 */
export function fillIn(text: string, values: Readonly<Record<Placeholder, string>>): string {
	return text.replaceAll(/ ?\{\{([^{}]*)\}\}/g, (match, inside: string) => {
		const value = new Map<string, string>(Object.entries(values)).get(nameIn(inside)) ?? "";
		return value === "" ? "" : match.slice(0, match.indexOf("{{")) + value;
	});
}

type Rules = {
	/** Whether the text may contain other links than that of the mail. */
	mayContainLinks: boolean;
	/** The sender: with a name such as `com`, a text such as `example.{{tenant}}` is a link. */
	tenant: string;
};

/**
 * Rejects a template that would not work, or that would deceive its reader.
 *
 * @throws APIError `UNKNOWN_PLACEHOLDER`, `MAIL_CODE_MISSING`, `MAIL_LINK_MISPLACED` or `MAIL_LINK_NOT_ALLOWED`
 */
export function requireUsable(
	kind: MailKind,
	{ subject, text, button }: TemplateContent,
	{ mayContainLinks, tenant }: Rules,
): void {
	const { placeholders, needsLink, needsCode } = kindOf(kind);
	requirePlaceholders(
		subject,
		placeholders.filter((name) => name !== "greeting"),
	);
	requirePlaceholders(text, [...placeholders, "link"]);
	const count = (name: string) =>
		[...text.matchAll(PLACEHOLDER)].filter(([, inside]) => nameIn(inside) === name).length;
	if (needsCode && count("code") === 0) {
		throw rejected("MAIL_CODE_MISSING", "The text must have {{code}}");
	}
	const links = count("link");
	const alone = paragraphsOf(text).filter(isLink).length;
	if (links !== alone || links > 1 || (needsLink && links === 0)) {
		throw rejected(
			"MAIL_LINK_MISPLACED",
			`${needsLink ? "" : "If the text has a link, "}{{link}} must be there once, in a paragraph of its own`,
		);
	}
	if (mayContainLinks) return;
	// The service sends this mail, and its reader trusts it. Only the link of the mail may be opened.
	const withSender = (part: string) =>
		part.replaceAll(PLACEHOLDER, (match, inside) => (nameIn(inside) === "tenant" ? tenant : match));
	const found = [subject, text, button].flatMap(
		(part) => findWebAddress(part) ?? findWebAddress(withSender(part)) ?? [],
	)[0];
	if (found === undefined) return;
	throw rejected(
		"MAIL_LINK_NOT_ALLOWED",
		`The mail of a tenant has no other link than {{link}}: remove ${JSON.stringify(found)}`,
	);
}

function requirePlaceholders(text: string, allowed: readonly string[]): void {
	const known = (match: string, inside: string) => (allowed.includes(nameIn(inside)) ? "" : match);
	const rest = text.replaceAll(PLACEHOLDER, known);
	const unknown = /\{\{[^\n{}]{0,40}(?:\}\})?|\}\}/.exec(rest)?.[0];
	if (unknown === undefined) return;
	throw rejected(
		"UNKNOWN_PLACEHOLDER",
		`${JSON.stringify(unknown)} is not possible here: use ${allowed.map((name) => `{{${name}}}`).join(", ")}`,
	);
}

/** Mail programs turn a host name into a link, also without a scheme, and some accept other full stops. */
const WEB_ADDRESS =
	/:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}|[a-z\d][\u3002\uff0e\uff61][a-z]{2,}|\d\.\d{1,3}\.\d{1,3}\.\d/iu;

const EMAIL_ADDRESS = /[\p{L}\p{N}.+_-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu;

/** An email address opens no page. A value may be the first part of an address. */
export function findWebAddress(text: string): string | undefined {
	const words = text.replaceAll(PLACEHOLDER, "x").replaceAll(EMAIL_ADDRESS, " ").split(/\s/);
	return words.find((word) => WEB_ADDRESS.test(word))?.slice(0, 60);
}

const rejected = (code: string, message: string) => new APIError("BAD_REQUEST", { code, message });
