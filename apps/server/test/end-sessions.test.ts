import { runInTenant } from "better-auth-tenant";
import { expect, test } from "vitest";
import { command } from "./cli-command";
import { newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const BETTER_AUTH_SECRET = "a secret for tests with 32 characters and more: 8dK2!x";

test("after a restored backup, the command line ends what was used before, also links and devices", async () => {
	const environment = { DATA_DIR: temporaryDirectory(), BETTER_AUTH_SECRET };
	const { post, backend } = await runningService(environment);
	const tenantId = await newTenant(post);
	const headers = { "x-tenant-id": tenantId };
	const user = newUser("ada@example.com");
	const signedUp = await post("/tenant/sign-up/email", user, headers);
	const value = ((await signedUp.json()) as { user: { id: string } }).user.id;
	const { internalAdapter } = await backend.auth.$context;
	const inTenant = <T>(work: () => Promise<T>) => runInTenant(backend.auth, tenantId, work);
	const expiresAt = new Date(Date.now() + 60 * 60 * 1000);
	const create = (identifier: string) =>
		inTenant(() => internalAdapter.createVerificationValue({ identifier, value, expiresAt }));
	await create("reset-password:of-before");
	await create("trust-device-of-before");
	const identifier = "saml-used-assertion:of-before";
	const present = () =>
		inTenant(() => internalAdapter.reserveVerificationValue({ identifier, value, expiresAt }));
	expect(await present()).toBe(true);
	const resetPassword = async (token: string) =>
		(await post("/reset-password", { token, newPassword: user.password }, headers)).status;

	const end = (before: string) =>
		command(environment, ["sessions", "end", "--before", before, "--yes", "--json"]);
	// Nothing is from before that.
	const earlier = await end(new Date(Date.now() - 60 * 60 * 1000).toISOString());
	expect(JSON.parse(earlier.out)).toMatchObject({ sessions: 0, tokens: 0, verifications: 0 });
	const { out, err, code } = await end("now");
	expect([code, err]).toEqual([0, ""]);
	expect(JSON.parse(out)).toMatchObject({ sessions: 1, tokens: 0, verifications: 2 });
	expect(await resetPassword("of-before")).toBe(400);
	expect(
		await inTenant(() => internalAdapter.findVerificationValue("trust-device-of-before")),
	).toBeNull();
	// A SAML assertion that was used is not valid a second time.
	expect(await present()).toBe(false);

	await create("reset-password:of-after");
	expect(await resetPassword("of-after")).toBe(200);
});
