import { tenantError } from "../tenant-error";

export function tenantNotFound() {
	return tenantError("TENANT_NOT_FOUND");
}

export function tenantSuspended() {
	return tenantError("TENANT_SUSPENDED");
}
