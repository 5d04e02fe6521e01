import { isAPIError } from "better-auth/api";
import type { Auth } from "../auth";
import { isOutage } from "../database/outage";
import type { Log } from "../monitoring/log";
import { listProviderOwners } from "../saml/owners";

/** How many URLs are read at the same time. Each may take ten seconds. */
const AT_ONCE = 10;

/** How many metadata URLs were read, and what came out. `unreadable` is what was saved. */
type RefreshReport = { checked: number; changed: number; failed: number; unreadable: number };

/** Loads the metadata of all identity providers that have a URL, so that new certificates arrive. */
export async function refreshAllMetadata(
	auth: Auth,
	{ signal, log }: { signal: AbortSignal; log: Pick<Log, "warn"> },
): Promise<RefreshReport> {
	const report = { checked: 0, changed: 0, failed: 0, unreadable: 0 };
	const refresh = ({ tenantId }: { tenantId: string }) => refreshOne({ auth, log }, tenantId);
	for await (const owners of listProviderOwners((await auth.$context).adapter)) {
		for (let start = 0; start < owners.length && !signal.aborted; start += AT_ONCE) {
			const some = owners.slice(start, start + AT_ONCE);
			for (const result of await Promise.all(some.map(refresh))) {
				if (result === "pasted") continue;
				report.checked += 1;
				if (result !== "same") report[result] += 1;
			}
		}
		if (signal.aborted) return report;
	}
	return report;
}

type Result = "same" | "changed" | "failed" | "pasted" | "unreadable";

/** Without headers, the audit log names the server as the actor. */
async function refreshOne(
	{ auth: { api }, log }: { auth: Auth; log: Pick<Log, "warn"> },
	tenantId: string,
): Promise<Result> {
	try {
		const { changed } = await api.refreshTenantSaml({ body: { tenantId } });
		return changed ? "changed" : "same";
	} catch (error) {
		// What goes wrong in one tenant must not stop the job for the others.
		if (!isAPIError(error)) {
			if (isOutage(error)) throw error;
			log.warn({ err: error, tenantId }, "SAML metadata of a tenant could not be loaded");
			return "failed";
		}
		if (error.body?.code === "SAML_UNREADABLE") {
			log.warn({ err: error, tenantId }, "SAML identity provider of a tenant cannot be read");
			return "unreadable";
		}
		// Also if somebody removes it, or the tenant, meanwhile.
		const isGone = error.statusCode === 404 || error.body?.code === "SAML_HAS_NO_METADATA_URL";
		return isGone ? "pasted" : "failed";
	}
}
