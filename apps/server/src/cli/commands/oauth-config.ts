import type { TenantOAuthConfig, TenantProviderId } from "better-auth-tenant";
import type { Command } from "commander";
import { parseJsonObject, readSecret, requireConfirmation, type SecretSource } from "../input";
import { Failure, listing, type OutputOptions, printResult, table } from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addOAuthConfig(program: Command): void {
	const config = program
		.command("oauth-config")
		.description("set, list, test and delete the OAuth configs of a tenant");
	config
		.command("set <tenant> <provider>")
		.description(
			"create or replace an OAuth config; the client secret comes from standard input, a variable or a prompt, never from the command line",
		)
		.requiredOption(
			"--client-id <id>",
			"the client id; repeat it for other clients that ID tokens may be issued to",
			(id: string, others: string[] = []) => [...others, id],
		)
		.option("--secret-env <name>", "the environment variable that contains the client secret")
		.option("--no-secret", "for an OAuth client without a secret")
		.option(
			"--scopes <scopes>",
			"scopes to request in addition to the provider's defaults, comma-separated",
			splitList,
		)
		.option("--redirect-uri <url>", "replaces the default redirect URI")
		.option("--options <json>", "options of the provider, such as the issuer", parseJsonObject)
		.option(
			"--trust-emails <domains>",
			"email domains for which you trust the tenant's own identity provider, comma-separated",
			splitList,
		)
		.option("--disabled", "store it, but do not use it yet")
		.option("--json", "print the OAuth config as JSON, without the secret")
		.action(set);
	config
		.command("list <tenant>")
		.description("list the OAuth configs of a tenant, without secrets")
		.option("--json", "print them as JSON")
		.action(list);
	config
		.command("test <tenant> <provider>")
		.description("ask the provider whether a sign-in would work, without a person")
		.option("--json", "print { ok, steps } as JSON")
		.action(test);
	config
		.command("delete <tenant> <provider>")
		.description("delete an OAuth config with its secret")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { deleted } as JSON")
		.action(remove);
}

type SetOptions = OutputOptions &
	SecretSource & {
		clientId: string[];
		scopes?: string[];
		redirectUri?: string;
		options?: Record<string, unknown>;
		trustEmails?: string[];
		disabled?: boolean;
	};

async function set(slugOrId: string, providerId: string, options: SetOptions): Promise<void> {
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

async function list(slugOrId: string, options: OutputOptions): Promise<void> {
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

async function test(slugOrId: string, providerId: string, options: OutputOptions): Promise<void> {
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

async function remove(slugOrId: string, providerId: string, options: RemoveOptions): Promise<void> {
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

const splitList = (value: string) => value.split(",").map((item) => item.trim());
