import { tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { code, page, table } from "./markdown";

interface Field {
	type: unknown;
	required?: boolean;
	unique?: boolean;
	index?: boolean;
	references?: { model: string; field: string };
}

const INTRODUCTION = `![The tables with their unique keys. Better Auth's tables user, session, account and verification get a column tenantId. Most tables of the plugin refer to tenant.](../images/data-model.svg)

The plugin adds these tables and columns; \`tenantWebhook\` and \`tenantWebhookDelivery\` come with \`tenantWebhooks()\`, \`tenantSignIn\` with \`tenantSignIns()\`, and \`tenantImportedUser\` with \`tenantImports()\`. The option \`schema\` renames them, as in Better Auth's own plugins. Every table also has an \`id\`. JSON is stored as text: JSON columns differ between databases.

In \`user\`, \`session\`, \`account\` and \`verification\`, an empty \`tenantId\` is the platform. Callers see \`null\`. [Upgrading](../upgrading.md) says how an existing database gets them.`;

export function tablesPage(): string {
	const schema = {
		...tenantAuth().schema,
		...tenantImports().schema,
		...tenantSignIns().schema,
		...tenantWebhooks().schema,
	};
	const tables = Object.entries(schema as Record<string, { fields: object }>);
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
