import { admin, username } from "better-auth/plugins";
import { describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { untilHang } from "../../../../../testing/time-limits";
import { heldPasswords } from "../../support/worlds/held-passwords";
import { makeInstance } from "../../support/worlds/instance";

const email = "ada@example.com";
const password = "correct horse battery";
const newPassword = "another horse battery";

/** A tenant's user who can do all that takes a password, while another tenant's sign-in is hashed. */
async function makeBusyWorld() {
	const tokens: string[] = [];
	const passwords = heldPasswords({
		enabled: true,
		sendResetPassword: async ({ token }) => {
			tokens.push(token);
		},
	});
	const app = await makeInstance({
		emailAndPassword: passwords.emailAndPassword,
		user: { deleteUser: { enabled: true } },
		plugins: [username(), admin({ defaultRole: "admin" })],
		tenants: { passwordQueue: { concurrency: 1, maxWaiting: 0 } },
	});
	const [tenant, other] = [await app.makeTenant(), await app.makeTenant()];
	const { cookie } = await app.call("/tenant/sign-up/email", {
		body: { tenantId: tenant, name: "Ada", email, password, username: "ada" },
	});
	await app.call("/request-password-reset", { tenant, body: { email } });
	passwords.hold();
	const busy = app.call("/tenant/sign-in/email", {
		body: { tenantId: other, email: "nobody@example.com", password },
	});
	await passwords.untilBegun(1);
	return { ...app, tenant, cookie, token: tokens[0], passwords, busy };
}

const rows = async ({ db }: Awaited<ReturnType<typeof makeBusyWorld>>) =>
	Promise.all(
		["user", "account", "session", "verification"].map((table) =>
			db.selectFrom(table).selectAll().execute(),
		),
	);

describe("a full queue before the password hash", () => {
	it("refuses whoever presents a password, and changes nothing", async () => {
		const world = await makeBusyWorld();
		const { call, tenant, cookie } = world;
		const before = await rows(world);
		const calls: [path: string, body: object][] = [
			["/sign-in/email", { email, password }],
			["/sign-in/email", { email: "nobody@example.com", password }],
			["/sign-in/username", { username: "ada", password }],
			["/sign-in/username", { username: "nobody", password }],
			["/sign-up/email", { name: "Bea", email: "bea@example.com", password }],
			["/change-password", { currentPassword: password, newPassword }],
			["/verify-password", { password }],
			["/delete-user", { password }],
		];
		for (const [path, body] of notEmpty(calls)) {
			const answer = await call(path, { tenant, cookie, body });
			expect([path, answer.status, answer.body.code]).toEqual([path, 429, "PASSWORD_QUEUE_FULL"]);
		}
		expect(await rows(world)).toEqual(before);
		world.passwords.endAll();
		await world.busy;
	});

	it("makes whoever resets a password by a link wait, and refuses nobody", async () => {
		const { auth, call, tenant, token, passwords, busy } = await makeBusyWorld();
		const requested = vi.spyOn((await auth.$context).password, "hash");
		const reset = call("/reset-password", { body: { token, newPassword } });
		// Better Auth 1.7.3 and 1.7.7 have used up the link then. Newer versions use it up after the hash.
		await vi.waitFor(() => expect(requested).toHaveBeenCalledWith(newPassword), untilHang);
		passwords.endAll();
		await busy;
		expect((await reset).status).toBe(200);
		const body = { tenantId: tenant, email, password: newPassword };
		expect((await call("/tenant/sign-in/email", { body })).status).toBe(200);
	});

	it("makes an administrator who creates a user wait, and refuses nobody", async () => {
		const { call, tenant, cookie, passwords, busy, db } = await makeBusyWorld();
		const made = call("/admin/create-user", {
			tenant,
			cookie,
			body: { name: "Bea", email: "bea@example.com", password: newPassword },
		});
		await vi.waitFor(async () => {
			expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(2);
		}, untilHang);
		passwords.endAll();
		await busy;
		expect((await made).status).toBe(200);
		expect(await db.selectFrom("account").selectAll().execute()).toHaveLength(2);
	});
});
