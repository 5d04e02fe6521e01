/** A setting of one provider beyond client id and secret. */
export type ProviderExtra = {
	/** What follows the provider's name in the variable. */
	suffix: string;
	/** Its name in Better Auth's options. */
	option: string;
	isRequired?: true;
	/** What it has to be; any text by default. */
	kind?: "text" | "url" | "list" | readonly string[];
};

const extra = (
	suffix: string,
	option: string,
	kind?: NonNullable<ProviderExtra["kind"]>,
): ProviderExtra => ({ suffix, option, ...(kind ? { kind } : {}) });
const required = (suffix: string, option: string): ProviderExtra => ({
	suffix,
	option,
	isRequired: true,
});

const accessType = extra("ACCESS_TYPE", "accessType", ["offline", "online"]);
const prompts = ["none", "consent", "login", "select_account", "select_account consent"] as const;
const prompt = extra("PROMPT", "prompt", prompts);

const extras: Record<string, ProviderExtra[]> = {
	apple: [
		extra("APP_BUNDLE_IDENTIFIER", "appBundleIdentifier"),
		extra("AUDIENCE", "audience", "list"),
	],
	cognito: [
		required("DOMAIN", "domain"),
		required("REGION", "region"),
		required("USER_POOL_ID", "userPoolId"),
		extra("IDENTITY_PROVIDER", "identityProvider"),
	],
	discord: [prompt],
	dropbox: [accessType],
	facebook: [extra("CONFIG_ID", "configId"), extra("FIELDS", "fields", "list")],
	gitlab: [extra("ISSUER", "issuer", "url")],
	google: [extra("HD", "hd"), accessType, prompt],
	microsoft: [extra("TENANT_ID", "tenantId"), extra("AUTHORITY", "authority", "url"), prompt],
	paybin: [extra("ISSUER", "issuer", "url")],
	paypal: [extra("ENVIRONMENT", "environment", ["sandbox", "live"])],
	reddit: [extra("DURATION", "duration", ["temporary", "permanent"])],
	salesforce: [
		extra("ENVIRONMENT", "environment", ["sandbox", "production"]),
		extra("LOGIN_URL", "loginUrl"),
	],
	twitch: [extra("CLAIMS", "claims", "list")],
	vk: [extra("SCHEME", "scheme", ["light", "dark"])],
	wechat: [extra("LANG", "lang", ["cn", "en"])],
};

export const extrasOf = (providerId: string): ProviderExtra[] => extras[providerId] ?? [];
