import { createAuthMiddleware } from "better-auth/api";
import { beforeAll, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";

const email = "late@example.com";
const password = "correct horse battery";

describe("a session that has expired", () => {
	let host: Instance;
	let tenantId: string;
	let cookie: string;

	beforeAll(async () => {
		host = await makeInstance();
		tenantId = await host.makeTenant();
		({ cookie } = await host.signUp(tenantId, email, password));
		await host.db
			.updateTable("session")
			.set({ expiresAt: new Date(0).toISOString() })
			.execute();
	});

	it("tells the tenant no more: a sign-in beside it is the platform's", async () => {
		const answer = await host.call("/sign-in/email", { body: { email, password }, cookie });
		expect([answer.status, answer.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
	});

	it("is deleted when it is asked for", async () => {
		expect((await host.call("/get-session", { cookie })).body).toBeNull();
		expect(await host.db.selectFrom("session").selectAll().execute()).toEqual([]);
	});

	it("is found by nobody who does not carry it", async () => {
		let token = "";
		const found: unknown[] = [];
		const { call, makeTenant, signUp, db } = await makeInstance({
			hooks: {
				before: createAuthMiddleware(async ({ path, context }) => {
					if (path === "/ok") found.push(await context.internalAdapter.findSession(token));
				}),
			},
		});
		({ token } = (await signUp(await makeTenant(), email, password)).body);
		await db
			.updateTable("session")
			.set({ expiresAt: new Date(0).toISOString() })
			.execute();
		await call("/ok");
		expect(found).toEqual([null]);
	});
});
