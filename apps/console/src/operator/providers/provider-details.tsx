import { settingsOfProvider } from "better-auth-tenant/providers";
import { formatTime } from "../../format";
import { providerOf } from "../../providers";
import type { EffectiveProvider, OAuthConfig } from "../api/providers";
import type { TenantUrls } from "../current-tenant/tenant-urls";
import type { Detail } from "../details";
import { PROVIDER_PROBLEM_TEXTS } from "./provider-problems";
import { toSettingValues } from "./provider-settings";

/** A provider that the tenant registered by its issuer has a name of its own. */
export const nameOf = ({ providerId, name }: Pick<EffectiveProvider, "providerId" | "name">) =>
	name ?? providerOf(providerId).name;

type ProviderStatus = {
	label: string;
	kind: "success" | "info" | "danger" | "neutral";
	/** Whether a test can show more than this status. */
	canTest: boolean;
	explanation: string;
};

/** Which OAuth client a sign-in would use, and why. */
export function providerStatus({ source, config }: EffectiveProvider): ProviderStatus {
	if (config === "unreadable") {
		return {
			label: "Not working",
			kind: "danger",
			canTest: true,
			explanation:
				"The stored credentials cannot be decrypted, so users cannot sign in with this provider. Replace them.",
		};
	}
	if (source === "tenant") {
		return {
			label: "Tenant's client",
			kind: "success",
			canTest: true,
			explanation: "Sign-in uses the tenant's OAuth client.",
		};
	}
	if (source === "global") {
		const explanation =
			config === "disabled"
				? "The tenant's OAuth client is disabled. Sign-in uses the service's client."
				: "The tenant has no OAuth client. Sign-in uses the service's client.";
		return { label: "Service's client", kind: "info", canTest: true, explanation };
	}
	return {
		label: "Disabled",
		kind: "neutral",
		canTest: false,
		explanation:
			"The tenant's OAuth client is disabled, and the service has none. Users cannot sign in with this provider.",
	};
}

const FAILURES: Record<string, string> = {
	invalid_client: "The provider rejected the client ID or the client secret.",
	unauthorized_client: "The provider does not allow this client to sign users in.",
	redirect_uri_mismatch: "The callback URL is not registered at the provider.",
	invalid_scope: "The provider rejected one of the scopes.",
	invalid_request: "The provider rejected the request.",
	unsupported_response_type: "The provider does not allow this kind of sign-in for this client.",
	server_error: "The provider reported an error.",
	temporarily_unavailable: "The provider was not available.",
	invalid_code: "The provider rejected the code. Check the client secret and the callback URL.",
	issuer_mismatch: "The response came from a different issuer.",
	unable_to_get_user_info: "The provider did not return the user.",
	email_not_found: "The provider did not return an email.",
	oauth_credential_decrypt_failed: "The stored credentials cannot be decrypted.",
	internal_server_error: "The service had an error.",
	provider_unavailable: "The provider did not respond, or its settings cannot be used.",
	...PROVIDER_PROBLEM_TEXTS,
};

export const describeFailure = (code: string): string => FAILURES[code] ?? "The sign-in failed.";

/** What we know about a provider's OAuth client. Nobody can read the secret back. */
export function providerDetails(
	provider: EffectiveProvider,
	config: OAuthConfig | undefined,
	urls: TenantUrls | undefined,
): Detail[] {
	const callbacks = urls ? callbackDetails(provider, urls, config?.redirectURI) : [];
	if (!config) return callbacks;
	const { clientIds, scopes, trustEmails, updatedAt } = config;
	const clientId = clientIds.join(" ");
	return [
		{ title: "Client ID", value: <code>{clientId}</code>, copy: clientId },
		{ title: "Client secret", value: <span className="muted">Stored, cannot be shown</span> },
		...(scopes.length > 0
			? [{ title: "Additional scopes", value: <code>{scopes.join(" ")}</code> }]
			: []),
		...(trustEmails.length > 0
			? [{ title: "Trusted email domains", value: <code>{trustEmails.join(" ")}</code> }]
			: []),
		...callbacks,
		...settingDetails(provider.providerId, config),
		{ title: "Updated", value: formatTime(updatedAt) },
	];
}

function settingDetails(providerId: string, { options }: OAuthConfig): Detail[] {
	const labels = new Map(settingsOfProvider(providerId).map(({ name, label }) => [name, label]));
	return Object.entries(toSettingValues(options)).map(([name, value]) => ({
		title: labels.get(name) ?? name,
		value: <code>{value}</code>,
	}));
}

/**
 * The callback URLs to register at the provider. The provider redirects to the host on which the
 * sign-in started: the tenant's own host for its pages. A redirect URI replaces them all.
 */
export function callbackDetails(
	{ callbackURL }: Pick<EffectiveProvider, "callbackURL">,
	{ tenantOrigin, serviceOrigin }: TenantUrls,
	redirectURI?: string | null,
): Detail[] {
	if (!tenantOrigin || redirectURI) return [urlDetail("Callback URL", callbackURL)];
	const { pathname } = new URL(callbackURL);
	return [
		urlDetail("Callback URL", `${tenantOrigin}${pathname}`),
		urlDetail(`For apps that call ${new URL(serviceOrigin).host}`, `${serviceOrigin}${pathname}`),
	];
}

const urlDetail = (title: string, url: string): Detail => ({
	title,
	value: <code>{url}</code>,
	copy: url,
});
