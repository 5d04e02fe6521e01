import { socialProviders } from "@better-auth/core/social-providers";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import {
	type BuiltInProviderId,
	type InspectedCredentials,
	inspectCredentials,
	reencryptStoredSecrets,
	tenantAuth,
} from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";

const older = "the secret that was in use until now, long enough";
const newest = "the secret that takes its place, long enough too!";

/** The same host on the same database, started again with other secrets. */
function restart({ options }: Instance, secrets: Pick<BetterAuthOptions, "secret" | "secrets">) {
	const { secret: _, ...rest } = options;
	return betterAuth({ ...(rest as BetterAuthOptions), ...secrets, plugins: [tenantAuth()] });
}

const rotated = { secret: older, secrets: [{ version: 1, value: newest }] };
const newestOnly = { secrets: [{ version: 1, value: newest }] };

/** No options needed: enough providers to fill more than one batch with a few tenants. */
const providers = (Object.keys(socialProviders) as BuiltInProviderId[]).filter(
	(id) => id !== "cognito" && id !== "tiktok",
);

async function makeConfigs(tenants: number, providerIds = providers) {
	const instance = await makeInstance({ secret: older });
	const tenantIds: string[] = [];
	for (let count = 0; count < tenants; count += 1) {
		const tenantId = await instance.makeTenant();
		for (const providerId of providerIds) await register(instance.auth, tenantId, providerId);
		tenantIds.push(tenantId);
	}
	return { instance, tenantIds, total: tenants * providerIds.length };
}

type Api = { api: { registerTenantOAuthConfig: (call: { body: Body }) => Promise<unknown> } };
type Body = {
	tenantId: string;
	providerId: BuiltInProviderId;
	clientId: string;
	clientSecret: string;
};

function register(
	{ api }: Api,
	tenantId: string,
	providerId: BuiltInProviderId,
	clientId?: string,
) {
	const body = {
		tenantId,
		providerId,
		clientId: clientId ?? `id of ${tenantId}`,
		clientSecret: "s",
	};
	return api.registerTenantOAuthConfig({ body });
}

async function inspect(auth: Parameters<typeof inspectCredentials>[0]) {
	const found: InspectedCredentials[] = [];
	for await (const one of inspectCredentials(auth)) found.push(one);
	return found;
}

const statesOf = async (auth: Parameters<typeof inspectCredentials>[0]) =>
	new Set((await inspect(auth)).map(({ state }) => state));

describe("re-encrypting OAuth credentials", () => {
	it("reaches every one of them, so that the older secret is no longer needed", async () => {
		const { instance, tenantIds, total } = await makeConfigs(4);
		const auth = restart(instance, rotated);
		expect(await statesOf(auth)).toEqual(new Set(["outdated"]));
		const before = await auth.api.listTenantOAuthConfigs({ query: { tenantId: tenantIds[0] } });
		const seen: number[] = [];
		const report = await reencryptStoredSecrets(auth, {
			onProgress: ({ done }) => seen.push(done),
		});
		expect(report).toMatchObject({ done: total, total, reencrypted: total, unreadable: [] });
		expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));

		const without = restart(instance, newestOnly);
		expect(await inspect(without)).toHaveLength(total);
		expect(await statesOf(without)).toEqual(new Set(["current"]));
		// It is no change of the config: not of its client and not of its date.
		const after = await without.api.listTenantOAuthConfigs({ query: { tenantId: tenantIds[0] } });
		expect(after).toEqual(before);
	});

	it("goes on where it was interrupted, and changes nothing when it is done", async () => {
		const { instance, total } = await makeConfigs(4);
		const auth = restart(instance, rotated);
		const onProgress = ({ done }: { done: number }) => {
			if (done === 110) throw new Error("killed");
		};
		await expect(reencryptStoredSecrets(auth, { onProgress })).rejects.toThrow("killed");
		expect(await reencryptStoredSecrets(auth)).toMatchObject({
			done: total,
			reencrypted: total - 110,
		});
		const rows = await instance.db.selectFrom("tenantOauthConfig").selectAll().execute();
		expect(await reencryptStoredSecrets(auth)).toMatchObject({ done: total, reencrypted: 0 });
		expect(await instance.db.selectFrom("tenantOauthConfig").selectAll().execute()).toEqual(rows);
	});

	it("does not undo a registration that comes in between", async () => {
		const { instance, tenantIds } = await makeConfigs(1, ["github"]);
		const [tenantId = ""] = tenantIds;
		const auth = restart(instance, rotated);
		const { adapter } = await auth.$context;
		const { updateMany } = adapter;
		let calls = 0;
		adapter.updateMany = async (query) => {
			calls += 1;
			// By an instance that does not know of the newer secret yet.
			if (calls === 1) await register(instance.auth, tenantId, "github", "registered meanwhile");
			return updateMany(query);
		};
		expect(await reencryptStoredSecrets(auth)).toMatchObject({ reencrypted: 1, unreadable: [] });
		expect(calls).toBe(2);
		const without = restart(instance, newestOnly);
		expect(await without.api.listTenantOAuthConfigs({ query: { tenantId } })).toMatchObject([
			{ clientId: "registered meanwhile" },
		]);
	});

	it("leaves what opens under no key as it is, and tells of it", async () => {
		const { instance, tenantIds } = await makeConfigs(1, ["github", "google"]);
		const [tenantId = ""] = tenantIds;
		const moved = await instance.db
			.selectFrom("tenantOauthConfig")
			.selectAll()
			.where("providerId", "=", "google")
			.executeTakeFirstOrThrow();
		await instance.db
			.updateTable("tenantOauthConfig")
			.set({ clientSecret: moved.clientSecret })
			.where("providerId", "=", "github")
			.execute();
		const auth = restart(instance, rotated);
		const report = await reencryptStoredSecrets(auth);
		expect(report).toMatchObject({
			reencrypted: 1,
			unreadable: [{ model: "tenantOauthConfig", tenantId, providerId: "github" }],
		});
		const states = (await inspect(auth)).map(({ providerId, state }) => [providerId, state]);
		expect(Object.fromEntries(states)).toEqual({ github: "unreadable", google: "current" });
	});

	it("asks for versioned secrets where there are none", async () => {
		const { instance } = await makeConfigs(1, ["github"]);
		await expect(reencryptStoredSecrets(instance.auth)).rejects.toThrow("BETTER_AUTH_SECRETS");
		expect(await statesOf(instance.auth)).toEqual(new Set(["current"]));
	});
});
