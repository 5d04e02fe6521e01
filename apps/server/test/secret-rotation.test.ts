import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { beforeAll, expect, test } from "vitest";
import { command } from "./cli-command";
import { useFixedKeys } from "./fixed-keys";
import { codeOf, newOperator, secretOf, setUpSecondFactor, signIn } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

beforeAll(() => useFixedKeys());

const older = "the older secret of the server with 32 characters: k3!hZ";
const newest = "the newest secret of the server with 32 characters: 9Qd&2vW8";
const user = newUser("ada@example.com");

/** The settings of each step of "Rotating the secret" in docs/deploy.md. */
const before = { BETTER_AUTH_SECRET: older };
const rotating = { BETTER_AUTH_SECRETS: `2:${newest},1:${older}`, BETTER_AUTH_SECRET: older };
const after = { BETTER_AUTH_SECRETS: `2:${newest}` };

/** A service with a user and an operator who both have a second factor. */
async function withSecondFactors() {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR, ...before });
	const { post, close, baseUrl } = service;
	const tenant = { "x-tenant-id": await newTenant(post) };
	const cookie = cookiesOf(await post("/tenant/sign-up/email", user, tenant));
	const headers = { ...tenant, cookie, origin: baseUrl };
	const enabled = await post("/two-factor/enable", { password: user.password }, headers);
	const { totpURI, backupCodes } = (await enabled.json()) as {
		totpURI: string;
		backupCodes: [string, string];
	};
	const secret = secretOf(totpURI);
	await post("/two-factor/verify-totp", { code: codeOf(secret) }, headers);
	const operator = await newOperator(service, "owner");
	const operatorFactor = await setUpSecondFactor(service, operator.headers);
	await close();

	/** Signs in with the password, and then with a code. */
	async function second(
		{ post, baseUrl }: RunningService,
		path: "verify-totp" | "verify-backup-code",
		code: string,
		first = () => post("/tenant/sign-in/email", user, tenant),
		named: Record<string, string> = tenant,
	) {
		const cookie = cookiesOf(await first());
		return post(`/two-factor/${path}`, { code }, { ...named, cookie, origin: baseUrl });
	}
	return { DATA_DIR, secret, backupCodes, operator, operatorSecret: operatorFactor.secret, second };
}

test("second factors and recovery codes work after the rotation that deploy.md describes", async () => {
	const { DATA_DIR, secret, backupCodes, operator, operatorSecret, second } =
		await withSecondFactors();
	const outdated = await command({ DATA_DIR, ...rotating }, ["doctor", "--offline"]);
	expect(outdated).toMatchObject({
		code: 1,
		out: expect.stringMatching(
			/2 second factors are encrypted with an older secret\.\s+-> Run secrets rotate/,
		),
	});
	const rotated = await command({ DATA_DIR, ...rotating }, ["secrets", "rotate"]);
	expect(rotated).toMatchObject({
		code: 0,
		out: expect.stringContaining("2 second factors: 2 re-encrypted"),
	});
	const checked = await command({ DATA_DIR, ...after }, ["doctor", "--offline"]);
	expect(checked).toMatchObject({ code: 0, err: "" });

	const service = await runningService({ DATA_DIR, ...after });
	expect((await second(service, "verify-totp", codeOf(secret))).status).toBe(200);
	expect((await second(service, "verify-backup-code", backupCodes[0])).status).toBe(200);
	const asOperator = () => signIn(service, operator.email);
	const code = codeOf(operatorSecret);
	expect((await second(service, "verify-totp", code, asOperator, {})).status).toBe(200);
});

test("the signing keys of a tenant sign and verify after a rotation", async () => {
	const DATA_DIR = temporaryDirectory();
	const API_AUDIENCES = "https://api.example.com";
	const service = await runningService({ DATA_DIR, API_AUDIENCES, ...before });
	const tenantId = await newTenant(service.post);
	const body = { tenantId, name: "Job", type: "machine" };
	const created = await service.post("/tenant/application/create", body, asManager);
	const { clientId, clientSecret } = (await created.json()) as Record<string, string>;
	const issue = async ({ call }: RunningService) => {
		const answer = await call("/t/acme/oauth2/token", {
			method: "POST",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: new URLSearchParams({
				grant_type: "client_credentials",
				client_id: clientId ?? "",
				client_secret: clientSecret ?? "",
				resource: API_AUDIENCES,
			}),
		});
		return { status: answer.status, body: (await answer.json()) as { access_token: string } };
	};
	const first = await issue(service);
	expect(first.status).toBe(200);
	await service.close();

	const early = await runningService({ DATA_DIR, API_AUDIENCES, ...after });
	expect(await issue(early)).toMatchObject({
		status: 503,
		body: { error: "temporarily_unavailable" },
	});
	await early.close();
	await command({ DATA_DIR, ...rotating }, ["secrets", "rotate"]);
	const rotated = await runningService({ DATA_DIR, API_AUDIENCES, ...after });
	const second = await issue(rotated);
	expect(second.status).toBe(200);
	const keys = (await (await rotated.call("/t/acme/jwks")).json()) as JSONWebKeySet;
	for (const { body } of [first, second]) {
		await jwtVerify(body.access_token, createLocalJWKSet(keys));
	}
});

test("if the old secret is removed too early, codes are refused with 503 and the log names the remedy", async () => {
	const { DATA_DIR, secret, backupCodes, second } = await withSecondFactors();
	const checked = await command({ DATA_DIR, ...after }, ["doctor", "--offline"]);
	expect(checked).toMatchObject({
		code: 1,
		out: expect.stringContaining("2 second factors cannot be decrypted"),
	});

	const early = await runningService({ DATA_DIR, ...after });
	for (const [path, code] of [
		["verify-totp", codeOf(secret)],
		["verify-backup-code", backupCodes[0]],
	] as const) {
		const refused = await second(early, path, code);
		expect([refused.status, await refused.json()]).toEqual([
			503,
			expect.objectContaining({ code: "STORED_SECRET_DECRYPT_FAILED" }),
		]);
	}
	expect(early.log()).toMatch(/twoFactor\.secret.*BETTER_AUTH_SECRETS/);
	await early.close();

	// It can be undone.
	const rotated = await command({ DATA_DIR, ...rotating }, ["secrets", "rotate"]);
	expect(rotated.code).toBe(0);
	const service = await runningService({ DATA_DIR, ...after });
	expect((await second(service, "verify-backup-code", backupCodes[0])).status).toBe(200);
});
