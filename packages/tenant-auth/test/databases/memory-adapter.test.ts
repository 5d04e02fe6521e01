import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { tenantAuth } from "better-auth-tenant";
import { expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { hostile } from "../support/worlds/hostile-plugin";

/** Better Auth's own adapter that reads conditions from left to right, without precedence. */
async function makeInMemory() {
	const plugins = [tenantAuth(), hostile()] as const;
	const store: Record<string, Record<string, unknown>[]> = {};
	const auth = betterAuth({
		secret: "a secret of thirty-two characters or more",
		baseURL: "http://localhost:3000",
		logger: { disabled: true },
		telemetry: { enabled: false },
		emailAndPassword: cheapPasswords,
		database: memoryAdapter(store),
		plugins: [...plugins],
	});
	for (const table of Object.keys((await auth.$context).tables)) store[table] = [];
	return { auth, store };
}

it("no OR reaches another tenant where an adapter reads conditions in their order", async () => {
	const { auth, store } = await makeInMemory();
	const tenants: string[] = [];
	for (const slug of ["one", "other"]) {
		const { id } = await auth.api.createTenant({ body: { name: slug, slug } });
		const user = { name: "User", email: "ada@example.com", password: "correct horse battery" };
		await auth.api.signUpEmailTenant({ body: { ...user, tenantId: id } });
		tenants.push(id);
	}
	const [own, other] = tenants as [string, string];
	const headers = new Headers({ "x-tenant-id": own });
	const ask = async (method: string, query: object) => {
		const body = { access: "the adapter" as const, method, query: { model: "user", ...query } };
		return (await auth.api.hostileQuery({ body, headers })).result;
	};
	const reaching: [where: object[], found: string[]][] = [
		[[{ field: "tenantId", value: other, connector: "OR" }], []],
		[
			[
				{ field: "email", value: "ada@example.com" },
				{ field: "tenantId", value: other, connector: "OR" },
			],
			[own],
		],
	];
	for (const [where, found] of notEmpty(reaching)) {
		const rows = (await ask("findMany", { where })) as { tenantId: string }[];
		expect(rows.map(({ tenantId }) => tenantId)).toEqual(found);
		await ask("updateMany", { where, update: { name: "Taken over" } });
		await ask("deleteMany", { where });
	}
	expect(store.user?.find(({ tenantId }) => tenantId === other)).toMatchObject({ name: "User" });
});
