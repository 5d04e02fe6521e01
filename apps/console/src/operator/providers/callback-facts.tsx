import type { EffectiveProvider } from "../api/providers";
import type { Fact } from "../lists/Facts";
import type { addressesOf } from "../tenant/tenant-addresses";

type Addresses = ReturnType<typeof addressesOf>;

/**
 * What has to be registered at the provider: where it sends people back to. That is the host that the
 * sign-in began on, which is the tenant's own for its pages, unless a redirect URI is set.
 */
export function callbackFacts(
	{ callbackURL }: Pick<EffectiveProvider, "callbackURL">,
	{ ownOrigin, serviceOrigin }: Addresses,
	redirectURI?: string | null,
): Fact[] {
	if (!ownOrigin || redirectURI) return [fact("Callback URL", callbackURL)];
	const { pathname } = new URL(callbackURL);
	return [
		fact("Callback URL", `${ownOrigin}${pathname}`),
		fact(`For apps that call ${new URL(serviceOrigin).host}`, `${serviceOrigin}${pathname}`),
	];
}

const fact = (title: string, url: string): Fact => ({
	title,
	value: <code>{url}</code>,
	copy: url,
});
