import * as z from "zod";
import { tenantError } from "../tenant-error";
import type { ProviderSettings } from "./config";
import { findAddressProblem } from "./public-address";

interface Setting {
	schema: z.ZodType;
	required?: true;
	/** An address that the server or the user's browser is sent to. */
	address?: "url" | "host";
	/** Whoever chooses it decides whose word an e-mail address is. */
	vouchesForEmail?: (value: unknown) => boolean;
	/** Account ids mean something only together with it. */
	namesAccounts?: (value: unknown) => boolean;
	/** What the provider takes where nothing is set. */
	fallback?: string;
}

const always = () => true;
const authority = { vouchesForEmail: always, namesAccounts: always } as const;
const text: Setting = {
	schema: z
		.string()
		.min(1)
		.max(256)
		.regex(/^[^\p{Cc}]*$/u),
};
const flag: Setting = { schema: z.boolean() };
const texts: Setting = { schema: z.array(z.string().min(1).max(256)).min(1).max(64) };
/**
 * Core writes Facebook's into the address of its profile as they are: any other character could have
 * Facebook answer one field under the name of another, such as a made-up address as a verified one.
 */
const names: Setting = {
	schema: z
		.array(
			z
				.string()
				.max(64)
				.regex(/^[a-z][a-z_]*$/),
		)
		.min(1)
		.max(64),
};
const oneOf = (...values: [string, ...string[]]): Setting => ({ schema: z.enum(values) });
const matching = (pattern: RegExp): Setting => ({ schema: z.string().max(256).regex(pattern) });
const url: Setting = {
	// `z.url` looks past a space at the end, which would stand in the middle of what core makes of it.
	schema: z.string().max(2048).regex(/^\S+$/).pipe(z.url()),
	address: "url",
	...authority,
};
const host: Setting = {
	schema: z.string().min(1).max(256),
	address: "host",
	...authority,
};
/** For a provider that writes the `https://` itself. */
const bareHost: Setting = {
	...host,
	schema: z
		.string()
		.max(256)
		.regex(/^[^/]+$/),
};
const required = (setting: Setting): Setting => ({ ...setting, required: true });

const prompt = oneOf("none", "consent", "login", "select_account", "select_account consent");
const accessType = oneOf("offline", "online");

/** In a sandbox anybody makes up accounts and addresses. */
const environment = (live: string, fallback: string): Setting => ({
	...oneOf("sandbox", live),
	vouchesForEmail: (value) => value !== live,
	namesAccounts: (value) => value !== live,
	fallback,
});

/**
 * What a tenant may set beyond client id and secret. Everything else of a provider's options is the
 * host's: endpoints, callbacks, and what decides who is trusted.
 */
const SETTINGS: Record<string, Record<string, Setting>> = {
	apple: { appBundleIdentifier: text, audience: { schema: z.union([text.schema, texts.schema]) } },
	atlassian: { prompt },
	cognito: {
		domain: required(host),
		region: required(matching(/^[a-z]{2}(-[a-z]+)+-\d{1,2}$/)),
		userPoolId: required({
			...matching(/^[a-z\d-]+_[\dA-Za-z]+$/),
			...authority,
		}),
		identityProvider: text,
		requireClientSecret: flag,
		prompt,
	},
	discord: { permissions: { schema: z.int().min(0) }, prompt },
	dropbox: { accessType },
	facebook: { configId: text, fields: names },
	github: { prompt },
	gitlab: { issuer: url },
	google: {
		hd: matching(/^(\*|[a-z\d.-]+)$/i),
		accessType,
		prompt,
		display: oneOf("page", "popup", "touch", "wap"),
		includeGrantedScopes: flag,
	},
	microsoft: {
		// Whoever owns the app registration maps what its tokens say of an address.
		tenantId: {
			...matching(/^[\dA-Za-z][\dA-Za-z.-]*$/),
			vouchesForEmail: always,
			fallback: "common",
		},
		authority: url,
		prompt,
		disableProfilePhoto: flag,
		profilePhotoSize: { schema: z.literal([48, 64, 96, 120, 240, 360, 432, 504, 648]) },
	},
	paybin: { issuer: url, prompt },
	paypal: {
		environment: environment("live", "sandbox"),
		requestShippingAddress: flag,
		prompt,
	},
	polar: { prompt },
	reddit: { duration: text },
	roblox: { prompt: oneOf("none", "consent", "login", "select_account", "select_account consent") },
	salesforce: { environment: environment("production", "production"), loginUrl: bareHost },
	tiktok: { clientKey: text },
	twitch: { claims: names },
	vk: { scheme: oneOf("light", "dark") },
	wechat: { lang: oneOf("cn", "en"), platformType: oneOf("WebsiteApp") },
	zoom: { pkce: flag },
};

/** Providers with clients that have no secret. */
const SECRET_OPTIONAL = new Set(["cloudflare", "cognito", "microsoft"]);

export function needsSecret(providerId: string, settings: ProviderSettings | null): boolean {
	return !SECRET_OPTIONAL.has(providerId) || settings?.requireClientSecret === true;
}

/** Refuses settings that the provider does not know, lacks, or that lead where they must not. */
export function requireValidSettings(
	providerId: string,
	settings: ProviderSettings,
	allowPrivate: boolean,
): void {
	const known = SETTINGS[providerId] ?? {};
	const problems = [
		...Object.keys(settings)
			.filter((name) => !Object.hasOwn(known, name))
			.map((name) => `${name} is not a setting of ${providerId}`),
		...Object.entries(known)
			.filter(([name, setting]) => setting.required && settings[name] === undefined)
			.map(([name]) => `${name} is required for ${providerId}`),
		...Object.entries(known).flatMap(([name, setting]) =>
			settings[name] === undefined ? [] : findProblems(name, setting, settings[name], allowPrivate),
		),
	];
	if (problems.length === 0) return;
	throw tenantError("INVALID_PROVIDER_OPTIONS", { message: problems.join("; ") });
}

function findProblems(name: string, setting: Setting, value: unknown, allowPrivate: boolean) {
	if (!setting.schema.safeParse(value).success) return [`${name} is not valid`];
	if (!setting.address) return [];
	const address = asUrl(setting.address, String(value));
	const problem = address ? findAddressProblem(address, allowPrivate) : "is not valid";
	return problem ? [`${name} ${problem}`] : [];
}

/** A host stands alone, or behind `https://` as people paste it. */
function asUrl(kind: "url" | "host", value: string): URL | null {
	if (kind === "url") return URL.canParse(value) ? new URL(value) : null;
	const bare = value.replace(/^https?:\/\//, "");
	if (!/^[\dA-Za-z.:[\]-]+$/.test(bare) || !URL.canParse(`https://${bare}`)) return null;
	return new URL(`https://${bare}`);
}

/** The settings as the provider takes them. */
function effectiveSettings(providerId: string, settings: object | null | undefined) {
	const given = { ...settings } as ProviderSettings;
	return Object.entries(SETTINGS[providerId] ?? {}).flatMap(([name, setting]) => {
		const value = given[name] ?? setting.fallback;
		return value === undefined ? [] : [{ name, setting, value }];
	});
}

/**
 * Whether the tenant itself stands behind the identity provider. Then what it says of an address is
 * the tenant's own word, and no proof that the address was verified.
 */
export function isEmailOfTenantsWord(providerId: string, settings: ProviderSettings | null) {
	return effectiveSettings(providerId, settings).some(
		({ setting, value }) => setting.vouchesForEmail?.(value) === true,
	);
}

/**
 * Who gives out the account ids: `""` for the provider's own service, else the instance that the
 * settings lead to. Number 5 at one GitLab is somebody else than number 5 at another.
 */
export function authorityOf(providerId: string, settings: object | null | undefined): string {
	return effectiveSettings(providerId, settings)
		.filter(({ setting, value }) => typeof value === "string" && setting.namesAccounts?.(value))
		.map(({ name, value }) => `${name}=${String(value).toLowerCase().replace(/\/+$/, "")}`)
		.sort()
		.join(" ");
}
