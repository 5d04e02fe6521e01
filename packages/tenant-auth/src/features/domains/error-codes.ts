import { errorCodesOf } from "../../error-codes";

/** Every error of domains, with its HTTP status. The client loads this file. */
export const DOMAIN_ERRORS = {
	INVALID_DOMAIN: {
		status: "BAD_REQUEST",
		message: "This host name cannot be used",
	},
	DOMAIN_NOT_FOUND: {
		status: "NOT_FOUND",
		message: "Domain not found",
	},
	DOMAIN_ALREADY_ADDED: {
		status: "CONFLICT",
		message: "The tenant has added this domain already",
	},
	TOO_MANY_DOMAINS: {
		status: "CONFLICT",
		message: "The tenant has too many domains",
	},
	DOMAIN_TAKEN: {
		status: "CONFLICT",
		message: "Another tenant has verified this domain, and its DNS record still exists",
	},
	DOMAIN_NOT_VERIFIED: {
		status: "CONFLICT",
		message: "This is only possible for a verified domain",
	},
	DNS_RECORD_NOT_FOUND: {
		status: "UNPROCESSABLE_ENTITY",
		message: "The TXT record was not found in DNS; a new record may take some time to appear",
	},
	DNS_UNAVAILABLE: {
		status: "SERVICE_UNAVAILABLE",
		message: "DNS did not answer, try again in a moment",
	},
} as const;

export const TENANT_DOMAINS_ERROR_CODES = errorCodesOf(DOMAIN_ERRORS);
