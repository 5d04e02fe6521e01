import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "better-auth/api";
import { getCurrentTenant, type Tenant } from "better-auth-tenant";
import * as z from "zod";
import { describe, tenantId } from "../../endpoint-description";
import { LANGUAGES, type Language } from "../../languages";
import { senderOf } from "../email-template";
import { EMAIL_TEXTS } from "../texts";
import { type ChosenTemplate, chooseTemplate, defaultLanguageOf } from "./choose-template";
import { kindOf, MAIL_KINDS, type MailKind, type TemplateContent } from "./mail-kinds";
import type { ManagedTemplates, ManageTemplates } from "./managed-templates";
import { renderMail } from "./render-mail";
import { contentSchema, requireUsable } from "./template-rules";
import { deleteTemplate, listTemplates, saveTemplate } from "./template-store";
import { type Recipient, sendToCaller, type TestEmailParts } from "./test-email";

const name = {
	kind: z.enum(MAIL_KINDS).meta({ description: "Which mail" }),
	language: z.enum(LANGUAGES).meta({ description: "The language of the reader" }),
};
const templateSchema = z.object({
	...name,
	...contentSchema.shape,
	text: z.string().meta({ description: "Plain text with placeholders" }),
	source: z
		.enum(["tenant", "service", "built-in"])
		.meta({ description: "Whose text is used in this language" }),
	writtenIn: z.enum(LANGUAGES).meta({ description: "The language of the text" }),
	placeholders: z.array(z.string()).meta({ description: "What the text may contain" }),
	updatedAt: z.date().nullable().meta({ description: "When the text was last changed" }),
});

const templateList = z.array(templateSchema);

const previewSchema = z.object({
	subject: z.string().meta({ description: "The subject" }),
	text: z.string().meta({ description: "The email as plain text" }),
	html: z.string().meta({ description: "The email as HTML" }),
});

const testSchema = z.object({
	to: z.string().meta({ description: "The address of the caller" }),
	sent: z.boolean().meta({ description: "`false` if the email is in the outbox of the service" }),
});

/**
 * The endpoints that manage the emails of a tenant, or those of the service.
 *
 * @param whose for the descriptions
 */
export function templateEndpoints<Prefix extends string>(
	prefix: Prefix,
	whose: string,
	manage: ManageTemplates,
	testEmails: TestEmailParts,
) {
	return {
		list: createAuthEndpoint(
			`${prefix}/list`,
			{
				method: "GET",
				query: z.object({ tenantId }).optional(),
				metadata: describe(`List the texts of all emails ${whose}, in each language`, templateList),
			},
			async (ctx) => {
				const show = await currentTemplates(ctx, await manage(ctx, "mail-template:list"));
				return ctx.json(
					MAIL_KINDS.flatMap((kind) => LANGUAGES.map((language) => show(kind, language))),
				);
			},
		),
		get: createAuthEndpoint(
			`${prefix}/get`,
			{
				method: "GET",
				query: z.object({ tenantId, ...name }),
				metadata: describe(`Get the text of an email ${whose}`, templateSchema),
			},
			async (ctx) => {
				const show = await currentTemplates(ctx, await manage(ctx, "mail-template:get"));
				return ctx.json(show(ctx.query.kind, ctx.query.language));
			},
		),
		set: createAuthEndpoint(
			`${prefix}/set`,
			{
				method: "POST",
				body: z.strictObject({ tenantId, ...name, ...contentSchema.shape }),
				metadata: describe(`Change the text of an email ${whose}`, templateSchema),
			},
			async (ctx) => {
				const managed = await manage(ctx, "mail-template:set");
				const { tenantId: _, kind, language, ...content } = ctx.body;
				await requireUsableBy(managed, kind, { ...content, language });
				await managed.change(
					() => saveTemplate(ctx.context, kind, language, content),
					() => ({ targetId: kind, detail: { language, ...content } }),
				);
				return ctx.json((await currentTemplates(ctx, managed))(kind, language));
			},
		),
		reset: createAuthEndpoint(
			`${prefix}/reset`,
			{
				method: "POST",
				body: z.strictObject({ tenantId, ...name }),
				metadata: describe(
					`Delete the changed text of an email ${whose}; the response is what is used instead`,
					templateSchema,
				),
			},
			async (ctx) => {
				const managed = await manage(ctx, "mail-template:reset");
				const { kind, language } = ctx.body;
				await managed.change(
					() => deleteTemplate(ctx.context, kind, language),
					() => ({ targetId: kind, detail: { language } }),
				);
				return ctx.json((await currentTemplates(ctx, managed))(kind, language));
			},
		),
		preview: createAuthEndpoint(
			`${prefix}/preview`,
			{
				method: "POST",
				body: z.strictObject({ tenantId, ...name, ...contentSchema.shape }),
				metadata: describe(
					`Show a mail ${whose} with this text and invented values; nothing is stored or sent`,
					previewSchema,
				),
			},
			async (ctx) => {
				const managed = await manage(ctx, "mail-template:preview");
				const { tenantId: _, kind, ...content } = ctx.body;
				const { tenant, source } = await requireUsableBy(managed, kind, content);
				const template = { ...content, source };
				const { subject, text, html } = renderMail(kind, template, sampleFor(ctx, tenant));
				return ctx.json({ subject, text, html });
			},
		),
		sendTest: createAuthEndpoint(
			`${prefix}/send-test`,
			{
				method: "POST",
				body: z.strictObject({ tenantId, ...name, ...contentSchema.shape }),
				metadata: describe(
					`Send an email ${whose} with this text to the caller's own address; nothing is stored`,
					testSchema,
				),
			},
			async (ctx) => {
				// A caller who may not change the text has no need to try it.
				const managed = await manage(ctx, "mail-template:set");
				const { tenantId: _, kind, ...content } = ctx.body;
				const { tenant, source } = await requireUsableBy(managed, kind, content);
				const template = { ...content, source };
				const render = ({ email, name }: Recipient) =>
					renderMail(kind, template, { ...sampleFor(ctx, tenant), to: email, name });
				return ctx.json(await sendToCaller(ctx, managed, testEmails, render));
			},
		),
	};
}

/** Checks a text by the rules for its author. Returns the author and the tenant. */
async function requireUsableBy(
	{ isService, read }: ManagedTemplates,
	kind: MailKind,
	{ language, ...content }: TemplateContent & { language: Language },
) {
	const tenant = await read(() => getCurrentTenant());
	const sender = senderOf(tenant, EMAIL_TEXTS[language]);
	requireUsable(kind, content, { mayContainLinks: isService, tenant: sender });
	return { tenant, source: isService ? ("service" as const) : ("tenant" as const) };
}

/** Finds what is used for a mail. It reads everything once. */
async function currentTemplates(ctx: GenericEndpointContext, managed: ManagedTemplates) {
	const ofService = await managed.readService(() => listTemplates(ctx.context));
	const ofTenant = managed.isService ? [] : await managed.read(() => listTemplates(ctx.context));
	const tenant = await managed.read(() => getCurrentTenant());
	return (kind: MailKind, language: Language) =>
		toResponse(
			kind,
			language,
			chooseTemplate({ ofTenant, ofService }, kind, language, defaultLanguageOf(tenant)),
		);
}

function toResponse(kind: MailKind, language: Language, template: ChosenTemplate) {
	const { language: writtenIn, subject, text, button, source, updatedAt } = template;
	const placeholders = [...kindOf(kind).placeholders, "link"];
	return { kind, language, subject, text, button, source, writtenIn, placeholders, updatedAt };
}

const sampleFor = (ctx: GenericEndpointContext, tenant: Tenant | null) => ({
	tenant,
	to: "ada@example.com",
	name: "Ada Lovelace",
	newEmail: "ada.lovelace@example.com",
	code: "123456",
	signIn: {
		createdAt: new Date(),
		// For documents (https://www.rfc-editor.org/rfc/rfc5737).
		ipAddress: "192.0.2.1",
		userAgent: "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0",
	},
	url: `${new URL(ctx.context.baseURL).origin}/example?token=example`,
});
