import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { type Lack, password, type Stage } from "./stage";

interface Note {
	id: string;
	text: string;
}

export function describeOtherPlugins(stage: Stage, lacks: readonly Lack[] = []): void {
	const { newAddress } = stage;

	/** Tells the adapter to do so in a tenant, or at the platform. */
	async function query(tenant: string | null, method: string, query: object) {
		const body = { access: "the adapter", method, query };
		const answer = await stage.instance.call("/hostile/query", {
			body,
			...(tenant ? { tenant } : {}),
		});
		expect(answer.status).toBe(200);
		return answer.body.result;
	}

	describe("rows of other plugins", () => {
		it("are found, counted, changed and deleted in their own tenant only", async () => {
			const { makeTenant, signUp } = stage.instance;
			const [own, other] = [await makeTenant(), await makeTenant()];
			const made: Note[] = [];
			for (const tenant of [own, other]) {
				const { body } = await signUp(tenant, newAddress());
				for (const text of ["first", "second"]) {
					const data = { text, userId: body.user.id };
					made.push(await query(tenant, "create", { model: "note", data }));
				}
			}
			const theirs = { model: "note", where: [{ field: "id", value: made[2]?.id }] };
			expect(await query(own, "findOne", theirs)).toBeNull();
			expect(await query(own, "update", { ...theirs, update: { text: "taken" } })).toBeNull();
			expect(await query(own, "updateMany", { ...theirs, update: { text: "taken" } })).toBe(0);
			expect(await query(own, "consumeOne", theirs)).toBeNull();
			await query(own, "delete", theirs);
			expect(await query(own, "deleteMany", theirs)).toBe(0);
			expect(await query(own, "count", { model: "note" })).toBe(2);

			const first = { model: "note", where: [{ field: "text", value: "first" }] };
			const update = { text: "changed" };
			expect(await query(own, "update", { ...first, update })).toMatchObject(update);
			await query(own, "deleteMany", { model: "note", where: [] });
			expect(await query(own, "findMany", { model: "note" })).toEqual([]);
			const left: Note[] = await query(other, "findMany", { model: "note" });
			expect(left.map(({ text }) => text).sort()).toEqual(["first", "second"]);
		});

		it("are looked for among many of others, by a tenant that has few or none", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const [none, few] = [await makeTenant(), await makeTenant()];
			const host = { name: "Host", email: newAddress(), password };
			const { body } = await call("/sign-up/email", { body: host });
			const text = newAddress();
			const ofPlatform = Array.from({ length: 150 }, () => ({
				...stage.newId(),
				text,
				userId: body.user.id,
			}));
			await stage.rows.insert("note", ofPlatform);
			const where = [{ field: "text", value: text }];
			const all = { model: "note", where };
			expect(await query(none, "findMany", all)).toEqual([]);
			expect(await query(none, "findOne", all)).toBeNull();
			expect(await query(none, "count", all)).toBe(0);
			expect(await query(none, "updateMany", { ...all, update: { text: "taken" } })).toBe(0);
			expect(await query(none, "deleteMany", all)).toBe(0);
			const user = (await signUp(few, newAddress())).body.user;
			const data = { text, userId: user.id };
			const note: Note = await query(few, "create", { model: "note", data });
			expect(await query(few, "findMany", all)).toMatchObject([{ id: note.id }]);
			expect(await query(null, "count", all)).toBe(150);
		});

		it("may have the same unique value in each tenant, and no other sees it", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const [own, other] = [await makeTenant(), await makeTenant()];
			const create = (cookie: string) =>
				call("/organization/create", { cookie, body: { name: "Acme", slug: "acme" } });
			const [mine, theirs] = [await signUp(own, newAddress()), await signUp(other, newAddress())];
			const first = await create(mine.cookie);
			const second = await create(theirs.cookie);
			expect([first.status, second.status]).toEqual([200, 200]);
			expect([first.body.slug, second.body.slug]).toEqual(["acme", "acme"]);
			expect((await create(mine.cookie)).status).toBe(400);
			const listed = await call("/organization/list", { cookie: mine.cookie });
			expect(listed.body).toMatchObject([{ id: first.body.id, slug: "acme" }]);
		});
	});

	describe("a foreign key to a column that is unique per tenant", () => {
		it("references the row of its own tenant, and is read and searched without a prefix", async () => {
			const { makeTenant } = stage.instance;
			const [own, other] = [await makeTenant(), await makeTenant()];
			const red = [{ field: "color", value: "red" }];
			const dark = { text: "dark", color: "red" };
			for (const tenant of [own, other, null]) {
				for (const name of ["red", "blue"]) {
					await query(tenant, "create", { model: "color", data: { name } });
				}
				const made = await query(tenant, "create", { model: "shade", data: dark });
				expect(made).toMatchObject(dark);
				const where = [{ field: "color", operator: "in", value: ["red", "green"] }];
				expect(await query(tenant, "findMany", { model: "shade", where })).toMatchObject([dark]);
			}
			const update = { color: "blue" };
			const changed = await query(own, "update", { model: "shade", where: red, update });
			expect(changed).toMatchObject(update);
			expect(await query(own, "count", { model: "shade", where: red })).toBe(0);
			expect(await query(other, "count", { model: "shade", where: red })).toBe(1);
			// A database without unique indexes has no foreign keys either.
			if (lacks.includes("unique indexes")) return;
			const where = [{ field: "name", value: "red" }];
			await query(other, "deleteMany", { model: "color", where });
			expect(await query(other, "findMany", { model: "shade" })).toEqual([]);
			expect(await query(own, "findMany", { model: "shade" })).toMatchObject([update]);
			expect(await query(null, "findMany", { model: "shade" })).toMatchObject([dark]);
		});
	});

	describe("a username", () => {
		it("is free in each tenant, taken in its own, and signs its own user in", async () => {
			const { makeTenant, call } = stage.instance;
			const tenants = [await makeTenant(), await makeTenant()];
			const username = `name_${newAddress().split("@")[0]}`;
			const passwordOf = (tenant: string) => `password of ${tenants.indexOf(tenant)}`;
			const signUp = (tenantId: string) =>
				call("/tenant/sign-up/email", {
					body: {
						tenantId,
						name: "User",
						email: newAddress(),
						password: passwordOf(tenantId),
						username,
					},
				});
			const ids: string[] = [];
			for (const tenant of notEmpty(tenants)) {
				const { status, body } = await signUp(tenant);
				expect([status, body.user.username]).toEqual([200, username]);
				ids.push(body.user.id);
			}
			expect((await signUp(String(tenants[0]))).status).toBe(400);
			for (const [n, tenant] of notEmpty(tenants.entries())) {
				for (const owner of notEmpty(tenants)) {
					const { status, body } = await call("/sign-in/username", {
						tenant,
						body: { username, password: passwordOf(owner) },
					});
					expect(status).toBe(owner === tenant ? 200 : 401);
					if (owner === tenant) expect(body.user).toMatchObject({ id: ids[n], username });
				}
			}
		});
	});
}
