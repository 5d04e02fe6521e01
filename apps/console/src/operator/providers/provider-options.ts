/** A provider's own setting, as a field of the form. */
export interface OptionField {
	name: string;
	label: string;
	kind: "text" | "texts" | "flag" | "number" | "choice";
	choices?: string[];
	required?: true;
	hint?: string;
}

const text = (name: string, label: string, hint?: string): OptionField => ({
	name,
	label,
	kind: "text",
	...(hint ? { hint } : {}),
});
const flag = (name: string, label: string): OptionField => ({ name, label, kind: "flag" });
const texts = (name: string, label: string): OptionField => ({
	name,
	label,
	kind: "texts",
	hint: "Separated by spaces.",
});
const number = (name: string, label: string): OptionField => ({ name, label, kind: "number" });
const choice = (name: string, label: string, ...choices: string[]): OptionField => ({
	name,
	label,
	kind: "choice",
	choices,
});
const required = (field: OptionField): OptionField => ({ ...field, required: true });

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

const FIELDS: Record<string, OptionField[]> = {
	apple: [
		text("appBundleIdentifier", "App bundle identifier", "For sign-in inside an iOS app."),
		text("audience", "Audience"),
	],
	atlassian: [prompt],
	cognito: [
		required(text("domain", "Domain", "Such as acme.auth.eu-central-1.amazoncognito.com.")),
		required(text("region", "Region", "Such as eu-central-1.")),
		required(text("userPoolId", "User pool id")),
		text("identityProvider", "Identity provider"),
		flag("requireClientSecret", "The client has a secret"),
		prompt,
	],
	discord: [number("permissions", "Bot permissions"), prompt],
	dropbox: [accessType],
	facebook: [text("configId", "Configuration id"), texts("fields", "Fields")],
	github: [prompt],
	gitlab: [text("issuer", "Issuer", "Your own GitLab; empty for gitlab.com.")],
	google: [
		text("hd", "Hosted domain", "Only accounts of this Google Workspace."),
		accessType,
		prompt,
		choice("display", "Display", "page", "popup", "touch", "wap"),
		flag("includeGrantedScopes", "Include granted scopes"),
	],
	microsoft: [
		text("tenantId", "Entra tenant", "An id, a domain, or common."),
		text("authority", "Authority", "Empty for login.microsoftonline.com."),
		prompt,
		flag("disableProfilePhoto", "No profile photo"),
		number("profilePhotoSize", "Profile photo size"),
	],
	paybin: [text("issuer", "Issuer"), prompt],
	paypal: [
		choice("environment", "Environment", "sandbox", "live"),
		flag("requestShippingAddress", "Ask for the shipping address"),
		prompt,
	],
	polar: [prompt],
	reddit: [text("duration", "Duration")],
	roblox: [prompt],
	salesforce: [
		choice("environment", "Environment", "sandbox", "production"),
		text("loginUrl", "Login host", "A host name without https://."),
	],
	tiktok: [text("clientKey", "Client key")],
	twitch: [texts("claims", "Claims")],
	vk: [choice("scheme", "Color scheme", "light", "dark")],
	wechat: [
		choice("lang", "Language", "cn", "en"),
		choice("platformType", "Platform", "WebsiteApp"),
	],
	zoom: [flag("pkce", "PKCE")],
};

/** What can be set for a provider beyond its client id and secret. */
export const optionFieldsOf = (providerId: string): OptionField[] =>
	Object.hasOwn(FIELDS, providerId) ? (FIELDS[providerId] ?? []) : [];

/** Where the provider is and whom it lets in; the rest is for the few who know why. */
export const isUsual = ({ kind, required }: OptionField): boolean =>
	kind === "text" || required === true;

/** Providers that also have clients without a secret. */
const SECRET_OPTIONAL = new Set(["cloudflare", "cognito", "microsoft"]);

export const isSecretOptional = (providerId: string): boolean => SECRET_OPTIONAL.has(providerId);

/** As the form holds it: texts, and `"true"` for a flag that is on. */
export type OptionTexts = Record<string, string>;

export function toTexts(options: Record<string, unknown> | null): OptionTexts {
	return Object.fromEntries(
		Object.entries(options ?? {}).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.join(" ") : String(value),
		]),
	);
}

/** As the service takes it; an empty field is none. */
export function fromTexts(providerId: string, given: OptionTexts): Record<string, unknown> {
	return Object.fromEntries(
		optionFieldsOf(providerId).flatMap(({ name, kind }) => {
			const value = given[name]?.trim();
			return value ? [[name, VALUES[kind](value)]] : [];
		}),
	);
}

const VALUES: Record<OptionField["kind"], (value: string) => unknown> = {
	text: (value) => value,
	choice: (value) => value,
	texts: (value) => value.split(/\s+/),
	number: Number,
	flag: (value) => value === "true",
};
