import type { AuthContext } from "better-auth";
import { runInTenant, runOnPlatform, type Tenant } from "better-auth-tenant";
import { LANGUAGES, type Language } from "../../languages";
import { builtInTemplate, type MailKind, type TemplateContent } from "./mail-kinds";
import { listTemplates, type StoredTemplate } from "./template-store";

/** The template that a mail is made of. */
export type ChosenTemplate = TemplateContent & {
	/** The language of the template, and of the whole mail. */
	language: Language;
	source: "tenant" | "service" | "built-in";
	updatedAt: Date | null;
};

/** The templates that there are. */
export type StoredTemplates = {
	ofTenant: StoredTemplate[];
	ofService: StoredTemplate[];
};

/** The language of the tenant's mails for people whose language it has no template in. */
export const defaultLanguageOf = (tenant: Pick<Tenant, "metadata"> | null): Language | null =>
	LANGUAGES.find((language) => language === tenant?.metadata?.language) ?? null;

/** The tenant's in the language, or in its default language, or else the service's, or the built-in. */
export function chooseTemplate(
	{ ofTenant, ofService }: StoredTemplates,
	kind: MailKind,
	language: Language,
	defaultLanguage: Language | null,
): ChosenTemplate {
	const find = (templates: StoredTemplate[], wanted: Language | null) =>
		templates.find((template) => template.kind === kind && template.language === wanted);
	const own = find(ofTenant, language) ?? find(ofTenant, defaultLanguage);
	const found = own ?? find(ofService, language);
	if (!found) {
		return { ...builtInTemplate(kind, language), language, source: "built-in", updatedAt: null };
	}
	return {
		subject: found.subject,
		text: found.text,
		button: found.button,
		language: found.language,
		source: own ? "tenant" : "service",
		updatedAt: found.updatedAt,
	};
}

/** Reads what is stored for a mail of a tenant, or of the platform, which uses those of the service only. */
export async function readTemplates(
	context: AuthContext,
	tenant: Tenant | null,
	kinds?: readonly MailKind[],
): Promise<StoredTemplates> {
	const list = () => listTemplates(context, kinds);
	const auth = { $context: Promise.resolve(context) };
	return {
		ofService: await runOnPlatform(list),
		ofTenant: tenant ? await runInTenant(auth, tenant.id, list, { allowSuspended: true }) : [],
	};
}
