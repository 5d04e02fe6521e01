import { expect, it } from "vitest";
import { makeInstance } from "./support/instance";
import { makeMemoryStorage } from "./support/memory-storage";

it("a made-up session cookie fails no request, and tells nothing of who has sessions", async () => {
	const { call, makeTenant, signUp } = await makeInstance({
		secondaryStorage: makeMemoryStorage(),
	});
	const { body } = await signUp(await makeTenant(), "ada@example.com");
	const signIn = (userId: string) =>
		call("/sign-in/email", {
			cookie: `better-auth.session_token=active-sessions-${userId}.x`,
			body: { email: "nobody@example.com", password: "correct horse battery" },
		});
	const [known, unknown] = [await signIn(body.user.id), await signIn("nobody")];
	expect(known.status).toBe(401);
	expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
});
