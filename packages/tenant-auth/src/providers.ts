/**
 * What a tenant can set for a provider beyond its client id and secret: for a built-in social provider, or
 * for an OpenID Connect provider of its own.
 *
 * This is the entry `better-auth-tenant/providers`. A form in the browser and the server share it. It
 * imports nothing.
 *
 * @module
 */

export interface ProviderSetting {
	/** Its name in the `options` of an OAuth config. */
	name: string;
	/** Its name in a form. */
	label: string;
	/**
	 * - `text`: one line of text
	 * - `texts`: a list of texts
	 * - `flag`: `true` or `false`
	 * - `number`: an integer, not negative
	 * - `choice`: one of `choices`
	 * - `url`: an https URL that the server and the user's browser are sent to
	 * - `host`: the same, as a host name
	 * - `map`: an object whose values are texts
	 */
	kind: "text" | "texts" | "flag" | "number" | "choice" | "url" | "host" | "map";
	required?: true;
	/** One sentence that explains it. */
	hint?: string;
	/** The only values that a `choice` or a `number` may have. */
	choices?: readonly (string | number)[];
	/** What the provider uses if the setting is missing. */
	default?: string;
	/** What a text, or each text of a list, must match. */
	pattern?: RegExp;
	/** The longest text, or the longest text of a list. */
	maxLength?: number;
	/** A list of texts may also be given as one text. */
	mayBeText?: true;
	/** The only names that a `map` may have. */
	names?: readonly string[];
}

type Details = Omit<ProviderSetting, "name" | "label" | "kind" | "choices">;

const setting =
	(kind: ProviderSetting["kind"], usual: Details = {}) =>
	(name: string, label: string, details: Details = {}): ProviderSetting => ({
		...usual,
		...details,
		name,
		label,
		kind,
	});

const NO_CONTROL_CHARACTERS = /^\P{Cc}+$/u;

const text = setting("text", { pattern: NO_CONTROL_CHARACTERS, maxLength: 256 });
const texts = setting("texts", { pattern: NO_CONTROL_CHARACTERS, maxLength: 256 });
/**
 * Core writes these names into the URL of the profile as they are. With any other character a tenant
 * could make Facebook return one field under the name of another one, for example an unverified email
 * as a verified one.
 */
const names = setting("texts", { pattern: /^[a-z][a-z_]*$/, maxLength: 64 });
const flag = setting("flag");
const url = setting("url", { pattern: /^\S+$/, maxLength: 2048 });
const host = setting("host", { pattern: /^\S+$/, maxLength: 256 });

const choice = (
	name: string,
	label: string,
	choices: readonly string[],
	details: Details = {},
): ProviderSetting => ({ ...details, name, label, kind: "choice", choices });

const number = (
	name: string,
	label: string,
	details: Details & Pick<ProviderSetting, "choices"> = {},
): ProviderSetting => ({ ...details, name, label, kind: "number" });

const map = setting("map", { pattern: NO_CONTROL_CHARACTERS, maxLength: 256 });

const prompt = choice("prompt", "Prompt", [
	"none",
	"consent",
	"login",
	"select_account",
	"select_account consent",
]);
const accessType = choice("accessType", "Access type", ["offline", "online"]);
const required = true;

/** Everything else of a provider's options is decided by the app: endpoints, callbacks, trust. */
const SETTINGS: Record<string, readonly ProviderSetting[]> = {
	apple: [
		text("appBundleIdentifier", "App bundle identifier", {
			hint: "The bundle id of your app, for ID tokens from a native app.",
		}),
		texts("audience", "Audience", {
			hint: "The audiences that an ID token may have.",
			mayBeText: true,
		}),
	],
	atlassian: [prompt],
	cognito: [
		host("domain", "Domain", {
			required,
			hint: "The domain of the pool, for example acme.auth.eu-central-1.amazoncognito.com.",
		}),
		text("region", "Region", {
			required,
			hint: "For example eu-central-1.",
			pattern: /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/,
		}),
		text("userPoolId", "User pool ID", {
			required,
			hint: "For example eu-central-1_AbCdEf123.",
			pattern: /^[a-z\d-]+_[\dA-Za-z]+$/,
		}),
		text("identityProvider", "Identity provider", {
			hint: "The provider of the pool that users are sent to directly.",
		}),
		flag("requireClientSecret", "The client has a secret", {
			hint: "With true, an empty client secret is rejected.",
		}),
		prompt,
	],
	discord: [
		number("permissions", "Bot permissions", { hint: "The permissions of a bot, as a number." }),
		prompt,
	],
	dropbox: [accessType],
	facebook: [
		text("configId", "Configuration ID", { hint: "The id of a login configuration." }),
		names("fields", "Fields", { hint: "The profile fields to read, for example birthday." }),
	],
	github: [prompt],
	gitlab: [
		url("issuer", "Issuer", {
			hint: "Your own GitLab server, for example https://gitlab.example.com.",
		}),
	],
	google: [
		text("hd", "Hosted domain", {
			hint: "Only accounts of this Google Workspace domain are accepted; * accepts any Workspace.",
			pattern: /^(\*|[a-z\d.-]+)$/i,
		}),
		accessType,
		prompt,
		choice("display", "Display", ["page", "popup", "touch", "wap"]),
		flag("includeGrantedScopes", "Include granted scopes"),
	],
	microsoft: [
		text("tenantId", "Entra directory", {
			hint: "The id or a domain of an Entra directory, or common, organizations or consumers.",
			pattern: /^[\dA-Za-z][\dA-Za-z.-]*$/,
			default: "common",
		}),
		url("authority", "Authority", { hint: "Instead of https://login.microsoftonline.com." }),
		prompt,
		flag("disableProfilePhoto", "Do not load the profile photo"),
		number("profilePhotoSize", "Profile photo size", {
			choices: [48, 64, 96, 120, 240, 360, 432, 504, 648],
		}),
	],
	paybin: [url("issuer", "Issuer", { hint: "Another issuer." }), prompt],
	paypal: [
		choice("environment", "Environment", ["sandbox", "live"], { default: "sandbox" }),
		flag("requestShippingAddress", "Ask for the shipping address"),
		prompt,
	],
	polar: [prompt],
	reddit: [text("duration", "Duration", { hint: "For example permanent, for a refresh token." })],
	roblox: [prompt],
	salesforce: [
		choice("environment", "Environment", ["sandbox", "production"], { default: "production" }),
		host("loginUrl", "Login host", {
			hint: "The host name of your own domain without https://, for example acme.my.salesforce.com.",
			pattern: /^[^/\s]+$/,
		}),
	],
	tiktok: [text("clientKey", "Client key", { hint: "If it is missing, the client id is used." })],
	twitch: [names("claims", "Claims", { hint: "The claims to request, for example email." })],
	vk: [choice("scheme", "Color scheme", ["light", "dark"])],
	wechat: [
		choice("lang", "Language", ["cn", "en"]),
		choice("platformType", "Platform", ["WebsiteApp"]),
	],
	zoom: [flag("pkce", "PKCE")],
};

/**
 * Begins the id of an OpenID Connect provider that a tenant registers by its issuer, such as `oidc:okta`.
 * No built-in provider and no provider of the app has such an id.
 */
export const OWN_PROVIDER_PREFIX = "oidc:";

/** Lowercase only: MySQL compares ids without case. */
const OWN_PROVIDER_ID = /^oidc:[a-z\d](?:[a-z\d-]{0,30}[a-z\d])?$/;

export type OwnProviderId = `oidc:${string}`;

/**
 * Whether an id is one that a tenant may choose for a provider of its own: `oidc:` and 1 to 32 lowercase
 * letters, digits and hyphens, without a hyphen at either end.
 */
export function isOwnProviderId(id: unknown): id is OwnProviderId {
	return typeof id === "string" && OWN_PROVIDER_ID.test(id);
}

/** What `claims` can map to another claim of the provider. */
export const MAPPED_CLAIMS = ["email", "emailVerified", "name", "picture", "role"] as const;

/** The settings of every OpenID Connect provider of a tenant. */
const OWN_SETTINGS: readonly ProviderSetting[] = [
	url("issuer", "Issuer", {
		required,
		hint: "Exactly as the provider's discovery document has it, for example https://acme.okta.com.",
	}),
	text("name", "Name", {
		hint: "What the button of a sign-in page says. If it is missing, the end of the provider id.",
		maxLength: 64,
	}),
	map("claims", "Claims", {
		hint: "The provider's claims for email, emailVerified, name, picture and role, for example { email: upn, role: groups }.",
		names: MAPPED_CLAIMS,
	}),
	map("roles", "Roles", {
		hint: "The tenant role for each value of the role claim, for example { App Admins: admin }.",
		pattern: /^[A-Za-z][\w.:-]{0,63}$/,
	}),
	choice(
		"clientAuthentication",
		"Client authentication",
		["client_secret_basic", "client_secret_post"],
		{ hint: "If it is missing, the discovery document decides." },
	),
	prompt,
];

/** Providers whose clients may have no secret. */
const SECRET_OPTIONAL = ["cloudflare", "cognito", "microsoft"];

/** Providers that issue ID tokens for other clients than the one of a website. */
const SEVERAL_CLIENT_IDS = ["apple", "cognito", "facebook", "google", "microsoft"];

/** Whether an OAuth config for this provider may have more than one client id. */
export function acceptsSeveralClientIds(providerId: string): boolean {
	return isOwnProviderId(providerId) || SEVERAL_CLIENT_IDS.includes(providerId);
}

/** The settings of a provider; none for a provider that has none or is unknown. */
export function settingsOfProvider(providerId: string): readonly ProviderSetting[] {
	if (isOwnProviderId(providerId)) return OWN_SETTINGS;
	return Object.hasOwn(SETTINGS, providerId) ? (SETTINGS[providerId] ?? []) : [];
}

/** Whether an OAuth config for this provider may have an empty client secret. */
export function isClientSecretOptional(
	providerId: string,
	options: Record<string, unknown> | null = null,
): boolean {
	if (isOwnProviderId(providerId)) return true;
	return SECRET_OPTIONAL.includes(providerId) && options?.requireClientSecret !== true;
}

const MAX_LIST_LENGTH = 64;
const MAX_NAME_LENGTH = 256;

/**
 * Whether a value has the right kind, length and pattern. For a `url` and a `host` the server checks
 * more: they must not lead into a private network.
 */
export function isValidSetting(setting: ProviderSetting, value: unknown): boolean {
	switch (setting.kind) {
		case "flag":
			return typeof value === "boolean";
		case "number":
			return isNumber(setting, value);
		case "choice":
			return typeof value === "string" && setting.choices?.includes(value) === true;
		case "texts":
			return (setting.mayBeText && isText(setting, value)) || isList(setting, value);
		case "url":
			return isText(setting, value) && URL.canParse(value);
		case "map":
			return isMap(setting, value);
		default:
			return isText(setting, value);
	}
}

function isNumber({ choices }: ProviderSetting, value: unknown): boolean {
	if (typeof value !== "number") return false;
	return choices ? choices.includes(value) : Number.isSafeInteger(value) && value >= 0;
}

function isText({ pattern, maxLength = 256 }: ProviderSetting, value: unknown): value is string {
	return typeof value === "string" && value.length <= maxLength && pattern?.test(value) !== false;
}

function isList(setting: ProviderSetting, value: unknown): boolean {
	if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST_LENGTH) return false;
	return value.every((item) => isText(setting, item));
}

function isMap(setting: ProviderSetting, value: unknown): boolean {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	const entries = Object.entries(value);
	return (
		entries.length <= MAX_LIST_LENGTH &&
		entries.every(
			([name, item]) =>
				isText(setting, item) &&
				name.length <= MAX_NAME_LENGTH &&
				NO_CONTROL_CHARACTERS.test(name) &&
				setting.names?.includes(name) !== false,
		)
	);
}
