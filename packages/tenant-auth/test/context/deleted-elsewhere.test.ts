import { beforeAll, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";

const body = { name: "User", email: "late@example.com", password: "correct horse battery" };

describe("a tenant that this process has seen before", () => {
	let here: Instance;
	let elsewhere: Instance;
	let tenantId: string;

	beforeAll(async () => {
		here = await makeInstance();
		elsewhere = await makeInstance({ on: { db: here.db, type: "sqlite" } });
	});

	async function deleteElsewhere() {
		tenantId = await elsewhere.makeTenant();
		const { cookie } = await here.signUp(tenantId, "early@example.com");
		await elsewhere.manage("/tenant/delete", { body: { tenantId } });
		return cookie;
	}

	it.each(["/tenant/sign-up/email", "/sign-up/email"])(
		"takes nobody in at %s once another process has deleted it",
		async (path) => {
			await deleteElsewhere();
			const answer = await here.call(path, { body, tenant: tenantId });
			expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
			for (const table of ["user", "account", "session"]) {
				const rows = await here.db
					.selectFrom(table)
					.selectAll()
					.where("tenantId", "=", tenantId)
					.execute();
				expect(rows, table).toEqual([]);
			}
		},
	);

	it("is not there for whoever names it and presents a session of it", async () => {
		const cookie = await deleteElsewhere();
		const answer = await here.call("/get-session", { cookie, tenant: tenantId });
		expect([answer.status, answer.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});
});
