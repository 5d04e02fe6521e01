import { getMigrations } from "better-auth/db/migration";
import { describe, expect, it } from "vitest";
import { findUniqueIndexes } from "../catalog";
import type { Lack, Stage } from "./stage";

/** Every unique index of this plugin, and what is unique in core's tables beside it. */
const UNIQUE: Record<string, string[][]> = {
	user: [["tenantId", "email"], ["username"]],
	account: [["tenantId", "providerId", "accountId"]],
	session: [["token"]],
	verification: [],
	tenant: [["slug"]],
	tenantOauthConfig: [["tenantId", "providerId"]],
	tenantRow: [["model", "rowId"]],
};

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
				const snake = "tenant_row" in found;
				const { tables } = await stage.instance.auth.$context;
				for (const [table, indexes] of Object.entries(UNIQUE)) {
					if (!(table in tables)) continue;
					const name = snake ? inSnakeCase(table) : table;
					const wanted = snake ? indexes.map((columns) => columns.map(inSnakeCase)) : indexes;
					expect((found[name] ?? []).sort(), table).toEqual(wanted.sort());
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
				for (const [table, column, value] of unique) {
					const [row] = await rows.find(table, column, value);
					expect(row, table).toBeDefined();
					const copy = rows.insert(table, [{ ...row, id: `copy of ${table}` }]);
					await expect(copy, table).rejects.toThrow(/unique|duplicate/i);
				}
			},
		);
	});
}
