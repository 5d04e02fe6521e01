import { socialProviders } from "@better-auth/core/social-providers";
import type { TenantInstance } from "../../call/context/request-state";
import { findAddressProblem } from "../../call/network/public-hosts";
import type { OwnProviders } from "../../call/port/own-providers";
import {
	isClientSecretOptional,
	isOwnProviderId,
	isValidSetting,
	OWN_PROVIDER_PREFIX,
	type ProviderSetting,
	settingsOfProvider,
} from "../../providers";
import { tenantError } from "../../tenant-error";
import type { BuiltInProviderId, ProviderSettings } from "./config";

export function needsSecret(providerId: string, settings: ProviderSettings | null): boolean {
	return !isClientSecretOptional(providerId, settings);
}

/** Rejects settings that the provider does not know, that are missing, or that are not allowed. */
export function requireValidSettings(
	providerId: string,
	settings: ProviderSettings,
	allowPrivate: boolean,
): void {
	const known = settingsOfProvider(providerId);
	const problems = [
		...Object.keys(settings)
			.filter((name) => !known.some((setting) => setting.name === name))
			.map((name) => `${name} is not a setting of ${providerId}`),
		...known
			.filter(({ name, required }) => required && settings[name] === undefined)
			.map(({ name }) => `${name} is required for ${providerId}`),
		...known.flatMap((setting) => {
			const value = settings[setting.name];
			return value === undefined ? [] : findProblems(setting, value, allowPrivate);
		}),
		...findRoleProblems(settings),
	];
	if (problems.length === 0) return;
	throw tenantError("INVALID_PROVIDER_OPTIONS", { message: problems.join("; ") });
}

function findProblems(setting: ProviderSetting, value: unknown, allowPrivate: boolean): string[] {
	const { name, kind } = setting;
	if (!isValidSetting(setting, value)) return [`${name} is not valid`];
	if (!isServer(kind)) return [];
	const url = kind === "url" ? new URL(String(value)) : urlOfHost(String(value));
	const problem = url ? findAddressProblem(url, allowPrivate) : "is not valid";
	return problem ? [`${name} ${problem}`] : [];
}

/**
 * Who controls the provider decides who gets a role. The owner can give the tenant away, so only people
 * make owners.
 */
function findRoleProblems({ roles, claims }: ProviderSettings): string[] {
	if (typeof roles !== "object" || roles === null) return [];
	const given = Object.values(roles).map((role) => String(role).toLowerCase());
	const hasClaim = typeof claims === "object" && claims !== null && "role" in claims;
	return [
		...(given.includes("owner") ? ["roles must not contain owner"] : []),
		...(hasClaim ? [] : ["roles needs the name of a claim in claims.role"]),
	];
}

/** People also paste a host name with `https://` in front. */
function urlOfHost(value: string): URL | null {
	const bare = value.replace(/^https?:\/\//, "");
	if (!/^[\dA-Za-z.:[\]-]+$/.test(bare) || !URL.canParse(`https://${bare}`)) return null;
	return new URL(`https://${bare}`);
}

/** The settings that decide to which server the client secret is sent, where they differ. */
export function findMovedSettings(
	providerId: string,
	before: ProviderSettings | null,
	after: ProviderSettings | null,
): string[] {
	return settingsOfProvider(providerId)
		.filter(({ kind, name }) => isServer(kind) && before?.[name] !== after?.[name])
		.map(({ name }) => name);
}

const isServer = (kind: ProviderSetting["kind"]) => kind === "url" || kind === "host";

/** Whether a tenant can choose the server that gets the codes of a provider. */
export const letsTenantsChooseServer = (providerId: string): boolean =>
	settingsOfProvider(providerId).some(({ kind }) => isServer(kind));

/** What a tenant decides for itself with the value of a setting. */
interface Control {
	/** Which emails are verified. */
	email?: true;
	/** Which service issues the account ids. */
	accounts?: true;
}

const BOTH: Control = { email: true, accounts: true };

/** Beside the settings here, every URL and every host name controls both. */
const CONTROLS: Record<string, (value: unknown) => Control> = {
	"cognito userPoolId": () => BOTH,
	// The owner of the app registration decides which email its tokens contain.
	"microsoft tenantId": () => ({ email: true }),
	// In a sandbox anybody can create accounts with any email.
	"paypal environment": (value) => (value === "live" ? {} : BOTH),
	"salesforce environment": (value) => (value === "production" ? {} : BOTH),
};

function controlOf(providerId: string, { name, kind }: ProviderSetting, value: unknown): Control {
	if (isServer(kind)) return BOTH;
	return CONTROLS[`${providerId} ${name}`]?.(value) ?? {};
}

/** The settings as the provider uses them, and what the tenant controls with each. */
function controlledSettings(providerId: string, settings: object | null | undefined) {
	const given = new Map<string, unknown>(Object.entries(settings ?? {}));
	return settingsOfProvider(providerId).flatMap((setting) => {
		const value = given.get(setting.name) ?? setting.default;
		if (value === undefined) return [];
		return [{ name: setting.name, value, control: controlOf(providerId, setting, value) }];
	});
}

/**
 * Whether the tenant controls the identity provider. Then the tenant itself decides which emails the
 * provider calls verified, so `email_verified` proves nothing.
 */
export function tenantControlsEmail(providerId: string, settings: ProviderSettings | null) {
	return controlledSettings(providerId, settings).some(({ control }) => control.email);
}

/** Entra signs in users of any directory there, and each directory decides its users' emails. */
const MANY_DIRECTORIES = ["common", "organizations", "consumers"];

/** Whether the app may trust the tenant's provider with emails. Others need no trust, or deserve none. */
export function mayTrustEmails(providerId: string, settings: ProviderSettings | null): boolean {
	if (!tenantControlsEmail(providerId, settings)) return false;
	const directory = String(settings?.tenantId ?? "common").toLowerCase();
	return providerId !== "microsoft" || !MANY_DIRECTORIES.includes(directory);
}

export function requireTrustableEmails(providerId: string, settings: ProviderSettings | null) {
	if (mayTrustEmails(providerId, settings)) return;
	const message = tenantControlsEmail(providerId, settings)
		? "trustEmails needs the id of one Entra directory in options.tenantId"
		: "trustEmails is only for an identity provider that the tenant controls";
	throw tenantError("INVALID_PROVIDER_OPTIONS", { message });
}

/**
 * Who issues the account ids: `""` for the provider's own service, else the server that the settings
 * point to. User 5 of one GitLab server is another person than user 5 of another one.
 */
export function accountIssuerOf(providerId: string, settings: object | null | undefined): string {
	// Exactly: /realms/Acme and /realms/acme may belong to different people.
	if (isOwnProviderId(providerId))
		return `issuer=${new Map(Object.entries(settings ?? {})).get("issuer")}`;
	return controlledSettings(providerId, settings)
		.filter(({ value, control }) => typeof value === "string" && control.accounts)
		.map(({ name, value }) => `${name}=${String(value).toLowerCase().replace(/\/+$/, "")}`)
		.sort()
		.join(" ");
}

export const builtInProviderIds = Object.keys(socialProviders) as BuiltInProviderId[];

type HasFeatures = Pick<TenantInstance, "features">;

/** What the plugin for tenants' own providers does. */
export function requireOwnProviders({ features }: HasFeatures): OwnProviders {
	if (features.ownProviders) return features.ownProviders;
	throw tenantError("TENANT_OPENID_REQUIRED");
}

/** Rejects what a tenant cannot register. It can register a built-in provider, or one of its own. */
export function requireProvider(providerId: string, instance: HasFeatures): void {
	if (isOwnProviderId(providerId)) return void requireOwnProviders(instance);
	if (!providerId.startsWith(OWN_PROVIDER_PREFIX)) return void requireBuiltIn(providerId);
	throw tenantError("UNSUPPORTED_PROVIDER", {
		message:
			"After oidc: come 1 to 32 lowercase letters, digits and hyphens, no hyphen at either end",
	});
}

/** Own properties only: `constructor` and `__proto__` are no providers. */
export function requireBuiltIn(providerId: string): BuiltInProviderId {
	if (Object.hasOwn(socialProviders, providerId)) return providerId as BuiltInProviderId;
	throw tenantError("UNSUPPORTED_PROVIDER");
}
