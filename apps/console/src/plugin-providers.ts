/**
 * The settings that the plugin knows for each provider, beyond client ID and secret. Copied from the
 * plugin, which validates them.
 */

export interface ProviderSetting {
	name: string;
	label: string;
	kind: "text" | "list" | "boolean" | "number" | "choice";
	/** The values of a choice. */
	choices?: readonly string[];
	required?: true;
	hint?: string;
}

interface ProviderRules {
	settings: readonly ProviderSetting[];
	/** The provider also has clients without a secret. */
	isSecretOptional?: true;
}

const text = (name: string, label: string, hint?: string): ProviderSetting => ({
	name,
	label,
	kind: "text",
	...(hint ? { hint } : {}),
});
const list = (name: string, label: string): ProviderSetting => ({
	name,
	label,
	kind: "list",
	hint: "Separate values with spaces.",
});
const boolean = (name: string, label: string): ProviderSetting => ({
	name,
	label,
	kind: "boolean",
});
const number = (name: string, label: string): ProviderSetting => ({ name, label, kind: "number" });
const choice = (name: string, label: string, ...choices: string[]): ProviderSetting => ({
	name,
	label,
	kind: "choice",
	choices,
});
const required = (setting: ProviderSetting): ProviderSetting => ({ ...setting, required: true });

const prompt = choice(
	"prompt",
	"Prompt",
	"none",
	"consent",
	"login",
	"select_account",
	"select_account consent",
);
const accessType = choice("accessType", "Access type", "online", "offline");

const PROVIDER_RULES: Record<string, ProviderRules> = {
	apple: {
		settings: [
			text("appBundleIdentifier", "App bundle identifier", "For sign-in inside an iOS app."),
			text("audience", "Audience"),
		],
	},
	atlassian: { settings: [prompt] },
	cloudflare: { settings: [], isSecretOptional: true },
	cognito: {
		settings: [
			required(text("domain", "Domain", "For example acme.auth.eu-central-1.amazoncognito.com.")),
			required(text("region", "Region", "For example eu-central-1.")),
			required(text("userPoolId", "User pool ID")),
			text("identityProvider", "Identity provider"),
			boolean("requireClientSecret", "The client has a secret"),
			prompt,
		],
		isSecretOptional: true,
	},
	discord: { settings: [number("permissions", "Bot permissions"), prompt] },
	dropbox: { settings: [accessType] },
	facebook: { settings: [text("configId", "Configuration ID"), list("fields", "Fields")] },
	github: { settings: [prompt] },
	gitlab: {
		settings: [text("issuer", "Issuer", "The URL of your GitLab. Leave empty for gitlab.com.")],
	},
	google: {
		settings: [
			text("hd", "Hosted domain", "Allow only accounts of this Google Workspace."),
			accessType,
			prompt,
			choice("display", "Display", "page", "popup", "touch", "wap"),
			boolean("includeGrantedScopes", "Include granted scopes"),
		],
	},
	microsoft: {
		settings: [
			text("tenantId", "Entra tenant", "An ID, a domain, or “common”."),
			text("authority", "Authority", "Leave empty for login.microsoftonline.com."),
			prompt,
			boolean("disableProfilePhoto", "Do not load the profile photo"),
			number("profilePhotoSize", "Profile photo size"),
		],
		isSecretOptional: true,
	},
	paybin: { settings: [text("issuer", "Issuer"), prompt] },
	paypal: {
		settings: [
			choice("environment", "Environment", "sandbox", "live"),
			boolean("requestShippingAddress", "Request the shipping address"),
			prompt,
		],
	},
	polar: { settings: [prompt] },
	reddit: { settings: [text("duration", "Duration")] },
	roblox: { settings: [prompt] },
	salesforce: {
		settings: [
			choice("environment", "Environment", "sandbox", "production"),
			text("loginUrl", "Login host", "A host name without https://."),
		],
	},
	tiktok: { settings: [text("clientKey", "Client key")] },
	twitch: { settings: [list("claims", "Claims")] },
	vk: { settings: [choice("scheme", "Color scheme", "light", "dark")] },
	wechat: {
		settings: [
			choice("lang", "Language", "cn", "en"),
			choice("platformType", "Platform", "WebsiteApp"),
		],
	},
	zoom: { settings: [boolean("pkce", "PKCE")] },
};

/** A provider without an entry has no settings. */
export const providerRulesOf = (providerId: string): ProviderRules =>
	(Object.hasOwn(PROVIDER_RULES, providerId) && PROVIDER_RULES[providerId]) || { settings: [] };
