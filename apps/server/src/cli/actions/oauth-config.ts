import type { TenantOAuthConfig, TenantProviderId } from "better-auth-tenant";
import { readSecret, requireConfirmation, type SecretSource } from "../input";
import { Failure, listing, type OutputOptions, printResult, table } from "../output";
import { requireTenant, withAuth } from "../with-auth";

type SetOptions = OutputOptions &
	SecretSource & {
		clientId: string[];
		scopes?: string[];
		redirectUri?: string;
		options?: Record<string, unknown>;
		trustEmails?: string[];
		disabled?: boolean;
	};

export async function set(
	slugOrId: string,
	providerId: string,
	options: SetOptions,
): Promise<void> {
	const clientSecret = await readSecret(options);
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const { clientId, scopes, redirectUri, trustEmails, disabled } = options;
		const config = await auth.api.registerTenantOAuthConfig({
			body: {
				tenantId,
				providerId: known(providerId),
				clientId,
				clientSecret,
				...(scopes && { scopes }),
				...(redirectUri && { redirectURI: redirectUri }),
				...(options.options && { options: options.options }),
				...(trustEmails && { trustEmails }),
				enabled: !disabled,
			},
		});
		const effective = await auth.api.effectiveTenantOAuthConfigs({ query: { tenantId } });
		const callbackURL = effective.find((one) => one.providerId === providerId)?.callbackURL;
		printResult(options, { ...config, callbackURL }, () =>
			listing({ ...summarize(config), "redirect URI": callbackURL }),
		);
	});
}

export async function list(slugOrId: string, options: OutputOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId, slug } = await requireTenant(auth, slugOrId);
		const configs = await auth.api.listTenantOAuthConfigs({ query: { tenantId } });
		printResult(options, configs, () => {
			if (configs.length === 0) return `${slug} has no OAuth configs.`;
			const rows = configs.map((config) => [
				config.providerId,
				config.clientIds.join(" "),
				config.enabled ? "enabled" : "disabled",
				config.updatedAt.toISOString(),
			]);
			return table(["PROVIDER", "CLIENT ID", "STATE", "CHANGED"], rows);
		});
	});
}

export async function test(
	slugOrId: string,
	providerId: string,
	options: OutputOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const body = { tenantId, providerId };
		const result = await auth.api.testTenantOAuthConfig({ body });
		printResult(options, result, () => {
			const rows = result.steps.map(({ name, state, message }) => [name, state, message]);
			return table(["STEP", "STATE", "MESSAGE"], rows);
		});
		if (!result.ok) throw new Failure("The test did not pass.", { code: "TEST_NOT_PASSED" });
	});
}

type RemoveOptions = OutputOptions & { yes?: boolean };

export async function remove(
	slugOrId: string,
	providerId: string,
	options: RemoveOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId, slug } = await requireTenant(auth, slugOrId);
		const warning = `This deletes the ${providerId} config of ${slug} with its secret.`;
		await requireConfirmation(options, warning, slug);
		await auth.api.deleteTenantOAuthConfig({
			body: { tenantId, providerId: known(providerId) },
		});
		const deleted = { tenantId, slug, providerId };
		printResult(options, { deleted }, () => `Deleted the ${providerId} config of ${slug}.`);
	});
}

/** The plugin rejects a provider that it does not know. */
const known = (providerId: string) => providerId as TenantProviderId;

function summarize(config: TenantOAuthConfig) {
	const { providerId, clientIds, scopes, options, trustEmails, enabled } = config;
	return {
		provider: providerId,
		"client id": clientIds.join(" "),
		...(scopes.length > 0 ? { scopes: scopes.join(" ") } : {}),
		...(options ? { options: JSON.stringify(options) } : {}),
		...(trustEmails.length > 0 ? { "trusted emails": trustEmails.join(" ") } : {}),
		state: enabled ? "enabled" : "disabled",
	};
}
