import { readFile } from "node:fs/promises";
import type { Auth } from "../../auth";
import type { MailKind } from "../../email/templates/mail-kinds";
import type { Language } from "../../languages";
import { readStandardInput } from "../input";
import { type OutputOptions, plain, printResult, table, wrongUsage } from "../output";
import { requireTenant, withAuth } from "../with-auth";

type TemplateOptions = OutputOptions & { tenant?: string };
type Template = Awaited<ReturnType<Auth["api"]["getMailTemplate"]>>;

/** The same calls for the texts of a tenant and of the service. */
async function templatesOf(auth: Auth, { tenant }: TemplateOptions) {
	const { api } = auth;
	if (tenant === undefined) {
		return {
			list: () => api.listMailTemplates(),
			get: (query: Name) => api.getMailTemplate({ query }),
			set: (body: Name & Content) => api.setMailTemplate({ body }),
			reset: (body: Name) => api.resetMailTemplate({ body }),
		};
	}
	const { id: tenantId } = await requireTenant(auth, tenant);
	return {
		list: () => api.listTenantMailTemplates({ query: { tenantId } }),
		get: (query: Name) => api.getTenantMailTemplate({ query: { ...query, tenantId } }),
		set: (body: Name & Content) => api.setTenantMailTemplate({ body: { ...body, tenantId } }),
		reset: (body: Name) => api.resetTenantMailTemplate({ body: { ...body, tenantId } }),
	};
}

type Name = { kind: MailKind; language: Language };
type Content = Pick<Template, "subject" | "text" | "button">;

export async function list(options: TemplateOptions): Promise<void> {
	await withAuth(async (auth) => {
		const templates = await (await templatesOf(auth, options)).list();
		printResult(options, templates, () =>
			table(
				["EMAIL", "LANGUAGE", "TEXT OF", "SUBJECT"],
				templates.map(({ kind, language, source, subject }) => [kind, language, source, subject]),
			),
		);
	});
}

export async function show(
	kind: MailKind,
	language: Language,
	options: TemplateOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const template = await (await templatesOf(auth, options)).get({ kind, language });
		printResult(options, template, () => describe(template));
	});
}

type SetOptions = TemplateOptions & { subject?: string; button?: string; textFile?: string };

export async function set(kind: MailKind, language: Language, options: SetOptions): Promise<void> {
	const { subject, button, textFile } = options;
	if ([subject, button, textFile].every((value) => value === undefined)) {
		throw wrongUsage("Pass at least one of --subject, --button and --text-file.");
	}
	const text = textFile === undefined ? undefined : await readText(textFile);
	await withAuth(async (auth) => {
		const templates = await templatesOf(auth, options);
		const current = await templates.get({ kind, language });
		const template = await templates.set({
			kind,
			language,
			subject: subject ?? current.subject,
			text: text ?? current.text,
			button: button ?? current.button,
		});
		printResult(options, template, () => describe(template));
	});
}

export async function reset(
	kind: MailKind,
	language: Language,
	options: TemplateOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const template = await (await templatesOf(auth, options)).reset({ kind, language });
		printResult(options, template, () => describe(template));
	});
}

async function readText(file: string): Promise<string> {
	if (file === "-") return readStandardInput();
	try {
		return await readFile(file, "utf8");
	} catch (cause) {
		throw wrongUsage(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`);
	}
}

function describe({ source, subject, text, button, placeholders }: Template): string {
	return [
		`Text of:       ${source}`,
		`Subject:       ${plain(subject)}`,
		`Button:        ${plain(button)}`,
		`Placeholders:  ${placeholders.map((name) => `{{${name}}}`).join(" ")}`,
		"",
		...text.split("\n").map(plain),
	].join("\n");
}
