import { signJWT } from "better-auth/crypto";
import { describe, expect, it } from "vitest";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makeInstance, ORIGIN } from "../support/worlds/instance";

interface Mail {
	user: { email: string };
	url: string;
	token: string;
	tenant: { id: string; slug: string } | null;
}

/** A host that sends every kind of mail that core knows. */
async function makeMailingInstance() {
	const mails: Mail[] = [];
	const send = async (data: object) => {
		mails.push(data as Mail);
	};
	const instance = await makeInstance({
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
		emailVerification: { sendVerificationEmail: send, autoSignInAfterVerification: true },
		user: {
			changeEmail: { enabled: true, sendChangeEmailConfirmation: send },
			deleteUser: { enabled: true, sendDeleteAccountVerification: send },
		},
	});
	const takeMail = () => mails.pop() as Mail;
	const pathOf = (mail: Mail) => mail.url.slice(`${ORIGIN}/api/auth`.length);
	return { ...instance, mails, takeMail, pathOf };
}

async function twoTenants() {
	const app = await makeMailingInstance();
	const [a, b] = [await app.makeTenant(), await app.makeTenant()];
	const [ada, bob] = [
		await app.signUp(a, "same@example.com"),
		await app.signUp(b, "same@example.com"),
	];
	const isVerified = async (id: string) =>
		Boolean(
			(
				await app.db
					.selectFrom("user")
					.where("id", "=", id)
					.select("emailVerified")
					.executeTakeFirst()
			)?.emailVerified,
		);
	return { ...app, a, b, ada, bob, isVerified };
}

describe("a verification mail", () => {
	it("says that its link has expired, also to a request that names the tenant", async () => {
		const { call, auth, a, b, takeMail } = await twoTenants();
		const { secret } = await auth.$context;
		const expiredFor = async (tenant: string) => {
			const body = { email: "same@example.com" };
			await call("/send-verification-email", { body, ...(tenant ? { tenant } : {}) });
			const payload = JSON.parse(atob(String(takeMail().token.split(".")[1])));
			return signJWT(payload, secret, -60);
		};
		const open = async (token: string, tenant?: string) =>
			(await call("/verify-email", { query: { token }, ...(tenant ? { tenant } : {}) })).body.code;
		const token = await expiredFor(a);
		expect(await open(token, a)).toBe("TOKEN_EXPIRED");
		expect(await open(token)).toBe("TOKEN_EXPIRED");
		expect(await open(token, b)).toBe("INVALID_TOKEN");
		expect(await open(`${token.slice(0, -4)}AAAA`, a)).toBe("INVALID_TOKEN");
	});

	it("tells the host which tenant it is for", async () => {
		const { call, a, takeMail } = await twoTenants();
		await call("/send-verification-email", { tenant: a, body: { email: "same@example.com" } });
		expect(takeMail()).toMatchObject({
			user: { tenantId: a },
			tenant: { id: a, slug: expect.any(String) },
		});
	});

	it("works when clicked with no header, in its own tenant only", async () => {
		const { call, a, ada, bob, takeMail, pathOf, isVerified } = await twoTenants();
		await call("/send-verification-email", { tenant: a, body: { email: "same@example.com" } });
		const answer = await call(pathOf(takeMail()));
		expect(answer.status).toBe(302);
		expect(await isVerified(ada.body.user.id)).toBe(true);
		expect(await isVerified(bob.body.user.id)).toBe(false);
		expect((await call("/get-session", { cookie: answer.cookie })).body.session.tenantId).toBe(a);
	});

	it("does nothing in another tenant", async () => {
		const { call, a, b, ada, bob, takeMail, pathOf, isVerified } = await twoTenants();
		await call("/send-verification-email", { tenant: a, body: { email: "same@example.com" } });
		const answer = await call(pathOf(takeMail()), { tenant: b });
		expect(answer.headers.get("location")).toContain("error=INVALID_TOKEN");
		expect(await isVerified(ada.body.user.id)).toBe(false);
		expect(await isVerified(bob.body.user.id)).toBe(false);
	});

	it("of the platform does nothing in a tenant", async () => {
		const { call, a, ada, takeMail, pathOf, isVerified } = await twoTenants();
		await call("/sign-up/email", {
			body: { name: "P", email: "same@example.com", password: "password of p" },
		});
		await call("/send-verification-email", { body: { email: "same@example.com" } });
		const mail = takeMail();
		expect(mail.tenant).toBeNull();
		expect((await call(pathOf(mail), { tenant: a })).headers.get("location")).toContain(
			"INVALID_TOKEN",
		);
		expect(await isVerified(ada.body.user.id)).toBe(false);
		expect((await call(pathOf(mail))).headers.get("location")).not.toContain("error");
	});
});

describe("a reset mail", () => {
	it("works when clicked with no header, in its own tenant only", async () => {
		const { call, a, b, takeMail, pathOf } = await twoTenants();
		await call("/request-password-reset", {
			tenant: a,
			body: { email: "same@example.com", redirectTo: "/reset" },
		});
		const mail = takeMail();
		expect(mail.tenant).toMatchObject({ id: a });
		const clicked = await call(pathOf(mail));
		expect(clicked.headers.get("location")).toContain(`token=${mail.token}`);
		const elsewhere = await call("/reset-password", {
			tenant: b,
			body: { token: mail.token, newPassword: "another password" },
		});
		expect(elsewhere.body.code).toBe("INVALID_TOKEN");
		const reset = await call("/reset-password", {
			body: { token: mail.token, newPassword: "a new password" },
		});
		expect(reset.status).toBe(200);
		const signIn = (tenantId: string, password: string) =>
			call("/tenant/sign-in/email", { body: { tenantId, email: "same@example.com", password } });
		expect((await signIn(a, "a new password")).status).toBe(200);
		expect((await signIn(b, "a new password")).status).toBe(401);
		expect((await signIn(b, "correct horse battery")).status).toBe(200);
	});

	it("keeps to its tenant although the browser has a session in another", async () => {
		const { call, a, bob, takeMail } = await twoTenants();
		await call("/request-password-reset", { tenant: a, body: { email: "same@example.com" } });
		const { token } = takeMail();
		const reset = await call("/reset-password", {
			cookie: bob.cookie,
			body: { token, newPassword: "a new password" },
		});
		expect(reset.status).toBe(200);
		expect((await call("/get-session", { cookie: bob.cookie })).body).not.toBeNull();
	});
});

describe("a change of address", () => {
	it("takes both confirmations in its own tenant", async () => {
		const { call, a, b, ada, bob, takeMail, pathOf, db } = await twoTenants();
		await db.updateTable("user").set({ emailVerified: 1 }).where("tenantId", "=", a).execute();
		const change = await call("/change-email", {
			cookie: ada.cookie,
			body: { newEmail: "new@example.com" },
		});
		expect(change.status).toBe(200);
		const confirmation = takeMail();
		expect(confirmation.tenant).toMatchObject({ id: a });
		expect((await call(pathOf(confirmation), { tenant: b })).headers.get("location")).toContain(
			"INVALID_TOKEN",
		);
		await call(pathOf(confirmation));
		const verification = takeMail();
		expect(verification).toMatchObject({ tenant: { id: a } });
		await call(pathOf(verification));
		const emails = await db.selectFrom("user").select(["id", "email"]).execute();
		expect(emails).toEqual(
			expect.arrayContaining([
				{ id: ada.body.user.id, email: "new@example.com" },
				{ id: bob.body.user.id, email: "same@example.com" },
			]),
		);
	});
});

describe("a mail about the deletion of a user", () => {
	it("deletes the user of its own tenant, whose session must be there", async () => {
		const { call, a, ada, bob, takeMail, pathOf, db } = await twoTenants();
		await call("/delete-user", { cookie: ada.cookie, body: {} });
		const mail = takeMail();
		expect(mail.tenant).toMatchObject({ id: a });
		expect((await call(pathOf(mail), { cookie: bob.cookie })).status).toBe(404);
		expect((await call(pathOf(mail), { cookie: ada.cookie })).status).toBeLessThan(400);
		expect(await db.selectFrom("user").select("id").execute()).toEqual([{ id: bob.body.user.id }]);
	});
});
