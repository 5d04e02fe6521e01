import { getMigrations } from "better-auth/db/migration";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { findUniqueIndexes } from "../../support/databases/catalog";
import { uniqueIndexes } from "../../support/databases/unique-indexes";
import type { Lack, Stage } from "./stage";

const inSnakeCase = (name: string) =>
	name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function describeSchema(stage: Stage, lacks: readonly Lack[]): void {
	describe("its schema", () => {
		it.skipIf(lacks.includes("migrations"))(
			"is complete after one migration: a second one finds nothing to do",
			async () => {
				const { options } = stage.instance;
				const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(options);
				expect([toBeCreated, toBeAdded]).toEqual([[], []]);
				expect((await compileMigrations()).replaceAll(/[;\s]/g, "")).toBe("");
			},
		);

		it.skipIf(lacks.includes("unique indexes"))(
			"has the unique indexes of the plugin, and none on the address alone",
			async () => {
				const { db, type } = stage.on;
				const found = await findUniqueIndexes(db, type);
				const { tables, adapter } = await stage.instance.auth.$context;
				const isPlural = adapter.options?.adapterConfig.usePlural;
				const written = adapter.id === "drizzle" ? inSnakeCase : (name: string) => name;
				for (const [model, indexes] of notEmpty(Object.entries(uniqueIndexes))) {
					const table = tables[model];
					if (!table) continue;
					const columnOf = (field: string) => written(table.fields[field]?.fieldName ?? field);
					const wanted = indexes.map((fields) => fields.map(columnOf));
					const name = written(`${table.modelName}${isPlural ? "s" : ""}`);
					expect((found[name] ?? []).sort(), model).toEqual(wanted.sort());
				}
			},
		);

		it.skipIf(lacks.includes("unique indexes"))(
			"keeps identities unique per tenant, whoever writes",
			async () => {
				const { rows, newAddress } = stage;
				const { manage, signUp, makeTenant } = stage.instance;
				const tenantId = await makeTenant();
				const { body } = await signUp(tenantId, newAddress());
				const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
				await manage("/tenant/oauth-config/register", { body: config });
				const unique: [string, string, string][] = [
					["tenant", "id", tenantId],
					["tenantOauthConfig", "tenantId", tenantId],
					["user", "id", body.user.id],
					["account", "userId", body.user.id],
				];
				for (const [table, column, value] of notEmpty(unique)) {
					const [row] = await rows.find(table, column, value);
					expect(row, table).toBeDefined();
					const { id: _, ...rest } = row ?? {};
					const copy = rows.insert(table, [{ ...rest, ...stage.newId() }]);
					await expect(copy, table).rejects.toThrow(/unique|duplicate/i);
				}
			},
		);
	});
}
