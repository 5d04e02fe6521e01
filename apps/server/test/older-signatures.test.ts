import { expect, test } from "vitest";
import { cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const first = "the secret that there was at first: k3!hZ";
const second = "the secret that took its place: 9Qd&2vW8xx";
const third = "the secret that is the newest of all: Lm4%s";

/** Somebody's cookie, and what it is worth to a server with other secrets. */
async function signedInUnder(environment: Record<string, string>) {
	const dataDir = temporaryDirectory();
	const service = await runningService({ DATA_DIR: dataDir, ...environment });
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	const cookie = cookiesOf(await service.post("/tenant/sign-up/email", user, tenant));
	await service.close();
	const sessionUnder = async (secrets: Record<string, string>, presented = cookie) => {
		const { call, close } = await runningService({ DATA_DIR: dataDir, ...secrets });
		const answer = await call("/api/auth/get-session", { headers: { cookie: presented } });
		await close();
		return answer.json();
	};
	return { cookie, sessionUnder };
}

const ada = { user: { email: "ada@example.com" } };

test("a session outlives a new secret for as long as the older one is kept", async () => {
	const { sessionUnder } = await signedInUnder({ BETTER_AUTH_SECRET: first });
	const numbered = `2:${third},1:${second}`;
	expect(
		await sessionUnder({ BETTER_AUTH_SECRET: first, BETTER_AUTH_SECRETS: numbered }),
	).toMatchObject(ada);
	expect(await sessionUnder({ BETTER_AUTH_SECRET: third })).toBeNull();
});

test("so does one from under a numbered secret, among other cookies", async () => {
	const { cookie, sessionUnder } = await signedInUnder({ BETTER_AUTH_SECRETS: `1:${second}` });
	const secrets = { BETTER_AUTH_SECRETS: `2:${third},1:${second}` };
	expect(await sessionUnder(secrets, `theme=dark; ${cookie}; broken=%; x`)).toMatchObject(ada);
});

test("a cookie that nobody signed is not signed by this", async () => {
	const { cookie, sessionUnder } = await signedInUnder({ BETTER_AUTH_SECRET: first });
	const secrets = { BETTER_AUTH_SECRET: first, BETTER_AUTH_SECRETS: `1:${second}` };
	const [name, value = ""] = cookie.split("=");
	const [token = "", signature = ""] = decodeURIComponent(value).split(".");
	const flipped = signature.startsWith("A") ? "B" : "A";
	for (const forged of [`${token}.${flipped}${signature.slice(1)}`, `${token}.`, token]) {
		expect(await sessionUnder(secrets, `${name}=${encodeURIComponent(forged)}`)).toBeNull();
	}
});
