import { type InspectedCredentials, inspectCredentials } from "better-auth-tenant";
import type { Auth } from "../../auth";
import { count } from "../output";
import { type CheckResult, type Finding, resultOf } from "./finding";

/** More are counted only. */
const mostNamed = 20;

/** Opens every stored credential; `onConfig` sees each config that is enabled, for further checks. */
export async function checkCredentials(
	auth: Auth,
	onConfig: (config: InspectedCredentials) => void,
): Promise<CheckResult> {
	let total = 0;
	let outdated = 0;
	const unreadable: InspectedCredentials[] = [];
	for await (const config of inspectCredentials(auth)) {
		total += 1;
		if (config.state === "outdated") outdated += 1;
		if (config.state === "unreadable") unreadable.push(config);
		if (config.enabled) onConfig(config);
	}
	const findings = [...unreadableFindings(unreadable), ...outdatedFindings(outdated)];
	return resultOf("credentials", findings, `${count(total, "OAuth client")} can be opened`);
}

function unreadableFindings(unreadable: InspectedCredentials[]): Finding[] {
	const remedy =
		"Add the secret they were sealed under to BETTER_AUTH_SECRETS or BETTER_AUTH_SECRET, or register them again with oauth-config set.";
	const named = unreadable.slice(0, mostNamed).map(({ tenantId, providerId }) => ({
		problem: `The ${providerId} client of tenant ${tenantId} cannot be opened.`,
		remedy,
	}));
	const rest = unreadable.length - named.length;
	if (rest === 0) return named;
	return [...named, { problem: `${count(rest, "further client")} cannot be opened.`, remedy }];
}

function outdatedFindings(outdated: number): Finding[] {
	if (outdated === 0) return [];
	const problem = `${count(outdated, "OAuth client is", "OAuth clients are")} sealed under an older secret.`;
	return [{ problem, remedy: "Run secrets rotate before that secret is taken away." }];
}
