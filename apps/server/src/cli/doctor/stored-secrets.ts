import {
	type InspectedCredentials,
	inspectCredentials,
	inspectStoredSecrets,
	type StoredSecret,
} from "better-auth-tenant";
import type { Auth } from "../../auth";
import { countRows, remedyFor } from "../encrypted-rows";
import { type CheckResult, type Finding, resultOf } from "./check-result";

/** Further findings are only counted. */
const MAX_LISTED = 20;

type Found = { total: number; outdated: number; unreadable: StoredSecret[] };

/** Decrypts everything that is stored encrypted. `onConfig` gets each enabled OAuth config. */
export async function checkStoredSecrets(
	auth: Auth,
	onConfig: (config: InspectedCredentials) => void,
): Promise<CheckResult> {
	const tables = new Map<string, Found>([
		["tenantOauthConfig", { total: 0, outdated: 0, unreadable: [] }],
	]);
	for await (const secret of inspectStoredSecrets(auth)) {
		const found = tables.get(secret.model) ?? { total: 0, outdated: 0, unreadable: [] };
		tables.set(secret.model, found);
		found.total += 1;
		if (secret.state === "outdated") found.outdated += 1;
		if (secret.state === "unreadable") found.unreadable.push(secret);
	}
	for await (const config of inspectCredentials(auth)) if (config.enabled) onConfig(config);
	const all = [...tables];
	const findings = [
		...all.flatMap(([model, { unreadable }]) => describeUnreadable(model, unreadable)),
		...all.flatMap(([model, { outdated }]) => describeOutdated(model, outdated)),
	];
	const counts = all.map(([model, { total }]) => countRows(total, model));
	return resultOf("credentials", findings, `${counts.join(", ")} can be decrypted`);
}

function describeUnreadable(model: string, unreadable: StoredSecret[]): Finding[] {
	const remedy = remedyFor(model);
	const listed = unreadable.filter(({ providerId }) => providerId).slice(0, MAX_LISTED);
	const rest = unreadable.length - listed.length;
	const more = listed.length > 0 ? " more" : "";
	return [
		...listed.map(({ tenantId, providerId }) => ({
			problem: `The ${providerId} credentials of tenant ${tenantId} cannot be decrypted.`,
			remedy,
		})),
		...(rest > 0
			? [{ problem: `${countRows(rest, model)}${more} cannot be decrypted.`, remedy }]
			: []),
	];
}

function describeOutdated(model: string, outdated: number): Finding[] {
	if (outdated === 0) return [];
	const are = outdated === 1 ? "is" : "are";
	return [
		{
			problem: `${countRows(outdated, model)} ${are} encrypted with an older secret.`,
			remedy: "Run secrets rotate before you remove this secret.",
		},
	];
}
