import { SCHEMA } from "../../support/worlds/features";
import { code, page, table } from "./markdown";

interface Field {
	type: unknown;
	required?: boolean;
	unique?: boolean;
	index?: boolean;
	references?: { model: string; field: string };
}

const INTRODUCTION = `![The tables with their unique keys. Better Auth's tables user, session, account and verification get a column tenantId. Most tables of the plugin refer to tenant.](../images/data-model.svg)

The plugin adds these tables and columns; \`tenantDomain\` comes with \`tenantDomains()\`, \`tenantImportedUser\` with \`tenantImports()\`, \`tenantInvitation\` with \`tenantInvitations()\`, \`tenantLink\` and \`tenantLinkSetting\` with \`tenantLinks()\`, \`tenantSignIn\` with \`tenantSignIns()\`, and \`tenantWebhook\` and \`tenantWebhookDelivery\` with \`tenantWebhooks()\`. The option \`schema\` renames them, as in Better Auth's own plugins. Every table also has an \`id\`. JSON is stored as text: JSON columns differ between databases.

In \`user\`, \`session\`, \`account\` and \`verification\`, an empty \`tenantId\` is the platform. Callers see \`null\`. [Upgrading](../upgrading.md) says how an existing database gets them.`;

export function tablesPage(): string {
	const tables = Object.entries(SCHEMA as Record<string, { fields: object }>);
	const sections = tables.flatMap(([name, { fields }]) => [
		`## ${name}`,
		table(
			["column", "type", "", "refers to"],
			Object.entries(fields as Record<string, Field>).map(([column, field]) => [
				code(column),
				String(field.type),
				[field.required === true && "required", field.unique && "unique", field.index && "indexed"]
					.filter(Boolean)
					.join(", "),
				field.references ? code(`${field.references.model}.${field.references.field}`) : "",
			]),
		),
	]);
	return page("Tables", INTRODUCTION, sections);
}
