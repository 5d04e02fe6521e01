import { randomUUID } from "node:crypto";
import { emailOTP, username } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { services } from "../../../../testing/services";
import { digest } from "../../src/database/digest";
import { type OpenDatabase, openMysql } from "../support/databases/databases";
import { Browser } from "../support/http/browser";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { hostile } from "../support/worlds/hostile-plugin";
import { type Instance, makeInstance, ORIGIN, PASSWORD } from "../support/worlds/instance";

const baseURL = `${ORIGIN}/api/auth`;
const redirectURIs = [`${baseURL}/tenant/callback/gitlab`];

/** What the database takes for the same, and what it does not. */
const collations = ["utf8mb4_general_ci", "utf8mb4_bin"];

describe.skipIf(!services.mysql).each(collations)("on MariaDB with %s", (collation) => {
	const tellsApart = collation.endsWith("bin");
	let on: OpenDatabase;
	let instance: Instance;
	let gitlab: IdentityProvider;
	let people = 0;
	const codes: { email: string; otp: string }[] = [];

	beforeAll(async () => {
		on = await openMysql(String(services.mysql), collation);
		gitlab = await startIdentityProvider("gitlab");
		const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
		instance = await makeInstance({
			on,
			account: { accountLinking: { trustedProviders: ["gitlab"] } },
			socialProviders: { gitlab: { clientId, clientSecret, issuer: gitlab.url } },
			plugins: [
				hostile(),
				username({ usernameValidator: () => true }),
				emailOTP({
					sendVerificationOTP: async (mail) => {
						codes.push(mail);
					},
				}),
			],
		});
	});
	afterAll(async () => {
		await gitlab?.close();
		await on?.close();
	});

	/** Two addresses that differ in accents alone; only the first one has a user. */
	async function makeAlmostTwins() {
		people += 1;
		const tenantId = await instance.makeTenant();
		const [email, twin] = [`jose${people}@example.com`, `josé${people}@exámple.com`];
		const { body } = await instance.signUp(tenantId, email);
		return { tenantId, email, twin, userId: body.user.id as string };
	}

	async function signInAtGitlab(tenantId: string, email: string) {
		const browser = new Browser({
			baseURL,
			handler: (request) => instance.auth.handler(request),
		});
		const body = { tenantId, provider: "gitlab", callbackURL: "/home" };
		const response = await browser.fetch("/tenant/sign-in/social", { body });
		const { url } = (await response.json()) as { url: string };
		await browser.follow(url, { as: gitlab.addPerson({ email }) });
		return (await browser.fetch("/get-session")).json();
	}

	async function query(tenant: string, method: string, query: object) {
		const body = { access: "the adapter", method, query };
		return (await instance.call("/hostile/query", { body, tenant })).body.result;
	}

	it("a provider's word about one address opens no account of another", async () => {
		const { tenantId, twin, userId } = await makeAlmostTwins();
		const session = await signInAtGitlab(tenantId, twin);
		expect(session).toBeNull();
		expect(
			await query(tenantId, "count", {
				model: "account",
				where: [{ field: "userId", value: userId }],
			}),
		).toBe(1);
	});

	it("a code that is mailed to one address resets no password of another", async () => {
		const { tenantId: tenant, email, twin } = await makeAlmostTwins();
		const { call } = instance;
		await call("/email-otp/request-password-reset", { tenant, body: { email: twin } });
		expect(codes.map((code) => code.email)).not.toContain(twin);
		const password = "taken over";
		for (const { otp } of [...codes, { otp: "000000" }]) {
			for (const address of [email, twin]) {
				await call("/email-otp/reset-password", {
					tenant,
					body: { email: address, otp, password },
				});
			}
		}
		const signIn = await call("/tenant/sign-in/email", {
			body: { tenantId: tenant, email, password },
		});
		expect(signIn.status).toBe(401);
	});

	it("a value of the platform takes none of a tenant", async () => {
		const { call, makeTenant } = instance;
		const tenant = await makeTenant();
		const prefix = `${(await digest(tenant)).slice(0, 16)}:`;
		// To the database it is the tenant's prefix, but it does not look like one.
		const similar = prefix.replaceAll("a", "á").replaceAll("c", "ç").replaceAll("e", "é");
		const signUp = (username: string, headers = {}) =>
			call("/sign-up/email", {
				body: { name: "Ada", email: `${randomUUID()}@example.com`, password: PASSWORD, username },
				headers,
			});
		expect((await signUp(`${similar}ada`)).status).toBe(200);
		expect((await signUp("ada", { "x-tenant-id": tenant })).status).toBe(200);
	});

	it("a row is found, changed and deleted by its very text", async () => {
		const { tenantId, email, twin, userId } = await makeAlmostTwins();
		const by = (value: string) => ({ model: "user", where: [{ field: "email", value }] });
		const update = { name: "Changed" };
		for (const wrong of [twin, email.toUpperCase(), `${email} `]) {
			expect(await query(tenantId, "findOne", by(wrong)), wrong).toBeNull();
			expect(await query(tenantId, "findOne", { ...by(wrong), select: ["id"] })).toBeNull();
			expect(await query(tenantId, "findMany", by(wrong)), wrong).toEqual([]);
			expect(await query(tenantId, "update", { ...by(wrong), update }), wrong).toBeNull();
			expect(await query(tenantId, "updateMany", { ...by(wrong), update }), wrong).toBe(0);
			expect(await query(tenantId, "consumeOne", by(wrong)), wrong).toBeNull();
			expect(await query(tenantId, "deleteMany", by(wrong)), wrong).toBe(0);
			await query(tenantId, "delete", by(wrong));
		}
		const account = { field: "accountId", value: userId.toUpperCase() };
		expect(await query(tenantId, "findOne", { model: "account", where: [account] })).toBeNull();
		expect(await query(tenantId, "findOne", { ...by(email), select: ["id"] })).toMatchObject({
			id: userId,
		});
		expect(await query(tenantId, "update", { ...by(email), update })).toMatchObject(update);
		expect(await query(tenantId, "updateMany", { ...by(email), update })).toBe(1);
		expect(await query(tenantId, "findOne", by(email))).toMatchObject({ id: userId, ...update });
	});

	it("a code is found among those for addresses that look like its own", async () => {
		const { tenantId, email, twin } = await makeAlmostTwins();
		const expiresAt = new Date(Date.now() + 60_000);
		for (const identifier of [email, twin, twin]) {
			const data = { identifier, value: identifier, expiresAt };
			await query(tenantId, "create", { model: "verification", data });
		}
		const by = (value: string, more: object = {}) => ({
			model: "verification",
			where: [{ field: "identifier", value }],
			...more,
		});
		const latest = { sortBy: { field: "createdAt", direction: "desc" }, limit: 1 };
		expect(await query(tenantId, "findMany", by(email, latest))).toMatchObject([{ value: email }]);
		for (const value of [email, twin]) {
			expect(await query(tenantId, "findOne", by(value))).toMatchObject({ value });
		}
		expect(await query(tenantId, "consumeOne", by(email))).toMatchObject({ value: email });
		expect(await query(tenantId, "consumeOne", by(email))).toBeNull();
		expect(await query(tenantId, "deleteMany", by(twin))).toBe(2);
	});

	it("a search that looks past case, or for one text or another, finds what it asks for", async () => {
		const { tenantId, email, userId } = await makeAlmostTwins();
		const find = (...where: object[]) => query(tenantId, "findMany", { model: "user", where });
		const insensitive = { field: "email", value: email.toUpperCase(), mode: "insensitive" };
		expect(await find(insensitive)).toMatchObject([{ id: userId }]);
		const either = [email, "nobody@example.com"].map((value) => {
			return { field: "email", value, connector: "OR" };
		});
		expect(await find(...either)).toMatchObject([{ id: userId }]);
	});

	it("a username is one letter by letter", async () => {
		const { call, makeTenant } = instance;
		const tenantId = await makeTenant();
		const password = "correct horse battery";
		people += 1;
		const body = { tenantId, name: "User", email: `user${people}@example.com`, password };
		await call("/tenant/sign-up/email", { body: { ...body, username: `rene${people}` } });
		const signIn = async (username: string) =>
			(await call("/sign-in/username", { tenant: tenantId, body: { username, password } })).status;
		expect(await signIn(`rene${people}`)).toBe(200);
		expect(await signIn(`RENE${people}`)).toBe(200);
		expect(await signIn(`rené${people}`)).toBe(401);
		expect(await signIn(`rene${people} `)).toBe(401);
	});

	it.runIf(tellsApart)("addresses that differ in an accent are two users", async () => {
		const { tenantId, twin, userId } = await makeAlmostTwins();
		const data = { name: "Twin", email: twin, emailVerified: false };
		const made = await query(tenantId, "create", { model: "user", data });
		expect(made.id).not.toBe(userId);
	});

	it("an address or a name that no column holds is refused as such, by no failure", async () => {
		const { makeTenant, signUp, call } = instance;
		const tenantId = await makeTenant();
		const domain = `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;
		const email = `${"a".repeat(60)}@${domain}`;
		const { cookie } = await signUp(tenantId, "short@example.com");
		const answers = [
			await signUp(tenantId, email),
			await call("/email-otp/send-verification-otp", {
				body: { email: `${"a".repeat(5)}@${domain}`, type: "sign-in" },
				tenant: tenantId,
			}),
			await call("/update-user", { body: { name: "n".repeat(70_000) }, cookie }),
		];
		for (const { status, body } of notEmpty(answers)) {
			expect([status, body]).toEqual([
				400,
				{ code: "VALIDATION_ERROR", message: "A value is longer than the database takes" },
			]);
		}
	});

	it("emoji are kept, in names and in what a tenant is told", async () => {
		const { manage, call, makeTenant } = instance;
		const tenantId = await makeTenant();
		const name = "🚀👩‍👩‍👧‍👦🏳️‍🌈 é";
		const changed = await manage("/tenant/update", {
			body: { tenantId, name, metadata: { [name]: name } },
		});
		expect(changed.body).toMatchObject({ name, metadata: { [name]: name } });
		people += 1;
		const { body } = await call("/tenant/sign-up/email", {
			body: { tenantId, name, email: `emoji${people}@example.com`, password: "correct horse" },
		});
		expect(body.user.name).toBe(name);
	});
});
