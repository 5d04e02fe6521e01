import { describe, expect, it } from "vitest";
import { makeInstance } from "./support/instance";

describe("e-mail sign-up and sign-in under a tenant", () => {
	it("signs a user up with a session that names the tenant", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		const { status, body, cookie } = await signUp(tenantId, "ada@example.com");
		expect(status).toBe(200);
		expect(body).toMatchObject({
			token: expect.any(String),
			user: { email: "ada@example.com", tenantId },
			session: { tenantId, token: body.token },
		});
		const session = await call("/get-session", { cookie });
		expect(session.body).toMatchObject({ session: { tenantId }, user: { tenantId } });
	});
});
