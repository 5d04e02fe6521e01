import type { TenantOAuthConfig } from "better-auth-tenant";
import type { Command } from "commander";
import { requireConfirmation } from "../confirm";
import { requireTenant } from "../find-tenant";
import { listing, type OutputOptions, printResult, table } from "../output";
import { parseObject } from "../parse-object";
import { readSecret, type SecretSource } from "../read-secret";
import { withAuth } from "../with-auth";

export function addOAuthConfig(program: Command): void {
	const config = program
		.command("oauth-config")
		.description("set, list and delete the OAuth clients of a tenant");
	config
		.command("set <tenant> <provider>")
		.description(
			"register a client in place of the one that is there; the secret comes from standard input, a variable or a question, and never from the command line",
		)
		.requiredOption("--client-id <id>", "the client's id")
		.option("--secret-env <name>", "the environment variable that holds the client's secret")
		.option("--no-secret", "a client that has none")
		.option(
			"--scopes <scopes>",
			"asked for beside the provider's own, comma separated",
			splitScopes,
		)
		.option("--redirect-uri <url>", "in place of the callback URL")
		.option("--options <json>", "the provider's own settings, such as GitLab's issuer", parseObject)
		.option("--disabled", "keep it, but do not use it yet")
		.option("--json", "print the config as JSON, without the secret")
		.action(set);
	config
		.command("list <tenant>")
		.description("list a tenant's clients, without their secrets")
		.option("--json", "print them as JSON")
		.action(list);
	config
		.command("delete <tenant> <provider>")
		.description("delete a client; its secret is gone then")
		.option("--yes", "do not ask for the slug")
		.option("--json", "print { deleted } as JSON")
		.action(remove);
}

type SetOptions = OutputOptions &
	SecretSource & {
		clientId: string;
		scopes?: string[];
		redirectUri?: string;
		options?: Record<string, unknown>;
		disabled?: boolean;
	};

async function set(name: string, providerId: string, options: SetOptions): Promise<void> {
	const clientSecret = await readSecret(options);
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, name);
		const { clientId, scopes, redirectUri, options: settings, disabled } = options;
		const config = await auth.api.registerTenantOAuthConfig({
			body: {
				tenantId,
				providerId,
				clientId,
				clientSecret,
				...(scopes && { scopes }),
				...(redirectUri && { redirectURI: redirectUri }),
				...(settings && { options: settings }),
				enabled: !disabled,
			},
		});
		const effective = await auth.api.effectiveTenantOAuthConfigs({ query: { tenantId } });
		const callbackURL = effective.find((one) => one.providerId === providerId)?.callbackURL;
		printResult(options, { ...config, callbackURL }, () =>
			listing({ ...described(config), "register at the provider": callbackURL }),
		);
	});
}

async function list(name: string, options: OutputOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId, slug } = await requireTenant(auth, name);
		const configs = await auth.api.listTenantOAuthConfigs({ query: { tenantId } });
		printResult(options, configs, () => {
			if (configs.length === 0) return `${slug} has no OAuth client of its own.`;
			const rows = configs.map((config) => [
				config.providerId,
				config.clientId,
				config.enabled ? "enabled" : "disabled",
				config.updatedAt.toISOString(),
			]);
			return table(["PROVIDER", "CLIENT ID", "STATE", "CHANGED"], rows);
		});
	});
}

type RemoveOptions = OutputOptions & { yes?: boolean };

async function remove(name: string, providerId: string, options: RemoveOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId, slug } = await requireTenant(auth, name);
		const warning = `This deletes the ${providerId} client of ${slug}, with its secret.`;
		await requireConfirmation(options, warning, slug);
		await auth.api.deleteTenantOAuthConfig({ body: { tenantId, providerId } });
		const deleted = { tenantId, slug, providerId };
		printResult(options, { deleted }, () => `Deleted the ${providerId} client of ${slug}.`);
	});
}

function described({ providerId, clientId, scopes, options, enabled }: TenantOAuthConfig) {
	return {
		provider: providerId,
		"client id": clientId,
		...(scopes.length > 0 ? { scopes: scopes.join(" ") } : {}),
		...(options ? { options: JSON.stringify(options) } : {}),
		state: enabled ? "enabled" : "disabled",
	};
}

const splitScopes = (value: string) => value.split(",").map((scope) => scope.trim());
