import { getCurrentAdapter } from "@better-auth/core/context";
import type { AuthContext, BetterAuthPluginDBSchema } from "better-auth";
import type { Language } from "../../languages";
import { MAIL_KINDS, type MailKind, type TemplateContent } from "./mail-kinds";

const text = { type: "string", required: true, input: false } as const;

/**
 * Templates of tenants, and in the platform those of the service. The plugin knows which tenant a row
 * belongs to, and deletes it with the tenant.
 */
export const templateSchema = {
	mailTemplate: {
		fields: {
			kind: { ...text },
			language: { ...text },
			subject: { ...text },
			text: { ...text },
			button: { ...text },
			updatedAt: { type: "date", required: true, input: false },
		},
		indexes: [{ fields: ["kind", "language"], unique: true }],
	},
} as const satisfies BetterAuthPluginDBSchema;

export type StoredTemplate = TemplateContent & {
	id: string;
	kind: MailKind;
	language: Language;
	updatedAt: Date;
};

/** All functions run in a tenant or on the platform: its templates are the only ones there. */
type StoreContext = Pick<AuthContext, "adapter">;

const MODEL = "mailTemplate";
const MAX_TEMPLATES = 100;

const named = (kind: MailKind, language: Language) => [
	{ field: "kind", value: kind },
	{ field: "language", value: language },
];

/** By kind: the index finds those of one tenant among those of all tenants. */
export async function listTemplates(
	{ adapter }: StoreContext,
	kinds: readonly MailKind[] = MAIL_KINDS,
): Promise<StoredTemplate[]> {
	const database = await getCurrentAdapter(adapter);
	return database.findMany<StoredTemplate>({
		model: MODEL,
		where: [{ field: "kind", operator: "in", value: [...kinds] }],
		limit: MAX_TEMPLATES,
	});
}

export async function saveTemplate(
	{ adapter }: StoreContext,
	kind: MailKind,
	language: Language,
	{ subject, text, button }: TemplateContent,
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	const content = { subject, text, button, updatedAt: new Date() };
	const where = named(kind, language);
	const changed = await database.updateMany({ model: MODEL, where, update: content });
	if (changed === 0) await database.create({ model: MODEL, data: { kind, language, ...content } });
}

export async function deleteTemplate(
	{ adapter }: StoreContext,
	kind: MailKind,
	language: Language,
): Promise<void> {
	const database = await getCurrentAdapter(adapter);
	await database.deleteMany({ model: MODEL, where: named(kind, language) });
}
