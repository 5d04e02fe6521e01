import { describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";

const email = "leaving@example.com";
const password = "correct horse battery";

async function signUpAndLeave(host: Instance) {
	const tenantId = await host.makeTenant();
	const { cookie } = await host.signUp(tenantId, email, password);
	const { status } = await host.call("/delete-user", { body: { password }, cookie });
	const signIn = await host.call("/tenant/sign-in/email", { body: { tenantId, email, password } });
	return { status, signIn: signIn.status };
}

describe("a user who leaves", () => {
	it("keeps password and sessions when a hook of the host forbids it", async () => {
		const host = await makeInstance({
			user: { deleteUser: { enabled: true } },
			databaseHooks: { user: { delete: { before: async () => false } } },
		});
		expect(await signUpAndLeave(host)).toEqual({ status: 200, signIn: 200 });
	});

	it("is gone though a hook asks the database over the host's own handle", async () => {
		const seen: number[] = [];
		const host: Instance = await makeInstance({
			user: { deleteUser: { enabled: true } },
			databaseHooks: {
				user: {
					delete: {
						before: async () => {
							seen.push((await host.db.selectFrom("user").selectAll().execute()).length);
							return true;
						},
					},
				},
			},
		});
		expect(await signUpAndLeave(host)).toEqual({ status: 200, signIn: 401 });
		expect(seen).toEqual([1]);
	});
});
