import { emailOTP } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance } from "../support/worlds/instance";

const NOT_ALLOWED = "EMAIL_DOMAIN_NOT_ALLOWED";

/** A tenant that admits one email domain, and a user who may change their email. */
async function makeWorld({ verified = true } = {}) {
	const links: string[] = [];
	const codes: string[] = [];
	const app = await makeInstance({
		plugins: [
			emailOTP({
				sendVerificationOTP: async ({ otp }) => void codes.push(otp),
				changeEmail: { enabled: true },
			}),
		],
		user: { changeEmail: { enabled: true, updateEmailWithoutVerification: true } },
		emailVerification: { sendVerificationEmail: async ({ url }) => void links.push(url) },
	});
	const tenantId = await app.makeTenant();
	const policy = { tenantId, signUp: { emailDomains: ["acme.com"] } };
	await app.manage("/tenant/policy/update", { body: policy });
	const { body, cookie } = await app.signUp(tenantId, "ada@acme.com");
	const { id } = body.user;
	const change = (values: object) => app.db.updateTable("user").set(values).where("id", "=", id);
	await change({ emailVerified: verified ? 1 : 0 }).execute();
	const emailOf = async () =>
		(await app.db.selectFrom("user").select("email").where("id", "=", id).executeTakeFirst())
			?.email;
	return { ...app, tenantId, userId: id, cookie, links, codes, change, emailOf };
}

describe("in a tenant that admits one email domain, a user", () => {
	it("does not change to another one without verification", async () => {
		const { call, cookie, emailOf } = await makeWorld({ verified: false });
		const body = { newEmail: "ada@evil.example" };
		expectRefusal(await call("/change-email", { cookie, body }), 403, NOT_ALLOWED);
		expect(await emailOf()).toBe("ada@acme.com");
		const within = { newEmail: "grace@acme.com" };
		expect((await call("/change-email", { cookie, body: within })).status).toBe(200);
		expect(await emailOf()).toBe("grace@acme.com");
	});

	it("does not change to another one by the link of an email", async () => {
		const { call, cookie, links, emailOf } = await makeWorld();
		await call("/change-email", { cookie, body: { newEmail: "ada@evil.example" } });
		for (const link of links) await call(link, { cookie });
		expect(await emailOf()).toBe("ada@acme.com");
	});

	it("does not change to another one by a code", async () => {
		const { call, cookie, codes, emailOf } = await makeWorld();
		const body = { newEmail: "ada@evil.example" };
		await call("/email-otp/request-email-change", { cookie, body });
		const otp = String(codes.at(-1));
		const answer = await call("/email-otp/change-email", { cookie, body: { ...body, otp } });
		expectRefusal(answer, 403, NOT_ALLOWED);
		expect(await emailOf()).toBe("ada@acme.com");
	});

	it("who has another one from before keeps it, and everything else can change", async () => {
		const { call, cookie, change, emailOf } = await makeWorld();
		await change({ email: "ada@old.example" }).execute();
		expect((await call("/update-user", { cookie, body: { name: "Grace" } })).status).toBe(200);
		expect(await emailOf()).toBe("ada@old.example");
	});

	it("gets another one from those who manage", async () => {
		const { manage, tenantId, userId, emailOf } = await makeWorld();
		const body = { tenantId, userId, email: "ada@partner.example" };
		expect((await manage("/tenant/user/update", { body })).status).toBe(200);
		expect(await emailOf()).toBe("ada@partner.example");
	});
});
