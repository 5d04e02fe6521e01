import { createHash } from "node:crypto";
import { haveIBeenPwned } from "better-auth/plugins";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { type Listening, listenAs } from "../support/providers/identity-provider/listen";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { EMAIL, PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const BREACHED = "password that everybody knows";
const hash = createHash("sha1").update(BREACHED).digest("hex").toUpperCase();

let service: Listening;
const asked: string[] = [];

beforeAll(async () => {
	service = await listenAs(["api.pwnedpasswords.com"], (request, response) => {
		const prefix = request.url?.split("/").at(-1) ?? "";
		asked.push(prefix);
		response.end(prefix === hash.slice(0, 5) ? `${hash.slice(5)}:42\r\n` : "");
	});
});
afterAll(() => service.close());
beforeEach(() => {
	asked.length = 0;
});

describe.each(orders)("breached passwords, with the plugin %s,", (_, order) => {
	const world = useWorld(async () => {
		const tokens: string[] = [];
		const app = await makeTwoUsers({
			...order(),
			emailAndPassword: {
				...cheapPasswords,
				enabled: true,
				sendResetPassword: async ({ token }) => {
					tokens.push(token);
				},
			},
			plugins: [haveIBeenPwned()],
		});
		return { ...app, tokens };
	});

	it("are rejected at a sign-up in a tenant, which creates no rows", async () => {
		const { a, b, signUp, db } = world();
		for (const tenant of [a, b]) {
			const answer = await signUp(tenant, "new@example.com", BREACHED);
			expectRefusal(answer, 400, "PASSWORD_COMPROMISED");
		}
		expect(asked).toContain(hash.slice(0, 5));
		expect(await db.selectFrom("user").select("id").execute()).toHaveLength(2);
		expect((await signUp(a, "new@example.com", "one that nobody knows")).status).toBe(200);
	});

	it("are rejected if a user of a tenant changes or resets a password", async () => {
		const { call, a, ada, tokens, signIn } = world();
		const change = await call("/change-password", {
			cookie: ada.cookie,
			body: { currentPassword: PASSWORD, newPassword: BREACHED },
		});
		expect(change.body.code).toBe("PASSWORD_COMPROMISED");
		await call("/request-password-reset", { tenant: a, body: { email: EMAIL } });
		const reset = await call("/reset-password", {
			body: { token: tokens[0], newPassword: BREACHED },
		});
		expect(reset.body.code).toBe("PASSWORD_COMPROMISED");
		expect((await signIn(a, { password: BREACHED })).status).toBe(401);
		expect((await signIn(a)).status).toBe(200);
	});
});
