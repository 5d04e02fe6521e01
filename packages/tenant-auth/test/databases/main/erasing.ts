import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { makeInstance } from "../../support/worlds/instance";
import { atOnce, type Lack, type Stage } from "./stage";

export function describeErasing(stage: Stage, lacks: readonly Lack[]): void {
	const { newAddress } = stage;
	const rowsOf = (table: string, tenantId: string) => stage.rows.find(table, "tenantId", tenantId);

	async function expectNobodyIn(tenantId: string) {
		for (const table of ["user", "account"]) expect(await rowsOf(table, tenantId)).toEqual([]);
	}

	/** A bit of everything. */
	async function populate(tenantId: string) {
		const { signUp, manage, call, addDomain } = stage.instance;
		await addDomain(tenantId, `${newAddress().replaceAll(/\W+/g, "-")}.example.com`);
		await signUp(tenantId, newAddress());
		const { body, cookie } = await signUp(tenantId, newAddress());
		const query = { model: "note", data: { text: tenantId, userId: body.user.id } };
		await call("/hostile/query", {
			body: { access: "the adapter", method: "create", query },
			tenant: tenantId,
		});
		await call("/organization/create", { cookie, body: { name: "Acme", slug: "acme" } });
		const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
		await manage("/tenant/oauth-config/register", { body: config });
		await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } });
	}

	/** How many rows of the tenant there are in each table that has any. */
	async function countRows(tenantId: string, notes: { model: string; rowId: string }[]) {
		const counts: Record<string, number> = {};
		const { tables } = await stage.instance.auth.$context;
		for (const [table, { fields }] of Object.entries(tables)) {
			// The log of what was done to a tenant outlives it: who deleted it is asked afterwards.
			if (["tenantAuditEvent", "tenantFormerSlug"].includes(table)) continue;
			if ("tenantId" in fields) counts[table] = (await rowsOf(table, tenantId)).length;
		}
		counts.tenant = (await stage.rows.find("tenant", "id", tenantId)).length;
		for (const { model, rowId } of notes) {
			const found = await stage.rows.find(model, "id", rowId);
			counts[model] = (counts[model] ?? 0) + found.length;
		}
		return counts;
	}

	describe("a tenant's end", () => {
		it("takes everything in it along, and touches no other", async () => {
			const { makeTenant, signUp, manage } = stage.instance;
			const [gone, kept] = [await makeTenant(), await makeTenant()];
			for (const tenantId of [gone, kept]) await populate(tenantId);
			const noted = async (tenantId: string) =>
				(await rowsOf("tenantRow", tenantId)) as { model: string; rowId: string }[] &
					Record<string, unknown>[];
			const notes = { gone: await noted(gone), kept: await noted(kept) };
			const before = await countRows(kept, notes.kept);
			for (const table of [
				"user",
				"account",
				"tenantOauthConfig",
				"tenantDomain",
				"note",
				"organization",
			]) {
				expect(before[table], table).toBeGreaterThan(0);
			}
			expect(await countRows(gone, notes.gone)).toEqual(before);

			const answer = await manage("/tenant/delete", { body: { tenantId: gone } });
			expect([answer.status, answer.body]).toEqual([200, { success: true }]);
			const after = await countRows(gone, notes.gone);
			expect(after).toEqual(Object.fromEntries(Object.keys(after).map((table) => [table, 0])));
			expect(await countRows(kept, notes.kept)).toEqual(before);
			const late = await signUp(gone, newAddress());
			expect([late.status, late.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		});

		it.skipIf(lacks.includes("transactions"))(
			"leaves nobody behind who signs up meanwhile",
			async () => {
				const { makeTenant, signUp, manage } = stage.instance;
				const tenantId = await makeTenant();
				const prefix = newAddress();
				const answers = await atOnce((n) =>
					n === 7
						? manage("/tenant/delete", { body: { tenantId } })
						: signUp(tenantId, `late${n}.${prefix}`),
				);
				for (const { status } of notEmpty(answers)) expect([200, 404]).toContain(status);
				expect(answers[7]?.status).toBe(200);
				await expectNobodyIn(tenantId);
			},
		);

		it.skipIf(lacks.includes("transactions"))(
			"leaves no sign-up behind that was half-way",
			async () => {
				let arrive = () => {};
				const arrived = new Promise<void>((resolve) => {
					arrive = resolve;
				});
				const { makeTenant, signUp, manage } = await makeInstance({
					...stage.options(),
					databaseHooks: {
						account: {
							create: {
								// The user is written by now, and not yet committed.
								before: async () => {
									arrive();
									await new Promise((resolve) => setTimeout(resolve, 300));
								},
							},
						},
					},
				});
				const tenantId = await makeTenant();
				const signingUp = signUp(tenantId, newAddress());
				await arrived;
				const erased = await manage("/tenant/delete", { body: { tenantId } });
				expect([erased.status, (await signingUp).status < 500]).toEqual([200, true]);
				await expectNobodyIn(tenantId);
			},
		);
	});
}
