import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";

export function tenantNotFound() {
	return APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
}

export function tenantSuspended() {
	return APIError.from("FORBIDDEN", TENANT_AUTH_ERROR_CODES.TENANT_SUSPENDED);
}
