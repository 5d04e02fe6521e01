import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "@better-auth/core/social-providers";
import { isPublicRoutableHost } from "@better-auth/core/utils/host";
import type { Configuration } from "../configuration";
import { count } from "../output";
import { type CheckResult, type Finding, resultOf } from "./check-result";

const TIMEOUT_MS = 3000;
const CONCURRENCY = 8;

/** Collects the providers in use first, so that each host gets one request. */
export class ProviderHosts {
	/** By provider and options: a thousand tenants with the same options share one host. */
	readonly #used = new Map<string, { providerId: string; options: object | null }>();

	add(providerId: string, options: object | null): void {
		this.#used.set(JSON.stringify([providerId, options]), { providerId, options });
	}

	/** The id of one provider for each URL. */
	async urls(): Promise<Map<string, string>> {
		const urls = new Map<string, string>();
		for (const { providerId, options } of this.#used.values()) {
			const url = (await findOrigin(providerId, options)) ?? discoveryUrl(options);
			if (url) urls.set(url, providerId);
		}
		return urls;
	}
}

const DISCOVERY_PATH = "/.well-known/openid-configuration";

/** Of a provider that a tenant has registered by its issuer. */
function discoveryUrl(options: object | null): string | null {
	const issuer = options && "issuer" in options ? String(options.issuer) : "";
	return URL.canParse(issuer) ? `${issuer.replace(/\/$/, "")}${DISCOVERY_PATH}` : null;
}

type ProviderFactory = (options: object) => OAuthProvider;

/** The origin to which a sign-in redirects; `null` if the provider is unknown or rejects the options. */
async function findOrigin(providerId: string, options: object | null): Promise<string | null> {
	if (!Object.hasOwn(socialProviders, providerId)) return null;
	const create = Reflect.get(socialProviders, providerId) as ProviderFactory;
	try {
		const client = { clientId: "doctor", clientSecret: "doctor", clientKey: "doctor" };
		const url = await create({ ...client, ...options }).createAuthorizationURL({
			state: "doctor",
			codeVerifier: "doctor".repeat(8),
			redirectURI: "https://doctor.invalid/",
			scopes: [],
		});
		return url.origin;
	} catch {
		return null;
	}
}

/**
 * From the host of a built-in provider, any response is fine: it shows that the host can be reached. An
 * issuer must have its discovery document.
 */
export async function checkProviders(
	{ config }: Configuration,
	hosts: ProviderHosts,
): Promise<CheckResult> {
	const { allowPrivateProviderHosts } = config.settings;
	const remaining = [...(await hosts.urls())];
	const total = remaining.length;
	const findings: Finding[] = [];
	const worker = async () => {
		for (let next = remaining.shift(); next; next = remaining.shift()) {
			const [url, providerId] = next;
			const finding = await checkHost(url, providerId, allowPrivateProviderHosts);
			if (finding) findings.push(finding);
		}
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, worker));
	return resultOf("providers", findings, count(total, "host responds", "hosts respond"));
}

async function checkHost(
	url: string,
	providerId: string,
	allowPrivate: boolean,
): Promise<Finding | null> {
	const { origin, hostname } = new URL(url);
	const isDiscovery = url.endsWith(DISCOVERY_PATH);
	// A tenant may have chosen this host, so the doctor must not connect to a private one.
	if (!allowPrivate && !isPublicRoutableHost(hostname)) {
		return {
			problem: `${providerId} at ${origin} is a private address, which sign-ins reject.`,
			remedy: "Set ALLOW_PRIVATE_PROVIDER_HOSTS=true if this is intended, or use another URL.",
		};
	}
	try {
		const response = await fetch(url, {
			method: isDiscovery ? "GET" : "HEAD",
			redirect: "manual",
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.body?.cancel();
		if (!isDiscovery || response.ok) return null;
		return {
			problem: `${providerId} at ${origin} has no discovery document (status ${response.status}).`,
			remedy: "Check the issuer with: tenant-auth oauth-config test <tenant> <provider>",
		};
	} catch (error) {
		return {
			problem: `${providerId} at ${origin} does not respond (${reasonOf(error)}).`,
			remedy: "Check the network, the host name and the certificate. --offline skips this check.",
		};
	}
}

/** The cause of a fetch error contains the reason, as a code or a message. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error.name === "TimeoutError") return `timeout after ${TIMEOUT_MS / 1000} seconds`;
	const { cause } = error;
	if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
	return error.message;
}
