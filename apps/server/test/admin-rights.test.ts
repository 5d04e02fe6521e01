import { expect, test } from "vitest";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";

test("the pages of administrators are 403 for a member, and 200 for an owner and for nobody", async () => {
	const { call, post } = await runningService();
	const tenantId = await newTenant(post);
	const signUp = async (email: string) => {
		const answer = await post("/tenant/sign-up/email", newUser(email), { "x-tenant-id": tenantId });
		const { user } = (await answer.json()) as { user: { id: string } };
		return { userId: user.id, cookie: cookiesOf(answer) };
	};
	const statusFor = async (headers: Record<string, string> = {}) =>
		(await call("/t/acme/admin/users", { headers })).status;
	const bob = await signUp("bob@example.com");
	expect(await statusFor({ cookie: bob.cookie })).toBe(403);
	const ada = await signUp("ada@example.com");
	const role = { tenantId, userId: ada.userId, role: "owner" };
	expect((await post("/tenant/user/update", role, asManager)).status).toBe(200);
	expect(await statusFor({ cookie: ada.cookie })).toBe(200);
	expect(await statusFor()).toBe(200);
	expect(await statusFor({ cookie: "better-auth.session_token=wrong" })).toBe(200);

	const other = await post("/tenant/create", { slug: "other", name: "Other" }, asManager);
	expect(other.status).toBe(200);
	// A session of another tenant does not count.
	const elsewhere = await call("/t/other/admin", { headers: { cookie: bob.cookie } });
	expect(elsewhere.status).toBe(200);
});
