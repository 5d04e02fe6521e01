import { isPublicRoutableHost } from "@better-auth/core/utils/host";
import type { Configuration } from "../configuration";
import { count } from "../output";
import { type CheckResult, type Finding, resultOf } from "./finding";
import { providerOrigin } from "./provider-hosts";

const timeoutMs = 3000;
const atOnce = 8;

/** Which providers are used where: collected first, so that each host is asked once. */
export class ProviderHosts {
	/** Settings by provider, as text: a thousand tenants with the same ones are one host. */
	readonly #used = new Map<string, { providerId: string; settings: object | null }>();

	add(providerId: string, settings: object | null): void {
		this.#used.set(JSON.stringify([providerId, settings]), { providerId, settings });
	}

	async origins(): Promise<Map<string, string>> {
		const origins = new Map<string, string>();
		for (const { providerId, settings } of this.#used.values()) {
			const origin = await providerOrigin(providerId, settings);
			if (origin) origins.set(origin, providerId);
		}
		return origins;
	}
}

/** Any answer will do: it is there. What it says to a stranger tells nothing. */
export async function checkProviders(
	{ config }: Configuration,
	hosts: ProviderHosts,
): Promise<CheckResult> {
	const { allowPrivateProviderHosts } = config.settings;
	const waiting = [...(await hosts.origins())];
	const total = waiting.length;
	const findings: Finding[] = [];
	const worker = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const [origin, providerId] = next;
			const finding = await problemOf(origin, providerId, allowPrivateProviderHosts);
			if (finding) findings.push(finding);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return resultOf("providers", findings, count(total, "host answers", "hosts answer"));
}

async function problemOf(
	origin: string,
	providerId: string,
	allowPrivate: boolean,
): Promise<Finding | null> {
	// Not asked either: sign-ins refuse it too, and a tenant may have chosen it.
	if (!allowPrivate && !isPublicRoutableHost(new URL(origin).hostname)) {
		return {
			problem: `${providerId} at ${origin} is a private address, which sign-ins refuse.`,
			remedy: "Set ALLOW_PRIVATE_PROVIDER_HOSTS=true if it is meant, or register another address.",
		};
	}
	try {
		await fetch(origin, {
			method: "HEAD",
			redirect: "manual",
			signal: AbortSignal.timeout(timeoutMs),
		});
		return null;
	} catch (error) {
		return {
			problem: `${providerId} at ${origin} does not answer (${reasonOf(error)}).`,
			remedy: "Look at the network, the name and the certificate; --offline leaves this out.",
		};
	}
}

/** What fetch knows is in the cause, as a code or a message. */
function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if (error.name === "TimeoutError") return `within ${timeoutMs / 1000} seconds`;
	const { cause } = error;
	if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
	return error.message;
}
