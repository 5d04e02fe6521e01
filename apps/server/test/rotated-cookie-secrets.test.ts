import { expect, test } from "vitest";
import { cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const first = "the first secret of the server with 32 characters: k3!hZ";
const second = "the second secret of the server with 32 characters: 9Qd&2vW8xx";
const third = "the third secret of the server with 32 characters: Lm4%s";

/** The cookie of a user, and the session that servers with other secrets find with it. */
async function signInWith(environment: Record<string, string>) {
	const dataDir = temporaryDirectory();
	const service = await runningService({ DATA_DIR: dataDir, ...environment });
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	const cookie = cookiesOf(await service.post("/tenant/sign-up/email", user, tenant));
	await service.close();
	const sessionWith = async (secrets: Record<string, string>, presented = cookie) => {
		const { call, close } = await runningService({ DATA_DIR: dataDir, ...secrets });
		const answer = await call("/api/auth/get-session", { headers: { cookie: presented } });
		await close();
		return answer.json();
	};
	return { cookie, sessionWith };
}

const ada = { user: { email: "ada@example.com" } };

test("a session survives a rotation as long as the older secret is in the settings", async () => {
	const { sessionWith } = await signInWith({ BETTER_AUTH_SECRET: first });
	const versioned = `2:${third},1:${second}`;
	expect(
		await sessionWith({ BETTER_AUTH_SECRET: first, BETTER_AUTH_SECRETS: versioned }),
	).toMatchObject(ada);
	expect(await sessionWith({ BETTER_AUTH_SECRET: third })).toBeNull();
});

test("a session that was signed with a versioned secret survives, next to other cookies", async () => {
	const { cookie, sessionWith } = await signInWith({ BETTER_AUTH_SECRETS: `1:${second}` });
	const secrets = { BETTER_AUTH_SECRETS: `2:${third},1:${second}` };
	expect(await sessionWith(secrets, `theme=dark; ${cookie}; broken=%; x`)).toMatchObject(ada);
});

test("a cookie with a wrong signature is not signed again", async () => {
	const { cookie, sessionWith } = await signInWith({ BETTER_AUTH_SECRET: first });
	const secrets = { BETTER_AUTH_SECRET: first, BETTER_AUTH_SECRETS: `1:${second}` };
	const [name, value = ""] = cookie.split("=");
	const [token = "", signature = ""] = decodeURIComponent(value).split(".");
	const flipped = signature.startsWith("A") ? "B" : "A";
	for (const forged of [`${token}.${flipped}${signature.slice(1)}`, `${token}.`, token]) {
		expect(await sessionWith(secrets, `${name}=${encodeURIComponent(forged)}`)).toBeNull();
	}
});
