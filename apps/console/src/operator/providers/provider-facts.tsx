import type { EffectiveProvider, OAuthConfig } from "../api/providers";
import { formatMoment } from "../format/moment";
import type { Fact } from "../lists/Facts";
import type { addressesOf } from "../tenant/tenant-addresses";
import { callbackFacts } from "./callback-facts";
import { optionFieldsOf, toTexts } from "./provider-options";

/** What is known of a provider's client. The secret is not: nobody reads it back. */
export function factsOf(
	provider: EffectiveProvider,
	config: OAuthConfig | undefined,
	addresses: ReturnType<typeof addressesOf> | undefined,
): Fact[] {
	return [
		...(config ? ofClient(config) : []),
		...(addresses ? callbackFacts(provider, addresses, config?.redirectURI) : []),
		...(config ? optionsOf(provider.providerId, config) : []),
		...(config ? [{ title: "Changed", value: formatMoment(config.updatedAt) }] : []),
	];
}

const ofClient = ({ clientId, scopes }: OAuthConfig): Fact[] => [
	{ title: "Client ID", value: <code>{clientId}</code>, copy: clientId },
	{ title: "Client secret", value: <span className="muted">Stored, and never shown</span> },
	...(scopes.length > 0
		? [{ title: "Further scopes", value: <code>{scopes.join(" ")}</code> }]
		: []),
];

function optionsOf(providerId: string, { options }: OAuthConfig): Fact[] {
	const labels = new Map(optionFieldsOf(providerId).map(({ name, label }) => [name, label]));
	return Object.entries(toTexts(options)).map(([name, value]) => ({
		title: labels.get(name) ?? name,
		value: <code>{value}</code>,
	}));
}
