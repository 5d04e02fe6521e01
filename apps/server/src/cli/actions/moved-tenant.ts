import type { Tenant } from "better-auth-tenant";
import type { Auth } from "../../auth";
import type { Log } from "../../monitoring/log";
import { askRegions } from "../../regions/directory";
import type { Regions } from "../../settings/regions";

type Elsewhere = { isOpen: boolean; message: string };

/** Whether another region has the tenant. */
export async function findElsewhere(
	id: string,
	regions: Regions | null,
	log: Log,
): Promise<Elsewhere> {
	if (!regions) return { isOpen: false, message: "" };
	const located = await askRegions(regions, log)({ id });
	if (located === null || located === "former") {
		return { isOpen: false, message: "No other region has it." };
	}
	if (located === "unknown") {
		return { isOpen: false, message: "A region does not respond, so another one may have it." };
	}
	const { region, isOpen } = located;
	const state = isOpen ? "open" : "suspended";
	return { isOpen, message: `It is ${state} in the region "${region.name}".` };
}

/** Why something would be lost if the copy here was deleted; `null` if all of the tenant is in the other region. */
export async function findMoveProblem(
	{ api }: Auth,
	{ id, suspendedAt }: Tenant,
	elsewhere: Elsewhere,
): Promise<string | null> {
	if (!elsewhere.isOpen) return elsewhere.message || "REGIONS is not set.";
	if (!suspendedAt) return "It is open here too, so it may have changed after it was exported.";
	const query = { tenantId: id, action: "app:export-tenant", limit: 1 };
	const [exported] = await api.listTenantAuditEvents({ query });
	if (exported && exported.createdAt >= suspendedAt) return null;
	return "It was not exported after it was suspended, so the file may lack changes. Export it again, delete it in the other region, and import it there again.";
}
